package migrations_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

var backedUp = time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)

// fill puts rows of every kind of value into tables that refer to each other.
func fill(t *testing.T, db *migrations.DB) {
	t.Helper()
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`INSERT INTO pilots (id, definition, hash, saved_at) VALUES ($1, $2, 'h', 1800000000000)`, []any{"trial", `{"title": "Ünïcode \"quoted\" \n <b> 🙂"}`}},
		{`INSERT INTO imports (id, pilot, file, sha256, kept, left_out, at) VALUES (7, 'trial', 'a.csv', '', 2, '[]', -1)`, nil},
		{`INSERT INTO panel_units (import, unit, name, first_treated) VALUES (7, 0, $1, NULL)`, []any{""}},
		{`INSERT INTO panel_rows (import, unit, period, line, exposure, measured) VALUES (7, 0, 1, 2, 0.1, '[1]'), (7, 0, 2, 3, 1e300, '[null]'), (7, 0, 3, 4, NULL, '[]'), (7, 0, 4, 5, 3, '[]')`, nil},
		{`INSERT INTO pilot_changes (pilot, id, definition, hash, saved_at, replaced_at, after_start, what) VALUES ('trial', 9007199254740993, '{}', '', 0, 0, TRUE, '[]')`, nil},
		{`INSERT INTO tasks (kind, subject, item, state, job, again, cancel, worker, attempt, lost, asked_at, phase, done, total, requests, points, skipped, note, error)
			VALUES ('update', 'a/b', '', 'running', 1, FALSE, FALSE, '', 0, 0, 0, '', 0, 0, 0, 0, 0, '', '')`, nil},
		{`UPDATE revisions SET revision = 41 WHERE subject = 'measurement'`, nil},
	} {
		if _, err := db.Write.Exec(s.statement, s.args...); err != nil {
			t.Fatalf("%s: %v", s.statement, err)
		}
	}
}

func backup(t *testing.T, db *migrations.DB) ([]byte, migrations.Backup) {
	t.Helper()
	var b bytes.Buffer
	made, err := db.Backup(t.Context(), &b, backedUp)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), made
}

// content is a backup's lines, without its head and its end, and without the
// numbers of writes, which a restore raises.
func content(t *testing.T, file []byte) []string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var kept []string
	table := ""
	for _, line := range lines[1 : len(lines)-1] {
		if rest, ok := strings.CutPrefix(line, `{"table":"`); ok {
			table, _, _ = strings.Cut(rest, `"`)
		}
		if table != "revisions" {
			kept = append(kept, line)
		}
	}
	return kept
}

// TestRestore holds that what either engine gives, either one takes back, to
// the last bit, and that the running system's own tables stay out of it.
func TestRestore(t *testing.T) {
	for _, from := range migrationstest.Engines() {
		for _, to := range migrationstest.Engines() {
			t.Run(fmt.Sprintf("%s-to-%s", from, to), func(t *testing.T) {
				source, target := migrationstest.Open(t, from), migrationstest.Open(t, to)
				fill(t, source)
				file, made := backup(t, source)
				read, err := migrations.CheckBackup(t.Context(), bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(made, read); diff != "" {
					t.Errorf("read back, -made +read:\n%s", diff)
				}
				restored, err := target.Restore(t.Context(), bytes.NewReader(file), false)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(made, restored); diff != "" {
					t.Errorf("restored, -made +restored:\n%s", diff)
				}
				again, _ := backup(t, target)
				want := content(t, file)
				if diff := cmp.Diff(want, content(t, again)); diff != "" {
					t.Errorf("-source +target:\n%s", diff)
				}
				if all := strings.Join(want, "\n"); strings.Contains(all, `"tasks"`) || !strings.Contains(all, "9007199254740993") {
					t.Errorf("the backup holds\n%s", all)
				}
				if n, err := target.Revision(t.Context(), migrations.Measurement); err != nil || n <= 41 {
					t.Errorf("the revision is %d, %v: numbers of writes must not come twice", n, err)
				}
				// Numbers that are compared with each other stay as far apart.
				m, err := target.Revision(t.Context(), migrations.Measurement)
				if err != nil {
					t.Fatal(err)
				}
				if l, err := target.Revision(t.Context(), migrations.Lint); err != nil || m-l != 41 {
					t.Errorf("the revisions are %d and %d, %v", m, l, err)
				}
			})
		}
	}
}

// TestRestoreForce holds that data is replaced only by force, and then wholly.
func TestRestoreForce(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		empty, _ := backup(t, db)
		fill(t, db)
		full, _ := backup(t, db)
		if _, err := db.Restore(t.Context(), bytes.NewReader(empty), false); !errors.Is(err, migrations.ErrNotEmpty) {
			t.Errorf("error is %v", err)
		}
		if _, err := db.Restore(t.Context(), bytes.NewReader(empty), true); err != nil {
			t.Fatal(err)
		}
		got, _ := backup(t, db)
		if diff := cmp.Diff(content(t, empty), content(t, got)); diff != "" {
			t.Errorf("-backup +database:\n%s", diff)
		}
		if _, err := db.Restore(t.Context(), bytes.NewReader(full), true); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDamagedBackups holds that no part and no changed copy of a backup is
// restored, and that the attempt changes nothing.
func TestDamagedBackups(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		fill(t, db)
		file, _ := backup(t, db)
		before := content(t, file)
		text := strings.Join(unzip(t, file), "\n") + "\n"
		damaged := map[string][]byte{
			"nothing": nil, "text": []byte("hello"), "sqlite": append([]byte("SQLite format 3\x00"), make([]byte, 100)...),
			"foreign":      zip(t, `{"format":"other"}`+"\n"),
			"newer format": zip(t, strings.Replace(text, `"version":1`, `"version":2`, 1)),
			"newer schema": zip(t, signed(strings.Replace(text, `"schema":`, `"schema":9`, 1))),
			"old schema":   zip(t, signed(strings.Replace(text, `"schema":`, `"schema":0,"was":`, 1))),
			"changed row":  zip(t, strings.Replace(text, "a.csv", "b.csv", 1)),
			"no end":       zip(t, text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]),
			"two ends":     zip(t, text+text),
			"row missing":  zip(t, signed(strings.Replace(text, `[7,0,2,3,1e+300,"[null]"]`+"\n", "", 1))),
			"row too wide": zip(t, signed(strings.Replace(text, `[7,0,2,3,1e+300,"[null]"]`, `[7,0,2,3,1e+300,"[null]",1]`, 1))),
			"wrong kind":   zip(t, signed(strings.Replace(text, `[7,0,2,3,1e+300,"[null]"]`, `[7,0,"2",3,1e+300,"[null]"]`, 1))),
			"other table":  zip(t, signed(strings.Replace(text, `{"table":"pilots"`, `{"table":"users"`, 1))),
			"two in a row": zip(t, signed(strings.Replace(text, `[7,0,2,3,1e+300,"[null]"]`, `[7,0,2,3,1e+300,"[null]"][]`, 1))),
			"list in row":  zip(t, signed(strings.Replace(text, `[7,0,2,3,1e+300,"[null]"]`, `[7,0,[2],3,1e+300,"[null]"]`, 1))),
			"engine":       zip(t, signed(strings.Replace(text, `"engine":"`, `"engine":"\u001b[2J`, 1))),
			"last write":   zip(t, signed(strings.Replace(text, `["measurement",41]`, `["measurement",9223372036854775807]`, 1))),
			"minus write":  zip(t, signed(strings.Replace(text, `["measurement",41]`, `["measurement",-41]`, 1))),
			"other column": zip(t, signed(strings.Replace(text, `"name":"definition"`, `"name":"x\"; DROP TABLE pilots; --"`, 1))),
		}
		for _, n := range []int{1, 5, len(file) / 3, len(file) / 2, len(file) - 9, len(file) - 1} {
			damaged[fmt.Sprintf("first %d of %d bytes", n, len(file))] = file[:n]
		}
		for at := 20; at < len(file); at += len(file) / 40 {
			changed := bytes.Clone(file)
			changed[at] ^= 0x10
			damaged[fmt.Sprintf("byte %d changed", at)] = changed
		}
		for name, bad := range damaged {
			if bytes.Equal(bad, file) {
				t.Errorf("%s: the copy is whole", name)
			}
			if _, err := db.Restore(t.Context(), bytes.NewReader(bad), true); err == nil {
				t.Errorf("%s: it was restored", name)
			}
		}
		after, _ := backup(t, db)
		if diff := cmp.Diff(before, content(t, after)); diff != "" {
			t.Errorf("-before +after:\n%s", diff)
		}
	})
}

// TestBackupsOfMillions holds that a small file which unpacks into lines of
// millions of values is refused without holding them.
func TestBackupsOfMillions(t *testing.T) {
	head := `{"format":"steelyard-backup","version":1,"schema":9,"made":"2027-01-31T12:00:00Z","engine":"sqlite"}` + "\n"
	table := `{"table":"t","columns":[{"name":"a","kind":"whole"}]}` + "\n"
	const most = 24 << 20
	for name, text := range map[string]string{
		"values":  head + table + "[1" + strings.Repeat(",1", most/2) + "]\n",
		"depth":   head + table + "[" + strings.Repeat("[", most) + "\n",
		"columns": head + `{"table":"t","columns":[{}` + strings.Repeat(",{}", most/3) + "]}\n",
		"head":    `{"format":"steelyard-backup"` + strings.Repeat(`,"a":1`, most/6) + "}\n",
		"line":    head + table + `["` + strings.Repeat("x", 40<<20) + "\"]\n",
	} {
		file := zip(t, text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := migrations.CheckBackup(t.Context(), bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || used > 200 {
			t.Errorf("%s: %d bytes took %d MiB, error %v", name, len(file), used, err)
		}
	}
}

func TestBackupMessages(t *testing.T) {
	db := migrationstest.Open(t, migrations.SQLite)
	file, _ := backup(t, db)
	text := strings.Join(unzip(t, file), "\n") + "\n"
	for want, bad := range map[string][]byte{
		"read the backup: it is not a backup that steelyard made":                                                   []byte("PK\x03\x04"),
		"read the backup: it ends before its end: the file was cut off, or is still being written":                  file[:len(file)/2],
		"read the backup: its content does not match its checksum: the file is damaged":                             zip(t, strings.Replace(text, `"measurement",`, `"measurement",1`, 1)),
		"read the backup: it has version 7 of the format; this steelyard reads version 1: use the one that made it": zip(t, strings.Replace(text, `"version":1`, `"version":7`, 1)),
	} {
		if _, err := migrations.CheckBackup(t.Context(), bytes.NewReader(bad)); err == nil || err.Error() != want {
			t.Errorf("error is %v\nwant     %s", err, want)
		}
	}
}

// signed is a backup's text with a checksum that fits, as an attacker would
// make it.
func signed(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	body := strings.Join(lines[:len(lines)-1], "")
	last := lines[len(lines)-1]
	sum := sha256.Sum256([]byte(body))
	at := strings.Index(last, `"sha256":"`) + len(`"sha256":"`)
	return body + last[:at] + hex.EncodeToString(sum[:]) + last[at+64:] + "\n"
}

func unzip(t *testing.T, file []byte) []string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func zip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzCheckBackup holds that no file makes the reader panic.
func FuzzCheckBackup(f *testing.F) {
	head := `{"format":"steelyard-backup","version":1,"schema":9,"made":"2027-01-31T12:00:00Z","engine":"sqlite"}` + "\n"
	table := `{"table":"t","columns":[{"name":"a","kind":"whole"},{"name":"b","kind":"bytes"}]}` + "\n"
	for _, text := range []string{"", head, head + table, head + table + "[1,\"AA==\"]\n{\"rows\":1}\n", head + table + "[1,[[[]]]]\n", head + "{}\n", head + "[]\n", signed(head + table + "[1,null]\n{\"rows\":1}\n" + `{"rows":1,"sha256":"` + strings.Repeat("0", 64) + `"}` + "\n")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := migrations.CheckBackup(t.Context(), bytes.NewReader(zip(t, string(text))))
		if err == nil && len(b.SHA256) != 64 {
			t.Errorf("it was taken without a checksum: %+v", b)
		}
		if _, err := migrations.CheckBackup(t.Context(), bytes.NewReader(text)); err == nil {
			t.Error("text without gzip was taken")
		}
	})
}
