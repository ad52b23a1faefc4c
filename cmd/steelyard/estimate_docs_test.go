package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/estimate"
)

// consoleBlock is a command of the manual and what it prints.
var consoleBlock = regexp.MustCompile("(?s)```console\n(\\$ steelyard estimate .*?)```")

// TestEstimatePages runs every command that the pages of methods show and holds
// what they print to the page; -update renews it. Every method has its page,
// with a command, and every bundled data set that is a panel is estimated in
// one.
func TestEstimatePages(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	pages, err := filepath.Glob(filepath.Join("docs", "methods", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]string{} // methods by page
	used := map[string]bool{}
	for _, path := range append(pages, filepath.Join("docs", "estimate.md")) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := consoleBlock.ReplaceAllStringFunc(string(page), func(block string) string {
			command, args := consoleCommand(t, block)
			for i, arg := range args[:len(args)-1] {
				switch arg {
				case "--method":
					shown[path] = append(shown[path], args[i+1])
				case "--data":
					used[args[i+1]] = true
				}
			}
			return "```console\n" + command + runManual(t, args) + "```"
		})
		if want == string(page) {
			continue
		}
		if !*update {
			t.Errorf("%s does not show what its commands print; run the test with -update (-page +output):\n%s", path, cmp.Diff(string(page), want))
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range estimate.Names() {
		path := filepath.Join("docs", "methods", estimate.Page(name)+".md")
		if !slices.Contains(shown[path], name) {
			t.Errorf("%s shows no command with --method %s", path, name)
		}
	}
	for _, data := range bundledPanels(t) {
		if !used[data] {
			t.Errorf("no page estimates %s", data)
		}
	}
}

// noPanels are bundled files that are not read as they are, each with the
// reason.
var noPanels = map[string]string{
	"internal/demo/data/worked_example.csv":       "pull requests; metrics/estimate/testdata has the tables made of them",
	"metrics/did/testdata/metr.csv":               "two parts of a time, one with gaps; metrics/estimate/testdata has the table made of it",
	"metrics/did/testdata/base_did.csv":           "its treatment is a group's, without a start",
	"metrics/did/testdata/card_krueger.csv":       "its treatment is a group's, without a start",
	"metrics/did/testdata/castle_bacon.csv":       "results",
	"metrics/did/testdata/california_weights.csv": "results",
	"metrics/did/testdata/ehec_event_study.csv":   "results",
}

// bundledPanels are the data sets that lie in the repository.
func bundledPanels(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"metrics/did/testdata/*.csv", "metrics/estimate/testdata/*.csv", "internal/demo/data/*.csv", "internal/demo/data/*.csv.gz"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			f = filepath.ToSlash(f)
			if noPanels[f] == "" && !strings.Contains(f, "/references") {
				out = append(out, f)
			}
		}
	}
	return out
}

// consoleCommand splits a block into its command as written and its words.
func consoleCommand(t *testing.T, block string) (command string, args []string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimPrefix(block, "```console\n")) {
		command += line
		if !strings.HasSuffix(line, "\\\n") {
			break
		}
	}
	text := strings.ReplaceAll(strings.TrimPrefix(command, "$ steelyard "), "\\\n", " ")
	quoted := false
	word, started := strings.Builder{}, false
	for _, r := range text {
		switch {
		case r == '\'':
			quoted, started = !quoted, true
		case !quoted && (r == ' ' || r == '\n'):
			if started {
				args = append(args, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quoted {
		t.Fatalf("a quote stays open in %s", command)
	}
	return command, args
}

// runManual runs a command of the manual and returns what it prints.
func runManual(t *testing.T, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	p := program{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs,
		env: func(string) (string, bool) { return "", false },
		now: func() time.Time { return time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC) },
	}
	if code := p.run(context.Background(), args); code == exitClean {
		return out.String()
	}
	t.Errorf("%s: %s", strings.Join(args, " "), errs.String())
	return fmt.Sprintf("%s%s", out.String(), errs.String())
}
