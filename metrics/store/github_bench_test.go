package store_test

import (
	"fmt"
	"testing"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// bigPage is the i-th page of pull requests of 500 repositories, as a backfill
// brings them.
func bigPage(i, size int) metrics.SyncPage {
	repository := fmt.Sprintf("R_%03d", i%500)
	p := metrics.SyncPage{
		Repository: metrics.SyncedRepository{ID: repository, Name: "acme/" + repository, DefaultBranch: "main"}, At: now,
		Advance: func(st *metrics.SyncState) { st.Cursor = fmt.Sprint(i) },
		Place:   func(q metrics.PlaceQuery) (string, string) { return "Team " + q.Owner[len(q.Owner)-2:], "" },
	}
	for k := range size {
		n := i*size + k
		row := bigPullRequest(n, 1_000_000)
		r := metrics.Record{
			ID: fmt.Sprintf("PR_%08d", n), Number: n + 1, Title: "Add something to something else", Base: "main", Head: fmt.Sprintf("change-%d", n),
			Opened: metrics.MomentOf(row.Opened), Updated: metrics.MomentOf(row.Opened), Merged: metrics.MomentOf(row.Merged), Closed: metrics.MomentOf(row.Closed),
			Author: row.Author, Additions: row.Additions, Deletions: row.Deletions,
			Commits: []metrics.RecordCommit{{OID: fmt.Sprintf("%040x", n), Author: row.Author, Authored: metrics.MomentOf(row.Opened)}},
			Reviews: []metrics.RecordReview{{State: "approved", Author: "U_kgDOB00001", At: metrics.MomentOf(row.FirstReview)}},
		}
		pull := metrics.SyncedPull{Record: r, Row: row, Owner: row.Author}
		if !row.Merged.IsZero() {
			pull.Landed = &metrics.Landed{ID: r.ID, Number: r.Number, Merged: row.Merged, Commit: fmt.Sprintf("%040x", n+1<<40), Facts: `{"base":"main","title":"Add something to something else"}`}
		}
		p.Pulls = append(p.Pulls, pull)
		p.Accounts = append(p.Accounts, metrics.Account{ID: row.Author, Number: int64(n%3000 + 1), Login: row.Author, Type: "User"})
	}
	return p
}

// BenchmarkSync reports what a pull request of a backfill costs the database,
// what a page that brings nothing costs once 100,000 (or 1,000,000) are there,
// and how long it takes to place all of them anew.
func BenchmarkSync(b *testing.B) {
	for _, e := range migrationstest.Engines() {
		for _, n := range sizes(b) {
			b.Run(fmt.Sprintf("%s/%d", e, n), func(b *testing.B) {
				for b.Loop() {
					onNewDatabase(b, e, func(db *migrations.DB) { syncBig(b, newStore(db), n) })
				}
			})
		}
	}
}

const bigPageSize = 50

func syncBig(b *testing.B, s *store.Store, n int) {
	b.Helper()
	ctx := b.Context()
	save := func(i int) {
		if _, err := s.SavePage(ctx, bigPage(i, bigPageSize)); err != nil {
			b.Fatal(err)
		}
	}
	start := time.Now()
	for i := range n / bigPageSize {
		save(i)
	}
	b.ReportMetric(float64(time.Since(start).Microseconds())/float64(n), "µs/pull")
	start = time.Now()
	for i := range 20 {
		save(i * (n / bigPageSize / 20))
	}
	b.ReportMetric(float64(time.Since(start).Microseconds())/20, "µs/quiet-page")
	teams, err := s.Teams(ctx)
	if err != nil {
		b.Fatal(err)
	}
	start = time.Now()
	moved, err := s.PlaceAll(ctx, teams.Version, func(q metrics.PlaceQuery) (string, string) { return "Another " + q.Owner[len(q.Owner)-2:], "" })
	if err != nil || moved != n {
		b.Fatalf("%d moved: %v", moved, err)
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms/place-all")
	start = time.Now()
	if _, err := s.Ingest(ctx); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms/ingest")
	b.ReportMetric(peakMB(), "peak-MB")
}
