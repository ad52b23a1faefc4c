package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

var _ metrics.UseStore = (*Store)(nil)

// SaveListedAccounts keeps accounts that a list of a team's people names, so
// that the list finds them. Whoever was forgotten is left out.
func (s *Store) SaveListedAccounts(ctx context.Context, all []metrics.Account) error {
	err := s.db.Update(ctx, migrations.Ingest, func(tx *sql.Tx, _ int64) error {
		gone, err := forgottenIn(ctx, tx)
		if err != nil {
			return err
		}
		return saveAccounts(ctx, s.db, tx, gone.without(all))
	})
	if err != nil {
		return fmt.Errorf("save the accounts of %d people: %w", len(all), err)
	}
	return nil
}

// SaveSeats keeps an organisation's seats of one day, in place of what was kept
// of that day.
func (s *Store) SaveSeats(ctx context.Context, d metrics.SeatDay) error {
	org, day := strings.ToLower(d.Organisation), d.Day.UnixMilli()
	args := []any{}
	unplaced := false
	for _, c := range d.Seats {
		unplaced = unplaced || c.Team == "" && c.LastActive.IsZero()
		args = append(args, org, day, c.Team, millisOrZero(c.LastActive), c.Seats)
	}
	if !unplaced {
		args = append(args, org, day, "", 0, 0)
	}
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM github_seats WHERE organisation = $1 AND day = $2`, org, day); err != nil {
			return err
		}
		return insertAll(ctx, s.db, tx, `INSERT INTO github_seats (organisation, day, team, last_active, seats)`, 5, ``, args)
	})
	if err != nil {
		return fmt.Errorf("save the seats of %q: %w", d.Organisation, err)
	}
	return nil
}

// SaveUse keeps how many people used Copilot on some days, in place of what was
// kept of those days.
func (s *Store) SaveUse(ctx context.Context, days []metrics.UseDay) error {
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) error {
		var args []any
		for _, d := range days {
			org, day := strings.ToLower(d.Organisation), d.Day.UnixMilli()
			if _, err := tx.ExecContext(ctx, `DELETE FROM github_use WHERE organisation = $1 AND day = $2`, org, day); err != nil {
				return err
			}
			args = append(args, org, day, "", d.Active[""])
			for _, team := range slices.Sorted(maps.Keys(d.Active)) {
				if team != "" {
					args = append(args, org, day, team, d.Active[team])
				}
			}
		}
		return insertAll(ctx, s.db, tx, `INSERT INTO github_use (organisation, day, team, active)`, 4, ``, args)
	})
	if err != nil {
		return fmt.Errorf("save the use of %d days: %w", len(days), err)
	}
	return nil
}

// SaveUseSource notes that GitHub was asked for a part of an organisation's
// figures, and why it gave none; empty: it did.
func (s *Store) SaveUseSource(ctx context.Context, org string, part metrics.UsePart, problem string, at time.Time) error {
	org, problem = strings.ToLower(org), clean(problem)
	// Reports name the problem, so only another one makes them anew.
	subject := migrations.Measurement
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		same, err := texts(ctx, tx, `SELECT problem FROM github_use_sources WHERE organisation = $1 AND part = $2`, org, part)
		if len(same) == 1 && same[0] == problem {
			subject = migrations.Ingest
		}
		return err
	})
	if err == nil {
		err = s.db.Update(ctx, subject, func(tx *sql.Tx, _ int64) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO github_use_sources (organisation, part, asked_at, problem) VALUES ($1, $2, $3, $4)
				ON CONFLICT (organisation, part) DO UPDATE SET asked_at = excluded.asked_at, problem = excluded.problem`,
				org, part, at.UnixMilli(), problem)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("note what GitHub gives of the use of %q: %w", org, err)
	}
	return nil
}

// ReportedDays are the days of which an organisation's use is known, sorted.
func (s *Store) ReportedDays(ctx context.Context, org string) ([]time.Time, error) {
	var days []time.Time
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT day FROM github_use WHERE organisation = $1 AND team = '' ORDER BY day`, []any{strings.ToLower(org)},
			func(scan func(...any) error) error {
				var day sql.NullInt64
				err := scan(&day)
				days = append(days, migrations.Time(day))
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("read which days of %q are known: %w", org, err)
	}
	return days, nil
}

// allUse is the question for [Store.UseSources].
type allUse struct{}

// UseSources says how far GitHub's figures on use are known, by organisation.
// The list is shared: callers must not change it.
func (s *Store) UseSources(ctx context.Context) ([]metrics.UseSource, error) {
	out, err := migrations.Remember(ctx, s.synced, allUse{}, func(u []metrics.UseSource) int { return len(u) },
		func(tx *sql.Tx) ([]metrics.UseSource, error) { return useSources(ctx, tx) })
	if err != nil {
		return nil, fmt.Errorf("read how far use is known: %w", err)
	}
	return out, nil
}

func useSources(ctx context.Context, tx *sql.Tx) ([]metrics.UseSource, error) {
	var out []metrics.UseSource
	err := migrations.Each(ctx, tx, `SELECT o.organisation,
			(SELECT MAX(day) FROM github_seats s WHERE s.organisation = o.organisation),
			(SELECT MAX(day) FROM github_use u WHERE u.organisation = o.organisation),
			COALESCE((SELECT problem FROM github_use_sources p WHERE p.organisation = o.organisation AND p.part = $1), ''),
			COALESCE((SELECT problem FROM github_use_sources p WHERE p.organisation = o.organisation AND p.part = $2), '')
		FROM (SELECT DISTINCT organisation FROM github_use_sources) o ORDER BY o.organisation`, []any{metrics.UseSeats, metrics.UseReports},
		func(scan func(...any) error) error {
			var u metrics.UseSource
			var seats, reported sql.NullInt64
			err := scan(&u.Organisation, &seats, &reported, &u.NoSeats, &u.NoReports)
			u.SeatsOn, u.ReportedUntil = migrations.Time(seats), migrations.Time(reported)
			out = append(out, u)
			return err
		})
	return out, err
}

// Use is what is stored of windows, by team. A zero end of a window is open.
func (s *Store) Use(ctx context.Context, windows ...metrics.Window) (metrics.UseFigures, error) {
	out := metrics.UseFigures{People: map[string]int{}}
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		if out.Sources, err = useSources(ctx, tx); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM github_repositories)`).Scan(&out.Read); err != nil {
			return err
		}
		if len(windows) > 0 {
			if err := people(ctx, tx, windows[len(windows)-1], out.People); err != nil {
				return err
			}
		}
		for _, w := range windows {
			use, err := useOf(ctx, tx, w)
			if err != nil {
				return err
			}
			out.Windows = append(out.Windows, use)
		}
		return nil
	})
	if err != nil {
		return metrics.UseFigures{}, fmt.Errorf("read what GitHub says of use: %w", err)
	}
	return out, nil
}

// people counts the accounts that were in a team in a window, by team.
func people(ctx context.Context, tx *sql.Tx, w metrics.Window, into map[string]int) error {
	t, err := teams(ctx, tx)
	if err != nil {
		return err
	}
	type one struct{ team, account string }
	seen := map[one]bool{}
	for _, m := range slices.Concat(t.Lists, t.GitHub) {
		if !m.Until.IsZero() && !m.Until.After(w.From) || !w.To.IsZero() && !m.Since.Before(w.To) {
			continue
		}
		if k := (one{m.Team, m.Account}); !seen[k] {
			seen[k] = true
			into[m.Team]++
		}
	}
	return nil
}

func useOf(ctx context.Context, tx *sql.Tx, w metrics.Window) (metrics.UseWindow, error) {
	out := metrics.UseWindow{Seats: map[string]int{}, Active: map[string]int{}, Used: map[string]int{}}
	from, to := millisOrZero(w.From), int64(math.MaxInt64)
	if !w.To.IsZero() {
		to = w.To.UnixMilli()
	}
	if from == 0 {
		from = 1 // a seat that was never used is not used in an open window
	}
	err := migrations.Each(ctx, tx, `SELECT s.day, s.team, CAST(SUM(s.seats) AS BIGINT),
			CAST(SUM(CASE WHEN s.last_active >= $1 THEN s.seats ELSE 0 END) AS BIGINT)
		FROM github_seats s JOIN (SELECT organisation, MAX(day) AS day FROM github_seats WHERE day >= $1 AND day < $2 GROUP BY organisation) n
			ON n.organisation = s.organisation AND n.day = s.day
		GROUP BY s.day, s.team ORDER BY s.day, s.team`, []any{from, to},
		func(scan func(...any) error) error {
			var day sql.NullInt64
			var team string
			var seats, active int
			err := scan(&day, &team, &seats, &active)
			out.Day = migrations.Time(day) // the newest comes last
			out.Seats[team] += seats
			out.Active[team] += active
			return err
		})
	if err != nil {
		return out, err
	}
	count := tx.QueryRowContext(ctx, `SELECT COUNT(DISTINCT day) FROM github_use WHERE day >= $1 AND day < $2`, from, to).Scan(&out.Reported)
	return out, errors.Join(count, migrations.Each(ctx, tx, `SELECT team, CAST(SUM(active) AS BIGINT) FROM github_use WHERE day >= $1 AND day < $2 GROUP BY team`, []any{from, to},
		func(scan func(...any) error) error {
			var team string
			var n int
			err := scan(&team, &n)
			out.Used[team] = n
			return err
		}))
}
