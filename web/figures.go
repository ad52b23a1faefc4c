package web

import (
	"net/url"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// figure is one figure of a page: its words, its drawings and its numbers.
type figure struct {
	// Kind is the table id's first part, ID a name for anchors and ids.
	Kind, ID string
	// Kicker says which figure it is, Finding what it shows, Caption how to
	// read it.
	Kicker, Finding string
	Caption         []string
	Wide, Narrow    string
	Table           metrics.Table
	// Base is the address of the downloads without its ending; empty where the
	// page is a file of its own.
	Base string
	// Notes stand under the figure.
	Notes []note
}

// note is a statement under a figure; its Title, in bold, is the beginning of
// it or ends in a full stop.
type note struct{ Title, Text string }

// drawing is what is needed to draw one table of a report.
type drawing struct {
	kicker, finding string
	caption         []string
	desc            string
	draw            func(chart.Head, chart.Layout) string
}

// newFigure gathers a figure for the table with the given id; false where the
// report has none.
func newFigure(r *metrics.Report, id string, links bool) (figure, bool) {
	t, ok := r.Table(id)
	if !ok {
		return figure{}, false
	}
	d, ok := drawingOf(r, id)
	if !ok {
		return figure{}, false
	}
	kind, _, _ := strings.Cut(id, "/")
	anchor := strings.ReplaceAll(id, "/", "-")
	f := figure{Kind: kind, ID: anchor, Kicker: d.kicker, Finding: d.finding, Caption: d.caption, Table: t}
	f.Wide = d.draw(chart.Head{ID: anchor + "-wide", Title: d.finding, Desc: d.desc}, chart.Wide)
	f.Narrow = d.draw(chart.Head{ID: anchor + "-narrow", Title: d.finding, Desc: d.desc}, chart.Narrow)
	if links {
		f.Base = pilotPath(r.Definition.Pilot.ID) + "/figures/" + tablePath(id)
	}
	return f, true
}

// numbersOnly is a figure without a drawing: a table to look at and to take
// along.
func numbersOnly(r *metrics.Report, t metrics.Table, kicker string, links bool) figure {
	f := figure{Kind: t.ID, ID: t.ID, Kicker: kicker, Finding: t.Title, Table: t}
	if links {
		f.Base = pilotPath(r.Definition.Pilot.ID) + "/figures/" + tablePath(t.ID)
	}
	return f
}

func tablePath(id string) string {
	parts := strings.Split(id, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// drawingOf finds what to draw for a table id.
func drawingOf(r *metrics.Report, id string) (drawing, bool) {
	kind, metric, _ := strings.Cut(id, "/")
	switch kind {
	case "three-numbers":
		return threeNumbers(r), len(r.Metrics) > 0
	case "marks":
		return marked(r)
	case "felt":
		return believed(r)
	}
	i := slices.IndexFunc(r.Metrics, func(m metrics.MetricReport) bool { return m.Outcome.ID == metric })
	if i < 0 {
		return drawing{}, false
	}
	m := &r.Metrics[i]
	switch {
	case kind == "trend" && m.Trend != nil:
		return trend(r, m), true
	case kind == "event-study" && m.EventStudy != nil:
		return eventStudy(m), true
	case kind == "methods":
		return methods(m), true
	case kind == "placebo" && m.Placebo != nil:
		return placebo(r, m), true
	case kind == "spread" && m.Spread != nil:
		return spread(m), true
	case kind == "bounds" && m.Breakdown != nil:
		return bounds(m), true
	}
	return drawing{}, false
}

// sides names the two groups: the pilot's subject, and the comparison.
func sides(r *metrics.Report) (pilot, comparison string) {
	pilot, comparison = r.Definition.Pilot.Subject, "comparison"
	if len(r.Metrics) > 0 {
		if l := r.Metrics[0].Pilot.Label; l != "" {
			pilot = l
		}
		if l := r.Metrics[0].Comparison.Label; l != "" {
			comparison = l
		}
	}
	if pilot == "" {
		pilot = "pilot"
	}
	return pilot, comparison
}

func unitOf(u metrics.EffectUnit) chart.Unit {
	switch u {
	case metrics.UnitPoints:
		return chart.Points
	case metrics.UnitPercent:
		return chart.Percent
	case metrics.UnitRatio:
		return chart.Ratio
	default:
		return chart.Level
	}
}

// suffix is what follows the outer labels of an axis.
func suffix(u metrics.EffectUnit, outcomeUnit string) string {
	switch u {
	case metrics.UnitPoints:
		return " points"
	case metrics.UnitLevel:
		switch outcomeUnit {
		case "hours":
			return "\u202fh"
		case "":
			return ""
		}
		return " " + outcomeUnit
	default:
		return ""
	}
}

// axisTitle names a vertical axis whose labels are bare numbers.
func axisTitle(u metrics.EffectUnit, outcomeUnit string) string {
	switch u {
	case metrics.UnitPercent:
		return ""
	case metrics.UnitPoints:
		return "points"
	case metrics.UnitRatio:
		return "ratio of ratios"
	default:
		return outcomeUnit
	}
}

func interval(e metrics.Effect) chart.Interval {
	text := e.EstimateText
	if e.Estimate == nil && text == "" {
		text = "no estimate"
	}
	return chart.Interval{
		Value: e.Estimate, Low: e.Low, High: e.High,
		OpenLow: e.Open == "low", OpenHigh: e.Open == "high",
		Solid: e.ExcludesNoChange(), Text: text, RangeText: e.IntervalText,
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func trend(r *metrics.Report, m *metrics.MetricReport) drawing {
	pilot, comparison := sides(r)
	t := m.Trend
	data := chart.TrendData{
		Pilot: pilot, Comparison: comparison, AxisTitle: t.AxisTitle, Start: t.StartIndex,
		PilotBefore: t.PilotBefore, PilotAfter: t.PilotAfter,
		ComparisonBefore: t.ComparisonBefore, ComparisonAfter: t.ComparisonAfter,
		PeriodNoun: plural(r.Definition.Pilot.PeriodNoun), UnitNoun: plural(r.Definition.Pilot.UnitNoun),
	}
	var lastPilot, lastComparison *float64
	caption := []string{t.Caption}
	points, cut := trimmed(t)
	if cut > 0 {
		caption = append(caption, some(cut, periodNoun(r))+" outside the windows "+pick(cut, "stands", "stand")+" in the table alone.")
	}
	if t.StartIndex >= 0 {
		data.Start = t.StartIndex - points.from
	}
	for _, p := range t.Points[points.from:points.to] {
		data.Points = append(data.Points, chart.TrendPoint{
			Label: when(p.Label), LeftOut: p.LeftOut, Pilot: p.Pilot, Comparison: p.Comparison,
			Low: p.ComparisonLow, High: p.ComparisonHigh, Adopted: p.Adopted,
		})
		if p.Pilot != nil {
			lastPilot = p.Pilot
		}
		if p.Comparison != nil {
			lastComparison = p.Comparison
		}
	}
	data.PilotText = endText(t.PilotAfter, lastPilot, m.Outcome.Unit)
	data.ComparisonText = endText(t.ComparisonAfter, lastComparison, m.Outcome.Unit)
	desc := t.Caption
	if t.PilotBefore != nil && t.PilotAfter != nil && m.Pilot.Text != "" {
		desc += " " + sentence(pilot+" "+m.Pilot.Text+", "+comparison+" "+m.Comparison.Text)
	}
	return drawing{
		kicker: "Both groups over time: " + m.Outcome.Title, finding: t.Finding, caption: caption, desc: desc,
		draw: func(h chart.Head, l chart.Layout) string { return chart.Trend(h, l, data) },
	}
}

// outside is how many periods outside the windows are drawn at either end.
const outside = 6

type extent struct{ from, to int }

// trimmed leaves long stretches before the first and after the last window out
// of the picture, and counts them: they would take the room of what is
// compared. Missing ends are short and stay.
func trimmed(t *metrics.Trend) (extent, int) {
	e := extent{0, len(t.Points)}
	if t.StartIndex < 0 {
		return e, 0
	}
	for e.from < e.to && t.Points[e.from].LeftOut != "" {
		e.from++
	}
	for e.to > e.from && t.Points[e.to-1].LeftOut != "" {
		e.to--
	}
	e = extent{max(0, e.from-outside), min(len(t.Points), e.to+outside)}
	if t.StartIndex < e.from || t.StartIndex >= e.to {
		return extent{0, len(t.Points)}, 0
	}
	return e, len(t.Points) - (e.to - e.from)
}

// endText is the value a line is named with: its window's, else its last.
func endText(after, last *float64, unit string) string {
	switch {
	case after != nil:
		return metrics.FormatValue(*after, unit)
	case last != nil:
		return metrics.FormatValue(*last, unit)
	}
	return ""
}

func eventStudy(m *metrics.MetricReport) drawing {
	e := m.EventStudy
	data := chart.EventStudyData{
		Unit: unitOf(e.Unit), AxisTitle: axisTitle(e.Unit, m.Outcome.Unit), Average: e.Average, TimeTitle: e.AxisTitle,
	}
	if e.Average != nil {
		data.AverageText = metrics.FormatEffect(*e.Average, e.Unit, m.Headline.SE)
	}
	for _, p := range e.Points {
		data.Points = append(data.Points, chart.EventPoint{
			Event: p.Event, Value: p.Estimate, Low: p.Low, High: p.High,
			BandLow: p.BandLow, BandHigh: p.BandHigh, Baseline: p.Baseline, Missing: p.Missing,
		})
	}
	return drawing{
		kicker: "Event study: " + m.Outcome.Title, finding: e.Finding, caption: []string{e.Caption}, desc: e.Caption,
		draw: func(h chart.Head, l chart.Layout) string { return chart.EventStudy(h, l, data) },
	}
}

func methods(m *metrics.MetricReport) drawing {
	all := append([]metrics.Effect{m.Headline}, m.Others...)
	if m.Ratio != nil {
		all = append(all, *m.Ratio)
	}
	var data []chart.Method
	var desc []string
	for i, e := range all {
		p := ""
		if e.P != nil {
			p = metrics.FormatP(*e.P)
		}
		data = append(data, chart.Method{
			Title: e.Title, Headline: i == 0, Unit: unitOf(e.Unit), UnitName: m.Outcome.Unit,
			Effect: interval(e), PText: p,
		})
		desc = append(desc, sentence(e.Title+": "+orNone(e.Text)))
	}
	finding := "No method that may speak here points the other way"
	if m.Disagree {
		finding = "The methods disagree: one that may speak here points the other way"
	}
	if len(all) == 1 {
		finding = "One method fits this design"
	}
	return drawing{
		kicker: "Methods compared: " + m.Outcome.Title, finding: finding,
		caption: []string{"The headline in colour, the others beside it. A solid diamond means that the interval excludes no change. Effects in different units stand on axes of their own."},
		desc:    strings.Join(desc, " "),
		draw:    func(h chart.Head, l chart.Layout) string { return chart.Methods(h, l, data) },
	}
}

func placebo(r *metrics.Report, m *metrics.MetricReport) drawing {
	pilot, _ := sides(r)
	p := m.Placebo
	data := chart.PlaceboData{
		Unit: unitOf(p.Unit), Suffix: suffix(p.Unit, m.Outcome.Unit), Pilot: pilot,
		RankText: "number " + metrics.FormatCount(p.Rank) + " of " + metrics.FormatCount(len(p.Units)) + " by size",
	}
	for _, u := range p.Units {
		data.Units = append(data.Units, chart.PlaceboUnit{Value: u.Effect, Pilot: u.Treated})
	}
	return drawing{
		kicker: "Placebo: " + m.Outcome.Title, finding: p.Finding, caption: []string{p.Caption}, desc: p.Caption,
		draw: func(h chart.Head, l chart.Layout) string { return chart.Placebo(h, l, data) },
	}
}
