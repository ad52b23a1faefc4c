package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The dotted paths of settings that commands name in their messages.
const (
	KeyRepositories  = "github.repositories"
	KeyOrganisations = "github.organisations"
	KeyAdminAddr     = "serve.admin"
)

// GitHub is what is read from GitHub, and with which credentials. The
// credentials themselves stand in the environment or in files, never here.
type GitHub struct {
	// BaseURL is a GitHub Enterprise Server; empty means github.com.
	BaseURL string
	// Repositories are "owner/name", Organisations logins.
	Repositories, Organisations []string
	// TokenEnv names the environment variable that holds a token, TokenFile a
	// file.
	TokenEnv, TokenFile string
	// App is the GitHub App to read as; its ID is 0 where there is none.
	App App
	// WebhookSecretEnv and WebhookSecretFile say where the webhook's secret is.
	WebhookSecretEnv, WebhookSecretFile string
	// Every is the time between two updates of a repository.
	Every time.Duration
	// ReconcileHour is the hour of the day (UTC) of the nightly reconciliation.
	ReconcileHour int
}

// App is a GitHub App and where its private key is.
type App struct {
	ID, Installation int64
	KeyEnv, KeyFile  string
}

var (
	repositoryName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$`)
	organisationName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}$`)
)

const variablePattern = `^[A-Za-z_][A-Za-z0-9_]{0,99}$`

// RepositoryName reports whether s has the form OWNER/NAME.
func RepositoryName(s string) bool { return repositoryName.MatchString(s) }

func githubKeys() []key {
	return []key{
		{
			name:    "base_url",
			doc:     "The address of a GitHub Enterprise Server; leave it out for github.com.",
			env:     "STEELYARD_GITHUB_URL",
			example: "https://github.example.com",
			set:     func(c *Config, v string) { c.GitHub.BaseURL = strings.TrimSuffix(v, "/") },
			shape:   shape{valid: validBaseURL, want: "an address such as https://github.example.com"},
		},
		{
			name:    "repositories",
			doc:     "The repositories to read, as owner/name.",
			example: "- acme/payments\n- acme/web",
			take:    func(c *Config, n *yaml.Node) { c.GitHub.Repositories = texts(n) },
			shape:   shape{kind: list, element: &shape{pattern: repositoryName.String(), want: "owner/name such as acme/payments"}},
		},
		{
			name:    "organisations",
			doc:     "Organisations whose repositories are all read, archived ones aside.",
			example: "- acme",
			take:    func(c *Config, n *yaml.Node) { c.GitHub.Organisations = texts(n) },
			shape:   shape{kind: list, element: &shape{pattern: organisationName.String(), want: "an organisation's login such as acme"}},
		},
		{
			name:     "token_env",
			doc:      "The name of the environment variable that holds the token. The token itself never stands in this file.",
			fallback: "GITHUB_TOKEN",
			set:      func(c *Config, v string) { c.GitHub.TokenEnv = v },
			shape:    variableName,
		},
		{
			name:    "token_file",
			doc:     "A file that holds the token and nothing else; it is read where the variable is not set.",
			example: "/run/secrets/github-token",
			set:     func(c *Config, v string) { c.GitHub.TokenFile = v },
			shape:   fileName,
		},
		{
			name: "app", doc: "A GitHub App to read as, instead of a token.",
			shape: shape{kind: table, keys: appKeys()},
		},
		{
			name:     "webhook_secret_env",
			doc:      "The name of the environment variable that holds the webhook's secret. Without a secret, /webhooks/github does not exist.",
			fallback: "STEELYARD_WEBHOOK_SECRET",
			set:      func(c *Config, v string) { c.GitHub.WebhookSecretEnv = v },
			shape:    variableName,
		},
		{
			name:    "webhook_secret_file",
			doc:     "A file that holds the webhook's secret; it is read where the variable is not set.",
			example: "/run/secrets/webhook-secret",
			set:     func(c *Config, v string) { c.GitHub.WebhookSecretFile = v },
			shape:   fileName,
		},
		{
			name:     "every",
			doc:      "The time between two updates of a repository by a process that works jobs; at least 1m.",
			fallback: "15m",
			set: func(c *Config, v string) {
				c.GitHub.Every, _ = time.ParseDuration(v) // checked before
			},
			shape: shape{valid: validEvery, want: "a duration from 1m to 168h, such as 15m"},
		},
		{
			name:     "reconcile_hour",
			doc:      "The hour of the day, in UTC, from which each repository is compared with GitHub once, and teams are read.",
			fallback: "3",
			set: func(c *Config, v string) {
				c.GitHub.ReconcileHour, _ = strconv.Atoi(v) // checked before
			},
			shape: shape{kind: whole, above: -1, upTo: 23, want: "an hour from 0 to 23"},
		},
	}
}

func appKeys() []key {
	return []key{
		{
			name:    "id",
			doc:     "The App's id, as its settings page shows it.",
			env:     "STEELYARD_GITHUB_APP_ID",
			example: "123456",
			set: func(c *Config, v string) {
				c.GitHub.App.ID, _ = strconv.ParseInt(v, 10, 64) // checked before; empty is none
			},
			shape: shape{kind: whole, above: 0, upTo: 1 << 50, want: "a number such as 123456"},
		},
		{
			name:    "installation",
			doc:     "The installation's id; without it the one of the repository's owner is looked up.",
			example: "7890123",
			set: func(c *Config, v string) {
				c.GitHub.App.Installation, _ = strconv.ParseInt(v, 10, 64) // checked before; empty is none
			},
			shape: shape{kind: whole, above: 0, upTo: 1 << 50, want: "a number such as 7890123"},
		},
		{
			name:     "key_env",
			doc:      "The name of the environment variable that holds the App's private key in PEM form.",
			fallback: "STEELYARD_GITHUB_APP_KEY",
			set:      func(c *Config, v string) { c.GitHub.App.KeyEnv = v },
			shape:    variableName,
		},
		{
			name:    "key_file",
			doc:     "The file of the App's private key; it is read where the variable is not set.",
			example: "/run/secrets/app.pem",
			set:     func(c *Config, v string) { c.GitHub.App.KeyFile = v },
			shape:   fileName,
		},
	}
}

// variableName is the shape of the name of an environment variable. What
// stands there by mistake is not repeated: it may be the secret itself.
var variableName = shape{
	pattern: variablePattern, secret: true, valid: validVariable,
	want: "the name of an environment variable (letters, digits and _), not its value",
}

// tokenStarts are how GitHub's tokens begin (docs.github.com, "About
// authentication to GitHub"): a token of the older forms could be a variable's
// name.
var tokenStarts = [...]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}

func validVariable(s string) error {
	for _, start := range tokenStarts {
		if strings.HasPrefix(s, start) {
			return errors.New("it is a token of GitHub")
		}
	}
	return nil
}

var fileName = shape{valid: validFile, want: "a file's path"}

func validFile(s string) error {
	if s == "" || strings.ContainsRune(s, 0) || strings.Contains(s, "\n") {
		return errors.New("it is no path")
	}
	return nil
}

func validBaseURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "":
		return errors.New("it is not a web address")
	case u.User != nil:
		return errors.New("credentials do not belong into it")
	case u.Scheme != "https" && u.Scheme != "http":
		return errors.New("it is not an https address")
	case u.Scheme == "http" && u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" && u.Hostname() != "::1":
		return errors.New("the token would travel in clear: use https")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("it goes on after the path")
	}
	return nil
}

func validEvery(s string) error {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return errors.New("it is no duration")
	case d < time.Minute:
		return errors.New("it is too short")
	case d > 7*24*time.Hour:
		return errors.New("it is too long")
	}
	return nil
}

// texts are the scalars of a list.
func texts(n *yaml.Node) []string {
	var all []string
	for _, e := range n.Content {
		all = append(all, e.Value)
	}
	return all
}

// twice reports elements of a list that come twice, whatever their case.
func twice(file, path string, n *yaml.Node) (problems Problems) {
	if n == nil {
		return nil
	}
	first := map[string]int{}
	for _, e := range n.Content {
		name := strings.ToLower(e.Value)
		if line, is := first[name]; is {
			problems = append(problems, Problem{
				File: file, Line: e.Line, Column: e.Column,
				Text: fmt.Sprintf("%s: %q comes twice, first in line %d", path, clip(e.Value), line),
			})
			continue
		}
		first[name] = e.Line
	}
	return problems
}
