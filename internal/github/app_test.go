package github_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// newAppRig is a rig whose client is a GitHub App, installed for acme and for
// other.
func newAppRig(t *testing.T, installation func(*githubtest.World) int64) *rig {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.App(77, &key.PublicKey)
	r.Install("acme")
	r.Install("other")
	app := &github.App{ID: 77, Key: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})}
	if installation != nil {
		app.Installation = installation(r.World)
	}
	r.app = app
	r.Client = r.connect(t, func(o *github.Options) { o.App = app })
	return r
}

// TestApp reads as an App: it finds the installation of each owner, signs for
// its tokens, and renews them before they end.
func TestApp(t *testing.T) {
	r := newAppRig(t, nil)
	fill(r, 20)
	r.Open("other/shop", githubtest.Pull{})
	tokens := 0
	r.Watch(func(q githubtest.Request) {
		if strings.HasSuffix(q.Path, "/access_tokens") {
			tokens++
		}
		if q.Operation != "" {
			r.pass(20 * time.Minute)
		}
	})
	pulls, _, _ := readAll(t, r.page(t), github.PageQuery{Size: 2})
	r.Watch(nil)
	if len(pulls) != 20 || tokens != 5 {
		t.Errorf("read %d pull requests of 20 with %d tokens; 200 minutes need 5", len(pulls), tokens)
	}
	shop := github.RepositoryRef{Owner: "Other", Name: "shop"}
	if page, err := r.Client.PageREST(t.Context(), shop, github.PageQuery{}); err != nil || len(page.PullRequests) != 1 {
		t.Errorf("another owner: %d, %v", len(page.PullRequests), err)
	}
	if _, err := r.Client.Repository(t.Context(), github.RepositoryRef{Owner: "stranger", Name: "x"}); !errors.Is(err, github.ErrNotFound) || !strings.Contains(err.Error(), "installed") {
		t.Errorf("an owner without the App: %v", err)
	}
	r.RevokeTokens()
	if _, err := r.Client.PullRequest(t.Context(), ref, 3); err != nil {
		t.Errorf("after the tokens were taken back: %v", err)
	}
}

// TestInstallationRepositories lists what the App may read.
func TestInstallationRepositories(t *testing.T) {
	names := func(all []github.Repository) (out []string) {
		for _, r := range all {
			out = append(out, r.NameWithOwner)
		}
		return out
	}
	for _, c := range []struct {
		name string
		pick func(*githubtest.World) int64
		want []string
	}{
		{"every installation", nil, []string{"acme/api", "acme/web", "other/shop"}},
		{"one installation", func(w *githubtest.World) int64 { return w.Install("other") }, []string{"other/shop"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newAppRig(t, c.pick)
			for _, n := range []string{"acme/web", "acme/api", "other/shop", "stranger/x"} {
				r.Repository(n)
			}
			got, err := r.Client.InstallationRepositories(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, names(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	r := newRig(t)
	if _, err := r.Client.InstallationRepositories(t.Context()); err == nil {
		t.Error("without an App there are no installations")
	}
}

// TestOptions refuses what would send credentials in the clear or nowhere, and
// never shows them.
func TestOptions(t *testing.T) {
	const secret = "hunter2secret"
	for _, c := range []struct {
		name string
		o    github.Options
		says string // empty: accepted
	}{
		{"github.com", github.Options{Token: secret}, ""},
		{"Enterprise", github.Options{Token: secret, BaseURL: "https://ghe.example.com"}, ""},
		{"loopback", github.Options{Token: secret, BaseURL: "http://127.0.0.1:1234"}, ""},
		{"in the clear", github.Options{Token: secret, BaseURL: "http://ghe.example.com"}, "https"},
		{"not http", github.Options{BaseURL: "ftp://ghe.example.com"}, "https"},
		{"no host", github.Options{BaseURL: "ghe.example.com"}, "no host"},
		{"a password", github.Options{BaseURL: "https://me:" + secret + "@ghe.example.com"}, "password"},
		{"a query", github.Options{BaseURL: "https://ghe.example.com?token=x"}, "without anything behind"},
		{"nonsense", github.Options{BaseURL: "https://%zz"}, "not an address"},
		{"both", github.Options{Token: secret, App: &github.App{ID: 1}}, "keep one"},
		{"a broken token", github.Options{Token: secret + "\n"}, "line breaks"},
		{"no App id", github.Options{App: &github.App{}}, "id is missing"},
		{"no key", github.Options{App: &github.App{ID: 1, Key: []byte(secret)}}, "PEM"},
		{"another key", github.Options{App: &github.App{ID: 1, Key: pem.EncodeToMemory(&pem.Block{Type: "X", Bytes: []byte(secret)})}}, "RSA"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := github.New(c.o)
			switch {
			case c.says == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v, want %q", err, c.says)
			case err != nil && strings.Contains(err.Error(), secret):
				t.Errorf("shows the secret: %v", err)
			}
		})
	}
}

// TestAddresses sends REST and GraphQL where each kind of server has them,
// with the version of the interface that still has merge_commit_sha.
func TestAddresses(t *testing.T) {
	for base, want := range map[string][2]string{
		"":                             {"https://api.github.com/repos/acme/api", "https://api.github.com/graphql"},
		"https://api.github.com":       {"https://api.github.com/repos/acme/api", "https://api.github.com/graphql"},
		"https://ghe.example.com":      {"https://ghe.example.com/api/v3/repos/acme/api", "https://ghe.example.com/api/graphql"},
		"https://ghe.example.com/":     {"https://ghe.example.com/api/v3/repos/acme/api", "https://ghe.example.com/api/graphql"},
		"https://x.example.com/api/v3": {"https://x.example.com/api/v3/repos/acme/api", "https://x.example.com/api/graphql"},
		"https://api.acme.ghe.com":     {"https://api.acme.ghe.com/repos/acme/api", "https://api.acme.ghe.com/graphql"},
	} {
		t.Run(base, func(t *testing.T) {
			p := &requests{}
			c, err := github.New(github.Options{BaseURL: base, Token: "t", Transport: p, Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Repository(t.Context(), ref)
			_, _ = c.Totals(t.Context(), ref)
			if diff := cmp.Diff(want[:], p.urls); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if p.version != "2022-11-28" || p.authorization != "Bearer t" {
				t.Errorf("version %q, authorization %q", p.version, p.authorization)
			}
		})
	}
}
