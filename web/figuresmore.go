package web

import (
	"strings"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// spread is the distribution of each side before and after.
func spread(m *metrics.MetricReport) drawing {
	s := m.Spread
	data := chart.SpreadData{Unit: s.Unit}
	var desc []string
	for i, side := range s.Sides {
		for _, w := range []struct {
			name string
			q    *metrics.Quantile
		}{{"before", side.Before}, {"after", side.After}} {
			row := chart.SpreadRow{Side: capital(side.Label), Window: w.name, Pilot: i == 0, After: w.name == "after", Text: "no pull request"}
			if q := w.q; q != nil {
				row.P10, row.P25, row.P50, row.P75, row.P90 = q.P10, q.P25, q.P50, q.P75, q.P90
				row.Text = halfBy(q, s.Unit)
			}
			data.Rows = append(data.Rows, row)
			desc = append(desc, sentence(row.Side+" "+w.name+": "+row.Text))
		}
	}
	return drawing{
		kicker: "Spread before and after: " + m.Outcome.Title, finding: s.Finding, caption: []string{s.Caption}, desc: strings.Join(desc, " "),
		draw: func(h chart.Head, l chart.Layout) string { return chart.Spread(h, l, data) },
	}
}

func halfBy(q *metrics.Quantile, unit string) string {
	if q.P50 == nil {
		return "half: beyond what was seen"
	}
	return "half by " + metrics.FormatValue(*q.P50, unit)
}

// bounds is how far trends may bend before the conclusion goes.
func bounds(m *metrics.MetricReport) drawing {
	b := m.Breakdown
	text := "none"
	if b.Bound != nil {
		text = metrics.FormatNumber(*b.Bound)
	}
	row := chart.BoundsRow{Name: m.Outcome.Title, Value: b.Bound, Text: text}
	return drawing{
		kicker: "Breakdown value: " + m.Outcome.Title, finding: boundsFinding(b), caption: []string{b.Text},
		desc: b.Text,
		draw: func(h chart.Head, l chart.Layout) string { return chart.Bounds(h, l, []chart.BoundsRow{row}) },
	}
}

func boundsFinding(b *metrics.Breakdown) string {
	switch {
	case b.Bound == nil:
		return "How far trends may bend cannot be said"
	case *b.Bound == 0:
		return "No conclusion stands that a bend of the trends could take away"
	case *b.Bound >= 1:
		return "The conclusion stands even if trends bend as far as they ever did before"
	}
	return "A bend smaller than those before the start would take the conclusion away"
}

// marked is the share of pull requests with an assistant's marks.
func marked(r *metrics.Report) (drawing, bool) {
	if r.Exposure == nil {
		return drawing{}, false
	}
	data := chart.SharesData{Parts: []string{"with an assistant’s mark", "without one"}}
	var desc []string
	finding := "No pull request was looked through"
	for i, s := range r.Exposure.Sides {
		for _, w := range []struct {
			name  string
			share *metrics.AssistedShare
		}{{"before", s.Before}, {"after", s.After}} {
			if w.share == nil {
				continue
			}
			row := chart.ShareRow{
				Name: capital(s.Label), Note: w.name, Text: w.share.Text,
				Values: []float64{float64(w.share.Assisted), float64(w.share.PullRequests - w.share.Assisted)},
			}
			data.Rows = append(data.Rows, row)
			desc = append(desc, sentence(row.Name+" "+w.name+": "+row.Text))
			if i == 0 {
				finding = "After the start, " + w.share.Text + " of " + s.Label + "’s pull requests carry an assistant’s mark"
			}
		}
	}
	return drawing{
		kicker: "Assistants’ marks", finding: finding,
		caption: []string{"Each bar is all pull requests that were looked through. Marks can be switched off, so no mark does not mean no assistant; who is treated is decided by team and date alone."},
		desc:    strings.Join(desc, " "),
		draw:    func(h chart.Head, l chart.Layout) string { return chart.Shares(h, l, data) },
	}, true
}

// believed holds what people think beside what was measured.
func believed(r *metrics.Report) (drawing, bool) {
	if r.Felt == nil || r.Felt.Belief == nil || len(r.Metrics) == 0 {
		return drawing{}, false
	}
	b, m := r.Felt.Belief, r.Metrics[0]
	pilot, _ := sides(r)
	data := chart.FeltData{
		Pilot: pilot, Metric: m.Outcome.Title, People: metrics.FormatCount(b.People) + " people",
		Believed: &b.Median, BelievedText: metrics.FormatPercent(b.Median), Own: b.Own,
	}
	data.Effect = chart.Interval{Text: "no estimate in percent"}
	if b.Own != nil {
		data.OwnText = metrics.FormatPercent(*b.Own)
	}
	if b.Effect != nil {
		data.Effect = weighed(m.Headline, m.Disagree)
	}
	return drawing{
		kicker: "Survey against measurement: " + m.Outcome.Title, finding: beliefFinding(b),
		caption: []string{"Triangle: the median of what each person believes. Below it the pilot’s own change, then the difference against the comparison with its interval. Belief and measurement answer different questions; the gap between them is a result."},
		desc:    b.Text,
		draw:    func(h chart.Head, l chart.Layout) string { return chart.Felt(h, l, data) },
	}, true
}

func beliefFinding(b *metrics.Belief) string {
	people := metrics.FormatCount(b.People) + " people think it changed by " + metrics.FormatPercent(b.Median)
	if b.Gap == nil {
		return people
	}
	switch {
	case *b.Gap > -.5 && *b.Gap < .5:
		return people + ", as measured"
	case *b.Gap < 0:
		return people + ", " + metrics.FormatNumber(-*b.Gap) + " points under what was measured"
	}
	return people + ", " + metrics.FormatNumber(*b.Gap) + " points over what was measured"
}
