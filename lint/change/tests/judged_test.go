package tests_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/change/tests"
	"steelyard/rules"
)

var update = flag.Bool("update", false, "write the judged commits and docs/test-rules.md anew")

const (
	judgedFile = "testdata/judged.tsv"
	judgedPage = "../../../docs/test-rules.md"
)

// A judgedCommit is a commit of a public repository that somebody read: whether
// it makes a test check less, and what the rules said of it.
type judgedCommit struct {
	set                string // in the order in which they were judged
	repository, commit string
	weaker, doubtful   bool
	first              string // found or silent: before anything was mended by it; unknown
	now                string // found or silent
}

// TestJudgedCommits runs the rules over every judged commit. The repositories
// are bare clones in the folder that STEELYARD_TS_REPOSITORIES names, each as
// owner+name.
func TestJudgedCommits(t *testing.T) {
	folder := os.Getenv("STEELYARD_TS_REPOSITORIES")
	if folder == "" {
		t.Skip("STEELYARD_TS_REPOSITORIES names no folder of clones")
	}
	commits := readJudged(t)
	for i, c := range commits {
		dir := filepath.Join(folder, strings.ReplaceAll(c.repository, "/", "+"))
		if inner := filepath.Join(dir, "repo"); isFolder(inner) {
			dir = inner
		}
		now := "silent"
		if slices.ContainsFunc(tests.Compare(filesOf(t, dir, c.commit)), func(f lint.Finding) bool { return f.Severity != rules.Note }) {
			now = "found"
		}
		if now != c.now && !*update {
			t.Errorf("set %s, %s %s: %s, and %s by %s", c.set, c.repository, c.commit, now, c.now, judgedFile)
		}
		commits[i].now = now
	}
	if *update {
		writeJudged(t, commits)
		if err := os.WriteFile(judgedPage, judgedReport(commits), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestJudgedPage holds the page to the commits that it counts.
func TestJudgedPage(t *testing.T) {
	page, err := os.ReadFile(judgedPage)
	if err != nil {
		t.Fatal(err)
	}
	commits := readJudged(t)
	if diff := cmp.Diff(string(judgedReport(commits)), string(page)); diff != "" {
		t.Errorf("docs/test-rules.md does not say what %s holds (-want +got):\n%s", judgedFile, diff)
	}
	all := countJudged(commits, func(c judgedCommit) string { return c.now })
	if p, r := all.precision(), all.recall(); p < .9 || r < .8 {
		t.Errorf("of all judged commits: precision %.2f, recall %.2f", p, r)
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

const judgedColumns = "set\trepository\tcommit\tjudged\tcertainty\tfirst\tnow"

func readJudged(t *testing.T) (commits []judgedCommit) {
	t.Helper()
	text, err := os.ReadFile(judgedFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	seen := map[string]bool{}
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if lines.Text() != judgedColumns {
				t.Fatalf("%s:1: the columns are %q", judgedFile, lines.Text())
			}
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 7 || !slices.Contains([]string{"weaker", "kept"}, f[3]) || !slices.Contains([]string{"clear", "doubtful"}, f[4]) || seen[f[1]+f[2]] {
			t.Fatalf("%s:%d: %q", judgedFile, n, lines.Text())
		}
		seen[f[1]+f[2]] = true
		commits = append(commits, judgedCommit{set: f[0], repository: f[1], commit: f[2], weaker: f[3] == "weaker", doubtful: f[4] == "doubtful", first: f[5], now: f[6]})
	}
	return commits
}

func writeJudged(t *testing.T, commits []judgedCommit) {
	t.Helper()
	var out bytes.Buffer
	fmt.Fprintln(&out, judgedColumns)
	for _, c := range commits {
		judged, certainty := "kept", "clear"
		if c.weaker {
			judged = "weaker"
		}
		if c.doubtful {
			certainty = "doubtful"
		}
		fmt.Fprintln(&out, strings.Join([]string{c.set, c.repository, c.commit, judged, certainty, c.first, c.now}, "\t"))
	}
	if err := os.WriteFile(judgedFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A judgedCount counts the commits that a run found or did not.
type judgedCount struct {
	commits, weaker, right, wrong, missed int
}

// precision is the share of right ones among the commits with a finding.
func (c judgedCount) precision() float64 { return float64(c.right) / float64(c.right+c.wrong) }

// recall is the share of the commits that weaken a test which have a finding.
func (c judgedCount) recall() float64 { return float64(c.right) / float64(c.right+c.missed) }

// countJudged leaves out the commits about which said knows nothing.
func countJudged(commits []judgedCommit, said func(judgedCommit) string) (n judgedCount) {
	for _, c := range commits {
		found := said(c) == "found"
		if !found && said(c) != "silent" {
			continue
		}
		n.commits++
		switch {
		case c.weaker && found:
			n.right++
		case c.weaker:
			n.missed++
		case found:
			n.wrong++
		}
		if c.weaker {
			n.weaker++
		}
	}
	return n
}
