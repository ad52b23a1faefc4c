package jobs_test

import (
	"testing"

	"steelyard/metrics/jobs"
)

// TestNamed holds that a webhook is heard about what the settings name, in the
// settings' own spelling: two spellings would be two tasks, which do not wait
// for each other.
func TestNamed(t *testing.T) {
	plan := jobs.Plan{Repositories: []string{"Acme/API"}, Organisations: []string{"widgets"}, TeamsOf: []string{"Acme"}}
	for _, c := range []struct {
		kind          jobs.Kind
		subject, want string
	}{
		{jobs.Refetch, "acme/api", "Acme/API"},
		{jobs.Update, "Acme/API", "Acme/API"},
		{jobs.Update, "acme/other", ""},
		{jobs.Update, "Widgets/anything", "Widgets/anything"},
		{jobs.Update, "widgets-evil/x", ""},
		{jobs.Teams, "acme", "Acme"},
		{jobs.Teams, "widgets", ""}, // no team of it counts
		{jobs.Update, "", ""},
	} {
		got, ok := plan.Named(jobs.Key{Kind: c.kind, Subject: c.subject})
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s of %q is %q, %v; want %q", c.kind, c.subject, got, ok, c.want)
		}
	}
}
