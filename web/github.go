package web

import (
	"fmt"
	"slices"
	"time"

	"steelyard/metrics"
)

// staleAfter is how long what was read from GitHub counts as current: longer
// than any sensible plan of updates takes between two of them.
const staleAfter = 26 * time.Hour

// syncState says how a repository stands, worst first.
type syncState int

const (
	syncFailed syncState = iota
	syncGone
	syncStale
	syncReading
	syncCurrent
)

// syncRow is one repository that is read from GitHub.
type syncRow struct {
	metrics.RepositoryHealth
	State syncState
	// Word and Why say how it stands; Share is how much of it is stored.
	Word, Why string
	Share     string
	// Gaps says in words what could not be read.
	Gaps []string
}

// Bad reports whether a person should look.
func (r syncRow) Bad() bool {
	return r.State == syncFailed || r.State == syncGone || r.State == syncStale
}

// syncView is what is known of GitHub.
type syncView struct {
	*metrics.Ingest
	Rows []syncRow
	// Whole are complete and without gaps, where there are too many of them to
	// stand before what matters; a reader opens them.
	Whole   []syncRow
	Heading string
}

// maxWhole is how many complete repositories stand in the open list.
const maxWhole = 12

// newSyncView judges each repository; the zero time judges none as stale.
func newSyncView(i *metrics.Ingest, now time.Time) *syncView {
	if i == nil {
		return nil
	}
	v := &syncView{Ingest: i}
	n := map[syncState]int{}
	for _, r := range i.Repositories {
		row := newSyncRow(r, now)
		n[row.State]++
		v.Rows = append(v.Rows, row)
	}
	whole := func(r syncRow) bool { return r.State == syncCurrent && len(r.Gaps) == 0 }
	v.Heading = syncHeading(len(v.Rows), n)
	for _, r := range v.Rows {
		if whole(r) {
			v.Whole = append(v.Whole, r)
		}
	}
	if len(v.Whole) > maxWhole {
		v.Rows = slices.DeleteFunc(v.Rows, whole)
	} else {
		v.Whole = nil
	}
	slices.SortStableFunc(v.Rows, func(a, b syncRow) int { return int(a.State - b.State) })
	return v
}

func newSyncRow(r metrics.RepositoryHealth, now time.Time) syncRow {
	row := syncRow{RepositoryHealth: r, State: syncCurrent, Word: "complete"}
	switch {
	case !r.Gone.IsZero():
		row.State, row.Word, row.Why = syncGone, "gone", "GitHub has no such repository, or does not show it to these credentials; what was read stays."
	case r.Problem != "":
		row.State, row.Word, row.Why = syncFailed, "failed", sentence(capital(r.Problem))
	case !r.Whole:
		row.State, row.Word, row.Why = syncReading, "being read", "Its history is not whole yet; reports on it say so."
	case !now.IsZero() && !r.Until.IsZero() && now.Sub(r.Until) > staleAfter:
		row.State, row.Word, row.Why = syncStale, "stale", "No update since; “steelyard work” keeps it current."
	}
	if r.Total > 0 {
		row.Share = metrics.FormatCount(r.Pulls) + " of " + metrics.FormatCount(r.Total)
		if r.Pulls >= r.Total {
			row.Share = metrics.FormatCount(r.Pulls)
		}
	}
	if r.Partial > 0 {
		row.Gaps = append(row.Gaps, some(r.Partial, "pull request")+" without some of their parts")
	}
	row.Gaps = append(row.Gaps, missingByWhat(r.Missing)...)
	return row
}

// missingByWhat counts what GitHub would not give, by what it is.
func missingByWhat(all []metrics.Missing) []string {
	var order []string
	n := map[string]int{}
	for _, m := range all {
		if n[m.What] == 0 {
			order = append(order, m.What)
		}
		n[m.What]++
	}
	var out []string
	for _, what := range order {
		if n[what] == 1 {
			out = append(out, "missing: "+what)
			continue
		}
		out = append(out, fmt.Sprintf("missing, %s times: %s", metrics.FormatCount(n[what]), what))
	}
	return out
}

func syncHeading(all int, n map[syncState]int) string {
	var parts []string
	for _, s := range []struct {
		state     syncState
		one, many string
	}{
		{syncFailed, "one could not be read", " could not be read"},
		{syncGone, "one is gone", " are gone"},
		{syncStale, "one is stale", " are stale"},
		{syncReading, "one is being read", " are being read"},
	} {
		switch k := n[s.state]; {
		case k == 1:
			parts = append(parts, s.one)
		case k > 1:
			parts = append(parts, count(k)+s.many)
		}
	}
	if len(parts) == 0 {
		if all == 1 {
			return "One repository, complete"
		}
		return "All " + count(all) + " repositories are complete"
	}
	return "Of " + some(all, "repository") + ", " + list(parts)
}
