package web

import "steelyard/metrics"

// described is a part of a report that stands beside its numbers.
type described struct {
	Title string
	Facts []fact
	// Figure shows it; one without a drawing is its numbers alone.
	Figure    figure
	HasFigure bool
}

// describedFigures are the tables of the parts that describe, by their titles.
var describedFigures = map[string]string{"Assistants’ marks": "marks", "What people felt": "felt", "What it cost": "cost"}

func describedBy(r *metrics.Report, links bool) []described {
	var out []described
	for _, s := range r.Beside() {
		d := described{Title: s.Title}
		for _, f := range s.Facts {
			d.Facts = append(d.Facts, fact{Term: f.Title, Texts: []string{f.Text}})
		}
		if id := describedFigures[s.Title]; id != "" {
			d.Figure, d.HasFigure = newFigure(r, id, links)
			if t, ok := r.Table(id); ok && !d.HasFigure {
				d.Figure, d.HasFigure = numbersOnly(r, t, s.Title, links), true
			}
		}
		out = append(out, d)
	}
	if missing := notKnown(r); len(missing) > 0 {
		out = append(out, described{Title: "Not known here", Facts: missing})
	}
	return out
}

// notKnown are the questions beside the numbers that nothing was imported for,
// with what would answer them.
func notKnown(r *metrics.Report) []fact {
	var out []fact
	add := func(term, why, code string) { out = append(out, fact{Term: term, Texts: []string{why}, Code: code}) }
	if r.Felt == nil {
		add("What people felt", "No survey of its teams is imported.", "steelyard import survey FILE.csv")
	}
	switch {
	case len(r.Spent) > 0:
	case r.Definition.Pilot.Level == metrics.LevelPanel:
		add("What it cost", "Costs are weighed by merged pull requests, and this pilot is measured by an imported table.", "")
	default:
		add("What it cost", "No costs of its teams are imported.", "steelyard import cost FILE.csv")
	}
	return out
}
