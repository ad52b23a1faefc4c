package signin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/oauth2"
)

// GitHubOptions describe an OAuth app of GitHub.
type GitHubOptions struct {
	// BaseURL is a GitHub Enterprise Server; empty: github.com.
	BaseURL                string
	ClientID, ClientSecret string
	// Transport is how it is asked; nil: as usual.
	Transport http.RoundTripper
}

// gitHub knows people by their account, and their groups by the organisations
// and teams that the app may see.
type gitHub struct {
	o        GitHubOptions
	client   *http.Client
	web, api string
}

// NewGitHub returns GitHub as a provider. It reads who somebody is and their
// organisations and teams (scope read:org), and forgets the token at once.
func NewGitHub(o GitHubOptions) Provider {
	g := &gitHub{o: o, client: newClient(o.Transport), web: "https://github.com", api: "https://api.github.com"}
	if base := strings.TrimSuffix(o.BaseURL, "/"); base != "" {
		g.web, g.api = base, base+"/api/v3"
	}
	return g
}

func (g *gitHub) ID() string     { return "github" }
func (g *gitHub) Title() string  { return "GitHub" }
func (g *gitHub) Issuer() string { return "" }

func (g *gitHub) config(redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: g.o.ClientID, ClientSecret: g.o.ClientSecret, RedirectURL: redirect, Scopes: []string{"read:org"},
		Endpoint: oauth2.Endpoint{AuthURL: g.web + "/login/oauth/authorize", TokenURL: g.web + "/login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams},
	}
}

func (g *gitHub) Address(_ context.Context, redirect string, a Challenge) (string, error) {
	return g.config(redirect).AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.Verifier)), nil
}

func (g *gitHub) Person(ctx context.Context, redirect, code string, a Challenge) (Person, error) {
	token, err := g.config(redirect).Exchange(with(ctx, g.client), code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Person{}, exchangeError(err)
	}
	var user struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
		Name  string `json:"name"`
	}
	if err := g.get(ctx, token, "/user", &user); err != nil {
		return Person{}, err
	}
	if user.ID == 0 {
		return Person{}, fmt.Errorf("%w: GitHub names no account", errDenied)
	}
	p := Person{Subject: g.web + " " + strconv.FormatInt(user.ID, 10), Name: plain(user.Name)}
	if p.Name == "" {
		p.Name = plain(user.Login)
	}
	p.Groups, err = g.groups(ctx, token)
	return p, err
}

// maxPages bounds how many pages of organisations and of teams are read: ten of
// a hundred.
const maxPages = 10

// groups lists the organisations and teams of the person, as "acme" and
// "acme/platform", in lower case as logins do not tell case apart.
func (g *gitHub) groups(ctx context.Context, token *oauth2.Token) ([]string, error) {
	var groups []string
	type organisation struct {
		Login string `json:"login"`
	}
	for page := 1; page <= maxPages; page++ {
		var all []organisation
		if err := g.get(ctx, token, "/user/orgs?"+pageOf(page), &all); err != nil {
			return nil, err
		}
		for _, o := range all {
			groups = append(groups, strings.ToLower(o.Login))
		}
		if len(all) < perPage {
			break
		}
	}
	for page := 1; page <= maxPages; page++ {
		var all []struct {
			Slug         string       `json:"slug"`
			Organization organisation `json:"organization"`
		}
		if err := g.get(ctx, token, "/user/teams?"+pageOf(page), &all); err != nil {
			return nil, err
		}
		for _, t := range all {
			groups = append(groups, strings.ToLower(t.Organization.Login+"/"+t.Slug))
		}
		if len(all) < perPage {
			break
		}
	}
	return groups, nil
}

const perPage = 100

func pageOf(n int) string {
	return url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(n)}}.Encode()
}

// get reads one bounded answer of GitHub's REST.
func (g *gitHub) get(ctx context.Context, token *oauth2.Token, path string, into any) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, g.api+path, nil)
	if err != nil {
		return fmt.Errorf("ask GitHub who somebody is: %w", err)
	}
	q.Header.Set("Accept", "application/vnd.github+json")
	q.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	token.SetAuthHeader(q)
	res, err := g.client.Do(q)
	if err != nil {
		return fmt.Errorf("ask GitHub who somebody is: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("ask GitHub who somebody is: %s: %s", q.URL.Path, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return fmt.Errorf("ask GitHub who somebody is: %s: %w", q.URL.Path, err)
	}
	return nil
}
