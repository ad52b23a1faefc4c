package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

var _ metrics.PullLister = (*Store)(nil)

// ListPulls returns one page of the pull requests that q chooses, the newest
// first. What it costs grows with the teams and the page, not with what is
// stored: each team's rows are read along an index until the page is full.
func (s *Store) ListPulls(ctx context.Context, q metrics.PullQuery) (metrics.PullPage, error) {
	q, err := q.Checked()
	if err != nil {
		return metrics.PullPage{Rows: []metrics.PullRow{}, Small: []string{}}, err
	}
	var question any
	if q.Limit <= maxListed {
		question = fmt.Sprintf("%q %v %v %q %q %v %q %d", q.Teams, q.Window, q.Except, q.State, q.Signal, q.After.At, q.After.ID, q.Limit)
	}
	page, err := migrations.Remember(ctx, s.synced, question, func(p metrics.PullPage) int { return len(p.Rows) },
		func(tx *sql.Tx) (metrics.PullPage, error) { return s.listPulls(ctx, tx, q) })
	if err != nil {
		return metrics.PullPage{}, fmt.Errorf("list pull requests: %w", err)
	}
	return page, nil
}

// maxListed bounds the rows of a page that is remembered; longer ones are those
// of a download, which goes through them once.
const maxListed = 200

func (s *Store) listPulls(ctx context.Context, tx *sql.Tx, q metrics.PullQuery) (metrics.PullPage, error) {
	page := metrics.PullPage{Rows: []metrics.PullRow{}, Small: []string{}}
	l, err := newPullList(ctx, tx, q)
	if err != nil {
		return page, err
	}
	sizes, err := s.groups.of(ctx, tx, q.Teams, groupWindow(q))
	if err != nil {
		return page, err
	}
	for _, team := range q.Teams {
		switch {
		case team == "": // nobody's
		case sizes[team] == groupSmall:
			page.Small = append(page.Small, team)
		case sizes[team] == groupShown:
			if err := l.readTeam(ctx, tx, team); err != nil {
				return page, err
			}
		}
	}
	slices.Sort(page.Small)
	err = l.finish(ctx, tx, &page)
	return page, err
}

// pullList is a page while the teams' rows are put together.
type pullList struct {
	q     metrics.PullQuery
	order string // column that the list is sorted by
	// where are the conditions that are the same for each team; their
	// placeholders begin at $2.
	where string
	args  []any
	from  *sources
	rows  []metrics.PullRow // in the list's order, at most one more than the page
	// prepared are the statements that are run for each team, by their text.
	prepared map[string]*sql.Stmt
}

// before reports whether a stands before b in the list.
func before(a, b metrics.PullPlace) int {
	if c := b.At.Compare(a.At); c != 0 {
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

func newPullList(ctx context.Context, tx *sql.Tx, q metrics.PullQuery) (*pullList, error) {
	l := &pullList{q: q, order: "opened", prepared: map[string]*sql.Stmt{}}
	var err error
	if l.from, err = readSources(ctx, tx); err != nil {
		return nil, err
	}
	conditions := []string{`NOT author_bot`, `set_apart IS NULL`}
	switch q.State {
	case metrics.PullOpen:
		conditions = append(conditions, `merged IS NULL AND closed IS NULL`)
	case metrics.PullMerged:
		conditions = append(conditions, `merged IS NOT NULL`)
	case metrics.PullClosed:
		conditions = append(conditions, `merged IS NULL AND closed IS NOT NULL`)
	case metrics.PullReverted:
		conditions = append(conditions, `reverted_at IS NOT NULL AND merged IS NOT NULL`)
		l.order = "merged"
	}
	conditions = append(conditions, l.signal()...)
	if !q.Window.From.IsZero() {
		conditions = append(conditions, l.order+` >= `+l.arg(q.Window.From.UnixMilli()))
	}
	if !q.Window.To.IsZero() {
		conditions = append(conditions, l.order+` < `+l.arg(q.Window.To.UnixMilli()))
	}
	for _, w := range q.Except {
		var ends []string
		if !w.From.IsZero() {
			ends = append(ends, l.order+` < `+l.arg(w.From.UnixMilli()))
		}
		if !w.To.IsZero() {
			ends = append(ends, l.order+` >= `+l.arg(w.To.UnixMilli()))
		}
		if len(ends) > 0 {
			conditions = append(conditions, `(`+strings.Join(ends, ` OR `)+`)`)
		}
	}
	if q.After != (metrics.PullPlace{}) {
		conditions = append(conditions, l.behind(`<`, q.After))
	}
	l.where = strings.Join(conditions, ` AND `)
	return l, nil
}

// arg adds an argument and returns its placeholder; $1 is the team.
func (l *pullList) arg(v any) string {
	l.args = append(l.args, v)
	return fmt.Sprintf("$%d", len(l.args)+1)
}

// behind compares a row's place with p.
func (l *pullList) behind(operator string, p metrics.PullPlace) string {
	return fmt.Sprintf(`(%s, id) %s (%s, %s)`, l.order, operator, l.arg(p.At.UnixMilli()), l.arg(p.ID))
}

func (l *pullList) signal() []string {
	switch l.q.Signal {
	case metrics.SignalSeen:
		return []string{`assisted IS NOT NULL`}
	case metrics.SignalNone:
		conditions := []string{`assisted IS NULL`}
		var blind []string // imports that nobody looked through for signals
		for id, o := range l.from.imports {
			if o.lacks.Has(metrics.FieldAssisted) {
				blind = append(blind, l.arg(id))
			}
		}
		if len(blind) > 0 {
			conditions = append(conditions, `import NOT IN (`+strings.Join(blind, `, `)+`)`)
		}
		return conditions
	}
	return nil
}

// readTeam takes in those rows of a team that belong on the page as far as it
// is known: once it is full, only what stands before its last row can.
func (l *pullList) readTeam(ctx context.Context, tx *sql.Tx, team string) error {
	where, n := l.where, len(l.args)
	if len(l.rows) > l.q.Limit {
		where += ` AND ` + l.behind(`>`, l.rows[l.q.Limit].Place)
	}
	query := fmt.Sprintf(`SELECT id, repository, number, team, opened, ready, first_review, merged, closed, reverted_at,
		additions, deletions, assisted, import FROM pull_requests WHERE team = $1 AND %s ORDER BY %s DESC, id DESC LIMIT %d`,
		where, l.order, l.q.Limit+1)
	err := l.each(ctx, tx, query, append([]any{team}, l.args...), func(scan func(...any) error) error {
		row, err := l.scan(scan)
		if err == nil {
			l.rows = append(l.rows, row)
		}
		return err
	})
	l.args = l.args[:n]
	slices.SortFunc(l.rows, func(a, b metrics.PullRow) int { return before(a.Place, b.Place) })
	l.rows = l.rows[:min(len(l.rows), l.q.Limit+1)]
	return err
}

// each is [migrations.Each] with a statement that is prepared once.
func (l *pullList) each(ctx context.Context, tx *sql.Tx, query string, args []any, row func(scan func(...any) error) error) (err error) {
	statement := l.prepared[query]
	if statement == nil {
		if statement, err = tx.PrepareContext(ctx, query); err != nil { // the transaction closes it
			return err
		}
		l.prepared[query] = statement
	}
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l *pullList) scan(scan func(...any) error) (metrics.PullRow, error) {
	var r metrics.PullRow
	var imported int64
	var opened, ready, review, merged, closed, reverted, additions, deletions sql.NullInt64
	var signal sql.NullString
	err := scan(&r.Place.ID, &r.Repository, &r.Number, &r.Team, &opened, &ready, &review, &merged, &closed, &reverted,
		&additions, &deletions, &signal, &imported)
	if err != nil {
		return r, err
	}
	r.Opened, r.Ready, r.FirstReview = migrations.Time(opened), migrations.Time(ready), migrations.Time(review)
	r.Merged, r.Closed, r.RevertedAt = migrations.Time(merged), migrations.Time(closed), migrations.Time(reverted)
	r.Additions, r.Deletions = known(additions), known(deletions)
	r.Signal = signal.String
	r.Looked = signal.Valid || !l.from.imports[imported].lacks.Has(metrics.FieldAssisted)
	r.Place.At = r.Opened
	if l.order == "merged" {
		r.Place.At = r.Merged
	}
	return r, nil
}

// finish fills the page.
func (l *pullList) finish(ctx context.Context, tx *sql.Tx, page *metrics.PullPage) error {
	if len(l.rows) > l.q.Limit {
		l.rows = l.rows[:l.q.Limit]
		page.Next = l.rows[l.q.Limit-1].Place
	}
	var repositories []any
	for _, r := range l.rows {
		page.Rows = append(page.Rows, r)
		if !slices.Contains(repositories, any(r.Repository)) {
			repositories = append(repositories, r.Repository)
		}
	}
	if len(repositories) == 0 {
		return nil
	}
	onGitHub := map[string]bool{}
	err := migrations.Each(ctx, tx, `SELECT name FROM github_repositories WHERE name IN (`+migrations.Placeholders(1, len(repositories))+`)`, repositories,
		func(scan func(...any) error) error {
			var name string
			if err := scan(&name); err != nil {
				return err
			}
			onGitHub[name] = true
			return nil
		})
	for i := range page.Rows {
		page.Rows[i].OnGitHub = onGitHub[page.Rows[i].Repository]
	}
	return err
}
