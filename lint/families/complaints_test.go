package families_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/lint/output"
	"steelyard/rules"
)

// complaint is what users of another linter reported in public.
type complaint struct {
	tracker string
	about   string
	// file is a case of testdata/complaints; test is for what no single tree
	// can show.
	file string
	test func(*testing.T)
}

// complaints are those of the field that were gathered before this lint was
// built. Each case has, beside what must be silent, what must be found, so that
// silence alone passes none.
var complaints = []complaint{
	{"agent-sh/agnix#798", "types taken for open markup", "01-types-are-no-markup", nil},
	{"agent-sh/agnix#799", "keys instead of messages", "", everyRuleHasText},
	{"agent-sh/agnix#184", "READMEs linted like instructions", "03-readme-is-no-instruction", nil},
	{"agent-sh/agnix#1629", "the root lost in a nested folder", "04-nested-folder", nil},
	{"agnix 0.56.1", "addresses in code taken for imports", "05-code-is-no-import", nil},
	{"agnix 0.56.5", "a fix that took a guard away", "", fixesKeepGuards},
	{"cisco-ai-defense/mcp-scanner#237", "verb and object of different sentences", "07-verb-and-object", nil},
	{"cisco-ai-defense/mcp-scanner#43", "a summary of none beside findings", "", summariesAgree},
	{"snyk/agent-scan#2", "a plain description called an attack", "09-description-of-a-tool", nil},
	{"riseandignite/mcp-shield#8", "the text .env called a risk", "10-name-of-a-file", nil},
	{"affaan-m/agentshield#48", "npx --call not seen as a shell", "11-npx-call", nil},
	{"gitleaks/gitleaks#1857", "names taken for secrets", "12-names-of-secrets", nil},
	{"mszostok/codeowners-validator#169", "/folder/* taken to reach below", "13-one-level", nil},
	{"beaugunderson/codeowners#51", "/foo/bar and /foo/bar/ confused", "14-folder-and-file", nil},
	{"Azure/azure-sdk-tools#5308", "a star at the end of a name", "15-star-at-the-end", nil},
	{"daymade/claude-code-skills#234", "words taken for missing paths", "16-paths-in-prose", nil},
	{"redhat-community-ai-tools/harness-eval#9", ".mcp.json gathered and not checked", "17-claims-all-code", nil},
	{"YawLabs/ctxlint#28", "diagrams and words with a slash taken for paths", "18-words-with-a-slash", nil},
	{"getsentry/sentry-mcp#1092", "findings on the prose of skills", "19-prose-of-skills", nil},
	{"rjmurillo/ai-agents#1967", "owners for the files that steer assistants", "20-owners-of-instructions", nil},
	{"costajohnt/oss-autopilot#551", "exact versions of servers", "21-pins", nil},
	{"github/docs#42761", "a bound of reviews that may be gone", "22-length-for-reviews", nil},
}

// TestComplaints runs a case for every complaint, and every case for one.
func TestComplaints(t *testing.T) {
	const folder = "testdata/complaints"
	names, err := filepath.Glob(folder + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range complaints {
		t.Run(c.tracker, func(t *testing.T) {
			if c.test != nil {
				c.test(t)
				return
			}
			name := filepath.Join(folder, c.file+".txtar")
			compareCase(t, name)
			names = slices.DeleteFunc(names, func(other string) bool { return other == name })
		})
	}
	if len(names) > 0 && !t.Failed() {
		t.Errorf("cases of no complaint: %q", names)
	}
}

// compareCase lints the tree of an archive and compares what is found with its
// last section.
func compareCase(t *testing.T, name string) {
	t.Helper()
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := &ar.Files[len(ar.Files)-1]
	if want.Name != "want" {
		t.Fatal("no want section at the end")
	}
	tree, cfg := unpack(t, ar)
	res, err := lint.Run(t.Context(), tree, families.All(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	got := render(res)
	if *update && got != string(want.Data) {
		want.Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

// unfinished is a message in which something was not filled in.
var unfinished = regexp.MustCompile(`%!|%[a-z]|\b[a-z]+(?:[._][a-z]+){2,}\b.*\{|\[[A-Z]{2}\d{3}\]`)

// everyRuleHasText wants a title, a reason and a cure for every rule, and a
// message in words for every finding of every case.
func everyRuleHasText(t *testing.T) {
	for _, r := range families.All() {
		page, ok := rules.Get(r.ID)
		if !ok || page.Title == "" || page.Why == "" || page.HowToFix == "" {
			t.Errorf("rule %s has no text", r.ID)
		}
	}
	all, configs := trees(t)
	for name, tree := range all {
		for _, f := range lintTree(t, tree, configs[name]) {
			if !strings.Contains(f.Message, " ") || unfinished.MatchString(f.Message) {
				t.Errorf("%s: message %q", name, f.Message)
			}
		}
	}
}

// fixesKeepGuards mends every case and wants each file of approvals to say what
// it said: no fix of a permission exists, and none of a neighbour touches one.
func fixesKeepGuards(t *testing.T) {
	all, configs := trees(t)
	guards := 0
	for name, tree := range all {
		texts := mended(t, tree, configs[name])
		for file, text := range texts {
			before, err := fs.ReadFile(tree, file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			was := guardsOf(before)
			guards += len(was)
			if diff := cmp.Diff(was, guardsOf(text)); diff != "" {
				t.Errorf("%s: the fix of %s changes guards (-before +after):\n%s", name, file, diff)
			}
		}
	}
	if guards == 0 {
		t.Error("no mended file has a guard: the test sees nothing")
	}
}

// guardWord is a key or a value that allows, asks or forbids something.
var guardWord = regexp.MustCompile(`(?i)"?\b(?:allow\w*|deny|ask|tools|disallowed[-_]?tools|allowed[-_]?tools|auto-?approve|always-?allow|permission\w*|sandbox\w*|approval_policy|trust|disable-model-invocation)\b"?\s*[:=].*`)

func guardsOf(text []byte) []string { return guardWord.FindAllString(string(text), -1) }

// summaryCount is one count of the text's last lines.
var summaryCount = regexp.MustCompile(`(\d+) (?:error|warning|note)s?\b`)

// summariesAgree writes a result with findings in every form and counts.
func summariesAgree(t *testing.T) {
	tree := fstest.MapFS{
		"CODEOWNERS": {Data: []byte("* @acme/platform\n")},
		".mcp.json":  {Data: []byte(`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "@acme/a"]}, "b": {"command": "sh", "args": ["-c", "./b"]}}}`)},
	}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Today: today})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	var text, asJSON, asSARIF bytes.Buffer
	if err := output.Write(&text, "text", output.Check{Result: res}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := output.Write(&asJSON, "json", output.Check{Result: res}, output.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := output.SARIF(&asSARIF, res, output.SARIFOptions{Version: "0.1.0"}); err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, m := range summaryCount.FindAllStringSubmatch(text.String(), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		counted += n
	}
	if counted != len(res.Findings) {
		t.Errorf("%d findings, and the text counts %d:\n%s", len(res.Findings), counted, text.String())
	}
	var j struct{ Findings []any }
	var s struct{ Runs []struct{ Results []any } }
	if json.Unmarshal(asJSON.Bytes(), &j) != nil || json.Unmarshal(asSARIF.Bytes(), &s) != nil || len(s.Runs) != 1 {
		t.Fatal("an output cannot be read")
	}
	if len(j.Findings) != len(res.Findings) || len(s.Runs[0].Results) != len(res.Findings) {
		t.Errorf("%d findings, JSON has %d and SARIF %d", len(res.Findings), len(j.Findings), len(s.Runs[0].Results))
	}
}
