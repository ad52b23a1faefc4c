package github_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

func TestTeamsAndMembers(t *testing.T) {
	r := newRig(t)
	scales := r.Team("acme", "scales", "ada", "bob")
	weights := r.Team("acme", "weights", "cleo")
	teams, err := r.Client.Teams(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]github.Team{scales, weights}, teams); diff != "" {
		t.Errorf("teams (-want +got):\n%s", diff)
	}
	members, err := r.Client.TeamMembers(t.Context(), "acme", "scales")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]github.Account{r.Person("ada"), r.Person("bob")}, members); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if _, err := r.Client.TeamMembers(t.Context(), "acme", "nobody"); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("a team that is not there: %v", err)
	}
}

func TestRepositoriesOfAnOwner(t *testing.T) {
	r := newRig(t)
	r.Team("acme", "scales")
	want := []github.Repository{r.Repository("acme/api"), r.Repository("acme/web")}
	r.Repository("ada/dotfiles")
	got, err := r.Client.Repositories(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err = r.Client.Repositories(t.Context(), "ada"); err != nil || len(got) != 1 {
		t.Errorf("a person's: %v, %v", got, err)
	}
}

func TestCopilotSeats(t *testing.T) {
	r := newRig(t)
	r.Team("acme", "scales", "ada")
	want := []github.Seat{
		{Account: r.Person("ada"), Team: "scales", Created: morning, LastActivity: morning.Add(time.Hour), LastEditor: "vscode/1.9"},
		{Created: morning}, // somebody who left
		{Account: r.Person("bob"), Created: morning, Cancels: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)},
	}
	r.Seats("acme", want...)
	got, err := r.Client.CopilotSeats(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCopilotReport follows the report's links without credentials.
func TestCopilotReport(t *testing.T) {
	r := newRig(t, func(o *github.Options) { o.Token = "ghp_secret" })
	want := github.UsageReport{Day: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Users: []github.UserUsage{
		{ID: 1, Login: "ada", Interactions: 5000, Generations: 20, Acceptances: 8, LinesAdded: 90, Agent: true, Chat: true},
		{ID: 2, Login: "bob", Interactions: 1},
	}}
	r.Report("acme", want.Day, want.Users...)
	r.Watch(func(q githubtest.Request) {
		if strings.HasPrefix(q.Path, "/report-files/") && q.Authorization != "" {
			t.Errorf("a report file was asked for with %q", q.Authorization)
		}
	})
	got, err := r.Client.CopilotReport(t.Context(), "acme", want.Day.Add(13*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := r.Client.CopilotReport(t.Context(), "acme", morning.AddDate(0, 0, 9)); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("a day without a report: %v", err)
	}
	r.Fail(githubtest.Fault{Kind: githubtest.TruncatedJSON, Match: "report-files"})
	if _, err := r.Client.CopilotReport(t.Context(), "acme", want.Day); err == nil || !strings.Contains(err.Error(), "not whole") {
		t.Errorf("a report that is cut: %v", err)
	}
}

func TestTreeAndBlob(t *testing.T) {
	r := newRig(t)
	r.Files(name, map[string]githubtest.File{"AGENTS.md": {Text: "Weigh.\n"}, "bin/run": {Text: "#!/bin/sh\n", Mode: "100755"}})
	tree, err := r.Client.Tree(t.Context(), ref, "main")
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Entries) != 2 || tree.Truncated || tree.Commit != r.History(name)[0].OID || tree.Entries[1].Mode != "100755" || tree.Entries[0].Size != 7 {
		t.Errorf("tree %+v", tree)
	}
	text, err := r.Client.Blob(t.Context(), ref, tree.Entries[0].SHA)
	if err != nil || string(text) != "Weigh.\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := r.Client.Tree(t.Context(), ref, "nowhere"); err == nil {
		t.Error("a revision that is not there was found")
	}
	if _, err := r.Client.Blob(t.Context(), ref, "0123"); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
}
