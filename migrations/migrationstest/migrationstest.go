// Package migrationstest gives tests an empty database of their own, on both
// engines.
//
// SQLite is always there. PostgreSQL is the server that the environment
// variable STEELYARD_TEST_POSTGRES names (a postgres:// URL whose user may
// create schemas), or else a throw-away server that the package starts from
// the installed binaries, once for a test process. Where there is neither, the
// test is skipped and says so.
package migrationstest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"steelyard/migrations"
)

// Env names the server to test against.
const Env = "STEELYARD_TEST_POSTGRES"

// Require is the variable that, set to 1, turns the skip for a missing
// PostgreSQL into a failure.
const Require = "STEELYARD_REQUIRE_POSTGRES"

// Engines are all engines.
func Engines() []migrations.Engine {
	return []migrations.Engine{migrations.SQLite, migrations.Postgres}
}

// Each runs f once an engine, as a subtest named after it, on a database of
// its own.
func Each(t *testing.T, f func(t *testing.T, db *migrations.DB)) {
	t.Helper()
	for _, e := range Engines() {
		t.Run(string(e), func(t *testing.T) { f(t, Open(t, e)) })
	}
}

// Open opens a migrated database of the test's own. It is closed and removed
// when the test ends.
func Open(t testing.TB, e migrations.Engine) *migrations.DB {
	t.Helper()
	db, err := migrations.Open(t.Context(), URL(t, e), migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// URL is the URL of an empty database of the test's own, not yet migrated. It
// is removed when the test ends.
func URL(t testing.TB, e migrations.Engine) string {
	t.Helper()
	if e == migrations.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "steelyard.db")
	}
	return newSchema(t, server(t))
}

// server is the URL of a PostgreSQL server's database.
func server(t testing.TB) string {
	t.Helper()
	if s := os.Getenv(Env); s != "" {
		return s
	}
	s, err := throwAway()
	if err != nil {
		t.Fatalf("start a throw-away PostgreSQL server: %v; set %s to the URL of one that runs", err, Env)
	}
	if s == nil {
		if os.Getenv(Require) == "1" {
			t.Fatalf("PostgreSQL is missing and %s=1: install it (apt-get install postgresql), or set %s to a server's URL", Require, Env)
		}
		t.Skipf("PostgreSQL is missing: install it (apt-get install postgresql), or set %s to a server's URL", Env)
	}
	return s.url
}

// newSchema makes a schema and returns base with that schema as its only one.
func newSchema(t testing.TB, base string) string {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatalf("%s is not a URL: %v", Env, err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	execute(t, t.Context(), base, `CREATE SCHEMA `+name)
	t.Cleanup(func() {
		execute(t, context.WithoutCancel(t.Context()), base, `DROP SCHEMA `+name+` CASCADE`)
	})
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

func execute(t testing.TB, ctx context.Context, base, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", base)
	if err != nil {
		t.Fatalf("read the URL in %s: %v", Env, err)
	}
	_, err = db.ExecContext(ctx, statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
