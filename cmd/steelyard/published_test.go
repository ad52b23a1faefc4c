package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// reference is the path of a file of the reference data, which lies beside the
// repository.
func reference(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(root, "measurement", name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the reference data is not there: set STEELYARD_DATA to its folder (looked for %s)", path)
	} else if err != nil {
		t.Fatal(err)
	}
	return path
}

// stored reads all pull requests of a database.
func stored(t *testing.T, url string) []metrics.PullRequest {
	t.Helper()
	db, err := migrations.Open(t.Context(), url, migrations.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out []metrics.PullRequest
	for p, err := range store.New(db, time.Now).PullRequests(t.Context(), nil, metrics.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// TestPublishedTurnaround imports the AIDev-pop pull requests and holds what
// is stored to the table that its authors publish
// (figs/turnaround_enhanced.csv of SAILResearch/AI_Teammates_in_SE3): merged in
// percent, median hours to the merge of what was merged, and median hours to
// the closing of what was not.
func TestPublishedTurnaround(t *testing.T) {
	url := migrationstest.URL(t, migrations.SQLite)
	out := runAt(t, time.Unix(1_800_000_000, 0), url, "import", "pull-requests", reference(t, "aidev_pop_prs.csv.gz"),
		"--column", "repository=repo", "--column", "author=author_hash", "--column", "opened=created_at", "--column", "merged=merged_at",
		"--column", "closed=closed_at", "--column", "first_review=first_human_review_at", "--column", "team=agent")
	if !strings.HasPrefix(out, "imported 7122 pull requests") {
		t.Errorf("import says %q", out)
	}
	merged, rejected, all := map[string][]float64{}, map[string][]float64{}, map[string]int{}
	for _, p := range stored(t, url) {
		all[p.Team]++
		switch {
		case !p.Merged.IsZero():
			merged[p.Team] = append(merged[p.Team], p.Merged.Sub(p.Opened).Hours())
		case !p.Closed.IsZero():
			rejected[p.Team] = append(rejected[p.Team], p.Closed.Sub(p.Opened).Hours())
		}
	}
	got := map[string]string{}
	for team, n := range all {
		got[team] = fmt.Sprintf("%.2f / %.2f / %.2f", 100*float64(len(merged[team]))/float64(n), medianOf(merged[team]), medianOf(rejected[team]))
	}
	want := map[string]string{
		"OpenAI_Codex": "65.30 / 0.29 / 2.39", "Copilot": "38.24 / 17.20 / 4.58", "Cursor": "51.39 / 2.41 / 1.07",
		"Devin": "48.92 / 2.22 / 93.87", "Claude_Code": "52.48 / 6.87 / 1.83",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged %% / hours to merge / hours to rejection (-published +stored):\n%s", diff)
	}
}

func medianOf(xs []float64) float64 {
	slices.Sort(xs)
	n := len(xs)
	if n == 0 {
		return 0
	}
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

// lakeTable reads a table of DevLake's golden case, rows as maps by column.
func lakeTable(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(reference(t, filepath.Join("devlake_change_lead_time", name+".csv")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, column := range rows[0] {
			m[strings.TrimPrefix(column, "\ufeff")] = row[i]
		}
		out = append(out, m)
	}
	return out
}

// lakeTime reads a time as DevLake's tables write it.
func lakeTime(t *testing.T, s string) time.Time {
	t.Helper()
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse("2006-1-2 15:04:05", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// lakeDeployments writes DevLake's deployments as our file: one row a
// deployment, with the commits that it brought since the one before of its
// environment. DevLake joins a project's deployments to its pull requests
// whatever their repository, so all carry the project's name.
func lakeDeployments(t *testing.T) string {
	t.Helper()
	scopes, shas := map[string]bool{}, map[string]string{}
	for _, m := range lakeTable(t, "project_mapping") {
		if m["project_name"] == "project1" && m["table"] == "cicd_scopes" {
			scopes[m["row_id"]] = true
		}
	}
	deployments := lakeTable(t, "cicd_deployment_commits")
	for _, d := range deployments {
		shas[d["id"]] = d["commit_sha"]
	}
	var b strings.Builder
	b.WriteString("number,repo,env,ended,status,sha,commits\n")
	for _, d := range deployments {
		if !scopes[d["cicd_scope_id"]] {
			continue
		}
		var commits []string
		for _, c := range lakeTable(t, "commits_diffs") {
			before := shas[d["prev_success_deployment_commit_id"]]
			if before != "" && c["old_commit_sha"] == before && c["new_commit_sha"] == d["commit_sha"] {
				commits = append(commits, c["commit_sha"])
			}
		}
		fmt.Fprintf(&b, "%s,project1,%s,%s,%s,%s,%s\n", d["id"], d["environment"], d["finished_date"], d["result"], d["commit_sha"], strings.Join(commits, " "))
	}
	return b.String()
}

// lakePulls are the golden case's pull requests, as an ingest would store
// them: the first comment by anybody but the author is the first review.
func lakePulls(t *testing.T) []metrics.PullRequest {
	t.Helper()
	var out []metrics.PullRequest
	for _, p := range lakeTable(t, "pull_requests") {
		pr := metrics.PullRequest{
			ID: p["id"], Repository: "project1", Team: "payments", Author: "author:" + p["author_id"], MergeCommit: p["merge_commit_sha"],
			Opened: lakeTime(t, p["created_date"]), Merged: lakeTime(t, p["merged_date"]), Closed: lakeTime(t, p["merged_date"]),
			Additions: -1, Deletions: -1, ReviewRounds: -1, ReviewerComments: -1, BotThreads: -1, BotThreadsActedOn: -1,
		}
		for _, c := range lakeTable(t, "pull_request_commits") {
			at := lakeTime(t, c["commit_authored_date"])
			if c["pull_request_id"] == p["id"] && (pr.FirstCommit.IsZero() || at.Before(pr.FirstCommit)) {
				pr.FirstCommit = at
			}
		}
		for _, c := range lakeTable(t, "pull_request_comments") {
			at := lakeTime(t, c["created_date"])
			if c["pull_request_id"] == p["id"] && c["account_id"] != p["author_id"] && (pr.FirstReview.IsZero() || at.Before(pr.FirstReview)) {
				pr.FirstReview = at
			}
		}
		out = append(out, pr)
	}
	return out
}

// TestDevLakeGoldenCase holds coding, pickup, review, deploy and cycle minutes
// to the golden case of Apache DevLake (backend/plugins/dora/e2e/
// change_lead_time), with its deployments through the command, on both engines:
// equal to the minute, and blank where DevLake is blank.
func TestDevLakeGoldenCase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deployments.csv")
	if err := os.WriteFile(file, []byte(lakeDeployments(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, m := range lakeTable(t, "project_pr_metrics") {
		if m["project_name"] == "project1" {
			want[m["id"]] = strings.Join([]string{m["pr_coding_time"], m["pr_pickup_time"], m["pr_review_time"], m["pr_deploy_time"], m["pr_cycle_time"]}, "|")
		}
	}
	if len(want) != 6 {
		t.Fatalf("%d rows in the golden case, want 6", len(want))
	}
	for _, order := range []string{"pulls-first", "deployments-first"} {
		for _, engine := range migrationstest.Engines() {
			t.Run(order+"/"+string(engine), func(t *testing.T) {
				url := migrationstest.URL(t, engine)
				load := func() {
					out := runAt(t, time.Unix(1_800_000_000, 0), url, "import", "deployments", file, "--column", "id=number", "--column", "repository=repo",
						"--column", "environment=env", "--column", "finished_at=ended", "--column", "result=status")
					for _, part := range []string{"imported 10 deployments", "left out 1 row: the deployment did not succeed", "left out 2 rows: the environment is not production (STAGING)"} {
						if !strings.Contains(out, part) {
							t.Errorf("import says %q, not %q", out, part)
						}
					}
				}
				if order == "pulls-first" {
					lakeStore(t, url)
					load()
				} else {
					load()
					lakeStore(t, url)
				}
				got := map[string]string{}
				for _, p := range stored(t, url) {
					c := p.CycleTimes()
					if c.Cycle != nil {
						got[p.ID] = strings.Join([]string{minutes(c.Coding), minutes(c.Pickup), minutes(c.Review), minutes(c.Deploy), minutes(c.Cycle)}, "|")
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("coding|pickup|review|deploy|cycle (-devlake +steelyard):\n%s", diff)
				}
			})
		}
	}
}

func minutes(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// lakeStore stores the golden case's pull requests.
func lakeStore(t *testing.T, url string) {
	t.Helper()
	db, err := migrations.Open(t.Context(), url, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows := func(yield func(metrics.PullRequest, error) bool) {
		for _, p := range lakePulls(t) {
			if !yield(p, nil) {
				return
			}
		}
	}
	_, err = store.New(db, time.Now).ImportPullRequests(t.Context(), rows, func() (metrics.Import, error) {
		return metrics.Import{File: "golden"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
