package store

import (
	"context"
	"database/sql"
	"fmt"
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
	sum.Teams, sum.Imports = slices.Clone(sum.Teams), slices.Clone(sum.Imports)
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

func pullRequestSummary(ctx context.Context, tx *sql.Tx) (metrics.PullRequestSummary, error) {
	sum := metrics.PullRequestSummary{Teams: []metrics.TeamSize{}}
	err := migrations.Each(ctx, tx, `SELECT team, COUNT(*),
		COUNT(DISTINCT CASE WHEN author <> '' AND NOT author_bot THEN author END),
		COUNT(CASE WHEN author_bot THEN 1 END),
		COUNT(CASE WHEN merged IS NULL AND closed IS NULL THEN 1 END),
		MIN(opened), MAX(opened), MAX(merged), MAX(closed)
		FROM pull_requests GROUP BY team ORDER BY team`, nil,
		func(scan func(...any) error) error {
			var t metrics.TeamSize
			var bots, open int
			var first, opened, merged, closed sql.NullInt64
			err := scan(&t.Team, &t.PullRequests, &t.Authors, &bots, &open, &first, &opened, &merged, &closed)
			if err != nil {
				return err
			}
			addTeam(&sum, t, bots, open)
			addSpan(&sum, migrations.Time(first), migrations.Time(opened), migrations.Time(merged), migrations.Time(closed))
			return nil
		})
	if err != nil {
		return sum, err
	}
	sum.Imports, err = imports(ctx, tx, `WHERE pilot IS NULL AND kind IS NULL ORDER BY id DESC`)
	return sum, err
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
