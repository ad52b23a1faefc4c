package ingest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// Everything that has a usual name of its own is named in one go.
func TestUnmappedColumnsAreNamedAtOnce(t *testing.T) {
	_, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "number,full_name,user.login,user_type,created_at,merged_at,closed_at\n1,o/r,u,User,2024-05-01,,\n")
	var unmapped *ingest.UnmappedError
	if !errors.As(err, &unmapped) {
		t.Fatalf("%v; want an UnmappedError", err)
	}
	want := []ingest.Mapping{
		{Field: "repository", Column: "full_name"},
		{Field: "author", Column: "user.login"},
		{Field: "author_is_bot", Column: "user_type"},
		{Field: "opened", Column: "created_at"},
		{Field: "merged", Column: "merged_at"},
		{Field: "closed", Column: "closed_at"},
	}
	if diff := cmp.Diff(want, unmapped.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// Names that a person wrote are the same names, and what nothing looks like is
// asked for with the way to name it.
func TestColumnsAsPeopleWriteThem(t *testing.T) {
	_, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "PR,Repo,Author,Team,Created At,Merged-At,Closed at,First Review,Reverted At,Merge SHA\n1,o/r,u,t,2024-05-01,,,,,\n")
	var unmapped *ingest.UnmappedError
	if !errors.As(err, &unmapped) {
		t.Fatalf("%v; want an UnmappedError", err)
	}
	want := []ingest.Mapping{
		{Field: "number", Column: "PR"}, {Field: "repository", Column: "Repo"}, {Field: "author", Column: "Author"}, {Field: "team", Column: "Team"},
		{Field: "opened", Column: "Created At"}, {Field: "first_review", Column: "First Review"}, {Field: "merged", Column: "Merged-At"},
		{Field: "closed", Column: "Closed at"}, {Field: "reverted_at", Column: "Reverted At"}, {Field: "merge_commit", Column: "Merge SHA"},
	}
	if diff := cmp.Diff(want, unmapped.Columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	_, _, err = importPullRequests(t, ingest.PullRequestSpec{}, "id,began\na,2024-05-01\n")
	if err == nil || !strings.HasSuffix(err.Error(), "it has id, began; map the one that it is with opened=COLUMN") {
		t.Errorf("%v; want the way to name the column", err)
	}
}

func TestKindsOfAccount(t *testing.T) {
	store, _, err := importPullRequests(t, ingest.PullRequestSpec{},
		"id,opened,author_is_bot\na,2024-05-01,User\nb,2024-05-01,bot\nc,2024-05-01,Organization\nd,2024-05-01,Mannequin\n")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"a": false, "b": true, "c": false, "d": false} {
		if got := store.prs[id].AuthorBot; got != want {
			t.Errorf("%s is a bot: %v; want %v", id, got, want)
		}
	}
}

// An import remembers which fields its file had, and says what follows.
func TestPullRequestFieldsAreRemembered(t *testing.T) {
	_, done, err := importPullRequests(t, ingest.PullRequestSpec{Columns: map[string]string{"closed": ""}},
		"id,opened,merged,closed,author,team\na,2024-05-01,2024-05-02,,u,\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"id", "author", "team", "opened", "merged"}, done.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	notes := strings.Join(done.Notes, "\n")
	for _, want := range []string{"No row has a team", "does not say which authors are bots", "no column for ready, first_review, closed, reverted_at, additions, deletions", "ready_to_merge, time_to_first_review, review_time, reverts, abandoned, size"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes do not say %q:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "No row has an author") {
		t.Errorf("the row has an author:\n%s", notes)
	}
	_, done, err = importPullRequests(t, ingest.PullRequestSpec{}, "id,opened,author\na,2024-05-01,\n")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(done.Notes, "\n"), "No row has an author") {
		t.Errorf("notes %q", done.Notes)
	}
}

// Nouns come from the data where nobody gives them.
func TestNounsFromTheData(t *testing.T) {
	dates := func(step, months int) (out []string) {
		for i := range 6 {
			out = append(out, time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, i*months, i*step).Format(time.DateOnly))
		}
		return out
	}
	months := func(step int) (out []string) {
		for _, d := range dates(0, step) {
			out = append(out, d[:7])
		}
		return out
	}
	for _, c := range []struct {
		unit, time   string
		periods      []string
		noun, period string
	}{
		{"team", "week", dates(7, 0), "team", "week"},
		{"repo_name", "date", dates(7, 0), "repository", "week"},
		{"Repository", "day", dates(1, 0), "repository", "day"},
		{"squad id", "sprint", dates(14, 0), "squad", "sprint"},
		{"x", "t", months(1), "unit", "month"},
		{"county", "t", months(3), "county", "quarter"},
		{"countyreal", "year", []string{"2003", "2004", "2005"}, "unit", "year"},
		{"team_name", "sprint", []string{"1", "2", "3"}, "team", "sprint"},
		{"service", "period_id", []string{"1", "2", "3"}, "service", "period"},
	} {
		t.Run(c.unit+"-"+c.time, func(t *testing.T) {
			text := fmt.Sprintf("%s,%s,n\n", c.unit, c.time)
			for _, p := range c.periods {
				text += "a," + p + ",1\nb," + p + ",2\n"
			}
			spec := ingest.PanelSpec{
				Pilot: metrics.Pilot{ID: "p"}, UnitCol: c.unit, TimeCol: c.time, Starts: map[string]string{"a": c.periods[1]},
				Outcomes: []ingest.OutcomeColumn{{Outcome: metrics.Outcome{ID: "n"}}},
			}
			s := newMemory()
			def, _, err := ingest.ImportPanel(t.Context(), s, strings.NewReader(text), "p.csv", spec, now)
			if err != nil {
				t.Fatal(err)
			}
			if p := def.Pilot; p.UnitNoun != c.noun || p.PeriodNoun != c.period {
				t.Errorf("%s by %s; want %s by %s", p.UnitNoun, p.PeriodNoun, c.noun, c.period)
			}
		})
	}
}
