package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// stored is what is known of a pull request before a page is written.
type stored struct {
	updated        int64
	owner, apart   string
	vanished, seen sql.NullInt64
	record         string
	team           string
	reverted       sql.NullInt64
	facts          string
	landed         bool // it is among the changes
}

func (w *pageWriter) stored(ctx context.Context) (map[string]stored, error) {
	out := map[string]stored{}
	var ids []string
	for _, p := range w.page.Pulls {
		ids = append(ids, p.Record.ID)
	}
	for part := range slices.Chunk(ids, migrations.BatchRows) {
		err := migrations.Each(ctx, w.tx, `SELECT g.id, g.updated, g.owner, g.set_apart, g.vanished, g.record, p.team, p.reverted_at, p.seen, c.facts
			FROM github_pulls g LEFT JOIN pull_requests p ON p.id = g.id
			LEFT JOIN github_changes c ON c.repository = g.repository AND c.id = g.id
			WHERE `+among("g.id", 1, len(part)), anys(part), func(scan func(...any) error) error {
			var id string
			var st stored
			var team, facts sql.NullString
			if err := scan(&id, &st.updated, &st.owner, &st.apart, &st.vanished, &st.record, &team, &st.reverted, &st.seen, &facts); err != nil {
				return err
			}
			st.team = team.String
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
	if there && !b.w.page.Again && (updated < old.updated || (text == old.record && p.Owner == old.owner && string(p.SetApart) == old.apart && !old.vanished.Valid)) {
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
	var vanished sql.NullInt64
	if b.w.page.Again {
		vanished = old.vanished
		updated = old.updated // to the millisecond
	}
	b.kept = append(b.kept, p.Record.ID, b.w.row.ID, p.Record.Number, stateOf(p.Record), p.Row.Opened.UnixMilli(), updated, vanished,
		p.Owner, p.Record.Draft, string(p.SetApart), unplaced, len(p.Record.Incomplete) > 0, text)
	b.nKept++
	for i, s := range p.Record.Signals {
		b.signals = append(b.signals, p.Record.ID, i, s.Tool, s.Kind, s.Level, clean(s.Evidence), s.Count)
		b.nSignals++
	}
	if !b.w.page.Again {
		b.land(p, old)
	}
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
	row.Author, row.Base, row.MergeCommit = clean(row.Author), clean(row.Base), clean(row.MergeCommit)
	row.RevertedAt = migrations.Time(old.reverted)
	if b.w.page.Again {
		row.Seen = migrations.Time(old.seen)
	}
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
	err := insertAll(ctx, w.s.db, w.tx, `INSERT INTO github_pulls (id, repository, number, state, opened, updated, vanished, owner, draft, set_apart, unplaced, incomplete, record)`, 13,
		`ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, number = excluded.number, state = excluded.state,
		opened = excluded.opened, updated = excluded.updated, vanished = excluded.vanished, owner = excluded.owner, draft = excluded.draft, set_apart = excluded.set_apart,
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
