package families_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hmarr/codeowners"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/owners"
)

// ownersLabel is the kind of the labels about files that nobody owns.
const ownersLabel = "codeowners-uncovered"

// TestOwnersAgainstOutside reads each labelled repository's CODEOWNERS three
// times: as the label has it, as hmarr/codeowners reads it, with which the
// labels say they were made, and as the lint does. The lint must be of the
// outside reader's mind, row for row and line for line, on every labelled file
// and on a share of all others.
func TestOwnersAgainstOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the whole open corpus")
	}
	repos, labels := corpus(t)
	tally := map[[3]bool]int{} // by label, outside reader and lint: unowned?
	passedOver := 0            // lines that GitHub passes over and the library stops at
	for _, name := range slices.Sorted(maps.Keys(repos)) {
		rows := slices.DeleteFunc(slices.Clone(labels), func(l label) bool {
			return l.Repo != name || l.Kind != ownersLabel
		})
		if len(rows) == 0 {
			continue
		}
		tree := repos[name]
		outside, ours := readOutside(t, name, tree), readOurs(t, name, tree)
		passedOver += len(outside.refused)
		sameLines(t, name, tree, outside, ours)
		flagged := flaggedUnowned(t, name, tree)
		for _, l := range rows {
			is := [3]bool{l.ShouldFlag == "yes", outside.unowned(l.Path), flagged[l.Path]}
			tally[is]++
			if is[0] != is[1] {
				t.Logf("the label of %s %s is contradicted: line %d owns it", name, l.Path, outside.decides(l.Path))
			}
			if is[1] != is[2] {
				t.Errorf("%s %s: unowned is %v to the outside reader and %v to the lint", name, l.Path, is[1], is[2])
			}
		}
	}
	t.Logf("%d lines are passed over by the lint and stop the outside reader", passedOver)
	reportTally(t, tally)
}

// reportTally says what the labels are worth: those that the outside reader
// contradicts, and the lint's figures on those that it confirms.
func reportTally(t *testing.T, tally map[[3]bool]int) {
	t.Helper()
	var against, yes, found, no, flagged int
	for is, n := range tally {
		switch {
		case is[0] != is[1]:
			against += n
		case is[0]:
			if yes += n; is[2] {
				found += n
			}
		default:
			if no += n; is[2] {
				flagged += n
			}
		}
	}
	t.Logf("hmarr/codeowners contradicts %d of %d labels; of those it confirms, %d of %d unowned are reported and %d of %d owned",
		against, against+yes+no, found, yes, flagged, no)
	if yes == 0 || no == 0 {
		t.Fatal("no label is confirmed: nothing was compared")
	}
	if float64(found) < 0.98*float64(yes) || float64(flagged) > 0.01*float64(no) {
		t.Errorf("want at least 0.98 of the unowned reported, and at most 0.01 of the owned")
	}
}

// outsideReader is a CODEOWNERS as hmarr/codeowners reads it.
type outsideReader struct {
	rules   codeowners.Ruleset
	refused []int // numbers of the lines that it cannot read
}

// readOutside hands the lines over one by one: the library gives up a whole
// file for one line that it cannot read, and GitHub passes over that line.
func readOutside(t *testing.T, name string, tree fs.FS) outsideReader {
	t.Helper()
	var o outsideReader
	text := ownersText(t, name, tree)
	number := 0
	for line := range strings.Lines(text) {
		number++
		rules, err := codeowners.ParseFile(strings.NewReader(line))
		if err != nil {
			o.refused = append(o.refused, number)
			continue
		}
		for _, rule := range rules {
			rule.LineNumber = number
			o.rules = append(o.rules, rule)
		}
	}
	return o
}

// ownersText is the file that GitHub takes: the first of the three places. The
// library's own order has the root first, so it is not asked.
func ownersText(t *testing.T, name string, tree fs.FS) string {
	t.Helper()
	for _, place := range []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"} {
		if text, err := fs.ReadFile(tree, place); err == nil {
			return string(text)
		}
	}
	t.Fatalf("%s has labels about owners and no CODEOWNERS", name)
	return ""
}

// decides is the number of the line that decides about a path, 0 for none.
func (o outsideReader) decides(path string) int {
	if rule, err := o.rules.Match(path); err == nil && rule != nil {
		return rule.LineNumber
	}
	return 0
}

func (o outsideReader) unowned(path string) bool {
	rule, err := o.rules.Match(path)
	return err != nil || rule == nil || len(rule.Owners) == 0
}

func readOurs(t *testing.T, name string, tree fs.FS) *owners.Codeowners {
	t.Helper()
	c, _, err := owners.Find(tree)
	if err != nil || c == nil {
		t.Fatalf("%s: CODEOWNERS is %v, %v", name, c, err)
	}
	return c
}

// sameLines wants the same line to decide about the same path, and the same
// lines to be passed over.
func sameLines(t *testing.T, name string, tree listedTree, outside outsideReader, ours *owners.Codeowners) {
	t.Helper()
	const share = 50 // one in so many paths
	read := map[int]bool{}
	for _, line := range ours.Lines {
		read[line.Number] = true
	}
	for _, number := range outside.refused {
		if read[number] {
			t.Errorf("%s: line %d is read by the lint and refused by the outside reader", name, number)
		}
	}
	if want, got := len(outside.rules), len(ours.Lines); want != got {
		t.Errorf("%s: the outside reader takes %d lines, the lint %d", name, want, got)
	}
	for i, path := range slices.Sorted(maps.Keys(tree.MapFS)) {
		if i%share != 0 {
			continue
		}
		number := 0
		if line, _ := ours.Decides(path); line != nil {
			number = line.Number
		}
		if want := outside.decides(path); number != want {
			t.Errorf("%s: line %d decides about %q to the lint, %d to the outside reader", name, number, path, want)
		}
	}
}

// flaggedUnowned are the files that a run reports as nobody's.
func flaggedUnowned(t *testing.T, name string, tree listedTree) map[string]bool {
	t.Helper()
	rules := slices.DeleteFunc(families.All(), func(r lint.Rule) bool { return r.ID != "CO001" && r.ID != "CO003" })
	res, err := lint.Run(t.Context(), tree, rules, lint.Config{Committed: true})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	flagged := map[string]bool{}
	for _, f := range res.Findings {
		flagged[f.Path] = true
	}
	return flagged
}
