// Package migrations is Steelyard's database: the schema as numbered SQL and
// [Open], the one function that opens a database from its URL and brings it up
// to date.
//
// # Two engines, one text
//
// The same SQL runs on SQLite and on PostgreSQL. Times are BIGINT milliseconds
// since 1970 in UTC, numbers DOUBLE PRECISION, placeholders $1, $2, … A file
// in sql/ is for both engines; one whose name ends in ".sqlite.sql" or
// ".postgres.sql" is for that engine alone, and is written only where the two
// must differ. Text that is sorted has the collation "binary" (bytes, on both
// engines), so that the same question has the same answer in the same order.
//
// # One writer
//
// SQLite has one writer at a time. A [DB] therefore has two pools: Write, with
// a single connection whose transactions take the write lock when they begin,
// and Read, whose connections cannot write and never wait for the writer.
// Inside a transaction use only the transaction: asking the pool for another
// connection would wait for itself.
//
// The table revisions holds one counter a subject. A write transaction begins
// by raising it ([DB.Update]). That numbers the write, tells readers that
// something changed, and on PostgreSQL queues writers on one row, so that two
// imports of the same rows wait for each other instead of deadlocking.
package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Engine is a kind of database.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// DB is an open database whose schema is up to date.
type DB struct {
	Engine Engine
	// Read serves queries, Write transactions that write. On PostgreSQL both
	// are the same pool.
	Read, Write *sql.DB

	listen string // the URL of a PostgreSQL database; empty for SQLite
}

// Options say how a database is opened.
type Options struct {
	// MustExist refuses to create a SQLite file that is not there. The error
	// then wraps [io/fs.ErrNotExist].
	MustExist bool
	// BusyTimeout is how long a SQLite write waits for another process that is
	// writing; 0 means 10 seconds.
	BusyTimeout time.Duration
}

// Open opens the database that url names and brings its schema up to date:
//
//	sqlite:PATH                        a file, created where it does not exist
//	postgres://USER@HOST/NAME          PostgreSQL 15 or newer
//	postgresql://USER@HOST/NAME        the same
//
// PATH is taken as it is written: nothing in it is decoded, and it may hold
// spaces, '?', '#' and '%'. Several processes may open the same database at
// once; where it has to be migrated, one does and the others wait. Errors name
// the database without its password and say what to do.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	db, err := open(ctx, url, o)
	if err != nil {
		return nil, fmt.Errorf("open database %q: %w", Redact(url), err)
	}
	return db, nil
}

func open(ctx context.Context, url string, o Options) (*DB, error) {
	scheme, rest, found := strings.Cut(url, ":")
	switch {
	case url == "":
		return nil, errors.New("the URL is empty: " + accepted)
	case scheme == "sqlite":
		return openSQLite(ctx, rest, o)
	case scheme == "postgres", scheme == "postgresql":
		return openPostgres(ctx, url)
	case !found, strings.ContainsAny(scheme, `/\. `), len(scheme) == 1:
		return nil, fmt.Errorf("a path needs its scheme: did you mean %q?", "sqlite:"+url)
	}
	return nil, fmt.Errorf("unknown scheme %q: %s", scheme, accepted)
}

const accepted = "use sqlite:PATH or postgres://USER@HOST/NAME"

// Close closes both pools.
func (db *DB) Close() error {
	err := db.Read.Close()
	if db.Write != db.Read {
		err = errors.Join(err, db.Write.Close())
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// Redact is a database URL for messages: without its password. Of a URL that
// cannot be parsed, everything that may belong to a password is hidden.
func Redact(raw string) string {
	scheme, rest, _ := strings.Cut(raw, ":")
	if scheme == "sqlite" {
		return raw
	}
	u, err := url.Parse(raw)
	if err != nil || !strings.HasPrefix(rest, "//") || u.Fragment != "" {
		return redactText(raw)
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), hidden)
	}
	u.RawQuery = secretParam.ReplaceAllString(u.RawQuery, "${1}"+hidden)
	return u.String()
}

const hidden = "xxxxx"

var (
	secretParam = regexp.MustCompile(`(?i)((?:^|&)[^=&]*password[^=&]*=)[^&]*`)
	userInfo    = regexp.MustCompile(`(?s)(://[^/:@]*:).*@`)
	secretText  = regexp.MustCompile(`(?is)(password\s*=).*`)
)

func redactText(raw string) string {
	raw = userInfo.ReplaceAllString(raw, "${1}"+hidden+"@")
	return secretText.ReplaceAllString(raw, "${1}"+hidden)
}
