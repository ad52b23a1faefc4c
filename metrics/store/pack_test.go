package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// samePacked holds what is read by packs to what is read row by row, for all
// teams, for some, and for a window.
func samePacked(t *testing.T, s *store.Store, when string) {
	t.Helper()
	quarter := metrics.Window{From: day(2024, time.February, 3), To: day(2024, time.May, 9)}
	sameSummary(t, s, when)
	for _, c := range []struct {
		name  string
		teams []string
		w     metrics.Window
	}{
		{"all", nil, metrics.Window{}},
		{"some", []string{"Team 1", "", "nobody"}, metrics.Window{}},
		{"window", nil, quarter},
		{"from", []string{"Team 0"}, metrics.Window{From: quarter.From}},
		{"to", nil, metrics.Window{To: quarter.From}},
	} {
		want, err := collect(s.PullRequests(t.Context(), c.teams, c.w))
		if err != nil {
			t.Fatal(err)
		}
		got, err := collect(s.MeasuredPullRequests(t.Context(), c.teams, c.w))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i].ID, want[i].Number, want[i].Base, want[i].MergeCommit = "", 0, "", ""
		}
		order := func(a, b metrics.PullRequest) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("%s, %s (-rows +packs):\n%.2000s", when, c.name, diff)
		}
	}
}

// sameSummary holds the summary to one made of the rows.
func sameSummary(t *testing.T, s *store.Store, when string) {
	t.Helper()
	// A store that keeps no earlier answer: who writes past us raises no
	// revision.
	got, err := s.Replacing().PullRequestSummary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{}))
	if err != nil {
		t.Fatal(err)
	}
	want := metrics.PullRequestSummary{Teams: []metrics.TeamSize{}, Imports: got.Imports}
	sizes, people := map[string]int{}, map[string]map[string]bool{}
	for i, p := range rows {
		want.Total++
		sizes[p.Team]++
		if people[p.Team] == nil {
			people[p.Team] = map[string]bool{}
		}
		switch {
		case p.AuthorBot:
			want.Bots++
		case p.Author != "":
			people[p.Team][p.Author] = true
		}
		if p.Open() {
			want.Open++
		}
		if i == 0 {
			want.First, want.Last = p.Opened, p.Opened
		}
		for _, at := range []time.Time{p.Opened, p.Merged, p.Closed} {
			if at.After(want.Last) {
				want.Last = at
			}
		}
	}
	want.Unplaced = sizes[""]
	delete(sizes, "")
	for _, team := range slices.Sorted(maps.Keys(sizes)) {
		want.Teams = append(want.Teams, metrics.TeamSize{Team: team, PullRequests: sizes[team], Authors: len(people[team])})
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("%s, summary (-rows +packs):\n%s", when, diff)
	}
}

// anyPull is a pull request with every field at random, also missing ones.
func anyPull(r *rand.Rand, i int) metrics.PullRequest {
	at := time.UnixMilli(r.Int64N(300*24*3600)*1000 + day(2024, time.January, 1).UnixMilli())
	if r.IntN(40) == 0 {
		at = time.UnixMilli(r.Int64N(1e12) - 5e11) // also before 1970, and with milliseconds
	}
	p := metrics.PullRequest{
		ID: fmt.Sprint("PR", i), Repository: fmt.Sprint("acme/r", r.IntN(3)), Number: i, Author: fmt.Sprint("u", r.IntN(9)),
		AuthorBot: r.IntN(5) == 0, Team: fmt.Sprint("Team ", r.IntN(3)), Opened: at.UTC(), Base: "main", MergeCommit: fmt.Sprint("commit", i),
		SetApart: []string{"", "", "back-port"}[r.IntN(3)], Assisted: []string{"", "authored"}[r.IntN(2)],
	}
	if r.IntN(9) == 0 {
		p.Team = ""
	}
	for _, t := range []*time.Time{&p.Ready, &p.FirstReview, &p.Merged, &p.Closed, &p.RevertedAt, &p.FirstCommit, &p.Deployed, &p.Seen} {
		if r.IntN(2) == 0 {
			*t = at.Add(time.Duration(r.Int64N(90*24*3600))*time.Second - 24*time.Hour).UTC()
		}
	}
	if r.IntN(2) == 0 {
		p.Closed = p.Merged
	}
	for _, n := range []*int{&p.Additions, &p.Deletions, &p.ReviewRounds, &p.ReviewerComments, &p.BotThreads, &p.BotThreadsActedOn} {
		*n = r.IntN(3000) - 1
		if r.IntN(3) == 0 {
			*n = -1
		}
	}
	return p
}

// Whatever is written, and by whomever, packs hold what the rows hold.
func TestPacksHoldWhatRowsHold(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		s, ctx, r := newStore(db), t.Context(), rand.New(rand.NewPCG(8, 13))
		samePacked(t, s, "nothing")
		var rows []metrics.PullRequest
		for i := range 700 {
			rows = append(rows, anyPull(r, i))
		}
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			t.Fatal(err)
		}
		samePacked(t, s, "the first import")
		for i := 0; i < 700; i += 11 { // some move to another team or time
			rows[i] = anyPull(r, i)
		}
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			t.Fatal(err)
		}
		samePacked(t, s, "the second import")
		d := metrics.Deployment{ID: "1", Repository: "acme/r1", Finished: day(2026, time.January, 1), Commits: []string{"commit7", "commit8", "commit9"}}
		if _, err := importDeployments(t, s, d); err != nil {
			t.Fatal(err)
		}
		samePacked(t, s, "deployments")
		if n := stale(t, db); n != 0 {
			t.Errorf("%d packs are stale after imports", n)
		}

		// Others write, and know nothing of packs.
		for _, write := range []string{
			`UPDATE pull_requests SET team = 'Team 1' WHERE number < 20`, `UPDATE pull_requests SET opened = opened + 2419200000 WHERE number = 30`,
			`DELETE FROM pull_requests WHERE number BETWEEN 40 AND 90`, `DELETE FROM pull_requests WHERE team = ''`, `UPDATE pull_requests SET merged = NULL WHERE number = 100`,
		} {
			if _, err := db.Write.ExecContext(ctx, write); err != nil {
				t.Fatal(err)
			}
			samePacked(t, s, write)
		}
		if stale(t, db) == 0 {
			t.Error("nothing is stale after others wrote")
		}
		if err := s.Pack(ctx); err != nil {
			t.Fatal(err)
		}
		if n := stale(t, db); n != 0 {
			t.Errorf("%d packs are stale after packing", n)
		}
		samePacked(t, s, "packing")
	})
}

func stale(t *testing.T, db *migrations.DB) (n int) {
	t.Helper()
	if err := db.Read.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pull_packs_stale`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Packs of an older program are not read, and the next write makes them anew.
func TestPacksOfAnotherVersion(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		s, ctx, r := newStore(db), t.Context(), rand.New(rand.NewPCG(21, 34))
		var rows []metrics.PullRequest
		for i := range 100 {
			rows = append(rows, anyPull(r, i))
		}
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Write.ExecContext(ctx, `UPDATE pull_packs SET version = 0, pack = $1`, []byte("older")); err != nil {
			t.Fatal(err)
		}
		samePacked(t, s, "older packs")
		if _, err := importPullRequests(ctx, s, rows[:1], nil); err != nil {
			t.Fatal(err)
		}
		var old int
		if err := db.Read.QueryRowContext(ctx, `SELECT COUNT(*) FROM pull_packs WHERE version = 0`).Scan(&old); err != nil || old != 0 {
			t.Errorf("%d packs of the older version are left: %v", old, err)
		}
		samePacked(t, s, "another import")

		// A damaged pack is said and mended.
		if _, err := db.Write.ExecContext(ctx, `UPDATE pull_packs SET pack = $1`, []byte{9, 1}); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			if _, err := collect(s.MeasuredPullRequests(ctx, nil, metrics.Window{})); err == nil {
				break
			} else if !strings.Contains(err.Error(), "it was made anew") {
				t.Fatal(err)
			}
		}
		samePacked(t, s, "damaged packs")
	})
}

// A reader may stop early, and may be stopped.
func TestMeasuredPullRequestsStop(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		var rows []metrics.PullRequest
		for i := range 2000 {
			p := anyPull(rand.New(rand.NewPCG(1, uint64(i))), i)
			rows = append(rows, p)
		}
		if _, err := importPullRequests(t.Context(), s, rows, nil); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range s.MeasuredPullRequests(t.Context(), nil, metrics.Window{}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 5 {
				break
			}
		}
		if n != 5 {
			t.Errorf("%d read", n)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := collect(s.MeasuredPullRequests(ctx, nil, metrics.Window{})); err == nil {
			t.Error("read to the end though stopped")
		}
	})
}

// Two processes that write into one pack at the same time lose nothing.
func TestPacksOfConcurrentWriters(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		if db.Engine == migrations.SQLite {
			t.Skip("SQLite has one writer at a time")
		}
		s, ctx := newStore(db), t.Context()
		rows := []metrics.PullRequest{mergedAt("a", "", 2), mergedAt("b", "", 3)}
		if _, err := importPullRequests(ctx, s, rows, nil); err != nil {
			t.Fatal(err)
		}
		other, err := db.Write.BeginTx(ctx, &sql.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.ExecContext(ctx, `UPDATE pull_requests SET author = 'else' WHERE id = 'a'`); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := importPullRequests(ctx, s, []metrics.PullRequest{mergedAt("b", "", 9)}, nil)
			done <- err
		}()
		select {
		case err := <-done:
			t.Errorf("the pack was made while another transaction writes into it: %v", err)
		case <-time.After(300 * time.Millisecond):
		}
		if err := other.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		samePacked(t, s, "two writers")
	})
}
