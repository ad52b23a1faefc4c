package metrics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tables are the numbers of every figure of a report, in the order the figures
// are shown: "three-numbers", then for each metric "trend/ID",
// "event-study/ID", "methods/ID", "placebo/ID", "spread/ID", "bounds/ID" and
// "looks/ID" where there is one; then "marks", "felt" and "cost" where there is
// any of it, and "methods-not-used".
func (r *Report) Tables() []Table {
	out := []Table{r.threeNumbers()}
	for _, m := range r.Metrics {
		out = append(out, m.tables(r.Definition.Pilot)...)
	}
	return append(out, r.lastTables()...)
}

// tables are those of one metric.
func (m MetricReport) tables(p Pilot) []Table {
	var out []Table
	if m.Trend != nil {
		out = append(out, m.trendTable(p))
	}
	if m.EventStudy != nil {
		out = append(out, m.eventTable())
	}
	out = append(out, m.methodsTable())
	if m.Placebo != nil {
		out = append(out, m.placeboTable())
	}
	if m.Spread != nil {
		out = append(out, m.spreadTable())
	}
	if m.Breakdown != nil {
		out = append(out, m.boundsTable())
	}
	if m.Looks != nil && len(m.Looks.Points) > 0 {
		out = append(out, m.looksTable(p))
	}
	return out
}

// lastTables are those behind the metrics' own.
func (r *Report) lastTables() []Table {
	out := r.besideTables()
	if len(r.Design.NotUsed) > 0 {
		out = append(out, r.notUsedTable())
	}
	return out
}

// Table returns one table by its id.
func (r *Report) Table(id string) (Table, bool) {
	var all []Table
	switch _, metric, ofMetric := strings.Cut(id, "/"); {
	case id == "three-numbers":
		all = []Table{r.threeNumbers()}
	case ofMetric:
		for _, m := range r.Metrics {
			if m.Outcome.ID == metric {
				all = append(all, m.tables(r.Definition.Pilot)...)
			}
		}
	default:
		all = r.lastTables()
	}
	i := slices.IndexFunc(all, func(t Table) bool { return t.ID == id })
	if i < 0 {
		return Table{}, false
	}
	return all[i], true
}

func word(name, title string) Column   { return Column{Name: name, Title: title} }
func number(name, title string) Column { return Column{Name: name, Title: title, Numeric: true} }

func text(s string) Cell { return Cell{Value: s, Text: s} }

func whole(n int) Cell { return Cell{Value: n, Text: FormatCount(n)} }

// value is a number cell; nil reads as a dash.
func value(x *float64, write func(float64) string) Cell {
	if x == nil || !finite(*x) {
		return Cell{Text: dash}
	}
	return Cell{Value: *x, Text: write(*x)}
}

func pvalue(p *float64) Cell {
	return value(p, func(x float64) string {
		return strings.TrimPrefix(strings.Replace(FormatP(x), "p = ", "", 1), "p ")
	})
}

func (r *Report) threeNumbers() Table {
	t := Table{
		ID: "three-numbers", Title: "Three numbers for each metric",
		Caption: "The pilot’s own change, the comparison’s change, and the difference between the two with its 95" + narrow + "% interval. p-values of secondary metrics are adjusted by Holm’s method.",
		Columns: []Column{
			word("metric", "Metric"), word("measure", "Measure"), word("role", "Role"), word("better", "Better"),
			number("pilot_before", "Pilot before"), number("pilot_after", "Pilot after"), number("pilot_change", "Pilot change"),
			number("comparison_before", "Comparison before"), number("comparison_after", "Comparison after"), number("comparison_change", "Comparison change"),
			word("change_unit", "Unit of changes"),
			number("difference", "Difference"), number("low", "95"+narrow+"% from"), number("high", "to"), word("unit", "Unit"),
			number("p", "p"), number("holm_p", "Holm p"), word("method", "Method"),
		},
	}
	for _, m := range r.Metrics {
		inUnit := func(x float64) string { return FormatValue(x, m.Outcome.Unit) }
		change := func(c Change) Cell { return value(c.Value, func(float64) string { return c.ValueText }) }
		in := func(x float64) string { return m.Headline.in(x, m.Outcome.Unit) }
		t.Rows = append(t.Rows, []Cell{
			text(m.Outcome.Title), text(m.Measure), text(string(m.Outcome.Role)), text(string(m.Outcome.Better)),
			value(m.Pilot.Before, inUnit), value(m.Pilot.After, inUnit), change(m.Pilot),
			value(m.Comparison.Before, inUnit), value(m.Comparison.After, inUnit), change(m.Comparison),
			text(string(m.ChangeUnit)),
			value(m.Headline.Estimate, in), value(m.Headline.Low, in), value(m.Headline.High, in), text(string(m.Headline.Unit)),
			pvalue(m.Headline.P), pvalue(m.HolmP), text(m.Headline.Title),
		})
	}
	return t
}

func (m MetricReport) trendTable(p Pilot) Table {
	t := Table{
		ID: "trend/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + " by " + p.PeriodNoun, Caption: m.Trend.Caption,
		Columns: []Column{
			word("period", upperFirst(p.PeriodNoun)), number("pilot", "Pilot"), number("comparison", "Comparison"),
			number("comparison_low", "Comparison, lower quartile"), number("comparison_high", "upper quartile"),
			number("adopted", "Started"), word("left_out", "Left out"),
		},
	}
	inUnit := func(x float64) string { return FormatValue(x, m.Outcome.Unit) }
	for _, pt := range m.Trend.Points {
		t.Rows = append(t.Rows, []Cell{
			text(pt.Label), value(pt.Pilot, inUnit), value(pt.Comparison, inUnit),
			value(pt.ComparisonLow, inUnit), value(pt.ComparisonHigh, inUnit), whole(pt.Adopted), text(pt.LeftOut),
		})
	}
	return t
}

func (m MetricReport) eventTable() Table {
	es := m.EventStudy
	t := Table{
		ID: "event-study/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + " by time since the start", Caption: es.Caption,
		Columns: []Column{
			number("event", cmp.Or(es.AxisTitle, upperFirst(es.PeriodNoun)+" since the start")), number("estimate", "Estimate, "+unitTitle(es.Unit)),
			number("low", "95"+narrow+"% from"), number("high", "to"),
			number("band_low", "All at once, from"), number("band_high", "to"), number("units", "Treated units"), word("note", "Note"),
		},
	}
	for _, p := range es.Points {
		var se *float64
		if p.Low != nil && p.High != nil {
			se = finitePtr((*p.High - *p.Low) / 4)
		}
		in := func(x float64) string { return FormatEffect(x, es.Unit, se) }
		note := p.Missing
		if p.Baseline {
			note = "reference"
		}
		t.Rows = append(t.Rows, []Cell{
			{Value: p.Event, Text: signed(float64(p.Event), 0)},
			value(p.Estimate, in),
			value(p.Low, in), value(p.High, in), value(p.BandLow, in), value(p.BandHigh, in), whole(p.Units), text(note),
		})
	}
	return t
}

func unitTitle(u EffectUnit) string {
	switch u {
	case UnitPercent:
		return "%"
	case UnitLevel:
		return "own unit"
	default:
		return string(u)
	}
}

func (m MetricReport) methodsTable() Table {
	t := Table{
		ID: "methods/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + " by each method",
		Caption: "The first row is the headline. Coefficient and standard error are on the scale the method works on.",
		Columns: []Column{
			word("method", "Method"), number("estimate", "Estimate"), number("low", "95"+narrow+"% from"), number("high", "to"), word("unit", "Unit"),
			number("p", "p"), number("coefficient", "Coefficient"), number("se", "Standard error"), number("df", "df"),
			word("admissible", "Verdict may rest on it"), word("note", "Note"),
		},
	}
	effects := []Effect{m.Headline}
	if m.Ratio != nil {
		effects = append(effects, *m.Ratio)
	}
	for _, e := range append(effects, m.Others...) {
		in := func(x float64) string { return e.in(x, m.Outcome.Unit) }
		raw := func(x float64) string { return signed(x, max(levelDecimals(x, e.SE), 4)) }
		se := func(x float64) string { return fixed(x, max(decimals(x, 2), 4)) }
		admissible := "no"
		if e.Admissible {
			admissible = "yes"
		}
		t.Rows = append(t.Rows, []Cell{
			text(e.Title), value(e.Estimate, in), value(e.Low, in), value(e.High, in), text(string(e.Unit)), pvalue(e.P),
			value(e.Raw, raw), value(e.SE, se), value(e.DF, FormatNumber),
			{Value: e.Admissible, Text: admissible},
			text(strings.Join(append(nonEmpty(e.Missing), e.Notes...), " ")),
		})
	}
	return t
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{sentence(s)}
}

func (m MetricReport) placeboTable() Table {
	p := m.Placebo
	t := Table{
		ID: "placebo/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + ": every unit as if it had been the treated one",
		Caption: p.Caption + fmt.Sprintf(" Rank %d of %d.", p.Rank, len(p.Units)),
		Columns: []Column{word("unit", "Unit"), number("effect", "Effect, "+unitTitle(p.Unit)), word("treated", "Treated")},
	}
	for _, u := range p.Units {
		treated := "no"
		if u.Treated {
			treated = "yes"
		}
		x := u.Effect
		t.Rows = append(t.Rows, []Cell{
			text(u.Unit), value(&x, func(x float64) string { return FormatEffect(x, p.Unit, nil) }), {Value: u.Treated, Text: treated},
		})
	}
	return t
}
