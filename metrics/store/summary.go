package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// counted is the summary of one revision. Counting reads every row, and pages
// and reports ask for it far more often than it changes.
type counted struct {
	mu       sync.Mutex
	revision int64 // 0: nothing is kept, as nothing is stored
	summary  metrics.PullRequestSummary
}

func (c *counted) get(revision int64) (sum metrics.PullRequestSummary, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return copySummary(c.summary), c.revision == revision && revision > 0
}

func (c *counted) put(revision int64, sum metrics.PullRequestSummary) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.revision, c.summary = revision, copySummary(sum)
}

// copySummary is a summary that its reader may change.
func copySummary(sum metrics.PullRequestSummary) metrics.PullRequestSummary {
	sum.Teams, sum.Imports, sum.Incomplete = slices.Clone(sum.Teams), slices.Clone(sum.Imports), slices.Clone(sum.Incomplete)
	for i := range sum.Imports {
		im := &sum.Imports[i]
		im.LeftOut, im.Fields, im.Notes = slices.Clone(im.LeftOut), slices.Clone(im.Fields), slices.Clone(im.Notes)
	}
	return sum
}

// PullRequestSummary counts what is stored. First is when the first pull
// request was opened, Last the newest moment that any was opened, merged or
// closed. A team's authors are its people: neither bots nor deleted accounts.
// The answer is kept until the next write, by whichever process.
func (s *Store) PullRequestSummary(ctx context.Context) (metrics.PullRequestSummary, error) {
	var sum metrics.PullRequestSummary
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		revision, err := migrations.RevisionIn(ctx, tx, migrations.Measurement)
		if err != nil {
			return err
		}
		var ok bool
		if sum, ok = s.counted.get(revision); ok {
			return nil
		}
		if sum, err = pullRequestSummary(ctx, tx); err != nil {
			return err
		}
		s.counted.put(revision, sum)
		return nil
	})
	if err != nil {
		return metrics.PullRequestSummary{}, fmt.Errorf("summarise pull requests: %w", err)
	}
	return sum, nil
}

// pullRequestSummary adds up the packs, of which it reads the heads alone where
// they say enough, and the rows of those that are stale.
func pullRequestSummary(ctx context.Context, tx *sql.Tx) (metrics.PullRequestSummary, error) {
	sum := metrics.PullRequestSummary{Teams: []metrics.TeamSize{}}
	counts := map[string]*teamCount{}
	of := func(team string) *teamCount {
		c := counts[team]
		if c == nil {
			c = &teamCount{people: map[string]struct{}{}}
			counts[team] = c
		}
		return c
	}
	stale, err := stalePacks(ctx, tx)
	if err != nil {
		return sum, err
	}
	err = migrations.Each(ctx, tx, `SELECT team, span, counts FROM pull_packs`, nil, func(scan func(...any) error) error {
		var k packKey
		var text []byte
		if err := scan(&k.team, &k.span, &text); err != nil {
			return err
		}
		if stale[k] {
			return nil
		}
		if n, ok := readCounts(text); ok {
			of(k.team).add(n)
		} else { // damaged: its rows are counted
			stale[k] = true
		}
		return nil
	})
	if err != nil {
		return sum, err
	}
	for k := range stale {
		var rows []packedPull
		err := eachPull(ctx, tx, ` WHERE team = $1 AND opened >= $2 AND opened < $3`, []any{k.team, spanBegin(k.span), spanEnd(k.span)},
			func(row packedPull) error {
				rows = append(rows, row)
				return nil
			})
		if err != nil {
			return sum, err
		}
		if len(rows) > 0 {
			of(k.team).add(countPack(rows))
		}
	}
	for _, team := range slices.Sorted(maps.Keys(counts)) {
		c := counts[team]
		addTeam(&sum, metrics.TeamSize{Team: team, PullRequests: c.rows, Authors: len(c.people)}, c.bots, c.open)
		addSpan(&sum, millis(c.first), millis(c.last))
	}
	if sum.Imports, err = imports(ctx, tx, `WHERE pilot IS NULL AND kind IS NULL ORDER BY id DESC`); err != nil {
		return sum, err
	}
	sum.Incomplete, err = notWhole(ctx, tx)
	return sum, err
}

func millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// teamCount is a team's packs, added up.
type teamCount struct {
	packCounts
	people map[string]struct{}
}

func (c *teamCount) add(n packCounts) {
	if c.rows == 0 {
		c.first, c.last = n.first, n.last
	}
	c.rows += n.rows
	c.bots += n.bots
	c.open += n.open
	c.first, c.last = min(c.first, n.first), max(c.last, n.last)
	for _, author := range n.authors {
		c.people[author] = struct{}{}
	}
}

func addTeam(sum *metrics.PullRequestSummary, t metrics.TeamSize, bots, open int) {
	sum.Total += t.PullRequests
	sum.Bots += bots
	sum.Open += open
	if t.Team == "" {
		sum.Unplaced = t.PullRequests
		return
	}
	sum.Teams = append(sum.Teams, t)
}

func addSpan(sum *metrics.PullRequestSummary, first time.Time, lasts ...time.Time) {
	if sum.First.IsZero() || first.Before(sum.First) {
		sum.First = first
	}
	for _, last := range lasts {
		if last.After(sum.Last) {
			sum.Last = last
		}
	}
}
