package families_test

import (
	"slices"
	"strings"
	"testing"

	"steelyard/lint"
	"steelyard/lint/families"
)

// answers says which rules answer for a kind of hand-made label about
// instructions.
var answers = map[string][]string{
	"missing-path":            {"IN006", "IN007"},
	"missing-script":          {"IN005"},
	"missing-make-target":     {"IN005"},
	"import":                  {"IN006", "IN007"},
	"pm-conflict":             {"IN001", "IN002", "IN003", "IN004"},
	"style-conflict":          {"IN001", "IN002", "IN003", "IN004"},
	"self-contradiction":      {"IN001"},
	"version":                 {"IN001", "IN002", "IN003", "IN004", "IN018"},
	"stack-mismatch":          {"IN018", "IN019"},
	"injection":               {"IN013", "IN014"},
	"remote-exec-instruction": {"IN013", "IN020"},
	"hidden-unicode":          {"IN011", "IN012"},
	"frontmatter":             {"IN009", "IN010"},
}

// TestInstructionLabels scores the instruction rules on the hand-made labels:
// a finding meets the one label that is nearest, within three lines.
func TestInstructionLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the whole open corpus")
	}
	const leastRecall, mostTraps = 0.9, 0.04
	repos, labels := corpus(t)
	rows := slices.DeleteFunc(slices.Clone(labels), func(l label) bool { return answers[l.Kind] == nil })
	met := map[int]lint.Finding{}
	for name, tree := range repos {
		for _, f := range lintCorpus(t, name, tree) {
			for _, i := range meets(rows, name, f) {
				met[i] = f
			}
		}
	}
	var yes, found, no, flagged int
	for i, l := range rows {
		f, hit := met[i]
		switch l.ShouldFlag {
		case "yes":
			yes++
			if hit {
				found++
			} else {
				t.Logf("missed %s %s:%d (%s)", l.Repo, l.Path, l.Line, l.Kind)
			}
		case "no":
			if no++; hit {
				flagged++
				t.Logf("trapped %s: %v", l.Repo, f)
			}
		}
	}
	t.Logf("found %d of %d, flagged %d of %d traps", found, yes, flagged, no)
	if float64(found) < leastRecall*float64(yes) {
		t.Errorf("found %d of %d, want at least %v of them", found, yes, leastRecall)
	}
	if float64(flagged) > mostTraps*float64(no) {
		t.Errorf("flagged %d of %d traps, want at most %v of them", flagged, no, mostTraps)
	}
}

// meets returns the labels that a finding meets: those of its file whose kind
// its rule answers for, on the nearest line; of two as near the one at or below
// the finding, then yes before either before no.
func meets(rows []label, repo string, f lint.Finding) []int {
	const near = 3
	order := map[string]int{"yes": 0, "either": 1, "no": 2}
	var best []int
	var key [3]int
	for i, l := range rows {
		if l.Repo != repo || l.Path != f.Path || !slices.Contains(answers[l.Kind], f.Rule) {
			continue
		}
		k := [3]int{max(l.Line-f.Line, f.Line-l.Line), 0, order[l.ShouldFlag]}
		if l.Line < f.Line {
			k[1] = 1
		}
		if k[0] > near {
			continue
		}
		switch c := slices.Compare(k[:], key[:]); {
		case best == nil || c < 0:
			best, key = []int{i}, k
		case c == 0:
			best = append(best, i)
		}
	}
	return best
}

// TestNoise holds the median of findings a repository, outside the two rules
// that most public repositories break, to what a person reads.
func TestNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the whole open corpus")
	}
	const most = 3
	repos, _ := corpus(t)
	var counts []int
	for name, tree := range repos {
		n := 0
		for _, f := range lintCorpus(t, name, tree) {
			if f.Rule != "MC002" && f.Rule != "CO001" {
				n++
			}
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	t.Logf("findings a repository: median %d, most %d", counts[len(counts)/2], counts[len(counts)-1])
	if median := counts[len(counts)/2]; median > most {
		t.Errorf("median of %d findings a repository, want at most %d", median, most)
	}
}

func lintCorpus(t *testing.T, name string, tree listedTree) []lint.Finding {
	t.Helper()
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Committed: true})
	if err != nil {
		t.Fatalf("%s: %v", strings.Replace(name, "/", "+", 1), err)
	}
	return res.Findings
}
