package main

import (
	"fmt"
	"log/slog"
	"strings"

	"steelyard/internal/config"
	"steelyard/migrations"
	"steelyard/web"
	"steelyard/web/sessions"
	"steelyard/web/signin"
)

// gate puts the sign-in of the settings in front of the dashboard at url; nil
// where there is none.
func (p *program) gate(s *config.Config, db *migrations.DB, url string, logger *slog.Logger) (*signin.Gate, error) {
	in := s.Serve.SignIn
	if !in.Configured() {
		return nil, nil //nolint:nilnil // no gate is no fault
	}
	providers, secrets, err := p.providers(s)
	if err != nil {
		return nil, err
	}
	page, err := web.SignInPages(readBuild().Version, logger)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	g, err := signin.New(signin.Options{
		URL: url, Providers: providers, Secret: strings.Join(secrets, "\n"),
		Roles:    signin.Roles{Viewers: in.Viewers, Admins: in.Admins},
		Sessions: sessions.New(db), Page: page, Clock: p.now, Logger: logger,
		Open: []string{web.StaticPath, web.WebhookPath},
	})
	if err != nil {
		return nil, withHint(err, "the settings about it stand under %s", config.KeySignIn)
	}
	return g, nil
}

// providers are those of the settings with their client secrets.
func (p *program) providers(s *config.Config) (all []signin.Provider, secrets []string, err error) {
	in := s.Serve.SignIn
	take := func(key, variable, file string) (string, error) {
		secret, err := p.secret(variable, file)
		if err != nil {
			return "", secretFailure(err)
		}
		if len(secret) < signin.ShortestSecret {
			what := "there is no client secret"
			if secret != "" {
				what = fmt.Sprintf("the client secret is shorter than %d characters", signin.ShortestSecret)
			}
			return "", withHint(fmt.Errorf("%s: %s", key, what),
				"put it into the environment variable %s, or name its file in %s.client_secret_file", variable, key)
		}
		secrets = append(secrets, secret)
		return secret, nil
	}
	if in.Issuer != "" {
		secret, err := take(config.KeySignIn, in.SecretEnv, in.SecretFile)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, signin.NewOIDC(signin.OIDCOptions{
			Issuer: in.Issuer, ClientID: in.ClientID, ClientSecret: secret,
			GroupsClaim: in.GroupsClaim, Scopes: in.Scopes, Clock: p.now,
		}))
	}
	if in.GitHub.ClientID != "" {
		secret, err := take(config.KeySignIn+".github", in.GitHub.SecretEnv, in.GitHub.SecretFile)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, signin.NewGitHub(signin.GitHubOptions{BaseURL: s.GitHub.BaseURL, ClientID: in.GitHub.ClientID, ClientSecret: secret}))
	}
	return all, secrets, nil
}
