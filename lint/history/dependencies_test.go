package history_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

const dayLong = 24 * time.Hour

func dependency(name, judgement string) lint.NewDependency {
	return lint.NewDependency{
		Item: "npm:" + name + " registry", Subject: "npm:" + name, Versioned: "npm:" + name + "@1.0.0", Ecosystem: "npm", Name: name, Version: "1.0.0",
		Spec: "^1.0.0", Path: "package.json", Line: 4, Direct: true, Source: "registry", Change: "added", Judgement: judgement,
		Evidence: []string{"first published 3 days ago"}, Rules: []string{"DP006"}, Licences: []string{"MIT"}, LicenceKnown: true,
	}
}

func saveDependencies(t *testing.T, h *history.History, repository string, at time.Time, d *lint.DependencyScan) {
	t.Helper()
	if err := h.SaveScan(t.Context(), lint.Scan{Repository: repository, Commit: "c0ffee", At: at, Dependencies: d}); err != nil {
		t.Fatal(err)
	}
}

// standing are new dependencies in a form that is easy to compare.
func standing(t *testing.T, h *history.History, f lint.DependencyFilter) []string {
	t.Helper()
	page, err := h.NewDependencies(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{fmt.Sprint(page.Total)}
	for _, d := range page.Dependencies {
		all = append(all, fmt.Sprintf("%s %s %s %s", d.Repository, d.Name, d.Judgement, d.State))
	}
	return all
}

func TestDependencyRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		n := int64(41)
		d := dependency("left-pad", "ask")
		d.Published, d.Downloads = now.Add(-72*time.Hour).UTC().Truncate(time.Millisecond), &n
		d.Committed = &lint.CommittedDecision{Reason: "read", Owner: "platform team", Until: "2027-01-31"}
		saveDependencies(t, h, "acme/pay", now, &lint.DependencyScan{Judged: []lint.NewDependency{d}, Tree: []byte{0, 1, 2}})
		page, err := h.NewDependencies(t.Context(), lint.DependencyFilter{Today: now})
		if err != nil {
			t.Fatal(err)
		}
		at := now.UTC().Truncate(time.Millisecond)
		want := lint.DependencyPage{
			Total: 1, States: map[lint.DependencyState]int{lint.StateWaiting: 1},
			Dependencies: []lint.StoredDependency{{Repository: "acme/pay", NewDependency: d, State: lint.StateWaiting, Since: at, Judged: at}},
		}
		if diff := cmp.Diff(want, page); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}
		base, err := h.DependencyBase(t.Context(), "acme/pay")
		if err != nil {
			t.Fatal(err)
		}
		wantBase := lint.DependencyBase{Commit: "c0ffee", At: at, Tree: []byte{0, 1, 2}, Items: []string{d.Item}, Open: []string{d.Item}}
		if diff := cmp.Diff(wantBase, base); diff != "" {
			t.Errorf("base (-want +got):\n%s", diff)
		}
		if base, err := h.DependencyBase(t.Context(), "acme/none"); err != nil || !base.At.IsZero() {
			t.Errorf("a repository that was never scanned has a base: %+v, %v", base, err)
		}
		watched, err := h.DependencyScans(t.Context())
		if diff := cmp.Diff([]lint.WatchedDependencies{{Repository: "acme/pay", Since: at, At: at}}, watched); diff != "" || err != nil {
			t.Errorf("watched (-want +got):\n%s%v", diff, err)
		}
	})
}

func TestDependenciesOverTime(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		old, young := dependency("old", "ok"), dependency("young", "ask")
		bad := dependency("bad", "block")
		saveDependencies(t, h, "acme/pay", now, &lint.DependencyScan{Judged: []lint.NewDependency{old, young, bad}})
		saveDependencies(t, h, "acme/web", now.Add(time.Hour), &lint.DependencyScan{Judged: []lint.NewDependency{young}})
		want := []string{"4", "acme/pay bad block waiting", "acme/web young ask waiting", "acme/pay young ask waiting", "acme/pay old ok ok"}
		if diff := cmp.Diff(want, standing(t, h, lint.DependencyFilter{Today: now})); diff != "" {
			t.Errorf("first (-want +got):\n%s", diff)
		}
		// A month later one is old enough, one is gone; a scan that did not look
		// changes nothing.
		young.Judgement = "ok"
		later := now.Add(30 * dayLong)
		saveDependencies(t, h, "acme/pay", later, &lint.DependencyScan{Judged: []lint.NewDependency{young}, Gone: []string{bad.Item}})
		saveDependencies(t, h, "acme/pay", later.Add(time.Hour), nil)
		want = []string{"4", "acme/web young ask waiting", "acme/pay old ok ok", "acme/pay young ok ok", "acme/pay bad block gone"}
		if diff := cmp.Diff(want, standing(t, h, lint.DependencyFilter{Today: later})); diff != "" {
			t.Errorf("later (-want +got):\n%s", diff)
		}
		page, err := h.NewDependencies(t.Context(), lint.DependencyFilter{Today: later, Repository: "acme/pay", State: lint.StateFine})
		if err != nil || page.Total != 2 || len(page.Dependencies) != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		if got := page.Dependencies[1]; !got.Since.Equal(now.Truncate(time.Millisecond)) || !got.Judged.Equal(later.Truncate(time.Millisecond)) {
			t.Errorf("judged again: since %s, judged %s", got.Since, got.Judged)
		}
		if page.States[lint.StateGone] != 1 || page.States[lint.StateFine] != 2 {
			t.Errorf("states %v", page.States)
		}
		// What comes back is new again.
		saveDependencies(t, h, "acme/pay", later, &lint.DependencyScan{Judged: []lint.NewDependency{bad}})
		page, err = h.NewDependencies(t.Context(), lint.DependencyFilter{Today: later, Judgement: "block"})
		if err != nil || page.Total != 1 || !page.Dependencies[0].Since.Equal(later.Truncate(time.Millisecond)) || !page.Dependencies[0].Gone.IsZero() {
			t.Errorf("came back: %+v, %v", page, err)
		}
		if n, err := h.Forget(t.Context(), "acme/pay", false); err != nil || n != 4 {
			t.Errorf("forgot %d scans, %v", n, err)
		}
		if got := standing(t, h, lint.DependencyFilter{Today: later}); len(got) != 2 {
			t.Errorf("after forgetting: %v", got)
		}
	})
}

func TestDecisions(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		saveDependencies(t, h, "acme/pay", now, &lint.DependencyScan{Judged: []lint.NewDependency{dependency("left-pad", "ask"), dependency("bad", "block")}})
		decide := func(d lint.Decision) {
			t.Helper()
			if _, err := h.Decide(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		state := func(name string, today time.Time) string {
			t.Helper()
			page, err := h.NewDependencies(t.Context(), lint.DependencyFilter{Today: today, Subject: "npm:" + name})
			if err != nil || len(page.Dependencies) != 1 {
				t.Fatalf("%+v, %v", page, err)
			}
			return string(page.Dependencies[0].State)
		}
		d := lint.Decision{Kind: lint.AboutDependency, Subject: "npm:left-pad@1.0.0", Verdict: lint.Allowed, Reason: "eleven lines", Owner: "platform team", At: now, Until: now.Truncate(dayLong).Add(7 * dayLong)}
		decide(d)
		for days, want := range map[int]string{0: "allowed", 7: "allowed", 8: "waiting"} {
			if got := state("left-pad", now.Add(time.Duration(days)*dayLong)); got != want {
				t.Errorf("after %d days: %s, want %s", days, got, want)
			}
		}
		d.Verdict, d.Until = lint.Refused, time.Time{}
		decide(d)
		if got := state("left-pad", now); got != "refused" {
			t.Errorf("refused: %s", got)
		}
		d.Verdict = lint.Withdrawn
		decide(d)
		if got := state("left-pad", now); got != "waiting" {
			t.Errorf("withdrawn: %s", got)
		}
		// A block is answered only where it is named.
		d = lint.Decision{Kind: lint.AboutDependency, Subject: "npm:bad", Verdict: lint.Allowed, Reason: "known", Owner: "platform team", At: now}
		decide(d)
		if got := state("bad", now); got != "waiting" {
			t.Errorf("a block that no decision names: %s", got)
		}
		d.For = []string{"block"}
		decide(d)
		if got := state("bad", now); got != "allowed" {
			t.Errorf("a block that the decision names: %s", got)
		}
		page, err := h.Decisions(t.Context(), lint.DecisionFilter{})
		if err != nil || page.Total != 5 || page.Decisions[0].ID < page.Decisions[4].ID {
			t.Errorf("trail: %+v, %v", page, err)
		}
		page, err = h.Decisions(t.Context(), lint.DecisionFilter{Newest: true, Kind: lint.AboutDependency, Subject: "npm:left-pad@1.0.0"})
		if err != nil || page.Total != 1 || page.Decisions[0].Verdict != lint.Withdrawn {
			t.Errorf("newest: %+v, %v", page, err)
		}
	})
}

func TestDecisionsThatAreRefused(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		good := lint.Decision{Kind: lint.AboutServer, Subject: "package:@acme/tools", Verdict: lint.Allowed, Reason: "read", Owner: "@acme/platform", At: now}
		for name, change := range map[string]func(*lint.Decision){
			"no-reason": func(d *lint.Decision) { d.Reason = "  " }, "no-owner": func(d *lint.Decision) { d.Owner = "" },
			"an-account": func(d *lint.Decision) { d.Owner = "@someone" }, "an-address": func(d *lint.Decision) { d.Owner = "someone@example.com" },
			"over": func(d *lint.Decision) { d.Until = now.Add(-2 * dayLong) }, "long": func(d *lint.Decision) { d.Reason = strings.Repeat("x", 2000) },
			"no-verdict": func(d *lint.Decision) { d.Verdict = "perhaps" }, "no-subject": func(d *lint.Decision) { d.Subject = "" },
			"control": func(d *lint.Decision) { d.Reason = "a\x00b" }, "judgement": func(d *lint.Decision) { d.For = []string{"all"} },
		} {
			d := good
			change(&d)
			if _, err := h.Decide(t.Context(), d); !errors.Is(err, lint.ErrDecision) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := h.Decide(t.Context(), good); err != nil {
			t.Error(err)
		}
	})
}

func TestAnswers(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		a := history.NewAnswers(db)
		if _, _, ok := a.Get(t.Context(), "facts npm:left-pad"); ok {
			t.Error("it knows what nobody kept")
		}
		a.Put(t.Context(), "facts npm:old", []byte(`"old"`), now.Add(-30*time.Hour))
		a.Put(t.Context(), "facts npm:left-pad", []byte(`{"a":1}`), now)
		a.Put(t.Context(), "facts npm:left-pad", []byte(`{"a":2}`), now)
		a.Put(t.Context(), "not json", []byte(`{`), now)
		value, stored, ok := history.NewAnswers(db).Get(t.Context(), "facts npm:left-pad")
		if !ok || string(value) != `{"a":2}` || !stored.Equal(now.Truncate(time.Millisecond)) {
			t.Errorf("%s %s %t", value, stored, ok)
		}
		// Another process finds what is older than a day, and what is too much.
		few := history.NewAnswers(db)
		few.Bound(2)
		for i := range 4 {
			few.Put(t.Context(), fmt.Sprint("facts ", i), []byte(`{}`), now.Add(time.Duration(i)*time.Minute))
		}
		if _, _, ok := a.Get(t.Context(), "facts npm:old"); ok {
			t.Error("an old answer was not removed")
		}
		again := history.NewAnswers(db)
		again.Bound(2)
		again.Put(t.Context(), "facts 9", []byte(`{}`), now.Add(time.Hour))
		for key, want := range map[string]bool{"facts npm:left-pad": false, "facts 0": false, "facts 2": false, "facts 3": true, "facts 9": true} {
			if _, _, ok := a.Get(t.Context(), key); ok != want {
				t.Errorf("%s is there: %t, want %t", key, ok, want)
			}
		}
	})
}

func TestTrends(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		scan := func(repository string, weeksAgo int, findings ...lint.Finding) {
			t.Helper()
			at := now.Add(-time.Duration(weeksAgo)*7*dayLong - time.Hour)
			if err := h.SaveScan(t.Context(), lint.Scan{Repository: repository, At: at, Findings: findings}); err != nil {
				t.Fatal(err)
			}
		}
		secret, unpinned := finding("MC001", "error", "a.json", 1), finding("MC002", "warning", "a.json", 2)
		scan("acme/pay", 9, secret, secret)
		scan("acme/pay", 2, secret, unpinned)
		scan("acme/web", 1, unpinned)
		scan("acme/pay", 0, unpinned)
		got, err := h.Trends(t.Context(), now, 4)
		if err != nil {
			t.Fatal(err)
		}
		want := []lint.RuleTrend{{Rule: "MC001", Counts: []int{2, 1, 1, 0}}, {Rule: "MC002", Counts: []int{0, 1, 2, 2}}}
		if diff := cmp.Diff(want, got.Rules); diff != "" {
			t.Errorf("rules (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]int{1, 1, 2, 2}, got.Repositories); diff != "" {
			t.Errorf("repositories (-want +got):\n%s", diff)
		}
		if n := len(got.Ends); n != 4 || !got.Ends[3].Equal(now) {
			t.Errorf("ends %v", got.Ends)
		}
		scan("acme/web", 0)
		if got, err = h.Trends(t.Context(), now.Add(time.Minute), 4); err != nil || got.Rules[1].Counts[3] != 1 {
			t.Errorf("after another scan: %+v, %v", got.Rules, err)
		}
	})
}

func TestSinceWhen(t *testing.T) {
	each(t, func(t *testing.T, h *history.History) {
		for i, digest := range []string{"aa", "bb", "bb"} {
			err := h.SaveScan(t.Context(), lint.Scan{Repository: "acme/pay", At: now.Add(time.Duration(i) * dayLong), Inventory: lint.Inventory{
				Files: []lint.SeenFile{{Path: "AGENTS.md", Digest: digest, Readers: []string{"copilot"}}},
				Servers: []lint.SeenServer{{
					Path: ".mcp.json", Name: "tools", Kind: "package", Target: "@acme/tools", Command: "npx @acme/tools --key ****", Secrets: "literal",
					Approval: &lint.CommittedDecision{Reason: "read", Owner: "platform team"},
				}},
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		files, err := h.Files(t.Context(), []string{"acme/pay", "acme/none"})
		if err != nil || len(files) != 1 || !files[0].Since.Equal(now.Add(dayLong).Truncate(time.Millisecond)) || files[0].Readers[0] != "copilot" {
			t.Errorf("files %+v, %v", files, err)
		}
		servers, err := h.ServersOf(t.Context(), []string{"acme/pay"})
		if err != nil || len(servers) != 1 {
			t.Fatalf("servers %+v, %v", servers, err)
		}
		s := servers[0]
		if !s.Since.Equal(now.Truncate(time.Millisecond)) || s.Command != "npx @acme/tools --key ****" || s.Secrets != "literal" || s.Approval == nil || s.Approval.Owner != "platform team" {
			t.Errorf("server %+v", s)
		}
		if none, err := h.ServersOf(t.Context(), nil); err != nil || len(none) != 0 {
			t.Errorf("of no repository: %v, %v", none, err)
		}
	})
}
