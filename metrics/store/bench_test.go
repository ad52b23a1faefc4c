package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// longEnv, where it is set, adds the benchmarks of 1,000,000 rows.
const longEnv = "STEELYARD_BENCH_LONG"

// bigImport yields n pull requests of 500 repositories and 50 teams over five
// years, in no order of their IDs.
func bigImport(n int) iter.Seq2[metrics.PullRequest, error] {
	return func(yield func(metrics.PullRequest, error) bool) {
		for i := range n {
			if !yield(bigPullRequest(i, n), nil) {
				return
			}
		}
	}
}

func bigPullRequest(i, n int) metrics.PullRequest {
	opened := day(2021, time.January, 1).Add(time.Duration(i) * (5 * 365 * 24 * time.Hour / time.Duration(n)))
	scrambled := uint32(i) * 2654435761 // odd: every i gives another
	p := metrics.PullRequest{
		ID: fmt.Sprintf("PR_kwDOA%08x", scrambled), Repository: fmt.Sprintf("acme/repository-%03d", scrambled%500), Number: i,
		Author: fmt.Sprintf("U_kgDOB%05d", scrambled%3000), AuthorBot: i%20 == 0, Team: fmt.Sprintf("Team %02d", scrambled%50),
		Opened: opened, Additions: i % 700, Deletions: i % 300,
	}
	if i%10 > 0 {
		p.FirstReview, p.Merged = opened.Add(5*time.Hour), opened.Add(time.Duration(1+i%90)*time.Hour)
		p.Closed = p.Merged
	}
	return p
}

func sizes(b *testing.B) []int {
	b.Helper()
	if os.Getenv(longEnv) != "" {
		return []int{100_000, 1_000_000}
	}
	return []int{100_000}
}

// BenchmarkImportPullRequests reports the time for a row, and how much longer
// it takes than a loop over one prepared INSERT into the same table. The bar:
// 1,000,000 rows in under 60 s and 500 MB.
func BenchmarkImportPullRequests(b *testing.B) {
	for _, e := range migrationstest.Engines() {
		for _, n := range sizes(b) {
			b.Run(fmt.Sprintf("%s/%d", e, n), func(b *testing.B) {
				var ours, plain time.Duration
				for b.Loop() {
					ours += onNewDatabase(b, e, func(db *migrations.DB) {
						if _, err := newStore(db).ImportPullRequests(b.Context(), bigImport(n), finish("pulls.csv")); err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(peakMB(), "peak-MB")
						b.ReportMetric(fileMB(b, db), "file-MB")
					})
					plain += onNewDatabase(b, e, func(db *migrations.DB) { plainLoop(b, db, n) })
				}
				b.ReportMetric(float64(ours.Nanoseconds())/float64(n)/float64(b.N), "ns/row")
				b.ReportMetric(float64(ours)/float64(plain), "×plain")
			})
		}
	}
}

// onNewDatabase times f, without opening and closing the database.
func onNewDatabase(b *testing.B, e migrations.Engine, f func(db *migrations.DB)) time.Duration {
	b.Helper()
	db, err := migrations.Open(b.Context(), migrationstest.URL(b, e), migrations.Options{})
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	f(db)
	took := time.Since(start)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return took
}

// peakMB is the most memory that the process has had so far, SQLite's own
// included; 0 where the system does not say.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0
	}
	return kib / 1e3
}

// fileMB is the size of a SQLite database with its log, 0 for PostgreSQL.
func fileMB(b *testing.B, db *migrations.DB) float64 {
	b.Helper()
	if db.Engine != migrations.SQLite {
		return 0
	}
	var seq, name, path string
	if err := db.Read.QueryRowContext(b.Context(), `PRAGMA database_list`).Scan(&seq, &name, &path); err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		b.Fatal(err)
	}
	var total int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			b.Fatal(err)
		}
		total += info.Size()
	}
	return float64(total) / 1e6
}

// plainLoop is what anybody would write first: a prepared INSERT, row by row.
func plainLoop(b *testing.B, db *migrations.DB, n int) {
	b.Helper()
	err := db.Update(b.Context(), migrations.Measurement, func(tx *sql.Tx, id int64) error {
		_, err := tx.Exec(`INSERT INTO imports (id, file, sha256, kept, left_out, at) VALUES ($1, '', '', 0, '[]', 0)`, id)
		if err != nil {
			return err
		}
		return plainRows(tx, id, n)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func plainRows(tx *sql.Tx, id int64, n int) error {
	insert, err := tx.Prepare(`INSERT INTO pull_requests (id, repository, number, author, author_bot, team, opened, ready,
		first_review, merged, closed, reverted_at, additions, deletions, import, line)
		VALUES (` + migrations.Placeholders(1, 16) + `)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i := range n {
		p := bigPullRequest(i, n)
		_, err := insert.Exec(p.ID, p.Repository, p.Number, p.Author, p.AuthorBot, p.Team, p.Opened.UnixMilli(), migrations.Millis(p.Ready),
			migrations.Millis(p.FirstReview), migrations.Millis(p.Merged), migrations.Millis(p.Closed), migrations.Millis(p.RevertedAt),
			p.Additions, p.Deletions, id, p.Line)
		if err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkPullRequests reads one team's quarter, one team, and everything,
// and counts, out of 100,000 (or 1,000,000).
func BenchmarkPullRequests(b *testing.B) {
	for _, e := range migrationstest.Engines() {
		for _, n := range sizes(b) {
			db := migrationstest.Open(b, e)
			s := newStore(db)
			if _, err := s.ImportPullRequests(b.Context(), bigImport(n), finish("pulls.csv")); err != nil {
				b.Fatal(err)
			}
			quarter := metrics.Window{From: day(2025, time.January, 1), To: day(2025, time.April, 1)}
			read := func(name string, teams []string, w metrics.Window) {
				b.Run(fmt.Sprintf("%s/%d/%s", e, n, name), func(b *testing.B) {
					rows := 0
					for b.Loop() {
						rows += count(b, s.PullRequests(b.Context(), teams, w))
					}
					b.ReportMetric(float64(rows)/float64(b.N), "rows")
				})
			}
			read("team-quarter", []string{"Team 07"}, quarter)
			read("five-teams-quarter", []string{"Team 07", "Team 08", "Team 09", "Team 10", "Team 11"}, quarter)
			read("team", []string{"Team 07"}, metrics.Window{})
			read("quarter", nil, quarter)
			read("all", nil, metrics.Window{})
			b.Run(fmt.Sprintf("%s/%d/summary", e, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := newStore(db).PullRequestSummary(b.Context()); err != nil { // nothing is kept yet
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("%s/%d/revision", e, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := s.Revision(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func count(b *testing.B, rows iter.Seq2[metrics.PullRequest, error]) int {
	b.Helper()
	n := 0
	for _, err := range rows {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}

// bigPanel is as large as the largest panel of the demo: 21,600 rows of four
// outcomes.
func bigPanel() (metrics.Pilot, []metrics.PanelRow) {
	p := panelPilot("editor")
	for _, id := range []string{"lines", "complexity"} {
		o := p.Outcomes[1]
		o.ID = id
		p.Outcomes = append(p.Outcomes, o)
	}
	rows := make([]metrics.PanelRow, 0, 1350*16)
	for i := range cap(rows) {
		unit, period := i/16, i%16
		rows = append(rows, metrics.PanelRow{
			Unit: fmt.Sprintf("owner-%04d/repository", unit), Period: period, FirstTreated: 5 + unit%5, Exposure: 1,
			Values: []float64{float64(i), float64(i) / 3, float64(i % 7), float64(unit)}, Line: i + 2,
		})
	}
	return p, rows
}

// BenchmarkImportPanel reports how much longer an import takes than a loop over
// one prepared INSERT into the same table, without any of its checks.
func BenchmarkImportPanel(b *testing.B) {
	p, rows := bigPanel()
	for _, e := range migrationstest.Engines() {
		b.Run(string(e), func(b *testing.B) {
			var ours, plain time.Duration
			for b.Loop() {
				ours += onNewDatabase(b, e, func(db *migrations.DB) { importBig(b, newStore(db), p, rows) })
				plain += onNewDatabase(b, e, func(db *migrations.DB) { plainPanel(b, db, rows) })
			}
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms/import")
			b.ReportMetric(float64(ours)/float64(plain), "×plain")
		})
	}
}

func plainPanel(b *testing.B, db *migrations.DB, rows []metrics.PanelRow) {
	b.Helper()
	err := db.Update(b.Context(), migrations.Measurement, func(tx *sql.Tx, id int64) error {
		_, err := tx.Exec(`INSERT INTO imports (id, file, sha256, kept, left_out, at) VALUES ($1, '', '', 0, '[]', 0)`, id)
		if err != nil {
			return err
		}
		return plainPanelRows(tx, id, rows)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func plainPanelRows(tx *sql.Tx, id int64, rows []metrics.PanelRow) error {
	insert, err := tx.Prepare(`INSERT INTO panel_rows (import, unit, period, line, exposure, measured) VALUES ($1, $2, $3, $4, $5, $6)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	unit := -1
	for _, r := range rows {
		if r.Period == 0 {
			unit++
			_, err := tx.Exec(`INSERT INTO panel_units (import, unit, name, first_treated) VALUES ($1, $2, $3, $4)`,
				id, unit, r.Unit, r.FirstTreated)
			if err != nil {
				return err
			}
		}
		if _, err := insert.Exec(id, unit, r.Period, r.Line, r.Exposure, fmt.Sprint(r.Values)); err != nil {
			return err
		}
	}
	return nil
}

func importBig(b *testing.B, s *store.Store, p metrics.Pilot, rows []metrics.PanelRow) {
	b.Helper()
	if _, err := importPanel(context.WithoutCancel(b.Context()), s, p, rows, nil); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkPanel(b *testing.B) {
	p, rows := bigPanel()
	for _, e := range migrationstest.Engines() {
		b.Run(string(e), func(b *testing.B) {
			s := newStore(migrationstest.Open(b, e))
			importBig(b, s, p, rows)
			for b.Loop() {
				if _, err := s.Panel(b.Context(), "editor"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
