package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// SavePage adds what was read of a repository and moves its cursor, in one
// transaction. What it holds already, and what is older than what is there,
// changes nothing. [Store.Revision] changes only if something that is measured
// did. An error that wraps [metrics.ErrStaleTeams] asks for the page again,
// placed anew.
func (s *Store) SavePage(ctx context.Context, p metrics.SyncPage) (metrics.SyncCounts, error) {
	var done metrics.SyncCounts
	write := func(subject migrations.Subject) error {
		return s.db.Update(ctx, subject, func(tx *sql.Tx, revision int64) error {
			w := pageWriter{s: s, tx: tx, page: p}
			if err := w.write(ctx, revision); err != nil {
				return err
			}
			done = w.counts
			switch {
			case subject == migrations.Measurement && !w.measured:
				return errUnchanged
			case w.row.State.Backfilled.IsZero():
				return nil // the backfill's pages would make the same packs over and over; its end makes them once
			}
			return s.pack(ctx, tx)
		})
	}
	err := write(migrations.Measurement)
	if errors.Is(err, errUnchanged) {
		err = write(migrations.Ingest)
	}
	if err != nil {
		return metrics.SyncCounts{}, fmt.Errorf("save what was read of %s: %w", p.Repository.Name, err)
	}
	return done, nil
}

// pageWriter writes one page.
type pageWriter struct {
	s    *Store
	tx   *sql.Tx
	page metrics.SyncPage
	row  syncedRow

	counts   metrics.SyncCounts
	made     bool  // the repository is new, or found again, or renamed
	measured bool  // something that reports show has changed
	newest   int64 // the newest change stored before
	wanted   bool  // the links of reverts are to be made again
}

func (w *pageWriter) write(ctx context.Context, revision int64) error {
	var err error
	if w.page, err = withoutForgotten(ctx, w.tx, w.page); err != nil {
		return fmt.Errorf("look who was forgotten: %w", err)
	}
	before, measured, err := openSynced(ctx, w.tx, revision, w.page)
	if err != nil {
		return err
	}
	w.row, w.made, w.measured = before, measured, measured
	if w.page.Again {
		w.row.GoneAt = w.page.Repository.GoneAt
	}
	if err := w.checkTeams(ctx); err != nil {
		return err
	}
	if err := saveAccounts(ctx, w.s.db, w.tx, w.page.Accounts); err != nil {
		return fmt.Errorf("write accounts: %w", err)
	}
	if err := w.savePulls(ctx); err != nil {
		return fmt.Errorf("write pull requests: %w", err)
	}
	if err := w.saveCommits(ctx); err != nil {
		return fmt.Errorf("write commits: %w", err)
	}
	if err := w.vanish(ctx); err != nil {
		return fmt.Errorf("mark what is gone: %w", err)
	}
	return w.finish(ctx, before)
}

// checkTeams refuses a page that was placed by other memberships than those
// stored.
func (w *pageWriter) checkTeams(ctx context.Context) error {
	if w.page.Place == nil || len(w.page.Pulls) == 0 {
		return nil
	}
	version, err := migrations.RevisionIn(ctx, w.tx, teamsVersion)
	if err != nil {
		return err
	}
	if version != w.page.Teams {
		return metrics.ErrStaleTeams
	}
	return nil
}

// finish moves the state on and writes the repository's row, and its standing
// import where that says something else now.
func (w *pageWriter) finish(ctx context.Context, before syncedRow) error {
	st := &w.row.State
	st.Listed += w.counts.New
	st.Missing = mergeMissing(st.Missing, w.page)
	if w.page.Advance != nil {
		w.page.Advance(st)
	}
	if w.wanted {
		w.row.wanted++
	}
	if err := writeSynced(ctx, w.tx, w.row); err != nil {
		return fmt.Errorf("write the repository: %w", err)
	}
	b := before.State
	shown := !st.KnownUntil.Equal(b.KnownUntil) || !st.Backfilled.Equal(b.Backfilled) || len(st.Missing) != len(b.Missing)
	w.measured = w.measured || shown
	if !st.KnownUntil.Equal(b.KnownUntil) {
		if err := w.drafts(ctx); err != nil {
			return fmt.Errorf("write drafts: %w", err)
		}
	}
	if w.made || shown || (w.measured && !st.Backfilled.IsZero()) {
		return standing(ctx, w.tx, w.row, w.page.At)
	}
	return nil
}

// drafts says of what is a draft that it was not ready up to the moment until
// which it is known: nobody waited for a review of it.
func (w *pageWriter) drafts(ctx context.Context) error {
	until := w.row.State.KnownUntil.UnixMilli()
	_, err := w.tx.ExecContext(ctx, `UPDATE pull_requests SET ready = $1 WHERE opened <= $1 AND id IN (
		SELECT id FROM github_pulls WHERE repository = $2 AND state = 'open' AND draft AND vanished IS NULL)`, until, w.row.ID)
	return err
}

// maxMissing bounds the list of what is missing.
const maxMissing = 1000

// mergeMissing adds what is missing and takes out what was read after all.
func mergeMissing(all []metrics.Missing, p metrics.SyncPage) []metrics.Missing {
	read := map[int]bool{}
	for _, pull := range p.Pulls {
		read[pull.Record.Number] = true
	}
	for _, m := range p.Missing {
		read[m.Number] = true
	}
	delete(read, 0)
	out := slices.DeleteFunc(slices.Clone(all), func(m metrics.Missing) bool { return read[m.Number] })
	for _, m := range p.Missing {
		m.What = clean(m.What)
		if !slices.ContainsFunc(out, func(o metrics.Missing) bool { return o.Number == m.Number && o.What == m.What }) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b metrics.Missing) int { return a.Number - b.Number })
	return out[:min(len(out), maxMissing)]
}

// vanish marks what GitHub no longer has. What was open is known until now.
func (w *pageWriter) vanish(ctx context.Context) error {
	for part := range slices.Chunk(w.page.Vanished, migrations.BatchRows) {
		args := append([]any{w.page.At.UnixMilli()}, anys(part)...)
		result, err := w.tx.ExecContext(ctx, `UPDATE github_pulls SET vanished = $1 WHERE vanished IS NULL AND `+among("id", 2, len(part)), args...)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		w.measured = w.measured || n > 0
		_, err = w.tx.ExecContext(ctx, `UPDATE pull_requests SET seen = $1 WHERE seen IS NULL AND merged IS NULL AND closed IS NULL AND `+
			among("id", 2, len(part)), args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// MarkGone notes that GitHub no longer has a repository, or does not show it.
// Everything that was read of it is kept.
func (s *Store) MarkGone(ctx context.Context, id string, at time.Time) error {
	err := s.update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) error {
		found, err := syncedRows(ctx, tx, `WHERE id = $1`, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return metrics.ErrNotFound
		}
		r := found[0]
		if !r.GoneAt.IsZero() {
			return errUnchanged
		}
		r.GoneAt = at
		if err := writeSynced(ctx, tx, r); err != nil {
			return err
		}
		return standing(ctx, tx, r, at)
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return fmt.Errorf("mark repository %q as gone: %w", id, err)
	}
	return nil
}

// SaveProblem notes how a run of a repository that is stored ended: why it
// failed, or with an empty text that it went well.
func (s *Store) SaveProblem(ctx context.Context, id, problem string, at time.Time) error {
	err := s.db.Update(ctx, migrations.Ingest, func(tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE github_repositories SET problem = $1, ran = $2 WHERE id = $3`, clean(problem), at.UnixMilli(), id)
		return err
	})
	if err != nil {
		return fmt.Errorf("note how the run of %q ended: %w", id, err)
	}
	return nil
}
