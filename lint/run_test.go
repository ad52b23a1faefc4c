package lint_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/rules"
)

// word is a rule that reports every "bad" in an instruction file, under the ID
// of a rule that has a page.
var word = lint.Rule{ID: "MC002", Check: func(p *lint.Pass) {
	for _, f := range p.Files(rules.Instructions) {
		text, err := f.Bytes()
		if err != nil {
			continue
		}
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte("bad"))
			if i < 0 {
				break
			}
			p.Reportf(f, lint.Span{Start: at + i, End: at + i + 3}, "%q is bad", text[at+i:at+i+3])
			at += i + 3
		}
	}
}}

func run(t *testing.T, tree fstest.MapFS, cfg lint.Config, list ...lint.Rule) lint.Result {
	t.Helper()
	res, err := lint.Run(t.Context(), tree, append(list, lint.SuppressionRules()...), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func lines(res lint.Result) string {
	var b strings.Builder
	for _, f := range res.Findings {
		b.WriteString(string(f.Severity) + " " + f.String() + "\n")
	}
	return b.String()
}

func TestSeverities(t *testing.T) {
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("a bad line\n")}}
	for name, test := range map[string]struct {
		severities map[string]rules.Severity
		want       string
	}{
		"default": {nil, "error AGENTS.md:1:3: \"bad\" is bad [MC002]\n"},
		"by-id":   {map[string]rules.Severity{"MC002": rules.Note}, "note AGENTS.md:1:3: \"bad\" is bad [MC002]\n"},
		"by-name": {map[string]rules.Severity{"mcp-unpinned-server": rules.Warning}, "warning AGENTS.md:1:3: \"bad\" is bad [MC002]\n"},
		"off":     {map[string]rules.Severity{"MC002": lint.Off}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := lines(run(t, tree, lint.Config{Severities: test.severities}, word)); got != test.want {
				t.Errorf("findings are %q, want %q", got, test.want)
			}
		})
	}
}

func TestConfigRejects(t *testing.T) {
	for name, test := range map[string]struct {
		cfg  lint.Config
		want string
	}{
		"unknown-rule":        {lint.Config{Severities: map[string]rules.Severity{"MC999": rules.Note}}, `"MC999": no such rule`},
		"unknown-severity":    {lint.Config{Severities: map[string]rules.Severity{"MC002": "fatal"}}, `is "fatal"`},
		"bad-exclude":         {lint.Config{Exclude: []string{"a[", "b"}}, `"a[" is not a path pattern`},
		"suppressed-rule":     {lint.Config{Suppressions: []lint.ConfigSuppression{{Rule: "x", Path: "a", Reason: "b"}}}, "no such rule"},
		"suppressed-anything": {lint.Config{Suppressions: []lint.ConfigSuppression{{Rule: "MC002", Reason: "b"}}}, "not a path pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lint.Run(t.Context(), fstest.MapFS{}, nil, test.cfg)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestRunWantsPages(t *testing.T) {
	if _, err := lint.Run(t.Context(), fstest.MapFS{}, []lint.Rule{{ID: "ZZ001"}}, lint.Config{}); err == nil {
		t.Error("a rule without a page runs")
	}
}

// TestConfigSuppression narrows by path and by line, and counts its last day.
func TestConfigSuppression(t *testing.T) {
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("bad\nbad\n")}, "web/AGENTS.md": {Data: []byte("bad\n")}}
	day := time.Date(2027, 1, 31, 23, 59, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		s          lint.ConfigSuppression
		suppressed int
	}{
		"path":     {lint.ConfigSuppression{Path: "web/**"}, 1},
		"all":      {lint.ConfigSuppression{Path: "**/AGENTS.md"}, 3},
		"line":     {lint.ConfigSuppression{Path: "AGENTS.md", Line: 2}, 1},
		"last-day": {lint.ConfigSuppression{Path: "**", Until: day.Truncate(24 * time.Hour)}, 3},
		"past":     {lint.ConfigSuppression{Path: "**", Until: day.AddDate(0, 0, -1)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			test.s.Rule, test.s.Reason = "MC002", "it is a test"
			res := run(t, tree, lint.Config{Today: day, Suppressions: []lint.ConfigSuppression{test.s}}, word)
			if res.Suppressed != test.suppressed {
				t.Errorf("%d suppressed, want %d: %v", res.Suppressed, test.suppressed, res.Findings)
			}
		})
	}
}

// TestManySuppressions bounds what comments cost that suppress nothing, in a
// repository of very many: they are asked about the findings of their own file.
func TestManySuppressions(t *testing.T) {
	const files, each = 500, 200
	tree := fstest.MapFS{}
	text := strings.Repeat("<!-- steelyard: ignore MC002 because it is known -->\n\n", each) + strings.Repeat("a bad line\n", each)
	for i := range files {
		tree[fmt.Sprintf("p%d/AGENTS.md", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	start := time.Now()
	res := run(t, tree, lint.Config{}, word)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the run took %v", took)
	}
	if want := 2 * files * each; len(res.Findings) != want {
		t.Errorf("%d findings, want %d: each line, and each comment that answers none", len(res.Findings), want)
	}
}

// TestRelatedAndMasks wants a secret starred in messages and source lines,
// also in those of another rule.
func TestRelatedAndMasks(t *testing.T) {
	const secret = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("first\n\tkey=" + secret + " bad\r\nlast\n")}}
	leaky := lint.Rule{ID: "MC001", Check: func(p *lint.Pass) {
		f := p.Files()[0]
		f.Mask(lint.Span{Start: 11, End: 11 + len(secret)}, secret)
		p.ReportRelated(f, lint.Span{Start: 11, End: 11 + len(secret)}, []lint.Related{{Path: f.Path, Line: 1, Message: "see " + secret}}, "holds %q", secret)
	}}
	res := run(t, tree, lint.Config{}, word, leaky)
	var got strings.Builder
	for _, f := range res.Findings {
		got.WriteString(f.String() + "\n" + f.Snippet + "\n")
		for _, r := range f.Related {
			got.WriteString(r.Message + "\n")
		}
	}
	want := `AGENTS.md:2:6: holds "********************6Pj1" [MC001]
	key=********************6Pj1 bad
see ********************6Pj1
AGENTS.md:2:31: "bad" is bad [MC002]
	key=********************6Pj1 bad
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

func TestTail(t *testing.T) {
	for secret, want := range map[string]string{"": "", "hunter2": "", "fifteen-letters": "", "sixteen-letters!": "ers!"} {
		if got := lint.Tail(secret); got != want {
			t.Errorf("tail of %q is %q, want %q", secret, got, want)
		}
	}
}

// TestDeterminism wants the same findings from rules in any order.
func TestDeterminism(t *testing.T) {
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("bad bad\nbad\n")}, "CLAUDE.md": {Data: []byte("bad\n")}}
	other := lint.Rule{ID: "CO001", Check: word.Check}
	a, b := run(t, tree, lint.Config{}, word, other), run(t, tree, lint.Config{}, other, word)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the order of rules changes the result:\n%s", diff)
	}
	if len(a.Findings) != 8 || a.Files != 2 {
		t.Errorf("%d findings in %d files, want 8 in 2", len(a.Findings), a.Files)
	}
}
