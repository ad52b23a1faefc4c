package reverts_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"steelyard/metrics/ingest/reverts"
)

// dataDir is the reference data, which lies beside the repository.
func dataDir(t testing.TB) string {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, "github")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the reference data is not there: set STEELYARD_DATA to its folder (looked for %s)", dir)
	}
	return dir
}

// histories are the repositories that have labelled messages, a table of pull
// requests and a public history.
var histories = []string{"rails/rails", "electron/electron", "apache/pinot", "hashicorp/terraform", "etcd-io/etcd"}

func short(repo string) string {
	_, name, _ := strings.Cut(repo, "/")
	return name
}

// commit is a record of an export of the history, one file a repository:
//
//	git log --topo-order --reverse --format='%H%x1f%P%x1f%ct%x1f%B%x1e' > rails.log
type commit struct {
	hash    string
	parents []string
	at      time.Time
	message string
}

// unit is what reached the default branch at once, with the commits it brought.
type unit struct {
	change  reverts.Change
	commits []commit
}

var (
	mergedNumber   = regexp.MustCompile(`^Merge (?:pull request|PR) #(\d+)`)
	squashedNumber = regexp.MustCompile(`\(#(\d+)\)\s*$`)
)

// readExport returns the first-parent history of an export, oldest first.
func readExport(t testing.TB, path string) []unit {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	byHash := map[string]commit{}
	var last string
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 16<<20)
	scan.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\x1e'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF {
			return len(data), nil, nil
		}
		return 0, nil, nil
	})
	for scan.Scan() {
		part := strings.SplitN(strings.TrimLeft(scan.Text(), "\n"), "\x1f", 4)
		if len(part) != 4 {
			continue
		}
		at, err := strconv.ParseInt(part[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		byHash[part[0]] = commit{part[0], strings.Fields(part[1]), time.Unix(at, 0).UTC(), strings.TrimSpace(part[3])}
		last = part[0]
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	var chain []commit
	for c, ok := byHash[last]; ok; {
		chain = append(chain, c)
		if len(c.parents) == 0 {
			break
		}
		c, ok = byHash[c.parents[0]]
	}
	taken := map[string]bool{}
	for _, c := range chain {
		taken[c.hash] = true
	}
	units := make([]unit, 0, len(chain))
	for i := len(chain) - 1; i >= 0; i-- {
		u := newUnit(chain[i], byHash, taken)
		if u.change.Number == 0 { // a merge by hand: each of its commits is one of the branch
			for _, own := range u.commits {
				units = append(units, unit{change: reverts.Change{ID: own.hash, Merged: own.at, Commit: own.hash, Message: own.message}})
			}
			u.commits, u.change.Commits = nil, nil
		}
		units = append(units, u)
	}
	return units
}

// newUnit gives a first-parent commit the commits that only it brought.
func newUnit(c commit, byHash map[string]commit, taken map[string]bool) unit {
	u := unit{change: reverts.Change{ID: c.hash, Merged: c.at, Commit: c.hash, Message: c.message}}
	first, rest, _ := strings.Cut(c.message, "\n")
	if m := mergedNumber.FindStringSubmatch(first); m != nil {
		u.change.Number, _ = strconv.Atoi(m[1])
		u.change.Title, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	} else if m := squashedNumber.FindStringSubmatch(first); m != nil {
		u.change.Number, _ = strconv.Atoi(m[1])
		u.change.Title = first
	}
	var open []string
	if len(c.parents) > 1 {
		open = append(open, c.parents[1:]...)
	}
	for len(open) > 0 {
		hash := open[len(open)-1]
		open = open[:len(open)-1]
		own, ok := byHash[hash]
		if !ok || taken[hash] {
			continue
		}
		taken[hash] = true
		u.commits = append([]commit{own}, u.commits...)
		open = append(open, own.parents...)
	}
	for _, own := range u.commits {
		u.change.Commits = append(u.change.Commits, reverts.Commit{Hash: own.hash, Message: own.message})
	}
	return u
}

// TestFullHistories runs on every message of the whole histories and holds what
// it finds to the tables of pull requests, which were made by another program.
// That program reads fewer forms (no prose, no direct "Reverts #12"), so the
// package may find more than the table, and must miss next to nothing of it.
func TestFullHistories(t *testing.T) {
	dir := os.Getenv("STEELYARD_HISTORIES")
	if dir == "" {
		t.Skip("no exported histories: set STEELYARD_HISTORIES to a folder of <repository>.log files (docs/reverts.md has the git command)")
	}
	var all tally
	for _, repo := range histories {
		t.Run(short(repo), func(t *testing.T) {
			units := readExport(t, filepath.Join(dir, short(repo)+".log"))
			compareWithTable(t, repo, units)
			all.add(t, repo, worldOf(units))
			if *update {
				writeFacts(t, repo, units)
			}
		})
	}
	all.check(t)
}

func compareWithTable(t *testing.T, repo string, units []unit) {
	h := reverts.History{Names: []string{repo}}
	numbers, pulls := map[string]int{}, 0
	for _, u := range units {
		h.Changes = append(h.Changes, u.change)
		numbers[u.change.ID] = u.change.Number
		if u.change.Number > 0 {
			pulls++
		}
	}
	r, err := reverts.Find(h)
	if err != nil {
		t.Fatal(err)
	}
	undone, standing, whole := map[int]bool{}, 0, 0
	for _, s := range r.States {
		if n := numbers[s.Change]; n > 0 {
			undone[n] = true
			if s.Reverted {
				standing++
				if !s.Partial {
					whole++
				}
			}
		}
	}
	inTable, missed := 0, []int{}
	for n, p := range readPulls(t, short(repo)) {
		if p.revertedAt.IsZero() {
			continue
		}
		inTable++
		if !undone[n] {
			missed = append(missed, n)
		}
	}
	t.Logf("%d changes, %d pull requests: %d undone at least once, %d standing so (%.2f %%), %d of them wholly; the table has %d, of which not found: %v; %d links, %d unresolved, %d internal",
		len(units), pulls, len(undone), standing, 100*float64(standing)/float64(pulls), whole, inTable, missed, len(r.Links), len(r.Unresolved), r.Internal)
	if float64(len(missed)) > .04*float64(inTable) {
		t.Errorf("missed %d of the table's %d", len(missed), inTable)
	}
}
