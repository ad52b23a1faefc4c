package config

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// KeySignIn is the dotted path of the settings about signing in.
const KeySignIn = "serve.sign_in"

// SignIn is who may see the dashboard.
type SignIn struct {
	// Issuer is an OpenID Connect provider; empty means none.
	Issuer   string
	ClientID string
	// SecretEnv and SecretFile say where the client secret is.
	SecretEnv, SecretFile string
	// GroupsClaim is the claim that holds a person's groups, Scopes are asked
	// for beside openid, profile and email.
	GroupsClaim string
	Scopes      []string
	// GitHub is an OAuth app of GitHub.
	GitHub SignInGitHub
	// Viewers and Admins are the groups that have these roles.
	Viewers, Admins []string
}

// SignInGitHub is an OAuth app of GitHub; its ClientID is empty where there is
// none.
type SignInGitHub struct{ ClientID, SecretEnv, SecretFile string }

// Configured reports whether people can sign in.
func (s SignIn) Configured() bool { return s.Issuer != "" || s.GitHub.ClientID != "" }

// noSecret says what to do instead of writing a secret into the settings.
func noSecret(keys string) map[string]string {
	why := "a secret does not stand in this file: " + keys + "_env names the environment variable that holds it, " + keys + "_file a file"
	return map[string]string{"client_secret": why, "secret": why}
}

func signInKey() key {
	return key{
		name: "sign_in", doc: "Who may see the dashboard. Without it everybody on this machine sees everything, and nobody beyond it is served.",
		shape: shape{kind: table, keys: signInKeys(), instead: noSecret("client_secret")},
	}
}

func signInKeys() []key {
	return append([]key{
		{
			name:    "issuer",
			doc:     "The issuer identifier of an OpenID Connect provider, written as its metadata writes it.",
			env:     "STEELYARD_SERVE_SIGN_IN_ISSUER",
			example: "https://login.example.com",
			set:     func(c *Config, v string) { c.Serve.SignIn.Issuer = v },
			shape:   shape{valid: validIssuer, want: "an https address such as https://login.example.com"},
		},
		{
			name:    "client_id",
			doc:     "What the provider calls this dashboard. It sends people back to /sign-in/oidc/callback below public_url.",
			env:     "STEELYARD_SERVE_SIGN_IN_CLIENT_ID",
			example: "steelyard",
			set:     func(c *Config, v string) { c.Serve.SignIn.ClientID = v },
			shape:   shape{pattern: `^(\S{1,500})?$`, want: "a name without spaces"},
		},
		secretEnvKey("STEELYARD_SIGN_IN_SECRET", func(c *Config, v string) { c.Serve.SignIn.SecretEnv = v }),
		secretFileKey("/etc/steelyard/sign-in.secret", func(c *Config, v string) { c.Serve.SignIn.SecretFile = v }),
		{
			name:     "groups_claim",
			doc:      "The claim, of the ID token or of what the provider says of a person, that lists their groups.",
			fallback: "groups",
			set:      func(c *Config, v string) { c.Serve.SignIn.GroupsClaim = v },
			shape:    shape{pattern: `^\S{1,200}$`, want: "the name of a claim"},
		},
		{
			name:    "scopes",
			doc:     "What is asked for beside openid, profile and email; some providers give groups for a scope of their own.",
			example: "- groups",
			take:    func(c *Config, n *yaml.Node) { c.Serve.SignIn.Scopes = texts(n) },
			shape:   shape{kind: list, element: &shape{pattern: `^\S{1,200}$`, want: "a scope without spaces"}},
		},
		{
			name: "github", doc: "An OAuth app of GitHub, beside or instead of an issuer. It sends people back to /sign-in/github/callback below public_url. A group is an organisation (acme) or a team (acme/platform).",
			shape: shape{kind: table, instead: noSecret("client_secret"), keys: []key{
				{
					name:    "client_id",
					doc:     "The client ID of the app.",
					env:     "STEELYARD_SERVE_SIGN_IN_GITHUB_CLIENT_ID",
					example: "Iv1.0123456789abcdef",
					set:     func(c *Config, v string) { c.Serve.SignIn.GitHub.ClientID = v },
					shape:   shape{pattern: `^(\S{1,200})?$`, want: "a client ID"},
				},
				secretEnvKey("STEELYARD_SIGN_IN_GITHUB_SECRET", func(c *Config, v string) { c.Serve.SignIn.GitHub.SecretEnv = v }),
				secretFileKey("/etc/steelyard/sign-in-github.secret", func(c *Config, v string) { c.Serve.SignIn.GitHub.SecretFile = v }),
			}},
		},
	}, roleKeys()...)
}

func secretEnvKey(fallback string, set func(*Config, string)) key {
	return key{
		name: "client_secret_env", doc: "The environment variable that holds the client secret.",
		fallback: fallback, set: set,
		shape: shape{pattern: variablePattern, want: "the name of an environment variable"},
	}
}

func secretFileKey(example string, set func(*Config, string)) key {
	return key{
		name: "client_secret_file", doc: "A file that holds the client secret, where the variable is not set.",
		example: example, set: set,
		shape: shape{want: "a file"},
	}
}

func roleKeys() []key {
	group := &shape{valid: validGroup, want: "the name of a group as the provider writes it"}
	return []key{
		{
			name:    "viewers",
			doc:     "Groups whose people may read everything; \"*\" lets in whoever the provider knows, and is refused for GitHub, which knows everybody.",
			example: "- engineering\n- acme/platform",
			take:    func(c *Config, n *yaml.Node) { c.Serve.SignIn.Viewers = texts(n) },
			shape:   shape{kind: list, element: group},
		},
		{
			name:    "admins",
			doc:     "Groups whose people may define pilots and take decisions, too.",
			example: "- engineering-leads",
			take:    func(c *Config, n *yaml.Node) { c.Serve.SignIn.Admins = texts(n) },
			shape:   shape{kind: list, element: group},
		},
	}
}

func validGroup(s string) error {
	if s == "" || len(s) > 300 || strings.TrimSpace(s) != s {
		return errors.New("it is no name of a group")
	}
	return nil
}

// signInValues are the settings by their dotted path.
func (c *Config) signInValues(values map[string]any) {
	s := c.Serve.SignIn
	values[KeySignIn+".issuer"] = s.Issuer
	values[KeySignIn+".client_id"] = s.ClientID
	values[KeySignIn+".client_secret_env"] = s.SecretEnv
	values[KeySignIn+".client_secret_file"] = s.SecretFile
	values[KeySignIn+".groups_claim"] = s.GroupsClaim
	values[KeySignIn+".scopes"] = words(s.Scopes)
	values[KeySignIn+".github.client_id"] = s.GitHub.ClientID
	values[KeySignIn+".github.client_secret_env"] = s.GitHub.SecretEnv
	values[KeySignIn+".github.client_secret_file"] = s.GitHub.SecretFile
	values[KeySignIn+".viewers"] = words(s.Viewers)
	values[KeySignIn+".admins"] = words(s.Admins)
}

// contradictions reports what would let in nobody, or everybody.
func (s SignIn) contradictions(file string, n *yaml.Node) (problems Problems) {
	if n == nil {
		return nil
	}
	add := func(text, hint string) {
		problems = append(problems, Problem{File: file, Line: n.Line, Text: KeySignIn + ": " + text, Hint: hint})
	}
	if s.Issuer != "" && s.ClientID == "" {
		add("an issuer and no client_id", "client_id is what the provider calls this dashboard")
	}
	if s.Issuer == "" && s.ClientID != "" {
		add("a client_id and no issuer", "issuer is the address of the provider")
	}
	if s.Configured() && len(s.Viewers)+len(s.Admins) == 0 {
		add("no group has a role, so nobody could see anything", "viewers and admins name groups")
	}
	if slices.Contains(s.Admins, "*") {
		add("everybody would be an admin", "admins names groups; only viewers may be \"*\"")
	}
	if slices.Contains(s.Viewers, "*") && s.GitHub.ClientID != "" {
		add("viewers \"*\" would let in everybody who has an account at GitHub", "name organisations or teams: acme, acme/platform")
	}
	return problems
}
