package families_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint"
	"steelyard/lint/families"
)

var findingsDir = flag.String("findings", "", "write the corpus findings to this folder, one JSON file a repository")

// label is one row of labels.jsonl.
type label struct {
	Repo       string `json:"repo"`
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Kind       string `json:"kind"`
	ShouldFlag string `json:"should_flag"`
}

// labelled says which rules answer for a kind of label, and the least share of
// its rows that they must find. A row that is none must never be reported.
var labelled = map[string]struct {
	rules  []string
	recall float64
}{
	"mcp-unpinned":       {[]string{"MC002"}, 0.98},
	"secret":             {[]string{"MC001", "PM009"}, 1},
	ownersLabel:          {[]string{"CO001", "CO003"}, 0.98},
	"overbroad-approval": {[]string{"PM001", "PM002", "PM003", "PM004", "PM005", "PM008"}, 1},
	"dead-permission":    {[]string{"PM001", "PM002", "PM003", "PM004"}, 1},
	"unknown-key":        {[]string{"MC012"}, 1},
	"config-syntax":      {[]string{"MC000", "PM000"}, 1},
}

// TestCorpus runs every rule over the configurations of 128 public
// repositories and holds the findings to labels made by hand and by rule.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the whole open corpus")
	}
	repos, labels := corpus(t)
	found := map[string][]lint.Finding{}
	for name, tree := range repos {
		res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Committed: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found[name] = res.Findings
		writeFindings(t, name, res.Findings)
	}
	for kind, want := range labelled {
		t.Run(kind, func(t *testing.T) {
			rows := ofKind(t, labels, kind, repos)
			met := meetings(rows, want.rules, found)
			hit, yes := 0, 0
			for i, l := range rows {
				switch {
				case l.ShouldFlag == "yes":
					yes++
					if hit += min(met[i], 1); met[i] == 0 {
						t.Logf("missed %s %s:%d", l.Repo, l.Path, l.Line)
					}
				case l.ShouldFlag == "no" && met[i] > 0:
					t.Errorf("false alarm %s %s:%d", l.Repo, l.Path, l.Line)
				}
			}
			if len(rows) == 0 {
				t.Errorf("no label of this kind")
			}
			if float64(hit) < want.recall*float64(yes) {
				t.Errorf("found %d of %d, want at least %v of them", hit, yes, want.recall)
			}
		})
	}
}

// corpus returns the repositories' trees by name and the labels, or skips.
func corpus(t *testing.T) (map[string]listedTree, []label) {
	t.Helper()
	data := os.Getenv("STEELYARD_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	dir := filepath.Join(data, "lint")
	if _, err := os.Stat(filepath.Join(dir, "corpus.tar.gz")); err != nil {
		t.Skip("no corpus: set STEELYARD_DATA to the folder that holds lint/corpus.tar.gz")
	}
	return readCorpus(t, dir), readLabels(t, filepath.Join(dir, "labels.jsonl"))
}

// ofKind picks the labels of one kind, without those about owners that
// hmarr/codeowners contradicts (see [TestOwnersAgainstOutside]).
func ofKind(t *testing.T, labels []label, kind string, repos map[string]listedTree) []label {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(labels), func(l label) bool {
		return l.Kind != kind || kind == ownersLabel &&
			readOutside(t, l.Repo, repos[l.Repo]).unowned(l.Path) != (l.ShouldFlag == "yes")
	})
}

// meetings counts the findings that meet each label: the nearest within three
// lines, and of two as near the one at or below the finding. For owners the
// file alone counts.
func meetings(rows []label, rules []string, found map[string][]lint.Finding) []int {
	met := make([]int, len(rows))
	for repo, findings := range found {
		for _, f := range findings {
			best, distance := -1, 8
			for i, l := range rows {
				if !slices.Contains(rules, f.Rule) || l.Repo != repo || l.Path != f.Path {
					continue
				}
				d := 2 * (l.Line - f.Line)
				if d < 0 {
					d = 1 - d
				}
				if l.Kind == ownersLabel {
					d = 0
				}
				if d < distance {
					best, distance = i, d
				}
			}
			if best >= 0 {
				met[best]++
			}
		}
	}
	return met
}

func readLabels(t *testing.T, name string) []label {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []label
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l label
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// readCorpus returns each repository's tree: the files of the corpus, and
// every other path as an empty file.
func readCorpus(t *testing.T, dir string) map[string]listedTree {
	t.Helper()
	repos := map[string]fstest.MapFS{}
	eachEntry(t, filepath.Join(dir, "paths.tar.gz"), func(h *tar.Header, text []byte) {
		name, ok := strings.CutSuffix(path.Base(h.Name), ".txt.gz")
		if !ok {
			return
		}
		zip, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		list, err := io.ReadAll(zip)
		if err != nil {
			t.Fatal(err)
		}
		tree := fstest.MapFS{}
		for p := range strings.Lines(string(list)) {
			p = strings.TrimSuffix(p, "\n")
			if fs.ValidPath(p) {
				tree[p] = &fstest.MapFile{}
			}
		}
		repos[strings.Replace(name, "+", "/", 1)] = tree
	})
	eachEntry(t, filepath.Join(dir, "corpus.tar.gz"), func(h *tar.Header, text []byte) {
		_, rest, _ := strings.Cut(h.Name, "corpus/")
		repo, p, ok := strings.Cut(rest, "/")
		repo = strings.Replace(repo, "+", "/", 1)
		if !ok || h.Typeflag == tar.TypeDir {
			return
		}
		if repos[repo] == nil {
			repos[repo] = fstest.MapFS{}
		}
		file := &fstest.MapFile{Data: text}
		if h.Typeflag == tar.TypeSymlink {
			file = &fstest.MapFile{Data: []byte(h.Linkname), Mode: fs.ModeSymlink | 0o777}
		}
		repos[repo][p] = file
	})
	trees := map[string]listedTree{}
	for name, files := range repos {
		trees[name] = listed(files)
	}
	return trees
}

func eachEntry(t *testing.T, name string, visit func(h *tar.Header, text []byte)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		visit(h, text)
	}
}

func writeFindings(t *testing.T, repo string, findings []lint.Finding) {
	t.Helper()
	if *findingsDir == "" {
		return
	}
	text, err := json.MarshalIndent(map[string]any{"version": 1, "findings": findings}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(*findingsDir, strings.Replace(repo, "/", "+", 1)+".json")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
