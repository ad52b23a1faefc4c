package reverts_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/metrics/ingest/reverts"
)

// kept writes facts as a database keeps them and reads them back.
func kept(t testing.TB, f reverts.Facts) reverts.Facts {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var again reverts.Facts
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	again.ID, again.Number, again.Merged, again.Commit = f.ID, f.Number, f.Merged, f.Commit
	return again
}

// Facts that were kept find what the texts find, on labelled messages.
func TestKeptFactsFindTheSame(t *testing.T) {
	for _, repo := range []string{"hashicorp/terraform", "etcd-io/etcd"} {
		t.Run(short(repo), func(t *testing.T) {
			w := readFacts(t, repo)
			found := 0
			for _, l := range readLabelled(t, repo) {
				at, ok := w.home[l.SHA[:12]]
				if !ok {
					continue
				}
				h := w.with(l, at)
				want, err := reverts.Find(h)
				if err != nil {
					t.Fatal(err)
				}
				facts := make([]reverts.Facts, len(h.Changes))
				for i, c := range h.Changes {
					facts[i] = kept(t, reverts.Read(c))
				}
				got, err := reverts.FindFacts(h.Names, facts)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(reverts.Candidate{}, reverts.Result{})); diff != "" {
					t.Errorf("%s (-texts +facts):\n%s", l.SHA, diff)
				}
				found += len(got.Links)
			}
			if found == 0 {
				t.Error("no link at all")
			}
		})
	}
}

func TestGather(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, time.March, 2, hour, 0, 0, 0, time.UTC) }
	hash := func(n int) string { return fmt.Sprintf("%040x", 0xabc0000+n) }
	pulls := []reverts.Facts{
		reverts.Read(reverts.Change{ID: "merged", Number: 1, Merged: at(1), Commit: hash(1), Title: "One", Commits: []reverts.Commit{{Hash: hash(2), Message: "Inside", Authored: at(0)}}}),
		reverts.Read(reverts.Change{ID: "rebased", Number: 2, Merged: at(3), Commit: hash(4), Title: "Two", Commits: []reverts.Commit{{Hash: hash(9), Message: "Two, first half", Authored: at(2)}}}),
		reverts.Read(reverts.Change{ID: "squashed", Number: 3, Merged: at(5), Title: "Three"}),
	}
	commit := func(n int, hour int, message string, authored time.Time) reverts.Facts {
		return reverts.Read(reverts.Change{ID: hash(n), Merged: at(hour), Commit: hash(n), Message: message, Authored: authored})
	}
	g := reverts.Gather(pulls, []reverts.Facts{
		commit(1, 1, "Merge pull request #1 from a/b\n\nOne", at(1)),
		commit(2, 1, "Inside", at(0)),
		commit(3, 3, "Two, first half", at(2)),
		commit(4, 3, "Two", at(2)),
		commit(5, 5, "Three (#3)", at(5)),
		commit(6, 6, "Pushed without one", at(6)),
		commit(7, 20, "Two, first half", at(2)), // far from the merge
	})
	want := map[string]string{hash(1): "merged", hash(2): "merged", hash(3): "rebased", hash(4): "rebased", hash(5): "squashed"}
	if diff := cmp.Diff(want, g.PartOf); diff != "" {
		t.Errorf("part of (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{hash(1): true, hash(2): true, hash(4): true}, g.Listed); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"merged": true, "rebased": true, "squashed": true}, g.OnBranch); diff != "" {
		t.Errorf("on the branch (-want +got):\n%s", diff)
	}
	if n := len(g.Changes); n != 5 {
		t.Errorf("%d changes; want three pull requests and two commits", n)
	}
}

// FuzzFacts holds that texts and what is kept of them say the same of reverts,
// whatever they are.
func FuzzFacts(f *testing.F) {
	f.Add(`Revert "Add a cache (#1)"`, "Reverts #1.\n\nThis reverts commit 1a2b3c4d.", "revert-1-cache", "* Revert \"Add\"\n* Add")
	f.Add("chore: revert: x", "partially reverts #2, #1 and 1a2b3c4", "x", "Reapply \"x\"")
	f.Fuzz(func(t *testing.T, title, body, head, message string) {
		h := reverts.History{Names: []string{"a/b"}, Changes: []reverts.Change{
			{ID: "1", Number: 1, Merged: time.Unix(1, 0), Title: "Add a cache", Commit: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"},
			{ID: "2", Number: 2, Merged: time.Unix(2, 0), Title: title, Body: body, Head: head, Message: message, Commits: []reverts.Commit{{Hash: "9f8e7d6c5b4a", Message: message}}},
		}}
		want, err := reverts.Find(h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := reverts.FindFacts(h.Names, []reverts.Facts{reverts.Read(h.Changes[0]), kept(t, reverts.Read(h.Changes[1]))})
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Links) != len(got.Links) || len(want.States) != len(got.States) {
			t.Errorf("texts: %d links, %d states; facts: %d, %d", len(want.Links), len(want.States), len(got.Links), len(got.States))
		}
	})
}
