package output_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// hostile are texts that a repository may hold to speak through a report.
var hostile = []string{
	"@octocat please look", "see #12, GH-34 and acme/shop#5", "closes #1", "[click](https://evil.example)", "![x](https://evil.example/p.png)",
	"https://evil.example/", "www.evil.example", "mail me@evil.example", "<img src=x onerror=alert(1)>", "<details open>", "<!-- steelyard check / -->",
	"``` \n# heading\n", "` @octocat `", "a`b``c", "\"quoted\" \"`\" @octocat", "\"open @octocat", "**bold** _it_ ~~no~~ $x$ :tada:", "| a | b |\n|---|---|",
	"\r\n::error::x", "&lt;b&gt; &#64;octocat", "\\`@octocat\\`", "\"\"\"\"", "x\"\"@octocat\"\"", "", " ", "\u202e@octocat", "ＷＷＷ．evil．example", "- item\n- item", "\xec0", "ok\xff", "\x86\x86", ":", " :",
}

// mistake says what Markdown with a hostile text in it does that it must not:
// name somebody, lead anywhere but to our own place, be markup.
func mistake(markdown string) string {
	source := []byte(markdown)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	found := ""
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), sourceAddress+"/") {
				found = "a link to " + string(n.Destination)
			}
		case *ast.AutoLink, *ast.Image:
			found = "an address or an image"
		case *ast.RawHTML:
			found = "markup in a line"
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				if s := strings.TrimSpace(string(line.Value(source))); s != marker && s != "" {
					found = "markup: " + s
				}
			}
		case *ast.Emphasis:
			found = "emphasis"
		case *ast.Text:
			if s := string(n.Segment.Value(source)); strings.ContainsAny(s, "@#<") || strings.Contains(s, "GH-") || strings.Contains(s, ":tada:") {
				found = "it means something to GitHub: " + s
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}

const sourceAddress = "https://github.com/acme/shop/blob/4f2c6c1"

var marker = output.Marker("")

// hostileCheck says a hostile text wherever a repository can.
func hostileCheck(s string) output.Check {
	f := lint.Finding{
		Rule: "MC002", Name: "mcp-unpinned-server", Severity: rules.Error, Path: "a/" + s, Line: 3, Column: 2, Message: s,
		Snippet: s, Related: []lint.Related{{Path: s + "/b", Line: 1, Message: s}},
	}
	quoted := f
	quoted.Message = `npx fetches "` + s + `" without a version`
	return output.Check{
		Result:     lint.Result{Findings: []lint.Finding{f, quoted}, Skipped: []lint.Skip{{Path: s, Reason: s}}},
		Repository: s, Base: s, Head: s, LeftOut: []string{s},
	}
}

func hostileOptions() output.Options {
	return output.Options{Source: sourceAddress, Marker: marker, Details: "javascript:alert(1)"}
}

// TestMarkdownIsSafe wants a report to say what a repository says, and nothing
// that it wants said.
func TestMarkdownIsSafe(t *testing.T) {
	for _, s := range hostile {
		for _, format := range []string{"summary", "markdown"} {
			markdown := written(t, format, hostileCheck(s), hostileOptions())
			if bad := mistake(markdown); bad != "" {
				t.Errorf("%s with %q has %s:\n%s", format, s, bad, markdown)
			}
			if n := strings.Count(markdown, "\n- "); n != 4 {
				t.Errorf("%s with %q has %d entries, want 4:\n%s", format, s, n, markdown)
			}
		}
	}
}

// TestMistakeSees holds the test above to what it looks for.
func TestMistakeSees(t *testing.T) {
	for _, s := range []string{"@octocat", "[a](https://evil.example)", "https://evil.example", "<b>x</b>", "<details>\n", "*x*", "fixes #1"} {
		if mistake("a\n\n"+s+"\n") == "" {
			t.Errorf("%q passes", s)
		}
	}
}

// TestAnnotationsAreSafe wants one command a finding, whatever a repository
// says.
func TestAnnotationsAreSafe(t *testing.T) {
	for _, s := range append(hostile, "%0A::error::x", "a,line=9,title=x", "::stop-commands::x\n", "a:b,c%") {
		got := written(t, "github", hostileCheck(s), output.Options{})
		for line := range strings.Lines(got) {
			properties, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
			if !strings.HasPrefix(line, "::error file=") || strings.Count(properties, ",line=") != 1 || strings.Count(properties, ",title=") != 1 {
				t.Errorf("%q becomes %q", s, line)
			}
		}
		if strings.Count(got, "\n") != 2 || strings.ContainsRune(got, '\r') {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// TestSARIFHasNoLinks wants no words of a repository to become a link in code
// scanning, and the other places named where GitHub shows them.
func TestSARIFHasNoLinks(t *testing.T) {
	for _, s := range hostile {
		got := written(t, "sarif", hostileCheck(s), output.Options{})
		if strings.Contains(got, "](") {
			t.Errorf("%q makes a link:\n%s", s, got)
		}
		if !strings.Contains(got, "; see ") {
			t.Errorf("%q: the other place is not named", s)
		}
	}
}

func FuzzOutputs(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		c := hostileCheck(s)
		for _, format := range output.Formats() {
			var b bytes.Buffer
			if err := output.Write(&b, format, c, hostileOptions()); err != nil {
				t.Fatal(err)
			}
			if format == "summary" || format == "markdown" {
				if bad := mistake(b.String()); bad != "" {
					t.Errorf("%s has %s:\n%s", format, bad, b.String())
				}
			}
			for line := range strings.Lines(b.String()) {
				if start := strings.TrimSpace(line); format != "github" && (strings.HasPrefix(start, "::") || strings.HasPrefix(start, "##[")) {
					t.Errorf("%s: a command to the runner: %q", format, line)
				}
			}
		}
	})
}
