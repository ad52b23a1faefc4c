package ingest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

func importPullRequests(t *testing.T, s ingest.PullRequestSpec, text string) (*memory, metrics.Import, error) {
	t.Helper()
	store := newMemory()
	done, err := ingest.ImportPullRequests(context.Background(), store, strings.NewReader(text), "dir/prs.csv", s, now)
	if err != nil && !store.empty() {
		t.Errorf("the import failed and left something behind: %+v", store)
	}
	return store, done, err
}

func TestPullRequestRows(t *testing.T) {
	day := func(d, h int) time.Time { return time.Date(2024, time.May, d, h, 0, 0, 0, time.UTC) }
	text := strings.Join([]string{
		"number,repository,author,author_is_bot,team,opened,ready,first_review,merged,closed,reverted_at,additions,deletions,title",
		"7,o/r,u1,false,pilot,2024-05-01T12:00:00Z,2024-05-01T13:00:00Z,2024-05-02T12:00:00Z,2024-05-03T12:00:00Z,,2024-05-09,10,2.0,A title",
		"8,o/r,b1,TRUE,,2024-05-01,,,,2024-05-04T00:00:00+02:00,,,,\"with, comma\"",
		"9,o/r,,,team-a,2024-05-01 12:00,,,,,,0,0,",
	}, "\n")
	store, done, err := importPullRequests(t, ingest.PullRequestSpec{}, text)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]metrics.PullRequest{
		"o/r#7": {
			ID: "o/r#7", Repository: "o/r", Number: 7, Author: "u1", Team: "pilot",
			Opened: day(1, 12), Ready: day(1, 13), FirstReview: day(2, 12), Merged: day(3, 12), Closed: day(3, 12), RevertedAt: day(9, 0),
			Additions: 10, Deletions: 2, Line: 2,
		},
		"o/r#8": {
			ID: "o/r#8", Repository: "o/r", Number: 8, Author: "b1", AuthorBot: true,
			Opened: day(1, 0), Closed: day(3, 22), Additions: -1, Deletions: -1, Line: 3,
		},
		"o/r#9": {ID: "o/r#9", Repository: "o/r", Number: 9, Team: "team-a", Opened: day(1, 12), Line: 4},
	}
	for id, p := range want { // what the file has no column for
		p.ReviewRounds, p.ReviewerComments, p.BotThreads, p.BotThreadsActedOn = -1, -1, -1, -1
		want[id] = p
	}
	if diff := cmp.Diff(want, store.prs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if done.Rows != 3 || done.File != "prs.csv" || len(done.SHA256) != 64 || !done.At.Equal(now) {
		t.Errorf("import = %+v", done)
	}
}

func TestPullRequestColumns(t *testing.T) {
	text := "node_id,created_at,merged_at,login,kind\nPR_1,2024-05-01,2024-05-02,u1,code\nPR_2,2024-05-01,,u2,docs\n"
	spec := ingest.PullRequestSpec{
		Columns:    map[string]string{"id": "node_id", "opened": "created_at", "merged": "merged_at", "author": ""},
		Repository: "o/r",
		Drop:       []ingest.Filter{{Column: "kind", Value: "docs", Reason: "only code is measured"}},
	}
	store, done, err := importPullRequests(t, spec, text)
	if err != nil {
		t.Fatal(err)
	}
	opened := time.Date(2024, time.May, 1, 0, 0, 0, 0, time.UTC)
	want := map[string]metrics.PullRequest{"PR_1": {
		ID: "PR_1", Repository: "o/r", Opened: opened, Merged: opened.AddDate(0, 0, 1), Closed: opened.AddDate(0, 0, 1),
		Additions: -1, Deletions: -1, ReviewRounds: -1, ReviewerComments: -1, BotThreads: -1, BotThreadsActedOn: -1, Line: 2,
	}}
	if diff := cmp.Diff(want, store.prs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]metrics.LeftOut{{Count: 1, What: "pull requests", Reason: "only code is measured"}}, done.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func TestPullRequestReviewColumns(t *testing.T) {
	header := "id,opened,merged,base,merge_commit,first_commit,deployed,review_rounds,reviewer_comments,bot_threads,bot_threads_acted_on,assisted\n"
	at := func(hour int) time.Time { return time.Date(2024, time.May, 1, hour, 0, 0, 0, time.UTC) }
	store, _, err := importPullRequests(t, ingest.PullRequestSpec{}, header+
		"a,2024-05-01 10:00,2024-05-01 12:00,main,0123abcd,2024-05-01 09:00,2024-05-01 13:00,2,5,3,1,co-authored\n"+
		"b,2024-05-01 10:00,,,,2024-05-01 11:00,,,,,,\n") // rebased: the first commit is younger than the opening
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]metrics.PullRequest{
		"a": {
			ID: "a", Opened: at(10), Merged: at(12), Closed: at(12), Base: "main", MergeCommit: "0123abcd", FirstCommit: at(9), Deployed: at(13),
			Additions: -1, Deletions: -1, ReviewRounds: 2, ReviewerComments: 5, BotThreads: 3, BotThreadsActedOn: 1, Assisted: "co-authored", Line: 2,
		},
		"b": {
			ID: "b", Opened: at(10), FirstCommit: at(11),
			Additions: -1, Deletions: -1, ReviewRounds: -1, ReviewerComments: -1, BotThreads: -1, BotThreadsActedOn: -1, Line: 3,
		},
	}
	if diff := cmp.Diff(want, store.prs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for row, message := range map[string]string{
		"a,2024-05-01,,,,,,,,1,2,\n":         "is more than the threads that AI reviewers opened (1)",
		"a,2024-05-01,,,,,,,,,,perhaps\n":    "is no level of an assistant's signals",
		"a,2024-05-01,,,,,,-1,,,,\n":         "is negative",
		"a,2024-05-01,,,,,2150-01-01,,,,,\n": "lies in the future",
	} {
		_, _, err := importPullRequests(t, ingest.PullRequestSpec{}, header+row)
		if line, ok := errors.AsType[*ingest.LineError](err); !ok || !strings.Contains(err.Error(), message) || line.Line != 2 {
			t.Errorf("%q: %v; want line 2 to say %q", row, err, message)
		}
	}
}

func TestTimestampForms(t *testing.T) {
	noon := time.Date(2024, time.May, 1, 12, 0, 0, 0, time.UTC)
	forms := map[string]time.Time{
		"2024-05-01T12:00:00Z":          noon,
		"2024-05-01T14:00:00+02:00":     noon,
		"2024-05-01T12:00:00.250Z":      noon.Add(250 * time.Millisecond),
		"2024-05-01 12:00:00":           noon,
		"2024-05-01 12:00:00.5":         noon.Add(time.Second / 2),
		"2024-05-01T12:00:00":           noon,
		"2024-05-01 12:00:00 UTC":       noon,
		"2024-05-01 14:00:00+02:00":     noon,
		"2024-05-01 14:00:00 +02:00":    noon,
		"2024-05-01 14:00:00 +0200":     noon,
		"2024-05-01T14:00:00+0200":      noon,
		"2024-05-01 12:00:00.000000000": noon,
		"2024-05-01 12:00":              noon,
		"2024-05-01T12:00":              noon,
		"2024-05-01T12:00Z":             noon,
		"2024-05-01":                    noon.Add(-12 * time.Hour),
		" 2024-05-01 ":                  noon.Add(-12 * time.Hour),
	}
	for text, want := range forms {
		t.Run(strings.ReplaceAll(text, " ", "_"), func(t *testing.T) {
			store, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "id,opened\na,"+text+"\n")
			if err != nil {
				t.Fatal(err)
			}
			if got := store.prs["a"].Opened; !got.Equal(want) || got.Location() != time.UTC {
				t.Errorf("opened = %v, want %v", got, want)
			}
		})
	}
	for text, want := range map[string]string{
		"1714564800":           "is not a date or time; seconds since 1970 are not read; write it like 2024-05-01T12:00:00Z",
		"01/05/2024":           "is not a date or time; day and month cannot be told apart in it",
		"2024-02-30":           "is not a date or time that exists",
		"2024-05-01T25:00:00Z": "is not a date or time that exists",
		"0001-01-01T00:00:00Z": "is not between the years 1990 and 2199",
		"yesterday":            "is not a date or time; write it like",
	} {
		t.Run(strings.ReplaceAll(text, "/", "."), func(t *testing.T) {
			_, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "id,opened\na,"+text+"\n")
			if err == nil || !strings.Contains(err.Error(), `prs.csv:2: column opened: "`+text+`" `+want) {
				t.Errorf("error = %v, want %s", err, want)
			}
		})
	}
}

func TestBadPullRequests(t *testing.T) {
	cases := []struct {
		name, text string
		spec       ingest.PullRequestSpec
		want       string
	}{
		{name: "no-opened", text: "id,closed\na,2024-05-01\n", want: `prs.csv:1: column opened: "opened" is no column of the file (wanted as the time it was opened); it has id, closed`},
		{name: "no-id", text: "opened\n2024-05-01\n", want: `column id: "id" is no column of the file (wanted as the id; or repository and number)`},
		{name: "no-repository", text: "opened,number\n2024-05-01,1\n", want: `wanted as the repository, which with the number makes the id`},
		{name: "unmapped-usual-name", text: "id,opened,merged_at\na,2024-05-01,\n", want: `prs.csv:1: column merged_at looks like merged, and nothing says so; map it with merged=merged_at, or leave one out with FIELD=`},
		{name: "unknown-field", text: "id,opened\na,2024-05-01\n", spec: ingest.PullRequestSpec{Columns: map[string]string{"open": "created_at"}}, want: `"open" is no field of a pull request; the fields are id, number,`},
		{name: "mapped-column-missing", text: "id,created\na,2024-05-01\n", spec: ingest.PullRequestSpec{Columns: map[string]string{"opened": "created_at"}}, want: `column created_at: "created_at" is no column of the file (wanted as opened); it has id, created; did you mean "created"?`},
		{name: "empty-id", text: "id,opened\n,2024-05-01\n", want: `prs.csv:2: column id: "" is missing; give every pull request its id`},
		{name: "number-zero", text: "number,repository,opened\n0,o/r,2024-05-01\n", want: `column number: "0" is no number of a pull request`},
		{name: "no-repository-in-row", text: "number,repository,opened\n1,,2024-05-01\n", want: `column repository: "" is missing; name the repository`},
		{name: "duplicate-id", text: "id,opened\na,2024-05-01\nb,2024-05-01\na,2024-05-02\n", want: `prs.csv:4: column id: "a" is the second row of pull request "a", after line 2; keep one row a pull request`},
		{name: "duplicate-number", text: "number,repository,opened\n1,o/r,2024-05-01\n1,o/s,2024-05-01\n1,o/r,2024-05-01\n", want: `prs.csv:4: column number: "1" is the second row of pull request "o/r#1", after line 2`},
		{name: "not-opened", text: "id,opened\na,\n", want: `prs.csv:2: column opened: "" is missing`},
		{name: "merged-before-opened", text: "id,opened,merged\na,2024-05-02,2024-05-01\n", want: `prs.csv:2: column merged: "2024-05-01" is before it was opened (2024-05-02T00:00:00Z); correct one of the two; times without a zone are UTC`},
		{name: "closed-before-opened", text: "id,opened,closed\na,2024-05-02,2024-05-01\n", want: `column closed: "2024-05-01" is before it was opened`},
		{name: "ready-before-opened", text: "id,opened,ready\na,2024-05-02,2024-05-01\n", want: `column ready: "2024-05-01" is before it was opened`},
		{name: "reviewed-before-opened", text: "id,opened,first_review\na,2024-05-02,2024-05-01\n", want: `column first_review: "2024-05-01" is before it was opened`},
		{name: "merged-after-closed", text: "id,opened,merged,closed\na,2024-05-02,2024-05-04,2024-05-03\n", want: `column merged: "2024-05-04" is after it was closed (2024-05-03T00:00:00Z)`},
		{name: "reverted-before-merged", text: "id,opened,merged,reverted_at\na,2024-05-02,2024-05-04,2024-05-03\n", want: `column reverted_at: "2024-05-03" is before it was merged`},
		{name: "reverted-unmerged", text: "id,opened,merged,reverted_at\na,2024-05-02,,2024-05-03\n", want: `column reverted_at: "2024-05-03" reverts a pull request that was not merged`},
		{name: "bad-flag", text: "id,opened,author_is_bot\na,2024-05-02,maybe\n", want: `column author_is_bot: "maybe" is neither yes nor no, nor a kind of account; write true or false, or User or Bot`},
		{name: "negative-additions", text: "id,opened,additions\na,2024-05-02,-1\n", want: `column additions: "-1" is negative`},
		{name: "broken-additions", text: "id,opened,additions\na,2024-05-02,1.5\n", want: `column additions: "1.5" is not a whole number`},
		{name: "huge-additions", text: "id,opened,additions\na,2024-05-02,1e17\n", want: `column additions: "1e17" is too large for a count`},
		{name: "team-of-two-lines", text: "id,opened,team\na,2024-05-02,\"a\nb\"\n", want: `column team: "a\nb" has a line break`},
		{name: "merged-in-the-future", text: "id,opened,merged\na,2024-05-02,2062-05-02\n", want: `prs.csv:2: column merged: "2062-05-02" lies in the future (now is 2026-03-04T05:06:07Z); correct it, or leave it empty where it has not happened yet`},
		{name: "opened-in-the-future", text: "id,opened\na,2026-03-05T05:06:08Z\n", want: `column opened: "2026-03-05T05:06:08Z" lies in the future`},
		{name: "reverted-in-the-future", text: "id,opened,merged,reverted_at\na,2024-05-02,2024-05-02,2199-01-01\n", want: `column reverted_at: "2199-01-01" lies in the future`},
		{name: "team-with-an-override", text: "id,opened,team\na,2024-05-02,pay\u202estnem\n", want: `column team: "pay\u202estnem" has the invisible character U+202E; take it out`},
		{name: "author-of-zero-width", text: "id,opened,author\na,2024-05-02,a\u200bb\n", want: `has the invisible character U+200B`},
		{name: "header-only", text: "id,opened\n", want: `the file has a header and no rows`},
		{name: "too-many-rows", text: "id,opened\na,2024-05-01\nb,2024-05-01\n", spec: ingest.PullRequestSpec{Limits: ingest.Limits{Rows: 1}}, want: `prs.csv:3: is past the limit of 1 rows`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := importPullRequests(t, c.spec, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v\nwant       %s", err, c.want)
			}
		})
	}
}

// TestClockAhead takes times of a clock, or of a zone, that runs a day ahead.
func TestClockAhead(t *testing.T) {
	if _, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "id,opened\na,2026-03-05T05:06:07Z\n"); err != nil {
		t.Error(err)
	}
}

// TestMergeAndCloseApart takes the two times of one event where clocks put
// them a moment apart.
func TestMergeAndCloseApart(t *testing.T) {
	_, _, err := importPullRequests(t, ingest.PullRequestSpec{}, "id,opened,merged,closed\na,2024-05-02,2024-05-04T00:00:01Z,2024-05-04T00:00:00Z\n")
	if err != nil {
		t.Error(err)
	}
}
