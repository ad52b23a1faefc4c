package metrics

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// page collects lines of a report in plain text. What comes from data cannot
// steer a terminal: control characters are dropped.
type page struct{ b strings.Builder }

func (p *page) line(format string, args ...any) {
	p.b.WriteString(strings.TrimRight(clean(fmt.Sprintf(format, args...)), " "))
	p.b.WriteByte('\n')
}

// para writes wrapped text with an indent; the first line begins with mark.
func (p *page) para(mark, s string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(mark))
	width := textWidth - utf8.RuneCountInString(mark)
	line, n := mark, 0
	for _, w := range strings.Fields(keepNarrow(s)) {
		k := utf8.RuneCountInString(w)
		if n > 0 && n+1+k > width {
			p.line("%s", line)
			line, n = indent, 0
		}
		if n > 0 {
			line += " "
			n++
		}
		line += w
		n += k
	}
	p.line("%s", line)
}

const textWidth = 92

// narrowMark stands for a narrow no-break space while a text is split into
// words, because strings.Fields would break there.
const narrowMark = "\x00"

func keepNarrow(s string) string { return strings.ReplaceAll(s, narrow, narrowMark) }

// clean drops control and invisible characters and puts narrow spaces back.
func clean(s string) string {
	s = strings.ReplaceAll(s, narrowMark, narrow)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unseen(r) && r != '\u200c' && r != '\u200d' {
			return -1
		}
		return r
	}, s)
}

// pad fills s up to n columns on the right.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}

// WriteText writes the report for a terminal: the verdict and its reasons
// first, then three numbers for each metric with every method and its
// coefficient to twelve digits, then what was left out and how it was
// computed.
func WriteText(w io.Writer, r *Report) error {
	p := &page{}
	p.line("%s", r.Definition.Pilot.Title)
	for _, h := range r.Health {
		p.para("! ", h)
	}
	p.line("")
	p.para("", r.Verdict.Word+". "+r.Verdict.Sentence)
	p.line("")
	for i, x := range r.Verdict.Reasons {
		p.para(fmt.Sprintf("%2d. ", i+1), trimStop(x.Title)+". "+x.Text)
	}
	if len(r.Verdict.WouldChange) > 0 {
		p.line("")
		p.line("What would change it")
		for _, s := range r.Verdict.WouldChange {
			p.para("  - ", s)
		}
	}
	p.line("")
	p.facts("The comparison", r.Facts)
	for _, m := range r.Metrics {
		p.metric(m, r.Definition.Pilot)
	}
	for _, s := range r.Beside() {
		p.line("")
		p.facts(s.Title, s.Facts)
	}
	p.leftOut(r)
	p.line("")
	p.facts("How was this computed", r.Computed)
	if not := r.MethodsNotUsed(); len(not) > 0 {
		p.line("")
		p.line("Methods not used")
		for _, s := range not {
			p.para("  - ", s)
		}
	}
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("write report %s as text: %w", r.Definition.Pilot.ID, err)
	}
	return nil
}

func (p *page) facts(title string, facts []Fact) {
	p.line("%s", title)
	width := 0
	for _, f := range facts {
		width = max(width, utf8.RuneCountInString(f.Title))
	}
	for _, f := range facts {
		p.para("  "+pad(f.Title, min(width, 30))+"  ", f.Text)
	}
}

func sideWord(b Better) string {
	if b == BetterNeutral {
		return "no better side"
	}
	return string(b) + " is better"
}

func (p *page) metric(m MetricReport, pilot Pilot) {
	p.line("")
	p.line("%s (%s)", upperFirst(m.Outcome.Title), join(", ", m.Measure, roleWord(m.Outcome.Role), sideWord(m.Outcome.Better)))
	p.para("  ", sentence(m.Finding))
	if m.empty() {
		p.para("  ", "Sample: "+sampleCounts(m.Sample, pilot))
		return
	}
	width := max(utf8.RuneCountInString(m.Pilot.Label), len("comparison"))
	if m.Ratio != nil || m.Headline.Unit == UnitRatio {
		width = max(width, len(ratioWords))
	}
	texts := 0
	for _, c := range []Change{m.Pilot, m.Comparison} {
		if c.Text != "" {
			texts = max(texts, utf8.RuneCountInString(c.Text)+2)
		}
	}
	for _, c := range []Change{m.Pilot, m.Comparison} {
		p.line("    %s  %s%s", pad(c.Label, width), pad(c.Text, texts), c.ValueText)
	}
	third := "difference"
	if m.Headline.Unit == UnitRatio {
		third = ratioWords
	}
	p.line("    %s  %s", pad(third, width), m.Headline.Text)
	if m.Ratio != nil {
		p.line("    %s  %s", pad(ratioWords, width), m.Ratio.Text)
	}
	p.line("  Methods")
	p.effect(m.Headline, true)
	for _, e := range m.Others {
		p.effect(e, false)
	}
	if m.Disagree {
		p.para("    ! ", "The methods disagree: an admissible one excludes no change on the other side.")
	}
	p.line("  Checks")
	p.para("    ", m.PreTrend.Text)
	for _, n := range m.PreTrend.Notes {
		p.para("    ", sentence(n))
	}
	p.para("    ", m.DetectableText)
	if bend := m.Bend(); bend != "" {
		p.para("    ", bend)
	}
	if m.Looks != nil {
		p.para("    ", m.Looks.Text)
	}
	if m.HolmP != nil {
		p.para("    ", "Adjusted for the secondary metrics (Holm): "+FormatP(*m.HolmP)+".")
	}
	for _, a := range m.Against {
		if a.Code != codeDisagree && a.Code != codePreTrend && a.Code != "pre_trend_note" && a.Code != codeBends {
			p.para("    ", a.Title+". "+a.Text)
		}
	}
	if m.Placebo != nil {
		p.para("    ", sentence(m.Placebo.Finding)+" "+m.Placebo.Caption)
	}
	p.para("    ", "Sample: "+sampleCounts(m.Sample, pilot))
}

// empty reports whether a metric has no number at all: its finding says so, and
// why.
func (m MetricReport) empty() bool {
	h := m.Headline
	return h.Estimate == nil && h.Low == nil && h.High == nil && len(m.Others) == 0
}

const ratioWords = "ratio of ratios"

func roleWord(r Role) string {
	if r == RoleCounter {
		return "counter-metric"
	}
	return string(r)
}

func sampleCounts(s Sample, p Pilot) string {
	text := fmt.Sprintf("%s treated and %s in the comparison, %s of one %s in one %s",
		counted(s.TreatedUnits, p.UnitNoun), FormatCount(s.ComparisonUnits), counted(s.Observations, "value"), p.UnitNoun, p.PeriodNoun)
	if s.PullRequests > 0 {
		text += fmt.Sprintf(", %s, %s, %s not ended when last seen", counted(s.PullRequests, "pull request"), authorsText(s.Authors), FormatCount(s.Censored))
	}
	return text + "."
}

// effect writes one method: the estimate in words, and the coefficient and
// standard error as they are.
func (p *page) effect(e Effect, headline bool) {
	title := e.Title
	if headline {
		title += " (headline)"
	}
	p.para("    ", title+": "+e.Text)
	if e.Raw != nil && e.SE != nil {
		p.line("      coefficient %s, standard error %s%s", full(*e.Raw), full(*e.SE), dfText(e.DF))
	}
	for _, n := range e.Notes {
		p.para("      ", n)
	}
}

// full writes a number with twelve significant digits, enough to hold it to a
// reference; JSON and CSV have it all.
func full(x float64) string {
	s := strconv.FormatFloat(x, 'g', 12, 64)
	if strings.HasPrefix(s, "-") {
		return minus + s[1:]
	}
	return s
}

func dfText(df *float64) string {
	if df == nil {
		return ""
	}
	return ", " + FormatNumber(*df) + " degrees of freedom"
}

func (p *page) leftOut(r *Report) {
	p.line("")
	p.line("Left out")
	lines := r.leftOutLines()
	for _, l := range lines {
		p.para("  - ", l)
	}
	if len(lines) == 0 {
		p.line("  nothing")
	}
}

// leftOutLines are what was left out, as sentences: of all metrics first, then
// what only some of them leave out, with their titles.
func (r *Report) leftOutLines() []string {
	say := func(l LeftOut) string {
		return fmt.Sprintf("%s %s, because %s.", FormatCount(l.Count), l.What, trimStop(l.Reason))
	}
	var out []string
	for _, l := range r.LeftOut {
		out = append(out, say(l))
	}
	var order []LeftOut
	titles := map[LeftOut][]string{}
	for _, m := range r.Metrics {
		for _, l := range m.Sample.LeftOut {
			if titles[l] == nil {
				order = append(order, l)
			}
			titles[l] = append(titles[l], upperFirst(m.Outcome.Title))
		}
	}
	for _, l := range order {
		whose := list(titles[l])
		if len(titles[l]) == len(r.Metrics) && len(r.Metrics) > 1 {
			whose = "Every metric"
		}
		out = append(out, whose+": "+say(l))
	}
	return out
}
