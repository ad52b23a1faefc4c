package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite"
)

const (
	defaultBusyTimeout = 10 * time.Second
	// probeTimeout bounds the look whether an up-to-date file can be written:
	// somebody else's long import is no reason not to start.
	probeTimeout = 100 * time.Millisecond
	// writeCacheKiB is what the write connection keeps of the file in memory.
	// Indexes of a million pull requests are touched at random places.
	writeCacheKiB = 64 << 10
	// logBytes is how much of the write-ahead log stays on disk after a large
	// import, whose rows all go through it.
	logBytes = 64 << 20
)

func openSQLite(ctx context.Context, name string, o Options) (*DB, error) {
	path, err := sqlitePath(name)
	if err != nil {
		return nil, err
	}
	if err := checkFile(path, o.MustExist); err != nil {
		return nil, err
	}
	if o.BusyTimeout == 0 {
		o.BusyTimeout = defaultBusyTimeout
	}
	write, err := sqlitePool(path, o.BusyTimeout, url.Values{
		"_txlock": {"immediate"},
		"_pragma": {
			"journal_mode(WAL)",
			fmt.Sprintf("cache_size(-%d)", writeCacheKiB),
			fmt.Sprintf("journal_size_limit(%d)", logBytes),
		},
	})
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	read, err := sqlitePool(path, o.BusyTimeout, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers) // opening one reads the schema anew
	db := &DB{Engine: SQLite, Read: read, Write: write}
	if err := db.prepareSQLite(ctx, o.BusyTimeout); err != nil {
		return nil, errors.Join(Explain(err), db.Close())
	}
	return db, nil
}

// sqlitePath is the absolute path that follows "sqlite:".
func sqlitePath(name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("no path follows sqlite: — use sqlite:PATH")
	case name == ":memory:" || strings.HasPrefix(name, "file:"):
		return "", errors.New("steelyard reads and writes on several connections and needs a file: " +
			"use sqlite:PATH, in a temporary folder where it is not to be kept")
	case strings.ContainsRune(name, 0):
		return "", errors.New("the path holds a NUL character: use sqlite:PATH")
	case strings.HasPrefix(name, "~/"):
		return "", errors.New(`the shell did not expand "~" here: write sqlite:"$HOME"/… or an absolute path`)
	case strings.HasPrefix(name, "///"):
		name = name[2:]
	case strings.HasPrefix(name, "//"):
		return "", fmt.Errorf("a host has no place in a path: did you mean %q?", "sqlite:"+strings.TrimLeft(name, "/"))
	}
	if os.IsPathSeparator(name[len(name)-1]) {
		return "", fmt.Errorf("it names a folder: add a file name, as in %q", "sqlite:"+name+"steelyard.db")
	}
	return filepath.Abs(name)
}

// checkFile says in plain words what SQLite would call "unable to open", and
// makes a file that is not there. One that is there it only looks at: opening
// and closing it here would drop the locks that SQLite holds on it elsewhere in
// this process.
func checkFile(path string, mustExist bool) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("it is a folder: name a file in it, as in %q", "sqlite:"+filepath.Join(path, "steelyard.db"))
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is not a regular file: name another")
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look at the file: %w", err)
	case mustExist:
		return fmt.Errorf("there is no such file: import data into it first, or name another (%w)", fs.ErrNotExist)
	}
	dir := filepath.Dir(path)
	info, err = os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %q does not exist: create it, or name another file (%w)", dir, fs.ErrNotExist)
	case err != nil:
		return fmt.Errorf("look at the folder: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%q is not a folder: name another file", dir)
	}
	return makeFile(path)
}

// makeFile makes the empty file that SQLite fills, for its owner alone: it will
// hold what people did. SQLite's own files beside it take its rights.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil { // another process was quicker, or SQLite will say why not
		return nil //nolint:nilerr // see above
	}
	return f.Close()
}

// sqlitePool is a pool of connections to path, none of them open yet. The
// path travels as a URI, which may hold any character.
func sqlitePool(path string, busy time.Duration, params url.Values) (*sql.DB, error) {
	params["_pragma"] = append(params["_pragma"],
		fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()),
		"foreign_keys(1)", "trusted_schema(0)")
	params.Set("_defensive", "1")
	params.Set("_dqs", "0")      // "name" is a name, never text
	params.Set("_error_rc", "1") // no stale messages in errors
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/…
		path = "/" + path
	}
	uri := url.URL{Scheme: "file", Path: path, RawQuery: params.Encode()}
	c, err := sqlite.NewConnector(uri.String())
	if err != nil {
		return nil, fmt.Errorf("make the connection's URI: %w", err)
	}
	return sql.OpenDB(c), nil
}

// prepareSQLite opens the file, migrates it, and makes sure that it can be
// written and read.
func (db *DB) prepareSQLite(ctx context.Context, busy time.Duration) error {
	if err := db.connectSQLite(ctx, busy); err != nil {
		return err
	}
	m := migrator{
		engine: SQLite,
		db:     db.Write,
		tables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
		ready:  db.probe,
	}
	if err := m.up(ctx); err != nil {
		return err
	}
	short, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := db.probe(short)
	if err != nil && !isBusy(err) && short.Err() == nil {
		return err
	}
	return db.Read.PingContext(ctx)
}

// connectSQLite makes the first connection, which turns on the write-ahead
// log. Two processes that do so at once on a new file get "busy" without any
// waiting on SQLite's part, so the waiting is done here.
func (db *DB) connectSQLite(ctx context.Context, busy time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, busy)
	defer cancel()
	for {
		err := db.Write.PingContext(ctx)
		if !isBusy(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// probe takes the write lock, writes, and undoes it. Beginning is not enough:
// on a file that it may not write, SQLite begins a transaction that can only
// read.
func (db *DB) probe(ctx context.Context) error {
	tx, err := db.Write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `PRAGMA user_version = 0`); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Rollback()
}
