package metrics

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteMarkdown writes the report as GitHub-flavoured Markdown: the verdict and
// its reasons, the three numbers and the methods as tables, what was left out,
// and how it was computed.
func WriteMarkdown(w io.Writer, r *Report) error {
	p := &markdown{}
	p.f("# %s\n", r.Definition.Pilot.Title)
	for _, h := range r.Health {
		p.f("> %s\n", h)
	}
	p.f("**%s.** %s\n", r.Verdict.Word, r.Verdict.Sentence)
	for i, x := range r.Verdict.Reasons {
		p.item("%d. **%s.** %s", i+1, trimStop(x.Title), x.Text)
	}
	p.f("")
	if len(r.Verdict.WouldChange) > 0 {
		p.f("What would change it:\n")
		for _, s := range r.Verdict.WouldChange {
			p.item("- %s", s)
		}
		p.f("")
	}
	p.facts("The comparison", r.Facts)
	p.threeNumbers(r)
	for _, m := range r.Metrics {
		p.metric(m, r.Definition.Pilot)
	}
	for _, s := range r.Beside() {
		p.facts(s.Title, s.Facts)
	}
	p.leftOut(r)
	p.facts("How was this computed", r.Computed)
	if not := r.MethodsNotUsed(); len(not) > 0 {
		p.f("## Methods not used\n")
		for _, s := range not {
			p.item("- %s", s)
		}
		p.f("")
	}
	out := strings.TrimRight(p.b.String(), "\n") + "\n"
	if _, err := io.WriteString(w, out); err != nil {
		return fmt.Errorf("write report %s as Markdown: %w", r.Definition.Pilot.ID, err)
	}
	return nil
}

type markdown struct{ b strings.Builder }

// f writes a paragraph; its arguments are escaped.
func (p *markdown) f(format string, args ...any) { p.item(format, args...); p.end() }

func (p *markdown) end() {
	s := strings.TrimRight(p.b.String(), "\n")
	p.b.Reset()
	p.b.WriteString(s + "\n\n")
}

// item writes a line; its text arguments are escaped.
func (p *markdown) item(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = escapeMarkdown(s)
		}
	}
	fmt.Fprintf(&p.b, strings.TrimRight(format, "\n")+"\n", args...)
}

// escapeMarkdown keeps names from being read as markup.
func escapeMarkdown(s string) string {
	var b strings.Builder
	runes := []rune(clean(s))
	for i, r := range runes {
		// A '<' before a space or a number begins no markup: "p < 0.001".
		plain := r == '<' && i+1 < len(runes) && (runes[i+1] == ' ' || unicode.IsDigit(runes[i+1]))
		if strings.ContainsRune("\\`*_[]<>|#", r) && !plain {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// row writes a table row.
func (p *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = escapeMarkdown(c)
	}
	p.b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// rule writes the line under a header: the first left columns flush left, the
// others flush right.
func (p *markdown) rule(left, right int) {
	p.b.WriteString("|" + strings.Repeat(" --- |", left) + strings.Repeat(" ---: |", right) + "\n")
}

func (p *markdown) facts(title string, facts []Fact) {
	p.f("## %s\n", title)
	for _, f := range facts {
		p.item("- %s: %s", f.Title, f.Text)
	}
	p.f("")
}

func (p *markdown) threeNumbers(r *Report) {
	p.f("## Three numbers\n")
	p.row("Metric", "Pilot", "change", "Comparison", "change", "Difference", "95"+narrow+"% interval", "p")
	p.rule(1, 7)
	for _, m := range r.Metrics {
		pv := dash
		if m.Headline.P != nil {
			pv = strings.TrimPrefix(FormatP(*m.Headline.P), "p = ")
		}
		p.row(upperFirst(m.Outcome.Title), m.Pilot.Text, m.Pilot.ValueText, m.Comparison.Text, m.Comparison.ValueText,
			m.Headline.EstimateText, m.Headline.IntervalText, pv)
	}
	p.f("")
}

func (p *markdown) metric(m MetricReport, pilot Pilot) {
	p.f("## %s\n", upperFirst(m.Outcome.Title))
	p.f("%s\n", sentence(m.Finding))
	if m.empty() {
		p.f("Sample: %s\n", sampleCounts(m.Sample, pilot))
		return
	}
	p.row("Method", "Estimate", "95"+narrow+"% interval", "p", "Coefficient", "Standard error")
	p.rule(1, 5)
	effects := []Effect{m.Headline}
	if m.Ratio != nil {
		effects = append(effects, *m.Ratio)
	}
	for i, e := range append(effects, m.Others...) {
		title := e.Title
		if i == 0 {
			title += " (headline)"
		}
		pv, raw, se := dash, dash, dash
		if e.P != nil {
			pv = strings.TrimPrefix(FormatP(*e.P), "p = ")
		}
		if e.Raw != nil {
			raw = full(*e.Raw)
		}
		if e.SE != nil {
			se = full(*e.SE)
		}
		p.row(title, e.EstimateText, e.IntervalText, pv, raw, se)
	}
	p.f("")
	for _, e := range append([]Effect{m.Headline}, m.Others...) {
		if e.Missing != "" {
			p.item("- %s: %s", e.Title, sentence(e.Missing))
		}
		for _, n := range e.Notes {
			p.item("- %s: %s", e.Title, n)
		}
	}
	p.item("- %s", m.PreTrend.Text)
	for _, n := range m.PreTrend.Notes {
		p.item("- %s", sentence(n))
	}
	p.item("- %s", m.DetectableText)
	if bend := m.Bend(); bend != "" {
		p.item("- %s", bend)
	}
	if m.Looks != nil {
		p.item("- %s", m.Looks.Text)
	}
	for _, a := range m.Against {
		if a.Code != codePreTrend && a.Code != "pre_trend_note" && a.Code != codeBends {
			p.item("- %s. %s", a.Title, a.Text)
		}
	}
	if m.Placebo != nil {
		p.item("- %s %s", sentence(m.Placebo.Finding), m.Placebo.Caption)
	}
	p.item("- Sample: %s", sampleCounts(m.Sample, pilot))
	p.f("")
}

func (p *markdown) leftOut(r *Report) {
	p.f("## Left out\n")
	lines := r.leftOutLines()
	for _, l := range lines {
		p.item("- %s", l)
	}
	if len(lines) == 0 {
		p.item("Nothing.")
	}
	p.f("")
}
