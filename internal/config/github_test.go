package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/internal/config"
)

func TestLoadGitHub(t *testing.T) {
	c, err := load(`github:
  base_url: https://github.example.com/
  repositories: [acme/payments, acme/web.site]
  organisations: [acme, other-1]
  token_env: ACME_TOKEN
  token_file: /run/secrets/token
  app: {id: 17, installation: 18, key_env: ACME_KEY, key_file: app.pem}
  webhook_secret_env: ACME_HOOK
  webhook_secret_file: hook
  every: 1h30m
  reconcile_hour: 0
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.GitHub{
		BaseURL:      "https://github.example.com",
		Repositories: []string{"acme/payments", "acme/web.site"}, Organisations: []string{"acme", "other-1"},
		TokenEnv: "ACME_TOKEN", TokenFile: "/run/secrets/token",
		App:              config.App{ID: 17, Installation: 18, KeyEnv: "ACME_KEY", KeyFile: "app.pem"},
		WebhookSecretEnv: "ACME_HOOK", WebhookSecretFile: "hook",
		Every: 90 * time.Minute,
	}
	if diff := cmp.Diff(want, c.GitHub); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	c, err = load("")
	if err != nil {
		t.Fatal(err)
	}
	want = config.GitHub{
		TokenEnv: "GITHUB_TOKEN", App: config.App{KeyEnv: "STEELYARD_GITHUB_APP_KEY"},
		WebhookSecretEnv: "STEELYARD_WEBHOOK_SECRET", Every: 15 * time.Minute, ReconcileHour: 3,
	}
	if diff := cmp.Diff(want, c.GitHub); diff != "" {
		t.Errorf("without a file, -want +got:\n%s", diff)
	}
}

func TestLoadTeamsAndHours(t *testing.T) {
	c, err := load(`teams:
  placement: repository
  github: [acme/payments]
  members:
    - {account: octocat, team: payments, from: 2026-03-01, until: 2026-08-31}
    - {account: octocat, team: web, from: 2026-09-01}
    - {account: hubot, team: The Web People}
  repositories:
    - {team: payments, repositories: [acme/payments, acme/billing]}
hours:
  count: working
  zone: Europe/Berlin
  from: "08:30"
  holidays: [2026-12-25]
  teams:
    - {team: payments, zone: America/New_York, from: "00:00", until: "24:00", weekdays: [sunday, monday], holidays: [2026-11-26]}
    - team: web
exclusions:
  - {from: 2026-12-21, until: 2027-01-03, reason: the freeze}
`)
	if err != nil {
		t.Fatal(err)
	}
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	teams := config.Teams{
		Placement: config.ByRepository, GitHub: []string{"acme/payments"},
		Members: []config.Member{
			{Account: "octocat", Team: "payments", From: day("2026-03-01"), Until: day("2026-08-31")},
			{Account: "octocat", Team: "web", From: day("2026-09-01")},
			{Account: "hubot", Team: "The Web People"},
		},
		Repositories: []config.TeamRepositories{{Team: "payments", Repositories: []string{"acme/payments", "acme/billing"}}},
	}
	lines := cmpopts.IgnoreFields(config.Member{}, "Line")
	if diff := cmp.Diff(teams, c.Teams, lines); diff != "" {
		t.Errorf("teams, -want +got:\n%s", diff)
	}
	workdays := []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
	christmas := []time.Time{day("2026-12-25")}
	hours := config.Hours{
		Count: config.Working,
		Week:  config.Week{Zone: "Europe/Berlin", Weekdays: workdays, From: 8*time.Hour + 30*time.Minute, Until: 17 * time.Hour, Holidays: christmas},
		Teams: []config.TeamHours{
			{Team: "payments", Week: config.Week{
				Zone: "America/New_York", Weekdays: []time.Weekday{time.Sunday, time.Monday}, Until: 24 * time.Hour,
				Holidays: []time.Time{day("2026-12-25"), day("2026-11-26")},
			}},
			{Team: "web", Week: config.Week{Zone: "Europe/Berlin", Weekdays: workdays, From: 8*time.Hour + 30*time.Minute, Until: 17 * time.Hour, Holidays: christmas}},
		},
	}
	if diff := cmp.Diff(hours, c.Hours, cmpopts.IgnoreFields(config.Week{}, "Line")); diff != "" {
		t.Errorf("hours, -want +got:\n%s", diff)
	}
	exclusions := []config.Exclusion{{From: day("2026-12-21"), Until: day("2027-01-03"), Reason: "the freeze", Line: 19}}
	if diff := cmp.Diff(exclusions, c.Exclusions); diff != "" {
		t.Errorf("exclusions, -want +got:\n%s", diff)
	}
}

func TestGitHubProblems(t *testing.T) {
	for text, want := range map[string]string{
		"github: {repositories: [payments]}":            `steelyard.yaml:1:25: github.repositories[0]: expected owner/name such as acme/payments, found "payments"`,
		"github: {repositories: [acme/a, Acme/A]}":      `steelyard.yaml:1:33: github.repositories: "Acme/A" comes twice, first in line 1`,
		"github: {base_url: http://github.example.com}": `steelyard.yaml:1:20: github.base_url: expected an address such as https://github.example.com, found "http://github.example.com": the token would travel in clear: use https`,
		"github: {every: 5s}":                           `steelyard.yaml:1:17: github.every: expected a duration from 1m to 168h, such as 15m, found "5s": it is too short`,
		"github: {reconcile_hour: 24}":                  `steelyard.yaml:1:26: github.reconcile_hour: 24 is out of range: more than -1, at most 23 (expected an hour from 0 to 23)`,
		"github: {token: x}":                            `steelyard.yaml:1:10: unknown key "token" in github (a token does not stand in this file: token_env names the environment variable that holds it, token_file a file)`,
		"teams: {members: [{account: a, team: t, from: 2026-02-01, until: 2026-01-01}]}":                        `steelyard.yaml:1: the membership ends on 2026-01-01, before it begins on 2026-02-01`,
		"teams: {members: [{account: a, team: t, until: 2026-02-01}, {account: A, team: u, from: 2026-02-01}]}": `steelyard.yaml:1: A is in two teams at once: line 1 says so too (end one membership before the other begins)`,
		"hours: {zone: Mars/Olympus}":                                         `steelyard.yaml:1:15: hours.zone: expected a time zone such as Europe/Berlin, found "Mars/Olympus": there is no such time zone`,
		"hours: {from: '17:00', until: '09:00'}":                              `steelyard.yaml: hours: a working day from 17:00 to 09:00 has no length`,
		"hours: {teams: [{team: a}, {team: a}]}":                              `steelyard.yaml:1: team "a" has its hours twice, first in line 1`,
		"exclusions: [{from: 2026-02-01, until: 2026-01-01, reason: r}]":      `steelyard.yaml:1: the exclusion ends on 2026-01-01, before it begins on 2026-02-01`,
		"exclusions: [{from: 2026-02-01, reason: r}]":                         `steelyard.yaml:1:14: exclusions[0] has no until (The last day.)`,
		"serve: {admin: 'nowhere'}":                                           `steelyard.yaml:1:16: serve.admin: expected HOST:PORT such as 127.0.0.1:9484, found "nowhere": it is not HOST:PORT`,
		"teams: {repositories: [{team: payments, repositories: [payments]}]}": `steelyard.yaml:1:56: teams.repositories[0].repositories[0]: expected owner/name such as acme/payments, found "payments"`,
	} {
		_, err := load(text)
		if diff := cmp.Diff(want, errText(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestSecretsAreNotRepeated holds that a token that stands where the name of
// its variable belongs is refused without being printed.
func TestSecretsAreNotRepeated(t *testing.T) {
	// The second one could be a variable's name.
	for _, token := range []string{"github_pat_11ABCDEFG-0123456789", "ghp_" + "x0123456789x0123456789x0123456789xyz"} {
		for _, key := range []string{"token_env: ", "webhook_secret_env: ", "app: {key_env: "} {
			text := "github: {" + key + token + strings.Repeat("}", strings.Count(key, "{")) + "}"
			_, err := load(text)
			if err == nil || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "0123456789") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
