package dependencies

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// JSON writes the assessment as indented JSON, see [Report].
func (a *Assessment) JSON(w io.Writer) error { return writeJSON(w, a.Report()) }

// CheckReport is the answer about one package as JSON, version 1.
type CheckReport struct {
	Version int  `json:"version"`
	Checked Item `json:"checked"`
}

// JSON writes one verdict as indented JSON, see [CheckReport].
func (v Verdict) JSON(w io.Writer) error { return writeJSON(w, CheckReport{1, NewItem(v)}) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// Text writes the assessment for people: each entry with its reasons, then
// what was left out, then the count.
func (a *Assessment) Text(w io.Writer) error {
	p := &printer{w: w}
	for _, v := range a.Verdicts() {
		if v.Judgement == Unverified && !v.counted() {
			continue // it was left out on purpose, see below
		}
		v.text(p)
	}
	for _, u := range a.Unread {
		p.line("%s  not read: %s", visible(u.Path), visible(u.Reason))
	}
	for _, d := range a.Expired {
		p.line("%s:%d  the decision about %s ended on %s", visible(d.Source), d.Line, visible(d.Package), d.Until.Format("2006-01-02"))
	}
	a.leftOut(p)
	p.line("%s", a.summary())
	return p.err
}

// Text writes one verdict for people.
func (v Verdict) Text(w io.Writer) error {
	p := &printer{w: w}
	v.text(p)
	return p.err
}

func (v Verdict) text(p *printer) {
	what := visible(v.String())
	if v.ResolvedName != "" {
		what += " (written as " + visible(v.Name) + ")"
	}
	if v.Path != "" {
		what = fmt.Sprintf("%s:%d  %s", visible(v.Path), v.Line, what)
	}
	p.line("%-10s  %s", v.Judgement, what)
	for _, e := range v.Evidence {
		mark := ""
		if e.Rule != "" {
			mark = "  [" + e.Rule + "]"
		}
		p.line("            %s%s", visible(e.Text), mark)
	}
}

// leftOut says what was not asked about, grouped by the reason.
func (a *Assessment) leftOut(p *printer) {
	var order []string
	groups := map[string][]string{}
	for _, u := range a.Unchecked {
		if groups[u.Reason] == nil {
			order = append(order, u.Reason)
		}
		groups[u.Reason] = append(groups[u.Reason], visible(u.String()))
	}
	const most = 5
	for _, reason := range order {
		names := groups[reason]
		text := strings.Join(names[:min(most, len(names))], ", ")
		if more := len(names) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		p.line("not checked: %s (%s)", text, visible(reason))
	}
}

// summary counts the verdicts in one sentence.
func (a *Assessment) summary() string {
	counts := a.Count()
	total := 0
	var parts []string
	for _, j := range Judgements() {
		total += counts[j]
		if counts[j] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[j], j))
		}
	}
	text := "No new dependencies"
	if total > 0 {
		text = fmt.Sprintf("%d new or changed: %s", total, strings.Join(parts, ", "))
	}
	if n := len(a.Unchecked); n > 0 {
		text += fmt.Sprintf("; %d not checked", n)
	}
	if n := len(a.Unread); n > 0 {
		text += fmt.Sprintf("; %d not read", n)
	}
	files := "manifests and lockfiles"
	if a.Files == 1 {
		files = "manifest or lockfile"
	}
	return fmt.Sprintf("%s, in %d %s.", text, a.Files, files)
}

// Markdown writes the assessment as a table for a comment or a job summary.
func (a *Assessment) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("### New dependencies\n\n%s\n", a.summary())
	verdicts := a.Verdicts()
	if len(verdicts) > 0 {
		p.line("| judgement | package | where | why |\n| --- | --- | --- | --- |")
	}
	for _, v := range verdicts {
		if v.Judgement == Unverified && !v.counted() {
			continue
		}
		var why []string
		for _, e := range v.Evidence {
			why = append(why, cell(e.Text))
		}
		where := ""
		if v.Path != "" {
			where = code(fmt.Sprintf("%s:%d", v.Path, v.Line))
		}
		name := code(v.String())
		if v.ResolvedName != "" {
			name += " as " + code(v.Name)
		}
		p.line("| **%s** | %s | %s | %s |", v.Judgement, name, where, strings.Join(why, "<br>"))
	}
	for _, u := range a.Unread {
		p.line("\n%s could not be read: %s.", code(u.Path), cell(u.Reason))
	}
	for _, d := range a.Expired {
		p.line("\nThe decision about %s ended on %s.", code(d.Package), d.Until.Format("2006-01-02"))
	}
	if n := len(a.Unchecked); n > 0 {
		p.line("\n%d not checked: %s.", n, cell(a.Unchecked[0].Reason))
	}
	return p.err
}

// cell is text from elsewhere inside a table: nothing in it is markup, a link
// or a mention.
func cell(s string) string {
	return strings.NewReplacer(
		"|", "\\|", "<", "&lt;", ">", "&gt;", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "@", "&#64;", "#", "&#35;", "~", "\\~", "\n", " ",
	).Replace(visible(s))
}

// code is text from elsewhere as a code span inside a table.
func code(s string) string {
	return "`" + strings.NewReplacer("|", "\\|", "`", "'").Replace(visible(s)) + "`"
}

// visible writes characters that could move a cursor, or change what is read,
// as escapes.
func visible(s string) string {
	unsafe := func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar
	}
	if !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafe(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
