package web

import (
	"strings"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// weighed is a headline as the answer, or, where the methods disagree, as one
// of several that are not.
func weighed(e metrics.Effect, disagree bool) chart.Interval {
	v := interval(e)
	if disagree && e.Estimate != nil {
		v.Doubt = "methods disagree"
	}
	return v
}

// effectText is a headline for a screen reader.
func effectText(e metrics.Effect, disagree bool) string {
	if disagree {
		return "not taken as the answer, because the methods disagree: " + orNone(e.Text)
	}
	return orNone(e.Text)
}

// numberless reports whether a metric has no number at all; its finding says so,
// and why.
func numberless(m metrics.MetricReport) bool {
	h := m.Headline
	return h.Estimate == nil && h.Low == nil && h.High == nil && len(m.Others) == 0 && m.Ratio == nil &&
		m.Pilot.Value == nil && m.Comparison.Value == nil
}

func threeNumbers(r *metrics.Report) drawing {
	pilot, comparison := sides(r)
	data := chart.ThreeNumbersData{Pilot: pilot, Comparison: comparison}
	var desc []string
	doubt := false
	for _, m := range r.Metrics {
		if numberless(m) {
			continue
		}
		doubt = doubt || m.Disagree
		data.Rows = append(data.Rows, threeRow(m))
		desc = append(desc, sentence(m.Outcome.Title+": pilot "+orNone(m.Pilot.ValueText)+", comparison "+
			orNone(m.Comparison.ValueText)+", difference "+effectText(m.Headline, m.Disagree)))
	}
	finding := ""
	if len(r.Metrics) > 0 {
		finding = r.Metrics[0].Finding
	}
	caption := "Upper line: filled dot " + pilot + ", ring " + comparison + ". Lower line: the difference between them, from the line of no change, with its interval. Solid diamond: the interval excludes no change. Shaded: the better side."
	if doubt {
		caption += " Grey: the methods disagree, so the number is not the answer."
	}
	return drawing{
		kicker: "Three numbers", finding: finding,
		caption: []string{caption},
		desc:    strings.Join(desc, " "),
		draw: func(h chart.Head, l chart.Layout) string {
			return chart.ThreeNumbers(h, l, data)
		},
	}
}

func threeRow(m metrics.MetricReport) chart.Row {
	o := m.Outcome
	var about []string
	if m.Measure != "" {
		about = append(about, m.Measure)
	}
	switch o.Role {
	case metrics.RolePrimary:
		about = append(about, "primary")
	case metrics.RoleCounter:
		about = append(about, "counter-metric")
	default:
	}
	row := chart.Row{
		Name: o.Title, Note: strings.Join(about, ", "), Direction: better(o.Better),
		Unit: unitOf(m.Headline.Unit), Suffix: suffix(m.Headline.Unit, o.Unit),
		Pilot:      chart.Side{Value: m.Pilot.Value, Text: m.Pilot.Text, ValueText: m.Pilot.ValueText},
		Comparison: chart.Side{Value: m.Comparison.Value, Text: m.Comparison.Text, ValueText: m.Comparison.ValueText},
		Difference: weighed(m.Headline, m.Disagree),
		Words:      m.Words,
	}
	switch o.Better {
	case metrics.BetterLower:
		row.Better = -1
	case metrics.BetterHigher:
		row.Better = 1
	default:
	}
	if !sameAxis(m.ChangeUnit, m.Headline.Unit) {
		// Written beside the figure, but not drawn on an axis of another unit.
		row.Pilot.Value, row.Comparison.Value = nil, nil
	}
	return row
}

// sameAxis reports whether changes in a and effects in b share an axis.
func sameAxis(a, b metrics.EffectUnit) bool {
	percent := func(u metrics.EffectUnit) bool { return u == metrics.UnitPercent || u == metrics.UnitPoints }
	return a == b || percent(a) && percent(b)
}
