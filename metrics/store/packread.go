package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"

	"steelyard/metrics"
	"steelyard/migrations"
)

// MeasuredPullRequests yields what [Store.PullRequests] does, in no order and
// without what measurement does not need: IDs, numbers, base branches and merge
// commits. It reads packs, several at once, and keeps a few of them in memory.
func (s *Store) MeasuredPullRequests(ctx context.Context, teams []string, w metrics.Window) iter.Seq2[metrics.PullRequest, error] {
	return func(yield func(metrics.PullRequest, error) bool) {
		stopped, err := s.measured(ctx, teams, w, func(rows []metrics.PullRequest) bool {
			for i := range rows {
				if inWindow(&rows[i], w) && !yield(rows[i], nil) {
					return false
				}
			}
			return true
		})
		if err != nil && !stopped {
			yield(metrics.PullRequest{}, fmt.Errorf("read pull requests: %w", err))
		}
	}
}

// inWindow is the condition of [pullRequestQuery].
func inWindow(p *metrics.PullRequest, w metrics.Window) bool {
	return w.Contains(p.Opened) || !p.Merged.IsZero() && w.Contains(p.Merged)
}

// storedPack is a pack as it is read; of a stale one, the pull requests that
// belong in it.
type storedPack struct {
	packKey
	pack []byte
	rows []metrics.PullRequest
}

// decoded is a pack's pull requests, or why there are none.
type decoded struct {
	packKey
	rows []metrics.PullRequest
	err  error
}

// measured yields the pull requests of packs that may hold some of w. It reads
// on one goroutine, decodes on as many as there are processors, and yields on
// the caller's.
func (s *Store) measured(outer context.Context, teams []string, w metrics.Window, yield func([]metrics.PullRequest) bool) (stopped bool, err error) {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	p := &packPipe{
		wanted: set(teams), all: len(teams) == 0, window: w,
		packs: make(chan storedPack, 4), rows: make(chan decoded, 4),
		free: make(chan []metrics.PullRequest, 16),
	}
	read := make(chan error, 1)
	go func() {
		defer close(p.packs)
		read <- s.db.View(ctx, func(tx *sql.Tx) error { return p.read(ctx, tx) })
	}()
	p.decodeAll(ctx)
	var damaged []packKey
	for d := range p.rows {
		switch {
		case stopped || err != nil:
		case errors.Is(d.err, errPack):
			damaged, err = append(damaged, d.packKey), d.err
			cancel()
		default:
			if !yield(d.rows) {
				stopped = true
				cancel()
			}
		}
		p.giveBack(d.rows)
	}
	end := <-read
	switch {
	case damaged != nil:
		return false, s.mend(outer, damaged)
	case stopped:
		return true, nil
	}
	return false, end
}

// mend makes damaged packs anew, and says that what was read is to be read
// again.
func (s *Store) mend(ctx context.Context, damaged []packKey) error {
	err := s.db.Update(ctx, migrations.Packs, func(tx *sql.Tx, _ int64) error {
		for _, k := range damaged {
			if _, err := tx.ExecContext(ctx, `DELETE FROM pull_packs WHERE team = $1 AND span = $2`, k.team, k.span); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO pull_packs_stale (team, span) VALUES ($1, $2)
				ON CONFLICT (team, span) DO UPDATE SET span = excluded.span`, k.team, k.span); err != nil {
				return err
			}
		}
		return s.pack(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("%w, and could not be made anew: %w", errPack, err)
	}
	return fmt.Errorf("%w; it was made anew from the pull requests, so ask again", errPack)
}

// packPipe is packs on their way from the database to pull requests.
type packPipe struct {
	wanted map[string]bool
	all    bool
	window metrics.Window
	from   *sources
	packs  chan storedPack
	rows   chan decoded
	free   chan []metrics.PullRequest // what was yielded, to be used again
}

func (p *packPipe) giveBack(rows []metrics.PullRequest) {
	select {
	case p.free <- rows[:0]:
	default:
	}
}

// read sends the packs, and the pull requests of those that are stale.
func (p *packPipe) read(ctx context.Context, tx *sql.Tx) error {
	var err error
	if p.from, err = readSources(ctx, tx); err != nil {
		return err
	}
	stale, err := stalePacks(ctx, tx)
	if err != nil {
		return err
	}
	query, args := p.query()
	err = migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var k storedPack
		if err := scan(&k.team, &k.span, &k.pack); err != nil {
			return err
		}
		if stale[k.packKey] || !p.all && !p.wanted[k.team] {
			return nil
		}
		return send(ctx, p.packs, k)
	})
	if err != nil {
		return err
	}
	for k := range stale {
		if !p.all && !p.wanted[k.team] {
			continue
		}
		rows, err := unpacked(ctx, tx, k, p.from)
		if err != nil {
			return err
		}
		if err := send(ctx, p.packs, storedPack{packKey: k, rows: rows}); err != nil {
			return err
		}
	}
	return nil
}

// query asks for the packs that may hold pull requests opened or merged in the
// window, of the teams where there are not too many to name.
func (p *packPipe) query() (query string, args []any) {
	var conditions []string
	if n := len(p.wanted); !p.all && n <= maxTeams {
		conditions = append(conditions, `team IN (`+migrations.Placeholders(1, n)+`)`)
		for t := range p.wanted {
			args = append(args, t)
		}
	}
	if to := p.window.To; !to.IsZero() {
		args = append(args, to.UnixMilli()/packSpan)
		conditions = append(conditions, fmt.Sprintf(`span <= $%d`, len(args)))
	}
	if from := p.window.From; !from.IsZero() {
		args = append(args, from.UnixMilli())
		conditions = append(conditions, fmt.Sprintf(`latest >= $%d`, len(args)))
	}
	query = `SELECT team, span, pack FROM pull_packs`
	if len(conditions) > 0 {
		query += ` WHERE ` + strings.Join(conditions, ` AND `)
	}
	return query + ` ORDER BY team, span`, args
}

func send[T any](ctx context.Context, to chan<- T, x T) error {
	select {
	case to <- x:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// decodeAll decodes packs until there are no more, and then closes rows.
func (p *packPipe) decodeAll(ctx context.Context) {
	var wg sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		wg.Go(func() {
			for s := range p.packs {
				if send(ctx, p.rows, p.decode(s)) != nil {
					return
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(p.rows)
	}()
}

func (p *packPipe) decode(s storedPack) decoded {
	if s.pack == nil {
		return decoded{packKey: s.packKey, rows: s.rows}
	}
	var buffer []metrics.PullRequest
	select {
	case buffer = <-p.free:
	default:
	}
	rows, err := readPack(buffer[:0], s.team, s.pack, p.from)
	return decoded{s.packKey, rows, err}
}
