package metrics

import "strings"

// boundsTable is the breakdown value of a metric.
func (m MetricReport) boundsTable() Table {
	b := m.Breakdown
	t := Table{
		ID: "bounds/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + ": how far trends may bend",
		Caption: "The largest step apart after the start, as a multiple of the largest before it, at which the conclusion still stands (Rambachan and Roth).",
		Columns: []Column{
			number("breakdown", "Breakdown value"), number("points_before", "Points before the start"), number("points_after", "after it"),
			number("step", "Periods a point"), word("note", "Note"),
		},
	}
	t.Rows = [][]Cell{{value(b.Bound, FormatNumber), whole(b.Before), whole(b.After), whole(b.Step), text(b.Text)}}
	return t
}

// looksTable is what stood after each period while the window is not over.
func (m MetricReport) looksTable(p Pilot) Table {
	t := Table{
		ID: "looks/" + m.Outcome.ID, Title: upperFirst(m.Outcome.Title) + ", looked at after every " + p.PeriodNoun, Caption: m.Looks.Text,
		Columns: []Column{
			word("period", upperFirst(p.PeriodNoun)), number("estimate", "Difference so far, "+unitTitle(m.Looks.Unit)),
			number("low", "95"+narrow+"% at all looks, from"), number("high", "to"), number("p", "p"),
		},
	}
	for _, l := range m.Looks.Points {
		in := func(x float64) string { return FormatEffect(x, m.Looks.Unit, nil) }
		t.Rows = append(t.Rows, []Cell{text(l.Label), value(l.Estimate, in), value(l.Low, in), value(l.High, in), pvalue(l.P)})
	}
	return t
}

// notUsedTable is the methods that are not shown.
func (r *Report) notUsedTable() Table {
	t := Table{
		ID: "methods-not-used", Title: "Methods not used",
		Caption: "What the design does not call for, and why; those that are not refused answer when “steelyard estimate” asks them.",
		Columns: []Column{word("methods", "Methods"), word("refused", "Refused"), word("why", "Why"), word("metrics", "Metrics")},
	}
	for _, n := range r.Design.NotUsed {
		refused := "no"
		if n.Refused {
			refused = "yes"
		}
		t.Rows = append(t.Rows, []Cell{
			{Value: strings.Join(n.Methods, " "), Text: n.Title}, {Value: n.Refused, Text: refused}, text(n.Why), text(strings.Join(n.Metrics, " ")),
		})
	}
	return t
}
