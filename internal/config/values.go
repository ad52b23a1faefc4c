package config

import (
	"fmt"
	"strings"
	"time"
)

// values is every setting by its dotted path: a text, a number, or a list in
// words.
func (c *Config) values() map[string]any {
	return c.serveValues(c.policyValues(c.dependencyValues(map[string]any{
		KeyDatabase:                  c.Database,
		KeyServeAddr:                 c.Serve.Addr,
		KeyAdminAddr:                 c.Serve.Admin,
		KeyLintFailOn:                c.Lint.FailOn,
		KeySmallestEffect:            c.Report.SmallestEffect,
		"lint.exclude":               words(c.Lint.Exclude),
		"lint.rules":                 c.Lint.ruleWords(),
		"lint.suppressions":          c.Lint.suppressionWords(),
		"github.base_url":            c.GitHub.BaseURL,
		KeyRepositories:              words(c.GitHub.Repositories),
		KeyOrganisations:             words(c.GitHub.Organisations),
		"github.token_env":           c.GitHub.TokenEnv,
		"github.token_file":          c.GitHub.TokenFile,
		"github.app.id":              idText(c.GitHub.App.ID),
		"github.app.installation":    idText(c.GitHub.App.Installation),
		"github.app.key_env":         c.GitHub.App.KeyEnv,
		"github.app.key_file":        c.GitHub.App.KeyFile,
		"github.webhook_secret_env":  c.GitHub.WebhookSecretEnv,
		"github.webhook_secret_file": c.GitHub.WebhookSecretFile,
		"github.every":               everyText(c.GitHub.Every),
		"github.reconcile_hour":      float64(c.GitHub.ReconcileHour),
		"teams.placement":            c.Teams.Placement,
		"teams.github":               words(c.Teams.GitHub),
		"teams.members":              c.Teams.memberWords(),
		"teams.repositories":         c.Teams.repositoryWords(),
		"hours.count":                c.Hours.Count,
		"hours.zone":                 c.Hours.Zone,
		"hours.weekdays":             weekdayWords(c.Hours.Weekdays),
		"hours.from":                 clockText(c.Hours.From),
		"hours.until":                clockText(c.Hours.Until),
		"hours.holidays":             dayWords(c.Hours.Holidays),
		"hours.teams":                c.Hours.teamWords(),
		"exclusions":                 c.exclusionWords(),
	})))
}

// everyText is 15m for 15m0s, and 2h for 2h0m0s.
func everyText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func words(all []string) []string { return append([]string{}, all...) }

// idText is an id, empty where there is none.
func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprint(id)
}

func (t Teams) memberWords() []string {
	all := []string{}
	for _, m := range t.Members {
		all = append(all, m.Account+" in "+m.Team+span(m.From, m.Until))
	}
	return all
}

// span is " from … until …" with the days that are there.
func span(from, until time.Time) string {
	var s string
	if !from.IsZero() {
		s += " from " + from.Format(time.DateOnly)
	}
	if !until.IsZero() {
		s += " until " + until.Format(time.DateOnly)
	}
	return s
}

func (t Teams) repositoryWords() []string {
	all := []string{}
	for _, r := range t.Repositories {
		all = append(all, r.Team+": "+strings.Join(r.Repositories, ", "))
	}
	return all
}

func weekdayWords(days []time.Weekday) []string {
	all := []string{}
	for _, d := range days {
		all = append(all, dayNames[d])
	}
	return all
}

func dayWords(days []time.Time) []string {
	all := []string{}
	for _, d := range days {
		all = append(all, d.Format(time.DateOnly))
	}
	return all
}

func (h Hours) teamWords() []string {
	all := []string{}
	for _, t := range h.Teams {
		w := fmt.Sprintf("%s: %s, %s to %s, %s", t.Team, t.Zone, clockText(t.From), clockText(t.Until), strings.Join(weekdayWords(t.Weekdays), " "))
		if len(t.Holidays) > 0 {
			w += ", without " + strings.Join(dayWords(t.Holidays), " ")
		}
		all = append(all, w)
	}
	return all
}

func (c *Config) exclusionWords() []string {
	all := []string{}
	for _, e := range c.Exclusions {
		all = append(all, e.From.Format(time.DateOnly)+" to "+e.Until.Format(time.DateOnly)+" because "+e.Reason)
	}
	return all
}
