package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"steelyard/metrics"
	"steelyard/migrations"
)

// maxCosts bounds the days of teams in one import: they are added up in memory.
const maxCosts = 2_000_000

// ImportCosts replaces costs by team, day and unit in one transaction; rows of
// one import for the same three add up. rows is read once; its first error, and
// the end of ctx, undo everything. finish is called after the last row. Neither
// rows nor finish may use the store.
func (s *Store) ImportCosts(ctx context.Context, rows iter.Seq2[metrics.Cost, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	var imp metrics.Import
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if err := beginImport(ctx, tx, revision, ""); err != nil {
			return err
		}
		if err := s.importCosts(ctx, tx, revision, rows); err != nil {
			return err
		}
		var err error
		imp, err = endOther(ctx, tx, revision, "cost", s, finish)
		return err
	})
	if err != nil {
		return metrics.Import{}, fmt.Errorf("import costs: %w", err)
	}
	return imp, nil
}

// costKey is what costs add up by.
type costKey struct {
	team, unit string
	day        int64
}

const costColumns = 5

func (s *Store) importCosts(ctx context.Context, tx *sql.Tx, id int64, rows iter.Seq2[metrics.Cost, error]) error {
	sums := map[costKey]float64{}
	for c, err := range rows {
		if err != nil {
			return err
		}
		if err := errors.Join(ctx.Err(), migrations.CheckText("team", c.Team), migrations.CheckText("unit", c.Unit)); err != nil {
			return fmt.Errorf("line %d: %w", c.Line, err)
		}
		sums[costKey{c.Team, c.Unit, c.Day.UnixMilli()}] += c.Amount
		if len(sums) > maxCosts {
			return fmt.Errorf("line %d: more than %d days of teams: split the file", c.Line, maxCosts)
		}
	}
	keys := slices.SortedFunc(maps.Keys(sums), func(a, b costKey) int {
		return cmp.Or(cmp.Compare(a.team, b.team), cmp.Compare(a.day, b.day), cmp.Compare(a.unit, b.unit))
	})
	insert := s.db.NewInsert(tx, `INSERT INTO costs (team, day, unit, amount, import)`, costColumns,
		`ON CONFLICT (team, day, unit) DO UPDATE SET amount = excluded.amount, import = excluded.import`)
	for batch := range slices.Chunk(keys, migrations.BatchRows) {
		args := make([]any, 0, len(batch)*costColumns)
		for _, k := range batch {
			args = append(args, k.team, k.day, k.unit, sums[k], id)
		}
		if _, err := insert.Exec(ctx, args); err != nil {
			return fmt.Errorf("insert costs: %w", err)
		}
	}
	return insert.Close()
}

// Costs returns the costs of teams in w, by team, day and unit.
func (s *Store) Costs(ctx context.Context, teams []string, w metrics.Window) ([]metrics.Cost, error) {
	wanted := set(teams)
	var out []metrics.Cost
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT team, day, unit, amount FROM costs ORDER BY team, day, unit`, nil,
			func(scan func(...any) error) error {
				var c metrics.Cost
				var day sql.NullInt64
				if err := scan(&c.Team, &day, &c.Unit, &c.Amount); err != nil {
					return err
				}
				if c.Day = migrations.Time(day); wanted[c.Team] && w.Contains(c.Day) {
					out = append(out, c)
				}
				return nil
			})
	})
	if err != nil {
		return nil, fmt.Errorf("read costs: %w", err)
	}
	return out, nil
}

// MergesOf counts the pull requests of teams that were merged in w and are
// measured: those of people, which nothing sets apart.
func (s *Store) MergesOf(ctx context.Context, teams []string, w metrics.Window) (int, error) {
	n := 0
	for p, err := range s.MeasuredPullRequests(ctx, teams, w) {
		if err != nil {
			return 0, err
		}
		if !p.Merged.IsZero() && w.Contains(p.Merged) && !p.AuthorBot && p.SetApart == "" {
			n++
		}
	}
	return n, nil
}
