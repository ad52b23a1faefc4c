package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// History returns everything that reached a repository's branches, by merge
// time, number and id, and the version of it.
func (s *Store) History(ctx context.Context, repository string) (all []metrics.Landed, version int64, err error) {
	err = s.db.View(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT reverts_wanted FROM github_repositories WHERE id = $1`, repository).Scan(&version)
		if err != nil {
			return err
		}
		return migrations.Each(ctx, tx, `SELECT id, number, merged, hash, on_default, part_of, speaks, facts FROM github_changes
			WHERE repository = $1 ORDER BY merged, number, id`, []any{repository}, func(scan func(...any) error) error {
			var c metrics.Landed
			var merged sql.NullInt64
			if err := scan(&c.ID, &c.Number, &merged, &c.Commit, &c.OnDefault, &c.PartOf, &c.Speaks, &c.Facts); err != nil {
				return err
			}
			c.Merged = migrations.Time(merged)
			all = append(all, c)
			return nil
		})
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read the history of %q: %w", repository, err)
	}
	return all, version, nil
}

// Reverts returns the links, the states and the unresolved candidates of a
// repository as they are stored.
func (s *Store) Reverts(ctx context.Context, repository string) (metrics.RevertFindings, error) {
	var f metrics.RevertFindings
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		f, err = findings(ctx, tx, repository)
		return err
	})
	if err != nil {
		return metrics.RevertFindings{}, fmt.Errorf("read the reverts of %q: %w", repository, err)
	}
	return f, nil
}

func findings(ctx context.Context, tx *sql.Tx, repository string) (metrics.RevertFindings, error) {
	var f metrics.RevertFindings
	err := migrations.Each(ctx, tx, `SELECT change, target, reapply, partial, form, how, confidence, evidence FROM github_reverts
		WHERE repository = $1 ORDER BY change, target`, []any{repository}, func(scan func(...any) error) error {
		var l metrics.RevertLink
		err := scan(&l.Change, &l.Target, &l.Reapply, &l.Partial, &l.Form, &l.How, &l.Confidence, &l.Evidence)
		f.Links = append(f.Links, l)
		return err
	})
	if err != nil {
		return f, err
	}
	err = migrations.Each(ctx, tx, `SELECT change, reverted, partial, undone_by, undone_at, first_at, restored, counted FROM github_revert_states
		WHERE repository = $1 ORDER BY change`, []any{repository}, func(scan func(...any) error) error {
		var st metrics.RevertState
		var at, first, restored, counted sql.NullInt64
		err := scan(&st.Change, &st.Reverted, &st.Partial, &st.By, &at, &first, &restored, &counted)
		st.At, st.FirstAt, st.Restored, st.Counted = migrations.Time(at), migrations.Time(first), migrations.Time(restored), migrations.Time(counted)
		f.States = append(f.States, st)
		return err
	})
	if err != nil {
		return f, err
	}
	err = migrations.Each(ctx, tx, `SELECT change, form, partial, evidence, reason FROM github_unresolved
		WHERE repository = $1 ORDER BY change, ordinal`, []any{repository}, func(scan func(...any) error) error {
		var u metrics.UnresolvedRevert
		err := scan(&u.Change, &u.Form, &u.Partial, &u.Evidence, &u.Reason)
		f.Unresolved = append(f.Unresolved, u)
		return err
	})
	return f, err
}

// SaveReverts replaces what is known of a repository's reverts. Lists are in
// the order of [Store.Reverts]: by change, then target. Reports change only
// where a counted revert did.
func (s *Store) SaveReverts(ctx context.Context, repository string, f metrics.RevertFindings) error {
	write := func(subject migrations.Subject) error {
		return s.update(ctx, subject, func(tx *sql.Tx, _ int64) error {
			w := revertWriter{s: s, tx: tx, repository: repository}
			if err := w.write(ctx, f); err != nil {
				return err
			}
			if subject == migrations.Measurement && !w.measured {
				return errUnchanged
			}
			return nil
		})
	}
	err := write(migrations.Measurement)
	if errors.Is(err, errUnchanged) {
		err = write(migrations.Ingest)
	}
	if err != nil {
		return fmt.Errorf("save the reverts of %q: %w", repository, err)
	}
	return nil
}

type revertWriter struct {
	s          *Store
	tx         *sql.Tx
	repository string
	measured   bool
}

func (w *revertWriter) write(ctx context.Context, f metrics.RevertFindings) error {
	// First, so that whoever has the repository forgotten waits, or was before.
	result, err := w.tx.ExecContext(ctx, `UPDATE github_repositories SET reverts_made = $1 WHERE id = $2`, f.Version, w.repository)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, metrics.ErrNotFound)
	}
	old, err := findings(ctx, w.tx, w.repository)
	if err != nil {
		return err
	}
	if err := w.links(ctx, old.Links, f.Links); err != nil {
		return fmt.Errorf("write links: %w", err)
	}
	if err := w.unresolved(ctx, old.Unresolved, f.Unresolved); err != nil {
		return fmt.Errorf("write what is unresolved: %w", err)
	}
	if err := w.states(ctx, old.States, f.States); err != nil {
		return fmt.Errorf("write states: %w", err)
	}
	if err := w.commits(ctx, f); err != nil {
		return fmt.Errorf("write commits: %w", err)
	}
	return nil
}

func (w *revertWriter) clear(ctx context.Context, table string) error {
	_, err := w.tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE repository = $1`, w.repository)
	return err
}

func (w *revertWriter) links(ctx context.Context, old, now []metrics.RevertLink) error {
	if slices.Equal(old, now) {
		return nil
	}
	if err := w.clear(ctx, "github_reverts"); err != nil {
		return err
	}
	var args []any
	for _, l := range now {
		args = append(args, w.repository, l.Change, l.Target, l.Reapply, l.Partial, l.Form, l.How, l.Confidence, clean(l.Evidence))
	}
	return insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_reverts (repository, change, target, reapply, partial, form, how, confidence, evidence)`, 9, ``, args)
}

func (w *revertWriter) unresolved(ctx context.Context, old, now []metrics.UnresolvedRevert) error {
	if slices.Equal(old, now) {
		return nil
	}
	if err := w.clear(ctx, "github_unresolved"); err != nil {
		return err
	}
	var args []any
	n := map[string]int{}
	for _, u := range now {
		args = append(args, w.repository, u.Change, n[u.Change], u.Form, u.Partial, clean(u.Evidence), u.Reason)
		n[u.Change]++
	}
	return insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_unresolved (repository, change, ordinal, form, partial, evidence, reason)`, 7, ``, args)
}

func (w *revertWriter) states(ctx context.Context, old, now []metrics.RevertState) error {
	if slices.EqualFunc(old, now, sameState) {
		return nil
	}
	if err := w.clear(ctx, "github_revert_states"); err != nil {
		return err
	}
	counted := map[string]time.Time{}
	for _, st := range old {
		if !st.Counted.IsZero() {
			counted[st.Change] = time.Time{}
		}
	}
	var args []any
	for _, st := range now {
		args = append(args, w.repository, st.Change, st.Reverted, st.Partial, st.By, st.At.UnixMilli(), st.FirstAt.UnixMilli(),
			migrations.Millis(st.Restored), migrations.Millis(st.Counted))
		if !st.Counted.IsZero() {
			counted[st.Change] = st.Counted
		}
	}
	err := insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_revert_states (repository, change, reverted, partial, undone_by, undone_at, first_at, restored, counted)`, 9, ``, args)
	if err != nil {
		return err
	}
	return w.count(ctx, counted)
}

func sameState(a, b metrics.RevertState) bool {
	return a.Change == b.Change && a.Reverted == b.Reverted && a.Partial == b.Partial && a.By == b.By &&
		a.At.Equal(b.At) && a.FirstAt.Equal(b.FirstAt) && a.Restored.Equal(b.Restored) && a.Counted.Equal(b.Counted)
}

// noTime stands for no time where two are compared; nothing was merged then.
const noTime = math.MinInt64

// count gives the measured pull requests the times of their reverts.
func (w *revertWriter) count(ctx context.Context, counted map[string]time.Time) (err error) {
	update, err := w.tx.PrepareContext(ctx, `UPDATE pull_requests SET reverted_at = $1
		WHERE id = $2 AND COALESCE(reverted_at, $3) <> COALESCE($1, $3)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, update.Close()) }()
	for _, id := range slices.Sorted(maps.Keys(counted)) {
		result, err := update.ExecContext(ctx, migrations.Millis(counted[id]), id, noTime)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		w.measured = w.measured || n > 0
	}
	return nil
}

// commits keeps what the search found out about commits.
func (w *revertWriter) commits(ctx context.Context, f metrics.RevertFindings) error {
	for part := range slices.Chunk(f.OnDefault, migrations.BatchRows) {
		_, err := w.tx.ExecContext(ctx, `UPDATE github_changes SET on_default = $1 WHERE repository = $2 AND `+among("id", 3, len(part)),
			append([]any{true, w.repository}, anys(part)...)...)
		if err != nil {
			return err
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(f.PartOf)) {
		_, err := w.tx.ExecContext(ctx, `UPDATE github_changes SET part_of = $1 WHERE repository = $2 AND id = $3`, f.PartOf[hash], w.repository, hash)
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(f.Drop, migrations.BatchRows) {
		_, err := w.tx.ExecContext(ctx, `DELETE FROM github_changes WHERE repository = $1 AND number = 0 AND `+among("id", 2, len(part)),
			append([]any{w.repository}, anys(part)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}
