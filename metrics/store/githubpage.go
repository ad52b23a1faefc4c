package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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
		return s.update(ctx, subject, func(tx *sql.Tx, revision int64) error {
			w := pageWriter{s: s, tx: tx, page: p}
			err := w.write(ctx, revision)
			done = w.counts
			if err == nil && subject == migrations.Measurement && !w.measured {
				return errUnchanged
			}
			return err
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
	before, measured, err := openSynced(ctx, w.tx, revision, w.page.Repository, w.page.At)
	if err != nil {
		return err
	}
	w.row, w.made, w.measured = before, measured, measured
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

// stored is what is known of a pull request before a page is written.
type stored struct {
	updated      int64
	owner, apart string
	vanished     bool
	record       string
	team         string
	reverted     sql.NullInt64
	facts        string
	landed       bool // it is among the changes
}

func (w *pageWriter) stored(ctx context.Context) (map[string]stored, error) {
	out := map[string]stored{}
	var ids []string
	for _, p := range w.page.Pulls {
		ids = append(ids, p.Record.ID)
	}
	for part := range slices.Chunk(ids, migrations.BatchRows) {
		err := migrations.Each(ctx, w.tx, `SELECT g.id, g.updated, g.owner, g.set_apart, g.vanished, g.record, p.team, p.reverted_at, c.facts
			FROM github_pulls g LEFT JOIN pull_requests p ON p.id = g.id
			LEFT JOIN github_changes c ON c.repository = g.repository AND c.id = g.id
			WHERE `+among("g.id", 1, len(part)), anys(part), func(scan func(...any) error) error {
			var id string
			var st stored
			var vanished sql.NullInt64
			var team, facts sql.NullString
			if err := scan(&id, &st.updated, &st.owner, &st.apart, &vanished, &st.record, &team, &st.reverted, &facts); err != nil {
				return err
			}
			st.vanished, st.team = vanished.Valid, team.String
			st.facts, st.landed = facts.String, facts.Valid
			out[id] = st
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w *pageWriter) savePulls(ctx context.Context) error {
	if len(w.page.Pulls) == 0 {
		return nil
	}
	var newest sql.NullInt64
	err := w.tx.QueryRowContext(ctx, `SELECT MAX(merged) FROM github_changes WHERE repository = $1`, w.row.ID).Scan(&newest)
	if err != nil {
		return err
	}
	w.newest = newest.Int64
	known, err := w.stored(ctx)
	if err != nil {
		return err
	}
	pulls := slices.Clone(w.page.Pulls)
	slices.SortStableFunc(pulls, func(a, b metrics.SyncedPull) int {
		return cmp.Or(strings.Compare(a.Record.ID, b.Record.ID), cmp.Compare(b.Record.Updated, a.Record.Updated))
	})
	pulls = slices.CompactFunc(pulls, func(a, b metrics.SyncedPull) bool { return a.Record.ID == b.Record.ID })
	b := newPullBatch(w)
	for _, p := range pulls {
		old, there := known[p.Record.ID]
		if err := b.add(p, old, there); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// pullBatch collects the rows of a page's pull requests.
type pullBatch struct {
	w                        *pageWriter
	kept, signals, landed    []any
	rows                     []metrics.PullRequest
	changed, unlanded        []string
	nKept, nSignals, nLanded int
}

func newPullBatch(w *pageWriter) *pullBatch { return &pullBatch{w: w} }

func (b *pullBatch) add(p metrics.SyncedPull, old stored, there bool) error {
	if p.Record.Author == "" && p.Owner == "" && p.SetApart == "" {
		// The account was deleted since: what it opened stays its own.
		p.Record.Author, p.Owner, p.Row.Author = old.owner, old.owner, old.owner
	}
	record, err := json.Marshal(p.Record)
	if err != nil {
		return fmt.Errorf("write record of #%d: %w", p.Record.Number, err)
	}
	text := clean(string(record))
	updated := p.Record.Updated.Time().UnixMilli()
	if there && (updated < old.updated || (text == old.record && p.Owner == old.owner && string(p.SetApart) == old.apart && !old.vanished)) {
		b.w.counts.Unchanged++
		return nil
	}
	if there {
		b.w.counts.Changed++
		b.changed = append(b.changed, p.Record.ID)
	} else {
		b.w.counts.New++
	}
	b.w.measured = true
	team, unplaced := "", ""
	if b.w.page.Place != nil {
		team, unplaced = b.w.page.Place(metrics.PlaceQuery{
			Pull: p.Record.ID, Owner: p.Owner, SetApart: p.SetApart, Repository: b.w.row.ID, Opened: p.Row.Opened,
		})
	}
	if team == "" && p.Owner == "" && p.SetApart == "" {
		team = old.team // whoever it was, the team was right
	}
	if team != "" {
		unplaced = ""
	}
	b.kept = append(b.kept, p.Record.ID, b.w.row.ID, p.Record.Number, stateOf(p.Record), p.Row.Opened.UnixMilli(), updated,
		p.Owner, p.Record.Draft, string(p.SetApart), unplaced, len(p.Record.Incomplete) > 0, text)
	b.nKept++
	for i, s := range p.Record.Signals {
		b.signals = append(b.signals, p.Record.ID, i, s.Tool, s.Kind, s.Level, clean(s.Evidence), s.Count)
		b.nSignals++
	}
	b.land(p, old)
	b.count(p, old, team)
	return nil
}

// land keeps what a merged pull request is to the search for reverts.
func (b *pullBatch) land(p metrics.SyncedPull, old stored) {
	c := p.Landed
	if c == nil {
		if old.landed {
			b.unlanded = append(b.unlanded, p.Record.ID)
			b.w.wanted = true
		}
		return
	}
	facts := clean(c.Facts)
	if old.landed && old.facts == facts {
		return
	}
	b.landed = append(b.landed, b.w.row.ID, c.ID, c.Number, c.Merged.UnixMilli(), strings.ToLower(c.Commit), false, "", c.Speaks, facts)
	b.nLanded++
	b.w.want(*c)
}

// want notes whether a new or changed change can change what undid what: it
// speaks of a revert, or it comes late and others may have meant it.
func (w *pageWriter) want(c metrics.Landed) {
	w.wanted = w.wanted || c.Speaks || c.Merged.UnixMilli() <= w.newest
}

// count gives measurement its row.
func (b *pullBatch) count(p metrics.SyncedPull, old stored, team string) {
	row := p.Row
	if p.SetApart != metrics.ApartBot {
		row.SetApart = string(p.SetApart)
	}
	if p.Record.Draft && p.Record.Closed == 0 {
		row.Ready = laterOf(row.Opened, b.w.row.State.KnownUntil)
	}
	row.ID, row.Number, row.Repository, row.Line = p.Record.ID, p.Record.Number, b.w.row.Name, max(p.Record.Number, 1)
	row.Team = team
	row.RevertedAt = migrations.Time(old.reverted)
	b.rows = append(b.rows, row)
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func stateOf(r metrics.Record) string {
	switch {
	case r.Merged != 0:
		return "merged"
	case r.Closed != 0:
		return "closed"
	}
	return "open"
}

func (b *pullBatch) flush(ctx context.Context) error {
	w := b.w
	err := insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_pulls (id, repository, number, state, opened, updated, owner, draft, set_apart, unplaced, incomplete, record)`, 12,
		`ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, number = excluded.number, state = excluded.state,
		opened = excluded.opened, updated = excluded.updated, vanished = NULL, owner = excluded.owner, draft = excluded.draft, set_apart = excluded.set_apart,
		unplaced = excluded.unplaced, incomplete = excluded.incomplete, record = excluded.record`, b.kept)
	if err != nil {
		return err
	}
	if err := removeAll(ctx, w.tx, `DELETE FROM github_signals WHERE `, "pull", b.changed); err != nil {
		return err
	}
	err = insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_signals (pull, ordinal, tool, kind, level, evidence, count)`, 7, ``, b.signals)
	if err != nil {
		return err
	}
	if err := w.saveLanded(ctx, b.landed); err != nil {
		return err
	}
	if err := removeAll(ctx, w.tx, `DELETE FROM github_changes WHERE `, "id", b.unlanded); err != nil {
		return err
	}
	_, err = w.s.upsertPullRequests(ctx, w.tx, w.row.importID, b.rows)
	return err
}

// saveLanded writes changes; that a merge was seen on the default branch is
// not forgotten.
func (w *pageWriter) saveLanded(ctx context.Context, args []any) error {
	return insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_changes (repository, id, number, merged, hash, on_default, part_of, speaks, facts)`, 9,
		`ON CONFLICT (repository, id) DO UPDATE SET number = excluded.number, merged = excluded.merged, hash = excluded.hash,
		speaks = excluded.speaks, facts = excluded.facts`, args)
}

// saveCommits keeps commits of the default branch that are not there yet. Those
// that a pull request of the page, or the merge of any, brought are kept
// without facts, so that they are not taken for new the next time.
func (w *pageWriter) saveCommits(ctx context.Context) error {
	if len(w.page.Commits) == 0 {
		return nil
	}
	known, err := w.knownHashes(ctx)
	if err != nil {
		return err
	}
	home := map[string]string{}
	for _, p := range w.page.Pulls {
		for _, c := range p.Record.Commits {
			home[strings.ToLower(c.OID)] = p.Record.ID
		}
	}
	var args []any
	var onDefault []string
	seen := map[string]bool{}
	for _, c := range w.page.Commits {
		hash := strings.ToLower(c.Commit)
		if known.commits[hash] || seen[hash] {
			continue
		}
		seen[hash] = true
		w.counts.Commits++
		pull, merge := known.merges[hash]
		if merge {
			onDefault = append(onDefault, pull)
		} else {
			pull = home[hash]
		}
		facts := clean(c.Facts)
		if pull != "" {
			facts = "{}"
		} else {
			w.want(c)
		}
		args = append(args, w.row.ID, hash, 0, c.Merged.UnixMilli(), hash, false, pull, c.Speaks && pull == "", facts)
	}
	if err := w.saveLanded(ctx, args); err != nil {
		return err
	}
	return w.setOnDefault(ctx, onDefault)
}

func (w *pageWriter) setOnDefault(ctx context.Context, pulls []string) error {
	for part := range slices.Chunk(pulls, migrations.BatchRows) {
		_, err := w.tx.ExecContext(ctx, `UPDATE github_changes SET on_default = $1 WHERE repository = $2 AND `+among("id", 3, len(part)),
			append([]any{true, w.row.ID}, anys(part)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// knownHashes are the commits of a page that are stored: as commits, and as
// merges of pull requests.
type knownHashes struct {
	commits map[string]bool
	merges  map[string]string
}

func (w *pageWriter) knownHashes(ctx context.Context) (knownHashes, error) {
	known := knownHashes{map[string]bool{}, map[string]string{}}
	var hashes []string
	for _, c := range w.page.Commits {
		hashes = append(hashes, strings.ToLower(c.Commit))
	}
	for part := range slices.Chunk(hashes, migrations.BatchRows) {
		// Joined to a list of values, in this order: without statistics a list
		// of alternatives makes PostgreSQL, and another order SQLite, read the
		// whole repository.
		err := migrations.Each(ctx, w.tx, `SELECT c.id, c.number, c.hash FROM (VALUES `+rowsOf(2, len(part))+`) AS v
			CROSS JOIN github_changes c WHERE c.repository = $1 AND c.hash = v.column1`,
			append([]any{w.row.ID}, anys(part)...), func(scan func(...any) error) error {
				var id, hash string
				var number int
				if err := scan(&id, &number, &hash); err != nil {
					return err
				}
				if number == 0 {
					known.commits[hash] = true
				} else {
					known.merges[hash] = id
				}
				return nil
			})
		if err != nil {
			return known, err
		}
	}
	return known, nil
}

// rowsOf are n rows of one argument each, from $from on.
func rowsOf(from, n int) string {
	return "(" + strings.ReplaceAll(migrations.Placeholders(from, n), ", ", "), (") + ")"
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

// insertAll inserts rows of n columns in batches.
func insertAll(ctx context.Context, db *migrations.DB, tx *sql.Tx, head string, n int, tail string, args []any) error {
	if len(args) == 0 {
		return nil
	}
	insert := db.NewInsert(tx, head, n, tail)
	for part := range slices.Chunk(args, n*migrations.BatchRows) {
		if _, err := insert.Exec(ctx, part); err != nil {
			return errors.Join(err, insert.Close())
		}
	}
	return insert.Close()
}

// removeAll runs a DELETE for rows whose column is one of keys.
func removeAll(ctx context.Context, tx *sql.Tx, statement, column string, keys []string) error {
	for part := range slices.Chunk(keys, migrations.BatchRows) {
		if _, err := tx.ExecContext(ctx, statement+among(column, 1, len(part)), anys(part)...); err != nil {
			return err
		}
	}
	return nil
}

// saveAccounts writes accounts that are new or have changed.
func saveAccounts(ctx context.Context, db *migrations.DB, tx *sql.Tx, all []metrics.Account) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b metrics.Account) int { return strings.Compare(a.ID, b.ID) })
	all = slices.CompactFunc(all, func(a, b metrics.Account) bool { return a.ID == b.ID })
	known, err := accountsByID(ctx, tx, all)
	if err != nil {
		return err
	}
	var args []any
	for _, a := range all {
		if a.Number == 0 {
			a.Number = known[a.ID].Number
		}
		if a.ID == "" || known[a.ID] == a {
			continue
		}
		args = append(args, a.ID, a.Number, clean(a.Login), a.Type)
	}
	return insertAll(ctx, db, tx, `INSERT INTO github_accounts (id, number, login, type)`, 4,
		`ON CONFLICT (id) DO UPDATE SET number = excluded.number, login = excluded.login, type = excluded.type`, args)
}

func accountsByID(ctx context.Context, tx *sql.Tx, all []metrics.Account) (map[string]metrics.Account, error) {
	known := make(map[string]metrics.Account, len(all))
	for part := range slices.Chunk(all, migrations.BatchRows) {
		ids := make([]any, len(part))
		for i, a := range part {
			ids[i] = a.ID
		}
		err := migrations.Each(ctx, tx, `SELECT id, number, login, type FROM github_accounts WHERE `+among("id", 1, len(ids)), ids,
			func(scan func(...any) error) error {
				var a metrics.Account
				if err := scan(&a.ID, &a.Number, &a.Login, &a.Type); err != nil {
					return err
				}
				known[a.ID] = a
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
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
