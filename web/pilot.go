package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// pilotView is one report as a page or as a file.
type pilotView struct {
	*metrics.Report
	Health []healthItem
	Facts  []fact
	Three  figure
	// HasThree is false where the report has no metric at all.
	HasThree bool
	// Chosen are the metrics whose details are shown: the one the address
	// names, or all of them in a file.
	Chosen []metricView
	// Choices link to the other metrics; empty in a file.
	Choices []choice
	// Described are the parts of the report that decide nothing.
	Described []described
	How       []fact
	MadeUp    bool
	// Follow leads to the pull requests behind the numbers, Edit to the form of
	// the definition; empty where there is none.
	Follow, Edit string
	// Refused is true where no metric has a number, for the one reason that the
	// verdict gives; no metric is shown then.
	Refused bool
}

// metricView is one metric's details.
type metricView struct {
	*metrics.MetricReport
	Figures []figure
	// Against is what speaks against the number and how much it could show.
	Against []fact
	// Numberless is true where there is only the finding, which says why.
	Numberless bool
	// Follow leads to the pull requests behind the number; empty where there
	// are none.
	Follow []choice
}

type choice struct {
	Link, Title string
	Current     bool
}

type healthItem struct {
	Text  string
	First bool
}

// fact is a term with one or more statements.
type fact struct {
	Term  string
	Texts []string
	// Code is set in the type of what one types.
	Code string
	// Link leads to more.
	Link string
	// LeftOut is shown as a table.
	LeftOut []metrics.LeftOut
}

func (d *dashboard) pilot(c echo.Context) error {
	id := c.Param("id")
	r, late, err := soon(c.Request().Context(), d.Patience, func(ctx context.Context) (*metrics.Report, error) { return d.Reports.Report(ctx, id) })
	switch {
	case late:
		return d.computing(c, id)
	case err != nil:
		return d.unreported(c, id, fmt.Errorf("read report of pilot %q: %w", id, err))
	}
	i := 0
	if name := c.QueryParam("metric"); name != "" {
		i = slices.IndexFunc(r.Metrics, func(m metrics.MetricReport) bool { return m.Outcome.ID == name })
		if i < 0 {
			return echo.ErrNotFound
		}
	}
	v := d.drawn.page(r)
	if i < len(r.Metrics) && !v.Refused {
		v.Chosen = []metricView{d.drawn.metric(r, i)}
	}
	beside, err := d.sideFacts(c.Request().Context(), r.Definition.Pilot)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(v.Facts, func(f fact) bool { return f.Term == "Against" }) + 1; len(beside) > 0 {
		v.Facts = slices.Concat(v.Facts[:at], beside, v.Facts[at:]) // a new list: the view is shared
	}
	if d.Pulls != nil && r.Definition.Pilot.Level == metrics.LevelPullRequests {
		v.Follow = pullsQuery{}.on(id, "")
		for k := range v.Chosen {
			v.Chosen[k].Follow = follow(id, v.Chosen[k].Outcome.ID)
		}
	}
	if d.Editor != nil && d.visitor(c).MayChange {
		v.Edit = pilotPath(id) + "/edit"
	}
	for k, m := range r.Metrics {
		v.Choices = append(v.Choices, choice{
			Link: pilotPath(r.Definition.Pilot.ID) + "?metric=" + m.Outcome.ID + "#metric", Title: m.Outcome.Title, Current: k == i,
		})
	}
	s := d.shell(r.Definition.Pilot.Title, "/")
	s.MadeUp = v.MadeUp
	return d.render(c, http.StatusOK, pilotPage(s, v))
}

// follow leads from a metric to the pull requests it is made of.
func follow(pilot, metric string) []choice {
	q := pullsQuery{Side: string(metrics.SidePilot), Span: string(metrics.SpanAfter)}
	switch metric {
	case "reverts":
		q.State = string(metrics.PullReverted)
	case "abandoned":
		q.State = string(metrics.PullClosed)
	}
	out := []choice{{Link: q.on(pilot, ""), Title: "the pilot’s, after the start"}}
	q.Span = string(metrics.SpanBefore)
	out = append(out, choice{Link: q.on(pilot, ""), Title: "before it"})
	q.Side, q.Span = string(metrics.SideComparison), string(metrics.SpanAfter)
	return append(out, choice{Link: q.on(pilot, ""), Title: "the comparison’s, after the start"})
}

// unreported answers for a pilot that is defined but has no report, with the
// reason its summary gives; any other cause is returned as it is.
func (d *dashboard) unreported(c echo.Context, id string, cause error) error {
	all, err := d.Reports.Summaries(c.Request().Context())
	if err != nil {
		return errors.Join(cause, err)
	}
	i := slices.IndexFunc(all, func(s metrics.Summary) bool { return s.ID == id && s.Error != "" })
	if i < 0 {
		return cause
	}
	d.Logger.Warn("pilot has no report", "pilot", id, "error", cause)
	return d.render(c, http.StatusOK, failedPilotPage(d.shell(all[i].Title, "/"), all[i]))
}

// RenderReportHTML writes r as one self-contained page: style and figures stand
// in it, it links to nothing of ours, and it prints and mails well. It shows
// the details of every metric.
func RenderReportHTML(w io.Writer, r *metrics.Report) error {
	a, err := loadAssets()
	if err != nil {
		return fmt.Errorf("load assets: %w", err)
	}
	v := newPilotView(r, false)
	for i := range r.Metrics {
		if !v.Refused {
			v.Chosen = append(v.Chosen, newMetricView(r, &r.Metrics[i], false))
		}
	}
	s := shell{Title: r.Definition.Pilot.Title, MadeUp: v.MadeUp, Assets: a, Embedded: true}
	// Templates take a context for its values; this one waits for nothing.
	if err := pilotPage(s, v).Render(context.Background(), w); err != nil {
		return fmt.Errorf("render report of pilot %q: %w", r.Definition.Pilot.ID, err)
	}
	return nil
}

func newPilotView(r *metrics.Report, links bool) pilotView {
	v := pilotView{Report: r}
	for _, s := range r.Definition.Pilot.Sources {
		v.MadeUp = v.MadeUp || s.MadeUp
	}
	for _, h := range r.Health {
		v.Health = append(v.Health, healthItem{Text: h, First: true})
	}
	v.Health = append(v.Health, healthFacts(r)...)
	v.Facts = pilotFacts(r)
	v.Refused = refused(r)
	if slices.ContainsFunc(r.Metrics, func(m metrics.MetricReport) bool { return !numberless(m) }) {
		v.Three, v.HasThree = newFigure(r, "three-numbers", links)
	}
	if v.HasThree {
		for i, m := range r.Metrics {
			if i > 0 && m.Finding != "" {
				v.Three.Notes = append(v.Three.Notes, findingNote(m))
			}
		}
	}
	v.Described, v.How = describedBy(r, links), howFacts(r)
	return v
}

// refused reports whether every metric lacks its numbers for the reason that the
// verdict gives already.
func refused(r *metrics.Report) bool {
	if len(r.Metrics) == 0 || len(r.Verdict.Reasons) == 0 {
		return false
	}
	why := sentence(r.Verdict.Reasons[0].Text)
	return !slices.ContainsFunc(r.Metrics, func(m metrics.MetricReport) bool {
		return !numberless(m) || sentence(m.Headline.Missing) != why
	})
}

// findingNote is a metric's finding, which mostly begins with its title.
func findingNote(m metrics.MetricReport) note {
	title, text := m.Outcome.Title, sentence(m.Finding)
	if rest, ok := strings.CutPrefix(text, title+" "); ok {
		return note{title, rest}
	}
	if rest, ok := strings.CutPrefix(text, title+": "); ok {
		return note{title + ".", capital(rest)}
	}
	return note{title + ".", text}
}

// healthFacts says what the report rests on, after what must be read first.
func healthFacts(r *metrics.Report) []healthItem {
	var out []healthItem
	add := func(s string) { out = append(out, healthItem{Text: s}) }
	for _, f := range r.Facts {
		if f.Title == "Data through" {
			add("Data through " + f.Text)
		}
	}
	if len(r.Metrics) > 0 {
		s := r.Metrics[0].Sample
		if s.PullRequests > 0 {
			add(some(s.PullRequests, "pull request"))
		}
		if s.Censored > 0 {
			add(metrics.FormatCount(s.Censored) + " not ended when last seen, counted as censored")
		}
		if s.Observations > 0 {
			add(some(s.Observations, unitNoun(r)+"-"+periodNoun(r)) + " used")
		}
	}
	for _, l := range r.LeftOut {
		if l.Count > 0 {
			add(metrics.FormatCount(l.Count) + " " + l.What + " left out: " + strings.TrimSuffix(l.Reason, "."))
		}
	}
	return out
}

func unitNoun(r *metrics.Report) string {
	if n := r.Definition.Pilot.UnitNoun; n != "" {
		return n
	}
	return "unit"
}

func periodNoun(r *metrics.Report) string {
	if n := r.Definition.Pilot.PeriodNoun; n != "" {
		return n
	}
	return "period"
}

// pilotFacts is the column beside the reasons; the line on the definition
// leads to how everything was computed.
func pilotFacts(r *metrics.Report) []fact {
	var out []fact
	for _, f := range r.Facts {
		t := fact{Term: f.Title, Texts: []string{f.Text}}
		if f.Title == "Definition" {
			t.Link = "#computed"
		}
		out = append(out, t)
	}
	return out
}

// newMetricView gathers the figures of one metric that the report has.
func newMetricView(r *metrics.Report, m *metrics.MetricReport, links bool) metricView {
	v := metricView{MetricReport: m, Numberless: numberless(*m)}
	for _, kind := range []string{"trend", "event-study", "spread", "methods", "placebo", "bounds"} {
		if v.Numberless && kind == "methods" || kind == "bounds" && flat(m.Breakdown) {
			continue
		}
		f, ok := newFigure(r, kind+"/"+m.Outcome.ID, links)
		if !ok {
			continue
		}
		if kind == "methods" {
			f.Notes = methodNotes(m)
		}
		v.Figures = append(v.Figures, f)
	}
	v.Against = againstFacts(m)
	return v
}

// flat reports whether a breakdown value is nothing to draw: the text says why.
func flat(b *metrics.Breakdown) bool { return b == nil || b.Bound == nil || *b.Bound == 0 }

// methodNotes are the caveats of each method and why a number is missing.
func methodNotes(m *metrics.MetricReport) []note {
	all := append([]metrics.Effect{m.Headline}, m.Others...)
	if m.Ratio != nil {
		all = append(all, *m.Ratio)
	}
	var out []note
	for _, e := range all {
		var texts []string
		if e.Missing != "" {
			texts = append(texts, sentence(capital(e.Missing)))
		}
		for _, n := range e.Notes {
			texts = append(texts, sentence(n))
		}
		if len(texts) > 0 {
			out = append(out, note{e.Title + ".", strings.Join(texts, " ")})
		}
	}
	return out
}

// againstFacts is what speaks against a metric's number, and its limits.
func againstFacts(m *metrics.MetricReport) []fact {
	var out []fact
	add := func(term string, texts ...string) {
		texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
		if len(texts) > 0 {
			out = append(out, fact{Term: term, Texts: texts})
		}
	}
	add("In plain words", plainWords(m)...)
	for _, a := range m.Against {
		add(a.Title, a.Text)
	}
	if !numberless(*m) {
		pre := m.PreTrend.Text
		if pre == "" {
			pre = sentence(m.PreTrend.Missing)
		}
		add("Before the start", append([]string{pre}, m.PreTrend.Notes...)...)
		add("What it could have seen", m.DetectableText)
		if bend := m.Bend(); !slices.ContainsFunc(m.Against, func(a metrics.Reason) bool { return a.Text == bend }) {
			add("How far the trends may bend", bend)
		}
		if m.Looks != nil {
			add("Looking before the window is over", m.Looks.Text)
		}
	}
	if m.HolmP != nil {
		add("Among the secondary metrics", "Adjusted for looking at all of them (Holm), "+metrics.FormatP(*m.HolmP)+".")
	}
	s := m.Sample
	sample := some(s.TreatedUnits, "pilot unit") + " and " + some(s.ComparisonUnits, "comparison unit") + ", " + some(s.Observations, "value")
	if s.PullRequests > 0 {
		sample += ", " + some(s.PullRequests, "pull request")
	}
	if s.Authors > 0 {
		sample += " by " + some(s.Authors, "author")
	}
	texts := []string{sentence(sample)}
	if s.Censored > 0 {
		texts = append(texts, metrics.FormatCount(s.Censored)+" had not ended when last seen, open or closed before that; they count as lasting at least until then.")
	}
	for _, l := range s.LeftOut {
		texts = append(texts, "Left out: "+sentence(leftOut(l)))
	}
	add("What it rests on", texts...)
	return out
}
