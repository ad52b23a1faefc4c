package migrations_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

func open(t *testing.T, url string, o migrations.Options) *migrations.DB {
	t.Helper()
	db, err := migrations.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// write makes a write transaction and returns its number.
func write(t *testing.T, db *migrations.DB) int64 {
	t.Helper()
	var n int64
	err := db.Update(t.Context(), migrations.Lint, func(_ *sql.Tx, revision int64) error {
		n = revision
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOpenKeepsWhatIsThere(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			url := migrationstest.URL(t, e)
			for want := int64(1); want <= 3; want++ {
				db := open(t, url, migrations.Options{MustExist: want > 1})
				if got := write(t, db); got != want {
					t.Errorf("write number %d; want %d", got, want)
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestPathIsTakenAsWritten(t *testing.T) {
	for _, name := range []string{
		"plain.db", "with space.db", "what?.db", "no#1.db", "50%.db", "a%20b.db", "a&mode=ro.db", "a;b.db",
		"it's \"quoted\".db", "Müller – 数据.db", ":memory:.db", "back\\slash.db", "?", "new\nline.db",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder of "+strings.ReplaceAll(name, ".db", ""), name)
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			db := open(t, "sqlite:"+path, migrations.Options{})
			write(t, db)
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			files, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(files) != 1 || files[0].Name() != name {
				t.Errorf("the folder holds %v, %v; want %q alone", files, err, name)
			}
		})
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	db := open(t, "sqlite:a b.db", migrations.Options{})
	t.Chdir(t.TempDir()) // connections that are made later find the same file
	write(t, db)
	if n, err := db.Revision(t.Context(), migrations.Lint); err != nil || n != 1 {
		t.Errorf("revision %d, %v", n, err)
	}
}

func TestThreeSlashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	open(t, "sqlite://"+path, migrations.Options{})
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name, url, want string
		options         migrations.Options
	}{
		{name: "empty", url: "", want: `the URL is empty: use sqlite:PATH or postgres://USER@HOST/NAME`},
		{name: "bare-path", url: "steelyard.db", want: `a path needs its scheme: did you mean "sqlite:steelyard.db"?`},
		{name: "bare-path-with-colon", url: "./a:b.db", want: `did you mean "sqlite:./a:b.db"?`},
		{name: "drive", url: `C:\data\x.db`, want: `did you mean "sqlite:C:\\data\\x.db"?`},
		{name: "unknown-scheme", url: "mysql://root:secret@host/db", want: `unknown scheme "mysql": use sqlite:PATH or postgres://`},
		{name: "no-path", url: "sqlite:", want: "no path follows sqlite:"},
		{name: "memory", url: "sqlite::memory:", want: "needs a file: use sqlite:PATH, in a temporary folder"},
		{name: "uri", url: "sqlite:file:x.db?mode=memory", want: "needs a file: use sqlite:PATH"},
		{name: "two-slashes", url: "sqlite://data/x.db", want: `did you mean "sqlite:data/x.db"?`},
		{name: "home", url: "sqlite:~/x.db", want: `the shell did not expand "~"`},
		{name: "nul", url: "sqlite:a\x00b", want: "the path holds a NUL character"},
		{name: "folder", url: "sqlite:" + dir, want: `it is a folder: name a file in it, as in "sqlite:` + dir + `/steelyard.db"`},
		{name: "folder-to-be", url: "sqlite:" + dir + "/new/", want: `it names a folder: add a file name, as in "sqlite:` + dir + `/new/steelyard.db"`},
		{name: "no-folder", url: "sqlite:" + dir + "/a/b/x.db", want: `the folder "` + dir + `/a/b" does not exist: create it`},
		{name: "file-for-folder", url: "sqlite:" + file("f", "") + "/x.db", want: "not a directory"},
		{name: "must-exist", url: "sqlite:" + dir + "/none.db", options: migrations.Options{MustExist: true}, want: "there is no such file: import data into it first"},
		{name: "device", url: "sqlite:/dev/null", want: "it is not a regular file"},
		{name: "not-a-database", url: "sqlite:" + file("text.db", strings.Repeat("unit,period,value\n", 100)), want: "the file is not a SQLite database: name another file"},
		{name: "no-url", url: "postgres://host:port/x", want: "the URL cannot be read"},
		{name: "nobody-there", url: "postgres://me:topsecret@127.0.0.1:1/x?sslmode=disable", want: "the server 127.0.0.1:1 cannot be reached: check the address and that it runs"},
		{name: "no-socket", url: "postgres://me:topsecret@/x?host=" + dir, want: "cannot be reached"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkOpenFails(t, test.url, test.options, test.want)
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("MustExist made the file: %v", err)
	}
}

// checkOpenFails wants an error that names the database and says want, and
// nothing of a password.
func checkOpenFails(t *testing.T, url string, o migrations.Options, want string) {
	t.Helper()
	db, err := migrations.Open(t.Context(), url, o)
	if err == nil {
		db.Close()
		t.Fatal("no error")
	}
	if !strings.HasPrefix(err.Error(), "open database ") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %q; want it to contain %q", err, want)
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the password is in %q", err)
	}
}

func TestMissingFileCanBeToldApart(t *testing.T) {
	_, err := migrations.Open(t.Context(), "sqlite:"+t.TempDir()+"/x.db", migrations.Options{MustExist: true})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v; want fs.ErrNotExist", err)
	}
}

func TestAnotherProgramsDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "places.sqlite")
	raw := rawSQLite(t, path)
	execute(t, raw, `CREATE TABLE bookmarks (url TEXT)`)
	checkOpenFails(t, "sqlite:"+path, migrations.Options{}, "it is another program's database: name a file of its own for steelyard")
	var n int
	if err := raw.QueryRow(`SELECT COUNT(*) FROM sqlite_master`).Scan(&n); err != nil || n != 1 {
		t.Errorf("the database has %d tables, %v; want its own alone", n, err)
	}
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := open(t, "sqlite:"+path, migrations.Options{})
	write(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[100:4096], strings.Repeat("damage", 700)) // the list of tables
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	checkOpenFails(t, "sqlite:"+path, migrations.Options{}, "the file is damaged: restore it from a backup")
}

func TestAnotherProgramsTable(t *testing.T) {
	url := migrationstest.URL(t, migrations.Postgres)
	execute(t, rawPostgres(t, url), `CREATE TABLE pilots (name TEXT)`)
	checkOpenFails(t, url, migrations.Options{}, "the schema already holds another program's table by that name")
}

func TestNewerSchema(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			url := migrationstest.URL(t, e)
			db := open(t, url, migrations.Options{})
			applied := any(true)
			if e == migrations.SQLite {
				applied = 1
			}
			if _, err := db.Write.ExecContext(t.Context(),
				`INSERT INTO steelyard_schema (version_id, is_applied) VALUES (99, $1)`, applied); err != nil {
				t.Fatal(err)
			}
			checkOpenFails(t, url, migrations.Options{}, "its schema is version 99, made by a newer steelyard; this one knows versions up to ")
		})
	}
}

func TestReadPoolCannotWrite(t *testing.T) {
	db := migrationstest.Open(t, migrations.SQLite)
	_, err := db.Read.ExecContext(t.Context(), `DELETE FROM revisions`)
	if err == nil || !strings.Contains(migrations.Explain(err).Error(), "the file cannot be written") {
		t.Errorf("got %v; want a refusal", err)
	}
}

func TestViewCannotWrite(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		err := db.View(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), `DELETE FROM revisions`)
			return err
		})
		if err == nil {
			t.Error("no error")
		}
	})
}

func TestUpdateUndoesOnErrorAndPanic(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		failure := errors.New("failure")
		err := db.Update(t.Context(), migrations.Lint, func(*sql.Tx, int64) error { return failure })
		if !errors.Is(err, failure) {
			t.Errorf("got %v", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = db.Update(t.Context(), migrations.Lint, func(*sql.Tx, int64) error { panic("failure") })
		}()
		if n := write(t, db); n != 1 {
			t.Errorf("write number %d; want 1", n)
		}
	})
}

func TestLockedWhileItHasToBeMigrated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	raw := rawSQLite(t, path)
	execute(t, raw, `BEGIN EXCLUSIVE`)
	start := time.Now()
	checkOpenFails(t, "sqlite:"+path, migrations.Options{BusyTimeout: 300 * time.Millisecond},
		"another process is writing to the file and has not finished in time: wait for it, or stop it")
	if d := time.Since(start); d < 250*time.Millisecond || d > 10*time.Second {
		t.Errorf("it waited %s; want about 300 ms", d)
	}
	execute(t, raw, `COMMIT`)
	open(t, "sqlite:"+path, migrations.Options{})
}

// Somebody else's long write is no reason not to start; a second write waits
// for it, and says so when it has waited long enough.
func TestOpenDuringAWrite(t *testing.T) {
	url := migrationstest.URL(t, migrations.SQLite)
	first := open(t, url, migrations.Options{})
	err := first.Update(t.Context(), migrations.Lint, func(*sql.Tx, int64) error {
		second := open(t, url, migrations.Options{BusyTimeout: 200 * time.Millisecond})
		if n, err := second.Revision(t.Context(), migrations.Lint); err != nil || n != 0 {
			t.Errorf("revision %d, %v; want 0", n, err)
		}
		err := second.Update(t.Context(), migrations.Lint, func(*sql.Tx, int64) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "another process is writing to the file") {
			t.Errorf("second write: %v; want it to say that another is under way", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWritersWaitForEachOther(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			url := migrationstest.URL(t, e)
			dbs := []*migrations.DB{open(t, url, migrations.Options{}), open(t, url, migrations.Options{})}
			const each = 20
			failed := make(chan error, 2*each)
			for _, db := range dbs {
				go func() {
					for range each {
						failed <- db.Update(t.Context(), migrations.Lint, func(*sql.Tx, int64) error { return nil })
					}
				}()
			}
			for range cap(failed) {
				if err := <-failed; err != nil {
					t.Error(err)
				}
			}
			if n := write(t, dbs[0]); n != 2*each+1 {
				t.Errorf("write number %d; want %d", n, 2*each+1)
			}
		})
	}
}

func TestCancelledOpen(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := migrations.Open(ctx, migrationstest.URL(t, e), migrations.Options{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v; want context.Canceled", err)
			}
		})
	}
}

func rawSQLite(t *testing.T, path string) *sql.DB {
	t.Helper()
	return raw(t, "sqlite", path)
}

func rawPostgres(t *testing.T, url string) *sql.DB {
	t.Helper()
	return raw(t, "pgx", url)
}

func raw(t *testing.T, driver, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestCureSQLite holds that an extended code is explained like its primary
// one, and a full disk as one, wherever it is noticed.
func TestCureSQLite(t *testing.T) {
	const shmSize, readError, full, readOnlyDirectory = 4874, 266, 13, 1544
	for code, want := range map[int]string{
		shmSize: "the disk is full", full: "the disk is full",
		readError: "the disk gave an error", readOnlyDirectory: "the file cannot be written",
	} {
		if got := migrations.CureSQLite(code); !strings.HasPrefix(got, want) {
			t.Errorf("code %d: %q, want %q…", code, got, want)
		}
	}
}
