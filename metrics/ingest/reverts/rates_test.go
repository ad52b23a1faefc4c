package reverts_test

import (
	"fmt"
	"testing"

	"steelyard/metrics/ingest/reverts"
)

// TestNetRates gives Find the links that the tables of pull requests hold, each
// written as a person would, and expects the share of pull requests undone at
// least once that was published for these repositories.
func TestNetRates(t *testing.T) {
	for _, repo := range []struct {
		name   string
		undone int
		rate   string
	}{
		{"rails", 432, "1.9"},
		{"electron", 115, "0.9"},
		{"terraform", 48, "0.5"},
		{"pinot", 57, "0.4"},
		{"etcd", 35, "0.4"},
	} {
		t.Run(repo.name, func(t *testing.T) {
			pulls := readPulls(t, repo.name)
			var h reverts.History
			for _, p := range pulls {
				c := reverts.Change{ID: fmt.Sprint(p.number), Number: p.number, Merged: p.merged, Commit: p.commit}
				if p.revertsPR > 0 {
					c.Body = fmt.Sprintf("Reverts #%d.", p.revertsPR)
				} else if p.revertsSHA != "" {
					c.Body = fmt.Sprintf("This reverts commit %s.", p.revertsSHA)
				}
				h.Changes = append(h.Changes, c)
				if !p.revertedAt.IsZero() && p.revertBy == "" { // undone by a direct commit
					h.Changes = append(h.Changes, reverts.Change{
						ID: "commit that undid " + c.ID, Merged: p.revertedAt,
						Message: fmt.Sprintf("Something else\n\nThis reverts commit %s.", p.commit),
					})
				}
			}
			r, err := reverts.Find(h)
			if err != nil {
				t.Fatal(err)
			}
			undone := 0
			for _, s := range r.States {
				if p, ok := pulls[number(s.Change)]; ok {
					undone++
					if p.revertedAt.IsZero() || s.FirstAt.After(p.revertedAt) {
						t.Errorf("#%d first undone at %s, the table has %s", p.number, s.FirstAt, p.revertedAt)
					}
				}
			}
			rate := fmt.Sprintf("%.1f", 100*float64(undone)/float64(len(pulls)))
			t.Logf("%d of %d pull requests undone at least once: %s %%", undone, len(pulls), rate)
			if undone != repo.undone || rate != repo.rate {
				t.Errorf("%d undone, %s %%; want %d, %s %%", undone, rate, repo.undone, repo.rate)
			}
		})
	}
}

func number(id string) int {
	var n int
	if _, err := fmt.Sscanf(id, "%d", &n); err != nil {
		return 0
	}
	return n
}
