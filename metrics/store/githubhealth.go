package store

import (
	"context"
	"database/sql"
	"fmt"

	"steelyard/metrics"
	"steelyard/migrations"
)

// howFar is the question for [Store.Ingest].
type howFar struct{}

// Ingest says how far what GitHub has is known here. Without any repository its
// lists are empty. They are shared: callers must not change them.
func (s *Store) Ingest(ctx context.Context) (metrics.Ingest, error) {
	out, err := migrations.Remember(ctx, s.synced, howFar{}, func(i metrics.Ingest) int { return len(i.Repositories) },
		func(tx *sql.Tx) (metrics.Ingest, error) { return ingest(ctx, tx) })
	if err != nil {
		return metrics.Ingest{}, fmt.Errorf("read how far GitHub is known: %w", err)
	}
	return out, nil
}

func ingest(ctx context.Context, tx *sql.Tx) (metrics.Ingest, error) {
	out := metrics.Ingest{
		Repositories: []metrics.RepositoryHealth{}, Unplaced: []metrics.LeftOut{}, SetApart: []metrics.LeftOut{},
		Unresolved: []metrics.LeftOut{}, TeamProblems: []string{},
	}
	partial := map[string]int{}
	err := migrations.Each(ctx, tx, `SELECT repository, COUNT(*) FROM github_pulls WHERE incomplete GROUP BY repository`, nil,
		func(scan func(...any) error) error {
			var id string
			var n int
			err := scan(&id, &n)
			partial[id] = n
			return err
		})
	if err != nil {
		return out, err
	}
	rows, err := syncedRows(ctx, tx, `ORDER BY name, id`)
	if err != nil {
		return out, err
	}
	for _, r := range rows {
		out.Repositories = append(out.Repositories, healthOf(r, partial[r.ID]))
	}
	if out.Unplaced, err = reasons(ctx, tx, "pull request", `SELECT unplaced, COUNT(*) FROM github_pulls WHERE unplaced <> '' GROUP BY unplaced`); err != nil {
		return out, err
	}
	if out.SetApart, err = reasons(ctx, tx, "pull request", `SELECT set_apart, COUNT(*) FROM github_pulls WHERE set_apart <> '' GROUP BY set_apart`); err != nil {
		return out, err
	}
	if out.Unresolved, err = reasons(ctx, tx, "candidate", `SELECT reason, COUNT(*) FROM github_unresolved GROUP BY reason`); err != nil {
		return out, err
	}
	sources, err := teamSources(ctx, tx)
	if err != nil {
		return out, err
	}
	for _, t := range sources {
		if t.problem != "" {
			out.TeamProblems = append(out.TeamProblems, fmt.Sprintf("%s: %s", t.team, t.problem))
		}
	}
	return out, nil
}

func healthOf(r syncedRow, partial int) metrics.RepositoryHealth {
	st := r.State
	h := metrics.RepositoryHealth{
		Name: r.Name, Pulls: st.Listed, Total: max(st.Total, st.Listed), Partial: partial, Whole: !st.Backfilled.IsZero(),
		Until: st.KnownUntil, Gone: r.GoneAt, Ran: st.Ran, Problem: st.Problem, Missing: st.Missing,
	}
	if h.Missing == nil {
		h.Missing = []metrics.Missing{}
	}
	return h
}

// reasons counts things by why, most first.
func reasons(ctx context.Context, tx *sql.Tx, noun, query string) ([]metrics.LeftOut, error) {
	all := []metrics.LeftOut{}
	err := migrations.Each(ctx, tx, query+` ORDER BY 2 DESC, 1`, nil, func(scan func(...any) error) error {
		var l metrics.LeftOut
		err := scan(&l.Reason, &l.Count)
		l.What = plural(l.Count, noun)
		all = append(all, l)
		return err
	})
	return all, err
}

// Records returns what is kept of a repository's pull requests, by number from
// the one after after on, at most limit.
func (s *Store) Records(ctx context.Context, repository string, after, limit int) ([]metrics.Record, error) {
	var all []metrics.Record
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT id, number, record FROM github_pulls WHERE repository = $1 AND number > $2 ORDER BY number LIMIT $3`,
			[]any{repository, after, limit}, func(scan func(...any) error) error {
				var id, text string
				var number int
				if err := scan(&id, &number, &text); err != nil {
					return err
				}
				var r metrics.Record
				if err := fromJSON("the record", text, &r); err != nil {
					return err
				}
				r.ID, r.Number = id, number
				all = append(all, r)
				return nil
			})
	})
	if err != nil {
		return nil, fmt.Errorf("read the records of %q: %w", repository, err)
	}
	return all, nil
}

// Accounts returns the accounts of those node ids, and those of those numbers,
// by node id. What is not known is not in it.
func (s *Store) Accounts(ctx context.Context, ids []string, numbers []int64) (map[string]metrics.Account, error) {
	out := map[string]metrics.Account{}
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		all := make([]metrics.Account, len(ids))
		for i, id := range ids {
			all[i].ID = id
		}
		found, err := accountsByID(ctx, tx, all)
		if err != nil {
			return err
		}
		out = found
		for _, n := range numbers {
			err := migrations.Each(ctx, tx, `SELECT id, number, login, type FROM github_accounts WHERE number = $1`, []any{n},
				func(scan func(...any) error) error {
					var a metrics.Account
					err := scan(&a.ID, &a.Number, &a.Login, &a.Type)
					out[a.ID] = a
					return err
				})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	return out, nil
}

// StoredPulls is what tells whether a repository's pull requests are still as
// GitHub has them, by id.
func (s *Store) StoredPulls(ctx context.Context, repository string) (map[string]metrics.StoredPull, error) {
	out := map[string]metrics.StoredPull{}
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT id, number, state, updated, vanished FROM github_pulls WHERE repository = $1`, []any{repository},
			func(scan func(...any) error) error {
				var p metrics.StoredPull
				var updated, vanished sql.NullInt64
				err := scan(&p.ID, &p.Number, &p.State, &updated, &vanished)
				p.Updated, p.Vanished = migrations.Time(updated), vanished.Valid
				out[p.ID] = p
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("read the state of the pull requests of %q: %w", repository, err)
	}
	return out, nil
}
