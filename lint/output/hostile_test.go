package output_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"

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
	"##[stop-commands]x", "a ##[add-matcher]evil.json", "###[error]x", "##vso[task.complete result=Succeeded]", "##teamcity[buildStop]", "\u00a0::error::x", "\u3000::error::x", "::error::x",
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

// anywhere is what a runner takes for a command in the middle of a line, too.
var anywhere = regexp.MustCompile(`##[A-Za-z]*\[`)

// commanded returns the first line that a runner takes for a command; own says
// that those which begin with "::" are meant.
func commanded(text string, own bool) string {
	for line := range strings.Lines(text) {
		if anywhere.MatchString(line) || !own && strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") {
			return line
		}
	}
	return ""
}

// TestNoCommands wants no text of a repository to reach a runner as a command:
// in any form, in one of many findings that are shown together, in a source line
// that is put together of parts, in a diff.
func TestNoCommands(t *testing.T) {
	for _, s := range append(hostile, "#", "##") {
		c := hostileCheck(s)
		for i := range 2 * 6 {
			c.Result.Findings = append(c.Result.Findings, lint.Finding{Rule: "IN001", Name: "x", Severity: rules.Note, Path: fmt.Sprintf("%s%d/%s", s, i/2, s), Line: 1, Column: 1, Message: s})
		}
		for column := range len(s) + 1 {
			f := c.Result.Findings[0]
			f.Column, f.EndLine, f.EndColumn = column+1, f.Line, column+2
			c.Result.Findings = append(c.Result.Findings, f)
		}
		for _, format := range output.Formats() {
			if bad := commanded(written(t, format, c, hostileOptions()), format == "github"); bad != "" {
				t.Errorf("%s with %q has a command: %q", format, s, bad)
			}
		}
		var diff bytes.Buffer
		before := s + "\n" + strings.Repeat("x\n", 3) + s + "\n"
		if err := output.Diff(&diff, []lint.Change{{Path: s, Before: before, After: before + s}}); err != nil {
			t.Fatal(err)
		}
		if bad := commanded(diff.String(), false); bad != "" {
			t.Errorf("the diff of %q has a command: %q", s, bad)
		}
	}
}

// TestMute wants a text of several lines to keep its words and to be no command.
func TestMute(t *testing.T) {
	for text, want := range map[string]string{
		"steelyard: a\n  ::error::b": "steelyard: a\n  \\x3a:error::b", "::add-mask::x": "\\x3a:add-mask::x", "a ##[error]b\n": "a #\\x23[error]b\n",
		"## Heading": "## Heading", "a::b": "a::b", "": "",
	} {
		if got := output.Mute(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestSARIFAddresses wants the address of a file to be one below the
// repository, whatever its name is.
func TestSARIFAddresses(t *testing.T) {
	for _, s := range append(hostile, "javascript:alert(1)", "file:", "a?b#c", "%2e%2e") {
		path := s + "/b"
		if strings.HasPrefix(path, "/") || strings.Contains(path, "//") {
			continue // no path of a file
		}
		var log struct {
			Runs []struct {
				Results []struct {
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
				}
			}
		}
		c := output.Check{Result: lint.Result{Findings: []lint.Finding{{Rule: "IN001", Severity: rules.Note, Path: path, Line: 1}}}}
		if err := json.Unmarshal([]byte(written(t, "sarif", c, output.Options{})), &log); err != nil {
			t.Fatal(err)
		}
		uri := log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		got, err := url.Parse(uri)
		if err != nil || got.Scheme != "" || got.Host != "" || got.RawQuery != "" || got.Fragment != "" || got.Path != path {
			t.Errorf("%q has the address %q: %+v, %v", path, uri, got, err)
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
			if bad := commanded(b.String(), format == "github"); bad != "" {
				t.Errorf("%s: a command to the runner: %q", format, bad)
			}
		}
	})
}
