package migrations_test

import (
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

func TestPostgresSaysWhatIsWrong(t *testing.T) {
	base := migrationstest.URL(t, migrations.Postgres)
	with := func(change func(u *url.URL, q url.Values)) string {
		t.Helper()
		u, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		change(u, q)
		u.RawQuery = q.Encode()
		return u.String()
	}
	tests := []struct{ name, url, want string }{
		{
			// Not a wrong password: a server under test may trust everybody it knows.
			"user", with(func(u *url.URL, _ url.Values) { u.User = url.UserPassword("stranger", "topsecret") }),
			"the server does not let this user in: check the user's name and password",
		},
		{
			"database", with(func(u *url.URL, _ url.Values) { u.Path = "/there is none" }),
			"the database does not exist on the server: create it (createdb NAME), or name another",
		},
		{
			"schema", with(func(_ *url.URL, q url.Values) { q.Set("search_path", "nowhere") }),
			"none of the schemas in search_path exists: create one, or take search_path out of the URL",
		},
		{
			"read-only", with(func(_ *url.URL, q url.Values) { q.Set("default_transaction_read_only", "on") }),
			"the server is read-only and the schema has to be migrated: name the primary server",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkOpenFails(t, test.url, migrations.Options{}, test.want)
		})
	}
}

func TestPostgresVersion(t *testing.T) {
	for number, want := range map[string]string{
		"150018": "", "160000": "", "180001": "",
		"140022":   "the server is PostgreSQL 14: steelyard needs 15 or newer",
		"90624":    "the server is PostgreSQL 9: steelyard needs 15 or newer",
		"v22.2.19": `the server gave no PostgreSQL version but "v22.2.19": use PostgreSQL 15 or newer`,
	} {
		got := ""
		if err := migrations.CheckVersion(number); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("version %s: %q; want %q", number, got, want)
		}
	}
}

func TestPostgresEncoding(t *testing.T) {
	base := migrationstest.URL(t, migrations.Postgres)
	server := rawPostgres(t, base)
	var may bool
	err := server.QueryRow(`SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user`).Scan(&may)
	if err != nil {
		t.Fatal(err)
	}
	if !may {
		t.Skipf("the user of %s may not create databases", migrationstest.Env)
	}
	name := "steelyard_ascii_" + strings.ToLower(rand.Text())
	execute(t, server, `CREATE DATABASE `+name+` TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER libc`)
	defer execute(t, server, `DROP DATABASE `+name+` WITH (FORCE)`)
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	u.RawQuery = strings.ReplaceAll(u.RawQuery, "search_path", "application_name")
	checkOpenFails(t, u.String(), migrations.Options{}, "the database's encoding is SQL_ASCII and must be UTF8: create one with createdb")
}

// Two schemas of one database hold two databases of ours.
func TestSchemasAreApart(t *testing.T) {
	a, b := migrationstest.Open(t, migrations.Postgres), migrationstest.Open(t, migrations.Postgres)
	write(t, a)
	if n := write(t, b); n != 1 {
		t.Errorf("write number %d; want 1", n)
	}
}

// Text is sorted by its bytes on both engines, whatever the server's locale.
func TestTextIsSortedByBytes(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		var sorted bool
		err := db.Read.QueryRowContext(t.Context(), `SELECT a < b FROM
			(SELECT MIN(repository) AS a FROM scans) x, (SELECT MAX(repository) AS b FROM scans) y`).Scan(&sorted)
		if err == nil {
			t.Fatal("an empty table compares")
		}
		for i, name := range []string{"z", "Z", "é", "a-b", "a_b", "ab", "10", "9"} {
			_, err := db.Write.ExecContext(t.Context(),
				`INSERT INTO scans (id, repository, git_commit, at, files) VALUES ($1, $2, '', 0, 0)`, i, name)
			if err != nil {
				t.Fatal(err)
			}
		}
		rows, err := db.Read.QueryContext(t.Context(), `SELECT repository FROM scans ORDER BY repository`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		got := ""
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			got += name + " "
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if want := "10 9 Z a-b a_b ab z é "; got != want {
			t.Errorf("order %q; want %q", got, want)
		}
	})
}
