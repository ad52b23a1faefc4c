package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// smallGroup is the number of authors under which a team's pull requests are
// not listed.
const smallGroup = 5

// lookBack is how long before their merge the authors of reverted pull requests
// are looked for: the window of those is one of merges.
const lookBack = 366 * 24 * time.Hour

// groupWindow is when a team's authors must have opened something.
func groupWindow(q metrics.PullQuery) metrics.Window {
	w := q.Window
	if q.State == metrics.PullReverted && !w.From.IsZero() {
		w.From = w.From.Add(-lookBack)
	}
	return w
}

// groupSize says whether a team may be shown on its own.
type groupSize int

const (
	groupEmpty groupSize = iota // nobody opened anything
	groupSmall
	groupShown
)

// groups remembers how large the teams were in the windows that were asked
// for, of one revision of the data.
type groups struct {
	mu       sync.Mutex
	revision int64
	sizes    map[groupKey]groupSize
}

type groupKey struct {
	team     string
	from, to time.Time
}

// maxGroups bounds what is remembered.
const maxGroups = 20_000

// of looks how many authors of each team opened something in w.
func (g *groups) of(ctx context.Context, tx *sql.Tx, teams []string, w metrics.Window) (map[string]groupSize, error) {
	revision, err := migrations.RevisionIn(ctx, tx, migrations.Measurement)
	if err != nil {
		return nil, err
	}
	out := make(map[string]groupSize, len(teams))
	for _, team := range teams {
		if team == "" {
			continue // nobody's
		}
		if out[team], err = g.size(ctx, tx, revision, team, w); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (g *groups) size(ctx context.Context, tx *sql.Tx, revision int64, team string, w metrics.Window) (groupSize, error) {
	key := groupKey{team, w.From.UTC(), w.To.UTC()}
	g.mu.Lock()
	size, ok := g.sizes[key]
	ok = ok && g.revision == revision
	g.mu.Unlock()
	if ok {
		return size, nil
	}
	size, err := readGroup(ctx, tx, team, w)
	if err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.revision != revision || len(g.sizes) >= maxGroups {
		g.revision, g.sizes = revision, map[groupKey]groupSize{}
	}
	g.sizes[key] = size
	return size, nil
}

// readGroup looks at some rows first, which mostly is enough.
func readGroup(ctx context.Context, tx *sql.Tx, team string, w metrics.Window) (groupSize, error) {
	args := []any{team}
	where := `team = $1 AND NOT author_bot AND set_apart IS NULL`
	if !w.From.IsZero() || !w.To.IsZero() {
		var in string
		in, args = within("opened", w, args)
		where += ` AND ` + in
	}
	const some = 200
	rows, authors, err := readAuthors(ctx, tx, fmt.Sprintf(`SELECT author FROM pull_requests WHERE %s ORDER BY opened DESC, id DESC LIMIT %d`, where, some), args)
	if err == nil && rows == some && authors < smallGroup {
		_, authors, err = readAuthors(ctx, tx, fmt.Sprintf(`SELECT DISTINCT author FROM pull_requests WHERE %s LIMIT %d`, where, smallGroup+1), args)
	}
	switch {
	case err != nil:
		return 0, err
	case rows == 0:
		return groupEmpty, nil
	case authors < smallGroup:
		return groupSmall, nil
	}
	return groupShown, nil
}

// readAuthors counts what a query gives: its rows and the authors in them.
// Nobody knows whether deleted accounts are one person's.
func readAuthors(ctx context.Context, tx *sql.Tx, query string, args []any) (rows, authors int, err error) {
	seen := map[string]bool{}
	err = migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var author string
		if err := scan(&author); err != nil {
			return err
		}
		rows++
		if author != "" {
			seen[author] = true
		}
		return nil
	})
	return rows, len(seen), err
}
