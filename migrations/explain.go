package migrations

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Explain adds to a database's error what it means and what to do, where that
// is known; other errors, and nil, are returned as they are.
func Explain(err error) error {
	if said := cure(err); said != "" {
		return fmt.Errorf("%s (%w)", said, err)
	}
	return err
}

func cure(err error) string {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return cureSQLite(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return curePostgres(pg.Code)
	}
	return ""
}

func isBusy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_BUSY
}

// cureSQLite explains an extended result code by its primary one, except where
// that says too little.
func cureSQLite(code int) string {
	if code == sqlite3.SQLITE_IOERR_SHMSIZE { // what a full disk is where the -shm file is made
		code = sqlite3.SQLITE_FULL
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY:
		return "another process is writing to the file and has not finished in time: wait for it, or stop it"
	case sqlite3.SQLITE_NOTADB:
		return "the file is not a SQLite database: name another file"
	case sqlite3.SQLITE_CORRUPT:
		return "the file is damaged: restore it from a backup"
	case sqlite3.SQLITE_READONLY:
		return "the file cannot be written: give this user the right to write it and its folder"
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return "the file cannot be opened: give this user the right to read and write it and its folder"
	case sqlite3.SQLITE_FULL:
		return "the disk is full: make room, then try again"
	case sqlite3.SQLITE_IOERR:
		return "the disk gave an error: check it, and use a local disk, not a network share"
	}
	return ""
}

// curePostgres explains the SQLSTATE codes that a set-up meets; see
// https://www.postgresql.org/docs/current/errcodes-appendix.html.
func curePostgres(code string) string {
	switch code {
	case "28P01", "28000":
		return "the server does not let this user in: check the user's name and password"
	case "3D000":
		return "the database does not exist on the server: create it (createdb NAME), or name another"
	case "42501":
		return "this user may not do that: grant the right to create and write tables in the schema"
	case "42P07", "42710":
		return "the schema already holds another program's table by that name: give steelyard a database of its own"
	case "3F000":
		return "the schema does not exist: create it, or take search_path out of the URL"
	case "53100":
		return "the server's disk is full: make room, then try again"
	case "53300":
		return "the server has no connection left: raise max_connections, or stop other programs"
	case "25006":
		return "the server is read-only: name the primary server"
	case "57P03":
		return "the server is starting up or shutting down: try again"
	}
	return ""
}
