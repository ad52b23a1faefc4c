package syncing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
)

// A report over an ingest that is not whole says so first and gives no verdict;
// once it is whole it says nothing of it.
func TestReportOverAnIncompleteIngestSaysSoFirst(t *testing.T) {
	l := newLab(t, freshDB(t, "sqlite"))
	for _, team := range []string{"Payments", "Ledger"} {
		source := metrics.TeamSource{Team: team}
		for i := range 6 {
			source.Members = append(source.Members, metrics.TeamMember{Login: fmt.Sprintf("%s-%d", strings.ToLower(team), i)})
		}
		l.teams = append(l.teams, source)
	}
	const weeks = 30
	number := 0
	for week := range weeks {
		for k := range 24 {
			number++
			opened := start.AddDate(0, 0, 7*week).Add(time.Duration(k) * time.Hour)
			author := l.teams[k%2].Members[k/2%6].Login
			merged := opened.Add(time.Duration(3+(week*7+k*5)%17) * time.Hour)
			l.world.Put(repo, githubPull{
				Number: number, Title: fmt.Sprint("Change ", number), State: "MERGED", Created: opened, Updated: merged, Merged: merged, Closed: merged,
				Author: l.world.Person(author), MergeCommit: &github.Commit{OID: fmt.Sprintf("%040x", number), Message: "Merge", Authored: merged, Committed: merged},
			})
		}
	}
	l.clock.set(start.AddDate(0, 0, 7*weeks))
	begin := start.AddDate(0, 0, 7*20)
	pilot := metrics.Pilot{
		ID: "assistant", Title: "Assistant", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated: []metrics.Adoption{{Unit: "Payments", Start: begin}}, Comparison: []string{"Ledger"},
		After:    metrics.Window{To: begin.AddDate(0, 0, 7*8)},
		Outcomes: []metrics.Outcome{{ID: "open_to_merge", Title: "Open to merge", Better: metrics.BetterLower, Role: metrics.RolePrimary}},
	}
	_, err := l.store.SavePilot(t.Context(), pilot, start)
	l.must(err)

	report := func() string {
		l.must(l.syncer().Place(t.Context()))
		r, err := metrics.NewReporter(l.store).Report(t.Context(), "assistant")
		l.must(err)
		var text strings.Builder
		l.must(metrics.WriteText(&text, r))
		if incomplete := strings.Contains(text.String(), "not read from GitHub whole"); incomplete && r.Verdict.Value != metrics.VerdictCannotSayYet {
			t.Errorf("the verdict is %s", r.Verdict.Value)
		}
		return text.String()
	}
	l.world.Fail(githubtest.Fault{Kind: githubtest.ServerError, After: 8, Times: -1})
	if err := l.syncer().Backfill(t.Context(), ref); err == nil {
		t.Fatal("no error")
	}
	text := report()
	if at := strings.Index(text, "not read from GitHub whole"); at < 0 || at > 700 {
		t.Errorf("the report does not say first that the ingest is not whole:\n%.1500s", text)
	}
	l.world.Heal()
	l.backfill()
	if text := report(); strings.Contains(text, "not read from GitHub") {
		t.Errorf("the report over a whole ingest says:\n%.1500s", text)
	}
}
