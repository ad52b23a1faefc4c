package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"steelyard/metrics"
	"steelyard/migrations"
)

// packKey names a pack.
type packKey struct {
	team string
	span int64
}

// Pack makes anew the packs that are not what is stored: after an update of the
// program that changed their form, or after another program wrote. Everything
// else in this package does so itself. It changes no data.
func (s *Store) Pack(ctx context.Context) error {
	err := s.db.Update(ctx, migrations.Packs, func(tx *sql.Tx, _ int64) error { return s.pack(ctx, tx) })
	if err != nil {
		return fmt.Errorf("pack pull requests: %w", err)
	}
	return nil
}

// update runs f in a write transaction about the measurement, and then makes
// the packs of what f wrote.
func (s *Store) update(ctx context.Context, subject migrations.Subject, f func(tx *sql.Tx, revision int64) error) error {
	return s.db.Update(ctx, subject, func(tx *sql.Tx, revision int64) error {
		if err := f(tx, revision); err != nil {
			return err
		}
		if err := s.pack(ctx, tx); err != nil {
			return fmt.Errorf("pack pull requests: %w", err)
		}
		return nil
	})
}

// pack makes anew the packs that are stale. The names of stale packs go first:
// that waits for whoever is writing what belongs in one of them.
func (s *Store) pack(ctx context.Context, tx *sql.Tx) error {
	stale, err := packKeys(ctx, tx, `DELETE FROM pull_packs_stale RETURNING team, span`)
	if err != nil {
		return err
	}
	other, err := packKeys(ctx, tx, `DELETE FROM pull_packs WHERE version < $1 OR version > $1 RETURNING team, span`, packVersion)
	if err != nil {
		return err
	}
	stale = append(stale, other...)
	slices.SortFunc(stale, func(a, b packKey) int { return cmp.Or(cmp.Compare(a.team, b.team), cmp.Compare(a.span, b.span)) })
	p := packer{tx: tx}
	for team, keys := range byTeam(slices.Compact(stale)) {
		if err := p.team(ctx, team, keys); err != nil {
			return err
		}
	}
	return p.close()
}

func packKeys(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]packKey, error) {
	var keys []packKey
	err := migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var k packKey
		err := scan(&k.team, &k.span)
		keys = append(keys, k)
		return err
	})
	return keys, err
}

// byTeam yields runs of sorted keys of one team.
func byTeam(keys []packKey) func(yield func(string, []packKey) bool) {
	return func(yield func(string, []packKey) bool) {
		for len(keys) > 0 {
			n := 1
			for n < len(keys) && keys[n].team == keys[0].team {
				n++
			}
			if !yield(keys[0].team, keys[:n]) {
				return
			}
			keys = keys[n:]
		}
	}
}

// packer makes the packs of one transaction.
type packer struct {
	tx   *sql.Tx
	put  *sql.Stmt
	rows []packedPull // of the pack that is being read
	made []madePack   // that are not written yet
}

// madePack is a pack as it is to be stored; nil where nothing is left of it.
type madePack struct {
	packKey
	latest       int64
	counts, pack []byte
}

// team makes a team's packs of the given spans. Spans that follow one another
// are read at once, which saves most of the cost of the query where all are
// new. What is kept of them meanwhile are packs, which take a tenth of the
// memory of the rows.
func (p *packer) team(ctx context.Context, team string, keys []packKey) error {
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].span-keys[n-1].span == 1 {
			n++
		}
		if err := p.read(ctx, team, keys[:n]); err != nil {
			return err
		}
		if err := p.write(ctx); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// read makes the packs of spans that follow one another.
func (p *packer) read(ctx context.Context, team string, keys []packKey) error {
	at := keys[0].span
	finish := func(span int64) { // the packs before span
		for ; at < span; at++ {
			p.finish(packKey{team, at})
		}
	}
	from, to := spanBegin(keys[0].span), spanEnd(keys[len(keys)-1].span)
	err := eachPull(ctx, p.tx, ` WHERE team = $1 AND opened >= $2 AND opened < $3 ORDER BY opened, id`, []any{team, from, to},
		func(row packedPull) error {
			finish(row.Opened.UnixMilli() / packSpan)
			p.rows = append(p.rows, row)
			return nil
		})
	finish(keys[len(keys)-1].span + 1)
	return err
}

// finish makes a pack of the rows that were read.
func (p *packer) finish(k packKey) {
	m := madePack{packKey: k}
	if n := len(p.rows); n > 0 {
		m.latest = p.rows[n-1].Opened.UnixMilli()
		for i := range p.rows {
			if merged := p.rows[i].Merged; !merged.IsZero() {
				m.latest = max(m.latest, merged.UnixMilli())
			}
		}
		m.counts, m.pack = appendCounts(nil, countPack(p.rows)), appendPack(nil, p.rows)
	}
	p.made, p.rows = append(p.made, m), p.rows[:0]
}

// write writes the packs that were made.
func (p *packer) write(ctx context.Context) (err error) {
	for _, m := range p.made {
		if m.pack == nil {
			if _, err := p.tx.ExecContext(ctx, `DELETE FROM pull_packs WHERE team = $1 AND span = $2`, m.team, m.span); err != nil {
				return err
			}
			continue
		}
		if p.put == nil {
			p.put, err = p.tx.PrepareContext(ctx, `INSERT INTO pull_packs (team, span, version, latest, counts, pack) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (team, span) DO UPDATE SET version = excluded.version, latest = excluded.latest,
				counts = excluded.counts, pack = excluded.pack`)
			if err != nil {
				return err
			}
		}
		if _, err := p.put.ExecContext(ctx, m.team, m.span, packVersion, m.latest, m.counts, m.pack); err != nil {
			return err
		}
	}
	p.made = p.made[:0]
	return nil
}

func (p *packer) close() error {
	if p.put == nil {
		return nil
	}
	return p.put.Close()
}

// spanBegin is the first moment of a span, spanEnd the one after its last.
func spanBegin(span int64) int64 {
	if span <= 0 {
		return (span-1)*packSpan + 1
	}
	return span * packSpan
}

func spanEnd(span int64) int64 {
	if span < 0 {
		return span*packSpan + 1
	}
	return (span + 1) * packSpan
}

// eachPull reads pull requests; which ends the query.
func eachPull(ctx context.Context, tx *sql.Tx, which string, args []any, row func(packedPull) error) error {
	return migrations.Each(ctx, tx, selectPullRequests+which, args, func(scan func(...any) error) error {
		p, imported, err := scanPullRequest(scan)
		if err != nil {
			return err
		}
		return row(packedPull{p, imported})
	})
}

// stalePacks are those of which the rows have to be read.
func stalePacks(ctx context.Context, tx *sql.Tx) (map[packKey]bool, error) {
	keys, err := packKeys(ctx, tx, `SELECT team, span FROM pull_packs_stale UNION ALL SELECT team, span FROM pull_packs WHERE version < $1 OR version > $1`, packVersion)
	out := make(map[packKey]bool, len(keys))
	for _, k := range keys {
		out[k] = true
	}
	return out, err
}

// unpacked are the pull requests of one stale pack, as a pack would give them.
func unpacked(ctx context.Context, tx *sql.Tx, k packKey, from *sources) ([]metrics.PullRequest, error) {
	var rows []metrics.PullRequest
	err := eachPull(ctx, tx, ` WHERE team = $1 AND opened >= $2 AND opened < $3 ORDER BY opened, id`,
		[]any{k.team, spanBegin(k.span), spanEnd(k.span)}, func(row packedPull) error {
			p := row.PullRequest
			p.ID, p.Number, p.Base, p.MergeCommit = "", 0, "", ""
			from.complete(&p, row.imported)
			rows = append(rows, p)
			return nil
		})
	return rows, err
}
