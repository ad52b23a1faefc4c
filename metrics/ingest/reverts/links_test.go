package reverts_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"steelyard/metrics/ingest/reverts"
)

// TestObservedLinks gives Find 1,119 reverts that were seen in 334 public
// histories, each in the form it was written in, and expects every one, and the
// published shares of how soon they came.
func TestObservedLinks(t *testing.T) {
	histories := map[string]*reverts.History{}
	rows := readLinks(t)
	for _, row := range rows {
		h := histories[row["repo"]]
		if h == nil {
			h = &reverts.History{Names: []string{row["repo"]}}
			histories[row["repo"]] = h
		}
		h.Changes = addOnce(h.Changes, reverts.Change{ID: row["reverted_sha"], Commit: row["reverted_sha"], Number: number(row["reverted_pr"]), Merged: at(t, row["merged_at"])})
		message := "Put it back"
		if row["m_subject"] != "" {
			message = `Revert "Something"`
		}
		if row["m_sha"] != "" {
			message += fmt.Sprintf("\n\nThis reverts commit %s.", row["reverted_sha"])
		} else {
			message += fmt.Sprintf("\n\nReverts %s#%s", row["repo"], row["reverted_pr"])
		}
		h.Changes = addOnce(h.Changes, reverts.Change{ID: row["revert_sha"], Commit: row["revert_sha"], Merged: at(t, row["reverted_at"]), Message: message})
	}
	type pair struct{ change, target string }
	found := map[pair]bool{}
	for repo, h := range histories {
		r, err := reverts.Find(*h)
		if err != nil {
			t.Fatalf("%s: %v", repo, err)
		}
		for _, l := range r.Links {
			found[pair{l.Change, l.Target}] = true
		}
	}
	within := map[int]int{}
	for _, row := range rows {
		if !found[pair{row["revert_sha"], row["reverted_sha"]}] {
			t.Errorf("%s: %s does not undo %s (number %s)", row["repo"], row["revert_sha"], row["reverted_sha"], row["reverted_pr"])
			continue
		}
		for _, days := range []int{2, 7, 30} {
			if at(t, row["reverted_at"]).Sub(at(t, row["merged_at"])) <= time.Duration(days)*24*time.Hour {
				within[days]++
			}
		}
	}
	for days, want := range map[int]string{2: "67.8", 7: "83.6", 30: "94.6"} {
		if got := fmt.Sprintf("%.1f", 100*float64(within[days])/float64(len(rows))); got != want {
			t.Errorf("within %d days: %s %%, want %s %%", days, got, want)
		}
	}
	t.Logf("%d links in %d histories", len(rows), len(histories))
}

// addOnce joins a change that several links name: what is known of it adds up.
func addOnce(all []reverts.Change, c reverts.Change) []reverts.Change {
	for i := range all {
		if all[i].ID != c.ID {
			continue
		}
		all[i].Number = max(all[i].Number, c.Number)
		if c.Message != "" {
			all[i].Message += "\n\n" + c.Message
		}
		return all
	}
	return append(all, c)
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func readLinks(t *testing.T) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir(t), "..", "measurement", "git_revert_links.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		named := map[string]string{}
		for i, column := range rows[0] {
			named[column] = row[i]
		}
		all = append(all, named)
	}
	return all
}
