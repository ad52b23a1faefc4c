package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// Synced returns the repository of that node id, or an error that wraps
// [metrics.ErrNotFound].
func (s *Store) Synced(ctx context.Context, id string) (metrics.SyncedRepository, error) {
	return s.findSynced(ctx, id, `WHERE id = $1`, id)
}

// SyncedByName returns the repository that has the name owner/name, else the
// one that had it last, or an error that wraps [metrics.ErrNotFound]. Capitals
// do not matter.
func (s *Store) SyncedByName(ctx context.Context, name string) (metrics.SyncedRepository, error) {
	r, err := s.findSynced(ctx, name, `WHERE LOWER(name) = LOWER($1)
		ORDER BY CASE WHEN gone_at IS NULL THEN 0 ELSE 1 END, gone_at DESC, id LIMIT 1`, name)
	if !errors.Is(err, metrics.ErrNotFound) {
		return r, err
	}
	return s.findSynced(ctx, name, `WHERE id = (SELECT repository FROM github_repository_names
		WHERE LOWER(name) = LOWER($1) ORDER BY since DESC, repository LIMIT 1)`, name)
}

func (s *Store) findSynced(ctx context.Context, what, which string, args ...any) (metrics.SyncedRepository, error) {
	var found []syncedRow
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		found, err = syncedRows(ctx, tx, which, args...)
		return err
	})
	switch {
	case err != nil:
		return metrics.SyncedRepository{}, fmt.Errorf("read repository %q: %w", what, err)
	case len(found) == 0:
		return metrics.SyncedRepository{}, fmt.Errorf("read repository %q: %w", what, metrics.ErrNotFound)
	}
	return found[0].SyncedRepository, nil
}

// SyncedRepositories lists all repositories that are read from GitHub, by name.
func (s *Store) SyncedRepositories(ctx context.Context) ([]metrics.SyncedRepository, error) {
	var all []metrics.SyncedRepository
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		rows, err := syncedRows(ctx, tx, `ORDER BY name, id`)
		for _, r := range rows {
			all = append(all, r.SyncedRepository)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	return all, nil
}

// RepositoryNames lists every name that a repository has had, oldest first.
func (s *Store) RepositoryNames(ctx context.Context, id string) ([]string, error) {
	var all []string
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		all, err = texts(ctx, tx, `SELECT name FROM github_repository_names WHERE repository = $1 ORDER BY since, name`, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the names of repository %q: %w", id, err)
	}
	return all, nil
}

// texts reads a query of one column of text.
func texts(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]string, error) {
	var all []string
	err := migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var t string
		if err := scan(&t); err != nil {
			return err
		}
		all = append(all, t)
		return nil
	})
	return all, err
}

// syncedRow is a repository as it is stored.
type syncedRow struct {
	metrics.SyncedRepository
	importID     int64
	wanted, made int64 // versions of the history and of the links
}

func syncedRows(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]syncedRow, error) {
	var all []syncedRow
	err := migrations.Each(ctx, tx, `SELECT id, number, name, default_branch, archived, private, gone_at, import,
		backfill_cursor, backfill_began, backfilled, commits_cursor, commits_whole, commits_until, watermark, known_until,
		listed, total, reverts_wanted, reverts_made, derived, missing, problem, ran FROM github_repositories `+which, args,
		func(scan func(...any) error) error {
			r, err := scanSynced(scan)
			all = append(all, r)
			return err
		})
	return all, err
}

func scanSynced(scan func(...any) error) (syncedRow, error) {
	var r syncedRow
	var gone, began, backfilled, commitsUntil, watermark, until, ran sql.NullInt64
	var missing string
	st := &r.State
	err := scan(&r.ID, &r.Number, &r.Name, &r.DefaultBranch, &r.Archived, &r.Private, &gone, &r.importID,
		&st.Cursor, &began, &backfilled, &st.CommitsCursor, &st.CommitsWhole, &commitsUntil, &watermark, &until,
		&st.Listed, &st.Total, &r.wanted, &r.made, &st.Derived, &missing, &st.Problem, &ran)
	if err != nil {
		return syncedRow{}, err
	}
	r.GoneAt = migrations.Time(gone)
	st.Began, st.Backfilled, st.CommitsUntil = migrations.Time(began), migrations.Time(backfilled), migrations.Time(commitsUntil)
	st.Watermark, st.KnownUntil, st.Ran = migrations.Time(watermark), migrations.Time(until), migrations.Time(ran)
	st.RevertsStale = r.wanted != r.made
	return r, fromJSON("what is missing", missing, &st.Missing)
}

// writeSynced writes all of r, which is there already.
func writeSynced(ctx context.Context, tx *sql.Tx, r syncedRow) error {
	st := r.State
	if st.Missing == nil {
		st.Missing = []metrics.Missing{}
	}
	missing, err := json.Marshal(st.Missing)
	if err != nil {
		return fmt.Errorf("write what is missing: %w", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE github_repositories SET number = $1, name = $2, default_branch = $3, archived = $4,
		private = $5, gone_at = $6, backfill_cursor = $7, backfill_began = $8, backfilled = $9, commits_cursor = $10,
		commits_whole = $11, commits_until = $12, watermark = $13, known_until = $14, listed = $15, total = $16,
		reverts_wanted = $17, reverts_made = $18, derived = $19, missing = $20, problem = $21, ran = $22 WHERE id = $23`,
		r.Number, r.Name, r.DefaultBranch, r.Archived, r.Private, migrations.Millis(r.GoneAt),
		st.Cursor, migrations.Millis(st.Began), migrations.Millis(st.Backfilled), st.CommitsCursor,
		st.CommitsWhole, migrations.Millis(st.CommitsUntil), migrations.Millis(st.Watermark), migrations.Millis(st.KnownUntil),
		st.Listed, st.Total, r.wanted, r.made, st.Derived, string(missing), st.Problem, migrations.Millis(st.Ran), r.ID)
	return err
}

// openSynced returns the stored row of a page's repository as it is now called,
// and makes it where it is new. measured is set where that changes what reports
// show.
func openSynced(ctx context.Context, tx *sql.Tx, revision int64, page metrics.SyncPage) (r syncedRow, measured bool, err error) {
	now, at := page.Repository, page.At
	found, err := syncedRows(ctx, tx, `WHERE id = $1`, now.ID)
	switch {
	case err != nil:
		return syncedRow{}, false, err
	case len(found) == 0 && page.Stored:
		return syncedRow{}, false, fmt.Errorf("it was forgotten meanwhile: %w", metrics.ErrNotFound)
	case len(found) == 0:
		r, err := addSynced(ctx, tx, revision, now, at)
		return r, true, err
	}
	r = found[0]
	renamed := r.Name != now.Name
	back := !r.GoneAt.IsZero()
	r.Number, r.Name, r.DefaultBranch = now.Number, now.Name, now.DefaultBranch
	r.Archived, r.Private, r.GoneAt = now.Archived, now.Private, time.Time{}
	if !renamed {
		return r, back, nil
	}
	return r, true, rename(ctx, tx, r, at)
}

func addSynced(ctx context.Context, tx *sql.Tx, revision int64, now metrics.SyncedRepository, at time.Time) (syncedRow, error) {
	if now.ID == "" || now.Name == "" {
		return syncedRow{}, errors.New("a repository without a node id or a name cannot be stored")
	}
	if err := beginImport(ctx, tx, revision, ""); err != nil {
		return syncedRow{}, err
	}
	r := syncedRow{SyncedRepository: now, importID: revision}
	r.State = metrics.SyncState{}
	_, err := tx.ExecContext(ctx, `INSERT INTO github_repositories (id, number, name, default_branch, archived, private, import,
		backfill_cursor, commits_cursor, commits_whole, listed, total, reverts_wanted, reverts_made, derived, missing, problem)
		VALUES ($1, $2, $3, $4, $5, $6, $7, '', '', $8, 0, 0, 1, 0, 0, '[]', '')`,
		now.ID, now.Number, now.Name, now.DefaultBranch, now.Archived, now.Private, revision, false)
	if err != nil {
		return syncedRow{}, err
	}
	r.wanted = 1
	return r, rename(ctx, tx, r, at)
}

// rename notes the name of r from at on. Another repository of that name has
// lost it.
func rename(ctx context.Context, tx *sql.Tx, r syncedRow, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO github_repository_names (repository, since, name) VALUES ($1, $2, $3)
		ON CONFLICT DO NOTHING`, r.ID, at.UnixMilli(), r.Name)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE github_repositories SET gone_at = $1 WHERE LOWER(name) = LOWER($2) AND id <> $3 AND gone_at IS NULL`,
		at.UnixMilli(), r.Name, r.ID)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE pull_requests SET repository = $1
		WHERE import = $2 AND id IN (SELECT id FROM github_pulls WHERE repository = $3)`, r.Name, r.importID, r.ID)
	return err
}

// standing writes the row of imports that stands for all that was read of a
// repository.
func standing(ctx context.Context, tx *sql.Tx, r syncedRow, at time.Time) error {
	imp := metrics.Import{File: "github:" + r.Name, At: at, Until: r.State.KnownUntil, LeftOut: []metrics.LeftOut{}}
	for _, f := range syncedFields {
		imp.Fields = append(imp.Fields, string(f))
	}
	imp.Notes = incompleteNotes(r.SyncedRepository)
	_, err := endImport(ctx, tx, r.importID, r.State.Listed, at, func() (metrics.Import, error) { return imp, nil })
	return err
}

// syncedFields are what a synchronisation knows; deployments come from
// elsewhere.
var syncedFields = []metrics.Field{
	metrics.FieldAuthor, metrics.FieldTeam, metrics.FieldReady, metrics.FieldFirstReview, metrics.FieldMerged,
	metrics.FieldClosed, metrics.FieldRevertedAt, metrics.FieldAdditions, metrics.FieldDeletions, metrics.FieldFirstCommit,
	metrics.FieldReviewRounds, metrics.FieldReviewerComments, metrics.FieldBotThreads, metrics.FieldAssisted,
}

// incompleteNotes say in sentences what is not known of a repository.
func incompleteNotes(r metrics.SyncedRepository) []string {
	var notes []string
	st := r.State
	if st.Backfilled.IsZero() {
		notes = append(notes, notWholeNote(r))
	}
	if !r.GoneAt.IsZero() {
		notes = append(notes, fmt.Sprintf("%s is no longer on GitHub, or no longer shown to us, since %s; what was read is kept.",
			r.Name, r.GoneAt.Format(time.DateOnly)))
	}
	if n := len(st.Missing); n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s could not be read.", r.Name, fmt.Sprintf("%d %s", n, plural(n, "thing"))))
	}
	return notes
}

// notWhole names the repositories that were never read whole.
func notWhole(ctx context.Context, tx *sql.Tx) ([]string, error) {
	rows, err := syncedRows(ctx, tx, `WHERE backfilled IS NULL AND gone_at IS NULL ORDER BY name, id`)
	var out []string
	for _, r := range rows {
		out = append(out, notWholeNote(r.SyncedRepository))
	}
	return out, err
}

func notWholeNote(r metrics.SyncedRepository) string {
	return fmt.Sprintf("%s is not read from GitHub whole yet.", r.Name)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// among is the condition that column is one of n arguments from $from on.
func among(column string, from, n int) string {
	return column + ` IN (` + migrations.Placeholders(from, n) + `)`
}

// anys are texts as arguments.
func anys(all []string) []any {
	out := make([]any, len(all))
	for i, t := range all {
		out[i] = t
	}
	return out
}

// clean makes text storable on both engines: GitHub's JSON may hold NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\x00", "")
}
