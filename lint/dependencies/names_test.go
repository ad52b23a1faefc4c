package dependencies_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"steelyard/lint/dependencies"
)

func shippedNames(t testing.TB) *dependencies.Names {
	t.Helper()
	names, err := dependencies.NewNames()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// rows reads a table of the data of others, without its header.
func rows(t *testing.T, below string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data(t, filepath.Dir(below)), filepath.Base(below)))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimRight(line, "\n"), "\t"))
	}
	return all[1:]
}

// TestLookalikeRate counts how many names that people really added look like a
// popular one, by the look alone.
func TestLookalikeRate(t *testing.T) {
	names := shippedNames(t)
	for _, c := range []struct {
		file      string
		ecosystem dependencies.Ecosystem
		most      float64
	}{
		{"npm.tsv", dependencies.NPM, 0.003},
		{"pypi.tsv", dependencies.PyPI, 0.005},
		{"cargo.tsv", dependencies.Cargo, 0.05},
		{"gem.tsv", dependencies.RubyGems, 0.05},
		{"go.tsv", dependencies.Go, 0.05},
		{"actions.tsv", dependencies.Actions, 0.005},
	} {
		t.Run(c.file, func(t *testing.T) {
			flagged, total := 0, 0
			for _, row := range rows(t, "real_adds/"+c.file) {
				name, spec := row[5], row[6]
				if name == "https" || name == "git" || strings.HasPrefix(name, "$/") || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "docker:") || row[4] == "retract" || strings.Contains(spec, `"path"`) || strings.Contains(spec, `"git"`) ||
					strings.HasPrefix(spec, "workspace:") || strings.HasPrefix(spec, "link:") || strings.HasPrefix(spec, "file:") {
					continue // nothing that a registry is asked about
				}
				total++
				var used *int64
				if n, err := strconv.ParseInt(row[7], 10, 64); err == nil && c.ecosystem == dependencies.NPM {
					used = &n
				}
				if like := names.LikeUsed(c.ecosystem, name, used); like.Target != "" {
					flagged++
					t.Logf("%s (%s)", like.Describe(name), row[0])
				}
			}
			rate := float64(flagged) / float64(total)
			t.Logf("%d of %d first additions look like a popular name: %.2f %%", flagged, total, 100*rate)
			if rate > c.most {
				t.Errorf("want at most %.2f %%", 100*c.most)
			}
		})
	}
}

// TestLookalikeRecall counts how many documented squats are found: against the
// popular lists for npm and PyPI, and pair by pair where the targets are
// mostly in no list.
func TestLookalikeRecall(t *testing.T) {
	names := shippedNames(t)
	type count struct{ found, total int }
	against, pairwise := map[dependencies.Ecosystem]*count{}, map[dependencies.Ecosystem]*count{}
	for _, e := range dependencies.Ecosystems() {
		against[e], pairwise[e] = &count{}, &count{}
	}
	for _, row := range rows(t, "malicious/pairs.tsv") {
		e, ok := dependencies.ParseEcosystem(strings.ReplaceAll(row[2], "_", ""))
		if !ok {
			t.Fatalf("%q", row[2])
		}
		if row[3] != "documented" {
			continue
		}
		against[e].total++
		if names.Like(e, row[0]).Target != "" {
			against[e].found++
		}
		pairwise[e].total++
		if _, ok := dependencies.Alike(e, row[0], row[1]); ok {
			pairwise[e].found++
		} else if e == dependencies.RubyGems || e == dependencies.Go {
			t.Logf("not alike: %s and %s", row[0], row[1])
		}
	}
	for _, c := range []struct {
		ecosystem dependencies.Ecosystem
		counts    map[dependencies.Ecosystem]*count
		how       string
		least     float64
	}{
		{dependencies.NPM, against, "against the list", 0.58},
		{dependencies.PyPI, against, "against the list", 0.62},
		{dependencies.RubyGems, pairwise, "with the target given", 0.99},
		{dependencies.Go, pairwise, "with the target given", 1},
		{dependencies.NPM, pairwise, "with the target given", 0},
		{dependencies.PyPI, pairwise, "with the target given", 0},
		{dependencies.RubyGems, against, "against the list", 0},
	} {
		n := c.counts[c.ecosystem]
		recall := float64(n.found) / float64(n.total)
		t.Logf("%s: %d of %d documented squats found %s: %.3f", c.ecosystem, n.found, n.total, c.how, recall)
		if recall < c.least {
			t.Errorf("%s: want at least %v %s", c.ecosystem, c.least, c.how)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		ecosystem    dependencies.Ecosystem
		name, target string
		want         dependencies.LikenessKind
	}{
		{dependencies.NPM, "lodahs", "lodash", dependencies.LikeSwap},
		{dependencies.NPM, "lodas", "lodash", dependencies.LikeEdit},
		{dependencies.NPM, "mochas", "mocha", dependencies.LikePlural},
		{dependencies.NPM, "crossenv", "cross-env", dependencies.LikeDelimiter},
		{dependencies.NPM, "jquery3", "jquery", dependencies.LikeDigit},
		{dependencies.NPM, "lodash.pick", "lodash-pick", dependencies.LikeEdit},
		{dependencies.NPM, "lodash.pick", "lodash.pick", ""},
		{dependencies.NPM, "@type/node", "@types/node", ""}, // a base of four letters
		{dependencies.NPM, "@type/lodash", "@types/lodash", dependencies.LikeEdit},
		{dependencies.NPM, "@acme/color", "@acme/colors", ""}, // one owner
		{dependencies.NPM, "gulp2", "gulp", ""},               // too short
		{dependencies.PyPI, "Python_Dateutil", "python-dateutil", ""},
		{dependencies.PyPI, "pythondateutil", "python-dateutil", dependencies.LikeDelimiter},
		{dependencies.PyPI, "reqeusts", "requests", dependencies.LikeSwap},
		{dependencies.RubyGems, "atlas-client", "atlas_client", dependencies.LikeDelimiter},
		{dependencies.RubyGems, "railss", "rails", ""},
		{dependencies.Go, "github.com/boltdb-go/bolt", "github.com/boltdb/bolt", dependencies.LikeOwner},
		{dependencies.Go, "github.com/boltdb/bolt/v2", "github.com/boltdb/bolt", ""},
		{dependencies.Cargo, "lazystatic", "lazy_static", dependencies.LikeDelimiter},
		{dependencies.Cargo, "lazy-static", "lazy_static", ""},
		{dependencies.Actions, "circelci/checkout", "circleci/checkout", dependencies.LikeSwap},
	} {
		if got, _ := dependencies.Alike(c.ecosystem, c.name, c.target); got != c.want {
			t.Errorf("%s %q and %q: %q, want %q", c.ecosystem, c.name, c.target, got, c.want)
		}
	}
}

func TestDistribution(t *testing.T) {
	names := shippedNames(t)
	for name, want := range map[string]string{
		"cv2": "opencv-python", "yaml": "PyYAML", "sklearn": "scikit-learn", "rest-framework": "djangorestframework",
		"requests": "", "dateutil": "python-dateutil",
	} {
		if got := names.Distribution(dependencies.PyPI, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := names.Distribution(dependencies.NPM, "yaml"); got != "" {
		t.Errorf("npm has %q", got)
	}
}
