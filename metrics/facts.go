package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// health are the lines to be read first.
func health(def Definition, f *frame) []string {
	out := []string{}
	for _, s := range def.Pilot.Sources {
		if s.MadeUp {
			text := sentence(join(". ", s.Title, s.Note))
			if !strings.HasPrefix(strings.ToLower(text), "made-up") {
				text = "Made-up numbers: " + text
			}
			out = append(out, text)
		}
	}
	for _, text := range f.incomplete {
		out = append(out, "The data is incomplete for the window. "+text)
	}
	if f.notOver != "" {
		out = append(out, "The declared window is not over. "+f.notOver)
	}
	return append(out, changedAfterStart(def)...)
}

// changedAfterStart tells the changes of a definition that came when the
// outcome could already be seen.
func changedAfterStart(def Definition) []string {
	var out []string
	for _, c := range def.Changes {
		if c.AfterStart && !c.Wording(def.Pilot.Level) {
			first := FormatDate(def.Changes[0].SavedAt)
			when := fmt.Sprintf(" (first saved on %s)", first)
			switch {
			case def.Changes[0].SavedAt.IsZero():
				when = ""
			case first == FormatDate(c.ReplacedAt):
				when = " and on the day it was first saved"
			}
			if slices.Contains(c.What, ChangeDeleted) {
				out = append(out, fmt.Sprintf("The definition was deleted on %s, after the start%s, and made anew.", FormatDate(c.ReplacedAt), when))
				continue
			}
			out = append(out, fmt.Sprintf("The definition was changed on %s, after the start%s: %s.", FormatDate(c.ReplacedAt), when, list(fieldWords(c.What))))
		}
	}
	return out
}

// definedAfterStart says that the comparison was chosen when its outcome could
// already be seen, "" where it was not, or where that is not known. Numbers that
// are made up accuse nobody.
func definedAfterStart(def Definition, f *frame) string {
	saved := def.SavedAt
	if len(def.Changes) > 0 {
		saved = def.Changes[0].SavedAt
	}
	starts := f.starts(f.treated)
	if def.Pilot.madeUp() || saved.IsZero() || len(starts) == 0 || !f.dated() {
		return ""
	}
	start := f.grid.start(starts[0])
	if saved.Before(start.AddDate(0, 0, 1)) {
		return ""
	}
	return fmt.Sprintf("The definition was first saved on %s and the first start was %s, so who is compared, and when, was chosen when results could already be seen.",
		FormatDate(saved), f.startText(starts[0]))
}

// fieldWords names a definition's fields for people: "smallest effect".
func fieldWords(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ReplaceAll(n, "_", " ")
	}
	return out
}

// facts are the frame of the comparison in a few lines.
func facts(def Definition, f *frame, r *Report) []Fact {
	var out []Fact
	add := func(title, text string) {
		if text != "" {
			out = append(out, Fact{title, text})
		}
	}
	add("Started", startedText(f))
	if f.kind == DesignStaggered {
		add("Periods", fmt.Sprintf("%s to %s, %s used", r.Design.FirstPeriod, r.Design.LastPeriod, counted(len(f.kept), f.pilot.PeriodNoun)))
	} else {
		add("Before", f.windowText(f.before))
		add("After", f.windowText(f.after))
	}
	add("Treated", counted(len(f.treated), f.pilot.UnitNoun))
	add("Against", againstText(f, r))
	add("Left out", list(f.leftOutWords()))
	if f.n > 0 {
		add("Data through", f.throughText())
	}
	text := definitionText(def)
	if definedAfterStart(def, f) != "" {
		text += ", chosen after the start"
	}
	add("Definition", text)
	return out
}

func startedText(f *frame) string {
	starts := f.starts(f.treated)
	switch len(starts) {
	case 0:
		return ""
	case 1:
		return f.startText(starts[0])
	}
	return fmt.Sprintf("%s to %s, %d starts", f.label(starts[0]), f.label(starts[len(starts)-1]), len(starts))
}

func (f *frame) startText(t int) string {
	if f.kind == DesignStaggered || f.grid.kind != PeriodDay {
		return f.label(t)
	}
	return FormatDate(f.grid.start(t))
}

// throughText is the last day covered as people write it.
func (f *frame) throughText() string {
	if f.grid.kind == PeriodDay {
		return FormatDate(f.lastCovered())
	}
	return f.label(f.n - 1)
}

func (f *frame) windowText(periods []int) string {
	if len(periods) == 0 {
		return "none"
	}
	from, to := periods[0], periods[len(periods)-1]
	if f.grid.kind == PeriodDay {
		return fmt.Sprintf("%s to %s, %s used", FormatDate(f.grid.start(from)), lastDay(f.end(to)), counted(len(periods), f.pilot.PeriodNoun))
	}
	return fmt.Sprintf("%s to %s, %s used", f.label(from), f.label(to), counted(len(periods), f.pilot.PeriodNoun))
}

func againstText(f *frame, r *Report) string {
	text := counted(len(f.comparison), f.pilot.UnitNoun)
	if n := f.never(); f.kind == DesignStaggered && n < len(f.comparison) {
		text += fmt.Sprintf(", %s of them never treated", FormatCount(n))
	}
	if a := r.Metrics[0].Sample.Authors; a > 0 {
		text += fmt.Sprintf("; %s in both groups", counted(a, "author"))
	}
	return text
}

func definitionText(def Definition) string {
	if def.SavedAt.IsZero() {
		return ""
	}
	text := "saved " + FormatDate(def.SavedAt)
	if n := len(def.Changes); n == 1 {
		text += ", changed once"
	} else if n > 1 {
		text += fmt.Sprintf(", changed %d times", n)
	}
	return text
}

// computed answers "how was this computed".
func computed(def Definition, f *frame, r *Report) []Fact {
	p := def.Pilot
	m := r.Metrics[0]
	out := []Fact{{"Sample", sampleText(f, m)}}
	out = append(out, Fact{"Method", strings.Join(append([]string{r.Design.MethodTitle + "."}, r.Design.Why...), " ")})
	if f.kind != DesignStaggered {
		out = append(out, Fact{"Comparison", fmt.Sprintf("The unweighted mean of its %s; its change is the change of that mean.", plural(2, p.UnitNoun))})
	}
	if m.Ratio != nil {
		out = append(out, Fact{"Ratio of ratios", m.Ratio.Text + ", the same comparison on the log scale"})
	}
	var defs []string
	if p.Level == LevelPullRequests {
		for _, o := range p.Outcomes {
			if c, ok := CatalogueMetric(o.ID); ok {
				defs = append(defs, fmt.Sprintf("%s: %s", c.Title, c.Definition))
			}
		}
		out = append(out, Fact{"Metrics", strings.Join(defs, ". ") + "."})
		hours := "Times are elapsed hours."
		if p.Hours != nil {
			hours = "Times are working hours, by each team’s own calendar."
		}
		out = append(out, Fact{"Open pull requests", "What has not ended counts as lasting at least as long as the pull request is known (Kaplan–Meier), also where it was closed without getting there; only the wait for a first review ends with the closing. " + hours})
	}
	if slices.ContainsFunc(r.Metrics, oneOff) {
		out = append(out, Fact{"Rounding", "Both changes and their difference are rounded one by one, so the difference can be one off."})
	}
	if words := list(f.leftOutWords()); words != "" {
		out = append(out, Fact{"Left out", words})
	}
	hash := def.Hash
	if hash != "" {
		text := "hash " + hash
		if saved := definitionText(def); saved != "" {
			text = saved + ", " + text
		}
		out = append(out, Fact{"Definition", text})
	}
	for _, c := range def.Changes {
		out = append(out, Fact{"Changed " + FormatDate(c.ReplacedAt), fmt.Sprintf("%s; the version before it has hash %s", list(fieldWords(c.What)), clipHash(c.Hash))})
	}
	out = append(out, Fact{"Smallest effect worth having", FormatNumber(100*smallestOf(p)) + narrow + "%"})
	return append(out, Fact{"Seed", fmt.Sprint(p.Seed)}, Fact{"The same report", r.Command})
}

func clipHash(h string) string { return h[:min(len(h), 8)] }

func smallestOf(p Pilot) float64 { return Evidence{Pilot: p}.smallest() }

func sampleText(f *frame, m MetricReport) string {
	text := trimStop(sampleCounts(m.Sample, f.pilot))
	for _, l := range m.Sample.LeftOut {
		text += fmt.Sprintf("; %s %s left out because %s", FormatCount(l.Count), l.What, l.Reason)
	}
	return text + "."
}

// authorsText counts authors; none is not nobody, but nobody known.
func authorsText(n int) string {
	if n == 0 {
		return "unknown authors"
	}
	return counted(n, "author")
}

// impossibleFall says that an interval holds falls that cannot be: no value of a
// percentage change lies under −100 %. False where it does not.
func impossibleFall(f *frame, m MetricReport) (string, bool) {
	h := m.Headline
	if h.Unit != UnitPoints || h.Low == nil || m.Comparison.Value == nil {
		return "", false
	}
	least := -100 - *m.Comparison.Value
	if *h.Low >= least {
		return "", false
	}
	why := "the time before the start differs so much from one part to the next"
	if h.Method == methodTwoByTwo {
		why = fmt.Sprintf("the %s differ so much in how they changed", plural(2, f.pilot.UnitNoun))
	}
	return fmt.Sprintf("A fall of more than %s is impossible; the interval is that wide because %s.", magnitude(FormatPoints(least)), why), true
}

// oneOff reports whether the rounded third number is not the difference of the
// rounded first two.
func oneOff(m MetricReport) bool {
	if m.Headline.Unit != UnitPoints || m.Headline.Estimate == nil || m.Pilot.Value == nil || m.Comparison.Value == nil {
		return false
	}
	return math.Round(*m.Pilot.Value)-math.Round(*m.Comparison.Value) != math.Round(*m.Headline.Estimate)
}

// heavyCensoring is the share of durations that had not ended from which it is
// said against them.
const heavyCensoring = 0.1

// against is what speaks against a metric's number.
func against(f *frame, m MetricReport) []Reason {
	out := []Reason{}
	add := func(code, title, text string) { out = append(out, Reason{code, title, text}) }
	if p := m.PreTrend.P; p != nil && *p < 0.05 {
		add(codePreTrend, "The groups already moved apart before the start", apartText(m.PreTrend))
	}
	if r, ok := beforeReason(m); ok {
		out = append(out, r)
	}
	for _, n := range m.PreTrend.Notes {
		if !m.PreTrend.limited {
			break
		}
		add("pre_trend_note", "The pre-trend test has a limit", sentence(n))
	}
	if m.Disagree {
		add(codeDisagree, "The methods disagree", disagreement(m))
	}
	if !m.Headline.Admissible && m.Headline.Estimate != nil {
		text := m.Headline.Missing
		if i := slices.IndexFunc(m.Headline.Notes, func(n string) bool { return strings.Contains(n, "too few") }); i >= 0 && text == "" {
			text = m.Headline.Notes[i]
		}
		add(codeNoInterval, "The interval cannot be relied on", sentence(text))
	}
	if text, ok := impossibleFall(f, m); ok {
		add("wide_interval", "The interval reaches further than a fall can", text)
	}
	for _, o := range m.Others {
		for _, n := range o.Notes {
			if o.Method == methodLang && strings.Contains(n, "varied") {
				add("pilot_noisier", "The pilot is noisier than the comparison", n)
			}
		}
	}
	if s := m.Sample; s.PullRequests > 0 && float64(s.Censored) > heavyCensoring*float64(s.PullRequests) {
		add("censored", "Many have not ended", fmt.Sprintf("%s of %s had not ended when last seen, open or closed before that; these durations are only known to be at least that long.",
			FormatCount(s.Censored), counted(s.PullRequests, "pull request")))
	}
	if r, ok := mayBend(m); ok {
		out = append(out, r)
	}
	if f.kind != DesignStaggered && len(f.comparison) == 1 {
		add("one_comparison", "There is a single comparison "+f.pilot.UnitNoun, "Whatever happened to it alone counts as what would have happened to the pilot.")
	}
	return out
}
