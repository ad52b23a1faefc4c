package output

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// writeText writes a check for people: place, severity, message and rule on one
// line that editors can follow, the source line with a caret below it, the
// other places, then what was skipped and the sums, and what was compared.
func writeText(w io.Writer, c Check, o Options) error {
	if err := writeFindings(w, c.Result, &textWriter{color: o.Color, change: c.Base != ""}); err != nil {
		return err
	}
	var b bytes.Buffer
	if c.Base != "" {
		fmt.Fprintf(&b, "Looked at what changed from %s to %s.\n", plain(side(c.Base, c.BaseName)), plain(side(c.Head, c.HeadName)))
	}
	for _, s := range c.LeftOut {
		fmt.Fprintf(&b, "Left out: %s\n", plain(s))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// side is one end of a comparison in a sentence: a commit by its first digits,
// with what it is.
func side(rev, name string) string {
	short := abbreviated(rev)
	if name == "" || name == rev {
		return short
	}
	return fmt.Sprintf("%s (%s)", short, name)
}

func writeFindings(w io.Writer, res lint.Result, t *textWriter) error {
	t.Writer = bufio.NewWriter(w)
	for _, g := range grouped(res.Findings) {
		if len(g) == 1 {
			t.finding(g[0])
			continue
		}
		t.group(g)
	}
	for _, s := range res.Skipped {
		t.printf("%s: %s: %s\n", t.paint(bold, opening(s.Path)), t.paint(dim, "skipped"), plain(s.Reason))
	}
	t.summary(res)
	t.advice(res)
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	return nil
}

type textWriter struct {
	*bufio.Writer // keeps the first error for Flush
	color         bool
	change        bool // the findings are those of a change
}

// The ANSI codes in use.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
)

func (t *textWriter) paint(code, s string) string {
	if !t.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *textWriter) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t, format, args...) // Flush has the error
}

func colourOf(s rules.Severity) string {
	switch s {
	case rules.Error:
		return red
	case rules.Warning:
		return yellow
	default:
		return blue
	}
}

func (t *textWriter) finding(f lint.Finding) {
	t.head(fmt.Sprintf("%s:%d:%d", opening(f.Path), f.Line, f.Column), f)
	t.source(f, colourOf(f.Severity))
	t.related(f)
}

func (t *textWriter) head(place string, f lint.Finding) {
	t.printf("%s: %s: %s %s\n", t.paint(bold, place), t.paint(colourOf(f.Severity), string(f.Severity)), plain(f.Message),
		t.paint(dim, "["+f.Rule+" "+f.Name+"]"))
}

// group shows several files with the same fault as one; the formats for
// machines have each of them.
func (t *textWriter) group(g group) {
	t.head(plural(len(g), "file"), g[0])
	folders := g.folders()
	for _, f := range folders[:min(len(folders), mostShown)] {
		if f.files == 1 {
			t.printf("      %s\n", opening(f.path))
		} else {
			t.printf("      %s %s\n", opening(f.path), t.paint(dim, plural(f.files, "file")))
		}
	}
	if rest := len(folders) - mostShown; rest > 0 {
		t.printf("      and %s more\n", plural(rest, "folder"))
	}
	if len(folders) < len(g) || len(folders) > mostShown {
		t.printf("      --output json names each file\n")
	}
	t.related(g[0])
}

func (t *textWriter) related(f lint.Finding) {
	for _, r := range f.Related {
		t.printf("      see %s:%d", plain(r.Path), r.Line)
		if r.Message != "" {
			t.printf(": %s", plain(r.Message))
		}
		t.printf("\n")
	}
}

// window is how much of a source line is shown, in bytes before and after the
// finding's column.
const window = 60

// source shows the line of a finding with a caret under its place.
func (t *textWriter) source(f lint.Finding, colour string) {
	at := f.Column - 1
	if f.Snippet == "" || at < 0 || at > len(f.Snippet) {
		return
	}
	end := at
	if f.EndLine == f.Line {
		end = min(f.EndColumn-1, len(f.Snippet))
	} else if f.EndLine > f.Line {
		end = len(f.Snippet)
	}
	from, to := min(cutStart(f.Snippet, at-window), at), cutEnd(f.Snippet, max(at, min(end, at+window))+window)
	before, marked, after := f.Snippet[from:at], f.Snippet[at:max(end, at)], f.Snippet[max(end, at):max(to, end, at)]
	lead, trail := "", ""
	if from > 0 {
		lead = "…"
	} else {
		before = strings.TrimLeft(before, " \t")
	}
	if to < len(f.Snippet) {
		trail = "…"
	}
	before, marked, after = lead+shown(before), shown(marked), shown(after)
	if runnerCommand.MatchString(before + marked + after) { // put together of its parts
		unhashed := strings.NewReplacer("#", `\x23`)
		before, marked, after = unhashed.Replace(before), unhashed.Replace(marked), unhashed.Replace(after)
	}
	number := fmt.Sprintf("%5d", f.Line)
	t.printf("%s %s %s%s%s%s\n", t.paint(dim, number), t.paint(dim, "|"), before, marked, after, trail)
	carets := "^" + strings.Repeat("~", max(utf8.RuneCountInString(marked), 1)-1)
	t.printf("      %s %s%s\n", t.paint(dim, "|"), strings.Repeat(" ", utf8.RuneCountInString(before)), t.paint(colour, carets))
}

// shown is plain with each tab as one space, so that the caret stands under
// its column.
func shown(s string) string { return plain(strings.ReplaceAll(s, "\t", " ")) }

// cutStart moves an offset forward to the start of a character, not before 0.
func cutStart(s string, i int) int {
	for i = max(i, 0); i < len(s) && !utf8.RuneStart(s[i]); i++ {
	}
	return i
}

// cutEnd moves an offset back to the end of a character, not past the text.
func cutEnd(s string, i int) int {
	for i = min(i, len(s)); i > 0 && i < len(s) && !utf8.RuneStart(s[i]); i-- {
	}
	return i
}

func (t *textWriter) summary(res lint.Result) {
	if len(res.Findings) > 0 || len(res.Skipped) > 0 {
		t.printf("\n")
	}
	c := count(res.Findings)
	switch {
	case t.change && res.Files == 0 && len(res.Findings) == 0:
		t.printf("No findings in what changed; no file here steers an assistant")
	case res.Files == 0 && len(res.Findings) == 0:
		t.printf("Nothing was checked: there is no file here that steers an assistant")
	case len(res.Findings) == 0:
		what := "findings"
		if res.Known > 0 {
			what = "new findings"
		}
		t.printf("No %s in %s", what, plural(res.Files, "governed file"))
	default:
		t.printf("%s, %s, %s in %s", plural(c.errors, "error"), plural(c.warnings, "warning"), plural(c.notes, "note"),
			plural(res.Files, "governed file"))
	}
	if res.Suppressed > 0 {
		t.printf("; %d suppressed", res.Suppressed)
	}
	if res.Known > 0 {
		t.printf("; %d known before", res.Known)
	}
	if len(res.Skipped) > 0 {
		t.printf("; %d skipped", len(res.Skipped))
	}
	t.printf(".\n")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// advice says how to go on: what a rule is about, or which files were looked
// for where there is none.
func (t *textWriter) advice(res lint.Result) {
	if len(res.Findings) > 0 {
		t.printf("\"steelyard explain %s\" says why, how to mend it, and how to accept a finding with a reason.\n", worst(res.Findings).Rule)
		if n := mendable(res.Findings); n > 0 {
			t.printf("\"steelyard lint --fix\" mends %d of them, \"--diff\" shows how.\n", n)
		}
		return
	}
	if res.Files > 0 || t.change {
		return
	}
	t.printf("Looked for, at any depth:\n")
	for _, k := range []struct{ what, such string }{
		{"instruction files", "AGENTS.md, CLAUDE.md, GEMINI.md, .github/copilot-instructions.md, .cursor/rules"},
		{"tasks and skills", ".github/prompts, .claude/commands, .cursor/commands, SKILL.md"},
		{"MCP configurations", ".mcp.json, .vscode/mcp.json, .cursor/mcp.json, .codex/config.toml"},
		{"permissions", ".claude/settings.json, .vscode/settings.json, .gemini/settings.json"},
		{"owners and review", "CODEOWNERS, a pull-request template, copilot-setup-steps.yml"},
	} {
		t.printf("  %-19s %s\n", k.what, k.such)
	}
	t.printf("What .gitignore hides, lint.exclude names or a vendored folder holds is not looked at.\n")
}

// worst is the first finding of the worst severity.
func worst(findings []lint.Finding) lint.Finding {
	return slices.MinFunc(findings, func(a, b lint.Finding) int { return weight(a) - weight(b) })
}

// mendable counts the findings that a fix mends.
func mendable(findings []lint.Finding) int {
	n := 0
	for _, f := range findings {
		if f.Fix != nil {
			n++
		}
	}
	return n
}
