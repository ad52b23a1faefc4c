package leaks

import (
	"strings"
	"testing"
)

func TestKindsAreWords(t *testing.T) {
	for id, want := range map[string]string{
		"github-pat":                       "GitHub personal access token",
		"github-fine-grained-pat":          "GitHub fine grained personal access token",
		"github-oauth":                     "GitHub OAuth token",
		"gitlab-pat-routable":              "GitLab personal access token",
		"gitlab-oauth-app-secret":          "GitLab OAuth app secret",
		"aws-access-token":                 "AWS access token",
		"heroku-api-key-v2":                "Heroku API key",
		"jwt":                              "JSON web token",
		"private-key":                      "private key",
		"slack-bot-token":                  "Slack bot token",
		"settlemint-personal-access-token": "Settlemint personal access token",
		"openai-api-key":                   "OpenAI API key",
	} {
		if got := kindOf(id); got != want {
			t.Errorf("kindOf(%q) = %q, want %q", id, got, want)
		}
	}
	list, err := vendorRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.rules {
		if r.kind == "" || strings.Contains(r.kind, "  ") || strings.Contains(" "+r.kind+" ", " pat ") {
			t.Errorf("%s is called %q", r.id, r.kind)
		}
	}
}
