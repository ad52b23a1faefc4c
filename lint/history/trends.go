package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"steelyard/lint"
	"steelyard/migrations"
	"steelyard/rules"
)

var _ lint.OverviewStore = (*History)(nil)

// maxWeeks bounds a trend.
const maxWeeks = 53

// countsOf is how many findings each rule has, by severity, as it is kept with
// a scan.
func countsOf(findings []lint.Finding) (string, error) {
	counts := map[rules.Severity]map[string]int{}
	for _, f := range findings {
		if counts[f.Severity] == nil {
			counts[f.Severity] = map[string]int{}
		}
		counts[f.Severity][f.Rule]++
	}
	text, err := json.Marshal(counts)
	return string(text), err
}

// Trends are the findings of all repositories at the ends of the last weeks
// until a moment: of each repository the newest scan by then counts.
func (h *History) Trends(ctx context.Context, until time.Time, weeks int) (lint.Trends, error) {
	weeks = min(max(weeks, 1), maxWeeks)
	revision, err := h.db.Revision(ctx, migrations.Lint)
	if err != nil {
		return lint.Trends{}, fmt.Errorf("read trends: %w", err)
	}
	if t, ok := h.trends.get(revision, until, weeks); ok {
		return t, nil
	}
	t := lint.Trends{Rules: []lint.RuleTrend{}, Repositories: make([]int, weeks)}
	for i := range weeks {
		t.Ends = append(t.Ends, until.UTC().AddDate(0, 0, 7*(i+1-weeks)))
	}
	err = h.db.View(ctx, func(tx *sql.Tx) error {
		byRule, err := countWeeks(ctx, tx, t)
		if err != nil {
			return err
		}
		for _, rule := range slices.Sorted(maps.Keys(byRule)) {
			t.Rules = append(t.Rules, lint.RuleTrend{Rule: rule, Counts: byRule[rule]})
		}
		return nil
	})
	if err != nil {
		return lint.Trends{}, fmt.Errorf("read trends: %w", err)
	}
	h.trends.set(revision, until, t)
	return t, nil
}

// trendCache keeps the last trends: between two scans they stay the same, but
// for the hour at which the weeks end.
type trendCache struct {
	mu       sync.Mutex
	revision int64
	until    time.Time
	trends   lint.Trends
}

func (c *trendCache) get(revision int64, until time.Time, weeks int) (lint.Trends, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := until.Sub(c.until)
	return c.trends, len(c.trends.Ends) == weeks && c.revision == revision && age >= 0 && age < time.Hour
}

func (c *trendCache) set(revision int64, until time.Time, t lint.Trends) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.revision, c.until, c.trends = revision, until, t
}

// countWeeks adds up, for each end of a week, the scans that count then, and
// returns the findings by rule.
func countWeeks(ctx context.Context, tx *sql.Tx, t lint.Trends) (map[string][]int, error) {
	of, err := currentScans(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	byRule := map[string][]int{}
	add := func(scan int64, rule string, n int) {
		counts := byRule[rule]
		if counts == nil {
			counts = make([]int, len(t.Ends))
			byRule[rule] = counts
		}
		for _, week := range of[scan] {
			counts[week] += n
		}
	}
	for _, weeks := range of {
		for _, week := range weeks {
			t.Repositories[week]++
		}
	}
	var uncounted []any
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(of)), migrations.BatchRows) {
		args := make([]any, len(ids))
		for i, id := range ids {
			args[i] = id
		}
		err := migrations.Each(ctx, tx, `SELECT id, counts FROM scans WHERE id IN (`+migrations.Placeholders(1, len(args))+`)`, args, func(scan func(...any) error) error {
			var id int64
			var text sql.NullString
			if err := scan(&id, &text); err != nil {
				return err
			}
			if !text.Valid {
				uncounted = append(uncounted, id)
				return nil
			}
			var counts map[rules.Severity]map[string]int
			if err := json.Unmarshal([]byte(text.String), &counts); err != nil {
				return fmt.Errorf("read the counts of scan %d: %w", id, err)
			}
			for _, of := range counts {
				for rule, n := range of {
					add(id, rule, n)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for ids := range slices.Chunk(uncounted, migrations.BatchRows) {
		err := migrations.Each(ctx, tx, `SELECT scan, rule, COUNT(*) FROM findings WHERE scan IN (`+migrations.Placeholders(1, len(ids))+`) GROUP BY scan, rule`, ids, func(scan func(...any) error) error {
			var id int64
			var rule string
			var n int
			err := scan(&id, &rule, &n)
			if err == nil {
				add(id, rule, n)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return byRule, nil
}

// currentScans are the scans that count at the end of a week, each with those
// weeks: of each repository the last before the first end, and what came later.
func currentScans(ctx context.Context, tx *sql.Tx, t lint.Trends) (map[int64][]int, error) {
	first := t.Ends[0].UnixMilli()
	newest := map[string][]int64{} // by repository, the scan of each week; 0 for none
	take := func(repository string, id, at int64) {
		weeks := newest[repository]
		if weeks == nil {
			weeks = make([]int64, len(t.Ends))
			newest[repository] = weeks
		}
		for week, end := range t.Ends {
			if at <= end.UnixMilli() {
				weeks[week] = max(weeks[week], id)
			}
		}
	}
	err := migrations.Each(ctx, tx, `SELECT repository, MAX(id) FROM scans WHERE at <= $1 GROUP BY repository`, []any{first}, func(scan func(...any) error) error {
		var repository string
		var id int64
		err := scan(&repository, &id)
		take(repository, id, first)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = migrations.Each(ctx, tx, `SELECT repository, id, at FROM scans WHERE at > $1`, []any{first}, func(scan func(...any) error) error {
		var repository string
		var id, at int64
		err := scan(&repository, &id, &at)
		take(repository, id, at)
		return err
	})
	of := map[int64][]int{}
	for _, weeks := range newest {
		for week, id := range weeks {
			if id != 0 {
				of[id] = append(of[id], week)
			}
		}
	}
	return of, err
}
