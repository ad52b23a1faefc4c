package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

func TestServeSettings(t *testing.T) {
	c, err := load(`serve:
  addr: 0.0.0.0:8484
  public_url: https://Steelyard.Example.com:443/
  dashboard: false
  mcp:
    issuer: https://login.example.com/realms/Acme
    tokens_file: /etc/steelyard/tokens
    calls_per_minute: 0
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Serve{
		Addr: "0.0.0.0:8484", PublicURL: "https://steelyard.example.com",
		SignIn: config.SignIn{SecretEnv: "STEELYARD_SIGN_IN_SECRET", GroupsClaim: "groups", GitHub: config.SignInGitHub{SecretEnv: "STEELYARD_SIGN_IN_GITHUB_SECRET"}},
		MCP:    config.ServeMCP{Issuer: "https://login.example.com/realms/Acme", TokensFile: "/etc/steelyard/tokens"},
	}
	if diff := cmp.Diff(want, c.Serve); diff != "" || !c.Serve.Reached() || !c.Serve.MCP.Authorized() {
		t.Errorf("-want +got:\n%s", diff)
	}
	c, err = load("")
	if err != nil || !c.Serve.Dashboard || c.Serve.Reached() || c.Serve.MCP.Authorized() || c.Serve.MCP.CallsPerMinute != 600 {
		t.Errorf("defaults: %+v, %v", c.Serve, err)
	}
	if c, err = load("serve: {public_url: 'http://localhost:8484'}\n"); err != nil || c.Serve.Reached() {
		t.Errorf("an address on this machine: %+v, %v", c.Serve, err)
	}
}

func TestServeProblems(t *testing.T) {
	for text, want := range map[string]string{
		"serve: {public_url: 'http://steelyard.example.com'}":       "it is not https",
		"serve: {public_url: 'https://steelyard.example.com/path'}": "a path behind the host is not supported",
		"serve: {public_url: 'https://u:p@steelyard.example.com'}":  "it has a user, a query or a fragment",
		"serve: {public_url: 'https://steelyard.example.com?a=b'}":  "it has a user, a query or a fragment",
		"serve: {public_url: steelyard.example.com}":                "it is not an address",
		"serve: {public_url: 'https://:443'}":                       "it is not an address",
		"serve: {mcp: {issuer: 'http://login.example.com'}}":        "it is not https",
		"serve: {mcp: {audience: 'two words'}}":                     "expected a name without spaces",
		"serve: {mcp: {calls_per_minute: -1}}":                      "out of range",
		"serve: {mcp: {tokens: [a]}}":                               "steelyard token",
		"serve: {dashboard: 'no'}":                                  "expected true or false",
	} {
		if _, err := load(text + "\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
	}
}
