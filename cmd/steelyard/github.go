package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/internal/github"
	"steelyard/metrics"
)

// maxSecret bounds a file that holds a secret.
const maxSecret = 64 << 10

// secret reads what an environment variable holds or, where it is not set, a
// file. It is empty where there is neither.
func (p *program) secret(variable, file string) (string, error) {
	if v, ok := p.env(variable); ok && strings.TrimSpace(v) != "" {
		return strings.TrimSpace(v), nil
	}
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("read the secret: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("read the secret in %s: %w", file, err)
	}
	switch s := strings.TrimSpace(string(text)); {
	case s == "":
		return "", fmt.Errorf("read the secret in %s: the file is empty", file)
	case len(text) > maxSecret:
		return "", fmt.Errorf("read the secret in %s: the file is larger than a secret", file)
	default:
		return s, nil
	}
}

// githubClient is a client with the credentials that the settings name.
func (p *program) githubClient(s *config.Config, notify func(github.Notice)) (*github.Client, error) {
	g := s.GitHub
	o := github.Options{BaseURL: g.BaseURL, Clock: p.now, Notify: notify}
	if g.App.ID != 0 {
		key, err := p.secret(g.App.KeyEnv, g.App.KeyFile)
		if err != nil {
			return nil, secretFailure(err)
		}
		if key == "" {
			return nil, withHint(fmt.Errorf("GitHub: the settings name the App %d and there is no key for it", g.App.ID),
				"put its private key (PEM) into the environment variable %s, or name its file in github.app.key_file", g.App.KeyEnv)
		}
		o.App = &github.App{ID: g.App.ID, Installation: g.App.Installation, Key: []byte(key)}
	} else {
		token, err := p.secret(g.TokenEnv, g.TokenFile)
		if err != nil {
			return nil, secretFailure(err)
		}
		if token == "" {
			return nil, &failure{err: errors.New("GitHub: there is no token"), hints: []string{
				fmt.Sprintf("put a token into the environment variable %s, or name its file in github.token_file", g.TokenEnv),
				fmt.Sprintf("for a GitHub App, set github.app.id (or STEELYARD_GITHUB_APP_ID) and put its private key into %s", g.App.KeyEnv),
				"docs/github.md says which permissions it needs, and why",
			}}
		}
		o.Token = token
	}
	client, err := github.New(o)
	if err != nil {
		return nil, fmt.Errorf("GitHub: %w", err)
	}
	return client, nil
}

func secretFailure(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return withHint(err, "give this user the right to read it, and nobody else")
	}
	return err
}

// teamSources are the settings' teams as the domain has them: those that the
// kind of placement goes by.
func teamSources(t config.Teams) []metrics.TeamSource {
	sources := []metrics.TeamSource{}
	if t.Placement == config.ByRepository {
		for _, r := range t.Repositories {
			sources = append(sources, metrics.TeamSource{Team: r.Team, Repositories: r.Repositories})
		}
		return sources
	}
	place := map[string]int{}
	for _, m := range t.Members {
		i, known := place[m.Team]
		if !known {
			i = len(sources)
			place[m.Team] = i
			sources = append(sources, metrics.TeamSource{Team: m.Team})
		}
		sources[i].Members = append(sources[i].Members, metrics.TeamMember{Login: m.Account, From: m.From, To: dayAfter(m.Until)})
	}
	for _, team := range t.GitHub {
		_, slug, _ := strings.Cut(team, "/")
		sources = append(sources, metrics.TeamSource{Team: slug, GitHub: team})
	}
	return sources
}

// dayAfter is the end of a span whose last day is given; zero stays open.
func dayAfter(last time.Time) time.Time {
	if last.IsZero() {
		return last
	}
	return last.AddDate(0, 0, 1)
}
