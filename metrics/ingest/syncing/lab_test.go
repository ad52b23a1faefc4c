package syncing_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/metrics/ingest/syncing"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
	"steelyard/rules"
)

// clock is a clock that a test moves.
type clock struct{ at atomic.Int64 }

func newClock(t time.Time) *clock {
	c := &clock{}
	c.at.Store(t.UnixNano())
	return c
}

func (c *clock) now() time.Time       { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) move(d time.Duration) { c.at.Add(int64(d)) }
func (c *clock) set(t time.Time)      { c.at.Store(t.UnixNano()) }
func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.move(d)
	return ctx.Err()
}

// start is when most tests begin: a Monday.
var start = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

const repo = "acme/api"

var ref = github.RepositoryRef{Owner: "acme", Name: "api"}

// lab is a GitHub, a database and a syncer between them.
type lab struct {
	t      testing.TB
	clock  *clock
	world  *githubtest.World
	server *githubtest.Server
	db     *migrations.DB
	store  *store.Store
	teams  []metrics.TeamSource
	seen   []syncing.Progress
}

// each runs f in a lab of its own, once an engine.
func each(t *testing.T, f func(t *testing.T, l *lab)) {
	t.Helper()
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) { f(t, newLab(t, db)) })
}

func newLab(t testing.TB, db *migrations.DB) *lab {
	t.Helper()
	l := &lab{t: t, clock: newClock(start), db: db}
	l.store = store.New(db, l.clock.now)
	l.world = githubtest.New(githubtest.Options{Clock: l.clock.now})
	l.world.Repository(repo)
	var err error
	if l.server, err = l.world.Listen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// syncer is a new syncer, as after a restart.
func (l *lab) syncer() *syncing.Syncer {
	l.t.Helper()
	return syncing.New(syncing.Options{
		GitHub: newClient(l.t, l.server.URL, l.clock), Store: l.store, Clock: l.clock.now, Matcher: matcher(l.t), Teams: l.teams,
		Progress: func(p syncing.Progress) { l.seen = append(l.seen, p) },
	})
}

func newClient(t testing.TB, url string, c *clock) *github.Client {
	t.Helper()
	client, err := github.New(github.Options{BaseURL: url, Clock: c.now, Sleep: c.sleep, Retries: 3})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func matcher(t testing.TB) *attribution.Matcher {
	t.Helper()
	table, err := rules.AttributionTable()
	if err != nil {
		t.Fatal(err)
	}
	return attribution.New(table)
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) backfill() {
	l.t.Helper()
	l.must(l.syncer().Backfill(l.t.Context(), ref))
}

func (l *lab) update() {
	l.t.Helper()
	l.must(l.syncer().Update(l.t.Context(), ref))
}

// requests counts what f asks of GitHub.
func (l *lab) requests(f func()) int {
	before := l.world.Counts().Requests
	f()
	return l.world.Counts().Requests - before
}

// pulls are all measured pull requests, by number.
func (l *lab) pulls() map[int]metrics.PullRequest {
	l.t.Helper()
	out := map[int]metrics.PullRequest{}
	for p, err := range l.store.PullRequests(l.t.Context(), nil, metrics.Window{}) {
		l.must(err)
		if _, twice := out[p.Number]; twice {
			l.t.Fatalf("#%d stands twice", p.Number)
		}
		out[p.Number] = p
	}
	return out
}

func (l *lab) repository() metrics.SyncedRepository {
	l.t.Helper()
	r, err := l.store.SyncedByName(l.t.Context(), repo)
	l.must(err)
	return r
}

func (l *lab) ingest() metrics.Ingest {
	l.t.Helper()
	in, err := l.store.Ingest(l.t.Context())
	l.must(err)
	return in
}

func (l *lab) revision() string {
	l.t.Helper()
	r, err := l.store.Revision(l.t.Context())
	l.must(err)
	return r
}

// notes are the notes of all runs.
func (l *lab) notes() string {
	var out []string
	for _, p := range l.seen {
		if p.Note != "" {
			out = append(out, p.Note)
		}
	}
	return strings.Join(out, "\n")
}

// tables are the ones that a synchronisation writes, with the order of their
// rows.
var tables = []struct{ name, order string }{
	{"github_repositories", "id"},
	{"github_repository_names", "repository, since, name"},
	{"github_accounts", "id"},
	{"github_pulls", "id"},
	{"github_signals", "pull, ordinal"},
	{"github_changes", "repository, id"},
	{"github_reverts", "repository, change, target"},
	{"github_revert_states", "repository, change"},
	{"github_unresolved", "repository, change, ordinal"},
	{"team_sources", "ordinal"},
	{"team_members", "source, account, since"},
	{"pull_requests", "id"},
	{"imports", "id"},
}

// dump is the content of the tables, one line a row, but for what the run
// itself numbers.
func dump(t testing.TB, db *migrations.DB) []string {
	t.Helper()
	var out []string
	for _, table := range tables {
		out = append(out, dumpTable(t, db, table.name, table.order)...)
	}
	return out
}

func dumpTable(t testing.TB, db *migrations.DB, name, order string) []string {
	t.Helper()
	rows, err := db.Read.QueryContext(t.Context(), `SELECT * FROM `+name+` ORDER BY `+order)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		line := name
		for i, c := range columns {
			if !slices.Contains([]string{"reverts_wanted", "reverts_made"}, c) {
				line += fmt.Sprintf(" %s=%s", c, values[i].String)
			}
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// dataDir is the folder of reference data. A test that needs it is skipped
// where it is missing, saying so.
func dataDir(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv("STEELYARD_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(append([]string{dir}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the reference data is missing at %s: set STEELYARD_DATA", path)
	}
	return path
}
