package reverts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/ingest/reverts"
)

var day0 = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// pr is a pull request merged on a day of the test's own calendar.
func pr(day, number int, title string, more ...func(*reverts.Change)) reverts.Change {
	c := reverts.Change{
		ID: fmt.Sprintf("#%d", number), Number: number, Base: "main", Title: title,
		Merged: day0.AddDate(0, 0, day), Commit: fmt.Sprintf("%012d%028x", number, number),
	}
	for _, f := range more {
		f(&c)
	}
	return c
}

func body(text string) func(*reverts.Change) {
	return func(c *reverts.Change) { c.Body = text }
}

func head(branch string) func(*reverts.Change) {
	return func(c *reverts.Change) { c.Head = branch }
}

func base(branch string) func(*reverts.Change) {
	return func(c *reverts.Change) { c.Base = branch }
}

func commits(own ...string) func(*reverts.Change) {
	return func(c *reverts.Change) {
		for i, message := range own {
			hash, text, _ := strings.Cut(message, " ")
			if hash == "-" {
				hash = fmt.Sprintf("c%011d%028x", c.Number*100+i, i)
			}
			c.Commits = append(c.Commits, reverts.Commit{Hash: hash, Message: text})
		}
	}
}

// direct is a commit pushed to main.
func direct(day int, hash, message string) reverts.Change {
	return reverts.Change{ID: hash, Base: "main", Merged: day0.AddDate(0, 0, day), Commit: hash, Message: message}
}

func sayLinks(r reverts.Result) []string {
	lines := []string{}
	for _, l := range r.Links {
		line := fmt.Sprintf("%s undoes %s: %s by %s, %s", l.Change, l.Target, l.Form, l.How, l.Confidence)
		if l.Reapply {
			line = strings.Replace(line, "undoes", "brings back", 1)
		}
		if l.Partial {
			line += ", partial"
		}
		lines = append(lines, line)
	}
	for _, u := range r.Unresolved {
		lines = append(lines, fmt.Sprintf("%s: %s: %s", u.Change, u.Candidate.Form, u.Reason))
	}
	return lines
}

func TestFind(t *testing.T) {
	const hash = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	cache := pr(0, 12, "Add a cache")
	for _, c := range []struct {
		name     string
		changes  []reverts.Change
		internal int
		want     []string
	}{
		{"by number", []reverts.Change{cache, pr(1, 15, `Revert "Add a cache"`, body("Reverts octo/tool#12"))}, 0, []string{"#15 undoes #12: body_number by number, high"}},
		{"by former name", []reverts.Change{cache, pr(1, 15, "Undo", body("Reverts old/tool#12"))}, 0, []string{"#15 undoes #12: body_number by number, high"}},
		{"other repository", []reverts.Change{cache, pr(1, 15, "Undo", body("Reverts other/tool#12"))}, 0, []string{"#15: body_number: " + string(reverts.OtherName)}},
		{"other name, same title", []reverts.Change{cache, pr(1, 15, `Revert "Add a cache"`, body("Reverts ancient/tool#12"))}, 0, []string{"#15 undoes #12: body_number by number, high"}},
		{"by branch", []reverts.Change{cache, pr(1, 15, "Put it back", head("revert-12-cache"))}, 0, []string{"#15 undoes #12: head_branch by number, high"}},
		{"other branch", []reverts.Change{cache, pr(1, 15, "Revert it", head("my-revert-12"))}, 0, []string{"#15 undoes #12: branch_number by number, low"}},
		{"branch of fingers", []reverts.Change{pr(0, 2, "Add a cache", head("cache")), pr(1, 15, "Scroll", head("revert-2-finger-scroll"))}, 0, []string{"#15: head_branch: " + string(reverts.Unclear)}},
		{"branch as the button names it", []reverts.Change{pr(0, 2, "Add a cache", head("cache")), pr(1, 15, "Scroll", head("revert-2-cache"))}, 0, []string{"#15 undoes #2: head_branch by number, high"}},
		{"branch alone", []reverts.Change{cache, pr(1, 15, "Tidy up", head("my-revert-12"))}, 0, []string{"#15: branch_number: " + string(reverts.Unclear)}},
		{"by title", []reverts.Change{cache, pr(1, 15, `Revert "Add a cache (#12)" (#15)`)}, 0, []string{"#15 undoes #12: title by number, high"}},
		{"by exact title", []reverts.Change{cache, pr(1, 15, `fix: revert "Add a  cache"`)}, 0, []string{"#15 undoes #12: title by title, medium"}},
		{"latest of a title", []reverts.Change{cache, pr(1, 13, "Add a cache"), pr(2, 15, `Revert "Add a cache"`)}, 0, []string{"#15 undoes #13: title by title, low"}},
		{"another letter", []reverts.Change{cache, pr(1, 15, `Revert "Add a Cache"`)}, 0, []string{"#15: title: " + string(reverts.NoTitle)}},
		{"number of another", []reverts.Change{cache, pr(1, 15, `Revert "Slim the service (#12)"`)}, 0, []string{"#15: title: " + string(reverts.OtherTitle)}},
		{"number of another, hash known", []reverts.Change{cache, direct(1, hash, "Slim the service (#12)"), pr(2, 15, `Revert "Slim the service (#12)"`, body("This reverts commit "+hash+"."))}, 0, []string{"#15 undoes " + hash + ": title by commit, high"}},
		{"direct commits", []reverts.Change{direct(0, hash, "Bump"), direct(1, "ffffffffffff", "Revert \"Bump\"\n\nThis reverts commit "+hash[:8]+".")}, 0, []string{"ffffffffffff undoes " + hash + ": title by commit, high"}},
		{"commit inside a pull request", []reverts.Change{pr(0, 12, "Add a cache", commits(hash+" Add the cache's table")), pr(1, 15, "Undo", body("This reverts commit "+hash+"."))}, 0, []string{"#15 undoes #12: trailer by commit, high"}},
		{"one of two commits", []reverts.Change{pr(0, 12, "Add a cache", commits(hash+" Add the table", "- Use the table")), pr(1, 15, "Undo", body("This reverts commit "+hash+"."))}, 0, []string{"#15 undoes #12: trailer by commit, high, partial"}},
		{"both commits", []reverts.Change{pr(0, 12, "Add a cache", commits(hash+" Add the table", "- Use the table")), pr(1, 15, "Undo", commits("- Revert \"Use the table\"", "- Revert \"Add the table\"\n\nThis reverts commit "+hash+"."))}, 0, []string{"#15 undoes #12: title by title, medium"}},
		{"one commit, but by number too", []reverts.Change{pr(0, 12, "Add a cache", commits(hash+" Add the table", "- Use the table")), pr(1, 15, "Undo", body("Reverts #12\n\nThis reverts commit "+hash+"."))}, 0, []string{"#15 undoes #12: trailer by commit, high"}},
		{"a word", []reverts.Change{pr(0, 12, "typo"), pr(1, 15, "Revert typo")}, 0, []string{"#15: title: " + string(reverts.NoTitle)}},
		{"words without quotes", []reverts.Change{pr(0, 12, "Add a cache"), pr(1, 15, "Revert Add a cache")}, 0, []string{"#15 undoes #12: title by title, medium"}},
		{"own commit", []reverts.Change{cache, pr(1, 15, "Add a queue", commits(hash+" Try it", "- Revert \"Try it\"\n\nThis reverts commit "+hash+"."))}, 1, []string{}},
		{"own commit, squashed", []reverts.Change{cache, pr(1, 15, "Add a queue", func(c *reverts.Change) {
			c.Message = "Add a queue (#15)\n\n* Add a cache\n\n* Revert \"Add a cache\"\n\nThis reverts commit " + hash + "."
		})}, 1, []string{}},
		{"rebased away", []reverts.Change{cache, pr(1, 15, "Add a queue", commits("- Revert \"Add a cache\"\n\nThis reverts commit "+hash+"."))}, 0, []string{"#15: title: " + string(reverts.NoCommit)}},
		{"net zero", []reverts.Change{cache, pr(1, 14, `Revert "Add a cache (#12)"`), pr(2, 15, "Configure", func(c *reverts.Change) {
			c.Message = "Configure (#15)\n\n* Revert \"Revert \"Add a cache (#12)\" (#14)\"\n\n* Revert \"Revert \"Revert \"Add a cache (#12)\" (#14)\"\"\n\n* configure"
		})}, 2, []string{"#14 undoes #12: title by number, high"}},
		{"hidden in a feature", []reverts.Change{cache, pr(1, 15, "Add a queue", func(c *reverts.Change) {
			c.Message = "Add a queue (#15)\n\n* Revert \"Add a cache (#12)\"\n\n* a queue"
		})}, 0, []string{"#15 undoes #12: title by number, medium"}},
		{"later", []reverts.Change{pr(1, 12, "Add a cache"), pr(0, 15, "Undo", body("Reverts #12"))}, 0, []string{"#15: body_number: " + string(reverts.Later)}},
		{"other base", []reverts.Change{pr(0, 12, "Add a cache", base("v1")), pr(1, 15, "Undo", body("Reverts #12"))}, 0, []string{"#15: body_number: " + string(reverts.OtherBase)}},
		{"unknown number", []reverts.Change{cache, pr(1, 15, "Undo", body("Reverts #99"))}, 0, []string{"#15: body_number: " + string(reverts.NoNumber)}},
		{"unclear hash", []reverts.Change{direct(0, "1a2b3c4d0000", "A"), direct(1, "1a2b3c4d1111", "B"), pr(2, 15, "Undo", body("This reverts commit 1a2b3c4d."))}, 0, []string{"#15: trailer: " + string(reverts.Ambiguous)}},
		{"partly", []reverts.Change{cache, pr(1, 15, "Trim", body("Partially reverts #12."))}, 0, []string{"#15 undoes #12: body_number by number, high, partial"}},
		{"several", []reverts.Change{cache, pr(1, 13, "Add a pool"), pr(2, 15, "Undo", body("Reverts #12 and #13"))}, 0, []string{"#15 undoes #12: body_number by number, high", "#15 undoes #13: body_number by number, high"}},
		{"reapply", []reverts.Change{cache, pr(1, 15, `Reapply "Add a cache"`)}, 0, []string{"#15 brings back #12: reapply by title, medium"}},
		{"itself", []reverts.Change{cache, pr(1, 15, "Undo", body("Reverts #15"))}, 1, []string{}},
	} {
		t.Run(strings.NewReplacer(" ", "_", ",", "").Replace(c.name), func(t *testing.T) {
			r, err := reverts.Find(reverts.History{Names: []string{"octo/tool", "old/tool"}, Changes: c.changes})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, sayLinks(r)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if r.Internal != c.internal {
				t.Errorf("%d internal, want %d", r.Internal, c.internal)
			}
		})
	}
}

func TestFindRefusesTwins(t *testing.T) {
	_, err := reverts.Find(reverts.History{Changes: []reverts.Change{pr(0, 1, "A"), pr(1, 1, "B")}})
	if err == nil || !strings.Contains(err.Error(), "#1") {
		t.Errorf("error %v", err)
	}
}

func TestChains(t *testing.T) {
	x := pr(0, 1, "X")
	r1 := pr(1, 2, `Revert "X (#1)"`)
	r2 := pr(2, 3, `Revert "Revert "X (#1)" (#2)"`)
	r3 := pr(3, 4, `Revert "Revert "Revert "X (#1)" (#2)" (#3)"`)
	for _, c := range []struct {
		name    string
		changes []reverts.Change
		want    []string
	}{
		{"once", []reverts.Change{x, r1}, []string{"#1 undone by #2 on day 1"}},
		{"twice", []reverts.Change{x, r1, r2}, []string{"#1 restored on day 2", "#2 undone by #3 on day 2"}},
		{"three times", []reverts.Change{x, r1, r2, r3}, []string{"#1 undone by #2 on day 1", "#2 restored on day 3", "#3 undone by #4 on day 3"}},
		{"reapplied", []reverts.Change{x, r1, pr(2, 3, `Reapply "X"`)}, []string{"#1 restored on day 2"}},
		{"reapplied by the button", []reverts.Change{x, r1, pr(2, 3, `Reapply "X"`, body("Reverts #2"))}, []string{"#1 restored on day 2", "#2 undone by #3 on day 2"}},
		{"reapplied and undone", []reverts.Change{x, r1, pr(2, 3, `Reapply "X"`), pr(3, 4, `Revert "Reapply "X" (#3)"`)}, []string{"#1 undone by #2 on day 1", "#3 undone by #4 on day 3"}},
		{"side by side", []reverts.Change{x, r1, pr(2, 3, "Undo", body("Reverts #1"))}, []string{"#1 undone by #2 on day 1"}},
		{"a part", []reverts.Change{x, pr(1, 2, "Trim", body("Partially reverts #1"))}, []string{"#1 undone in part by #2 on day 1"}},
		{"a part, then all", []reverts.Change{x, pr(1, 2, "Trim", body("Partially reverts #1")), pr(2, 3, "Undo", body("Reverts #1"))}, []string{"#1 undone by #2 on day 1"}},
		{"a part of the undoing", []reverts.Change{x, r1, pr(2, 3, "Trim", body("Partially reverts #2"))}, []string{"#1 undone by #2 on day 1", "#2 undone in part by #3 on day 2"}},
		{"never", []reverts.Change{x, pr(1, 2, "Y")}, []string{}},
	} {
		t.Run(strings.NewReplacer(" ", "_", ",", "").Replace(c.name), func(t *testing.T) {
			r, err := reverts.Find(reverts.History{Changes: c.changes})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, s := range r.States {
				if last, ok := r.AsOf(s.Change, day0.AddDate(1, 0, 0)); !ok || last != s {
					t.Errorf("as of the end %s is %+v, not %+v", s.Change, last, s)
				}
				day := func(at time.Time) int { return int(at.Sub(day0).Hours() / 24) }
				switch {
				case s.Reverted && s.Partial:
					got = append(got, fmt.Sprintf("%s undone in part by %s on day %d", s.Change, s.By, day(s.At)))
				case s.Reverted:
					got = append(got, fmt.Sprintf("%s undone by %s on day %d", s.Change, s.By, day(s.At)))
				default:
					got = append(got, fmt.Sprintf("%s restored on day %d", s.Change, day(s.RestoredAt)))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzFind wants no panic, links that point backwards on one base, and the same
// answer twice.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		`Revert "X (#1)"`, "revert: X", "Reverts #1 and #2", "This reverts commits 0000000, 1111111.",
		"Merge pull request #9 from o/revert-1-x\n\nRevert \"X\"", "* X\n* Revert \"X\"", "Revert “X", `Revert "`, "Reapply \"X\"\x00\xff",
	} {
		f.Add(seed, seed, "revert-1-x")
	}
	f.Fuzz(func(t *testing.T, title, text, branch string) {
		h := reverts.History{Names: []string{"octo/tool"}, Changes: []reverts.Change{
			pr(0, 1, "X"), pr(1, 2, title, body(text), head(branch)),
			pr(2, 3, text, commits("- "+title, "- "+text)), direct(3, "0000000abcdef", text), direct(4, "1111111abcdef", title),
		}}
		r, err := reverts.Find(h)
		if err != nil {
			t.Fatal(err)
		}
		merged := map[string]time.Time{}
		for _, c := range h.Changes {
			merged[c.ID] = c.Merged
		}
		for _, l := range r.Links {
			if !merged[l.Target].Before(merged[l.Change]) || l.Form == "" || l.How == "" || l.Confidence == "" {
				t.Errorf("link %+v", l)
			}
		}
		again, err := reverts.Find(h)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sayLinks(r), sayLinks(again)); diff != "" {
			t.Errorf("not the same twice:\n%s", diff)
		}
	})
}

// TestAsOf holds that what comes later does not change what was.
func TestAsOf(t *testing.T) {
	r, err := reverts.Find(reverts.History{Changes: []reverts.Change{
		pr(0, 1, "X"), pr(1, 2, `Revert "X (#1)"`), pr(2, 3, `Revert "Revert "X (#1)" (#2)"`), pr(3, 4, `Revert "Revert "Revert "X (#1)" (#2)" (#3)"`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range []bool{false, true, false, true} {
		s, ever := r.AsOf("#1", day0.AddDate(0, 0, day))
		if s.Reverted != want || ever != (day > 0) {
			t.Errorf("day %d: %+v, ever %v", day, s, ever)
		}
	}
	if at, ok := r.UndoneSince("#1"); !ok || !at.Equal(day0.AddDate(0, 0, 3)) {
		t.Errorf("undone since %s, %v; want the third day, when it was for the last time", at, ok)
	}
	if at, ok := r.UndoneSince("#2"); ok {
		t.Errorf("what came back is undone since %s", at)
	}
	if s, ok := r.AsOf("#4", day0.AddDate(1, 0, 0)); ok {
		t.Errorf("what nothing undid is %+v", s)
	}
}
