package metrics

import "fmt"

// besideTables are the numbers of what stands beside a report: assistants'
// marks, what people felt, and what it cost; where there is any of it.
func (r *Report) besideTables() []Table {
	var out []Table
	if r.Exposure != nil {
		out = append(out, r.Exposure.table())
	}
	if r.Felt != nil && (r.Felt.Belief != nil || len(r.Felt.Questions) > 0) {
		out = append(out, r.feltTable())
	}
	if len(r.Spent) > 0 {
		out = append(out, spentTable(r.Spent))
	}
	return out
}

// table counts pull requests with an assistant's marks.
func (e *Exposure) table() Table {
	t := Table{
		ID: "marks", Title: "Pull requests with an assistant’s marks",
		Caption: "Marks can be switched off, so their share is a lower bound; it is never the treatment.",
		Columns: []Column{
			word("side", "Side"), word("window", "Window"), number("assisted", "With marks"), number("without", "Without"),
			number("pull_requests", "Looked through"), number("share", "Share with marks"),
		},
	}
	for _, s := range e.Sides {
		for _, w := range []struct {
			name  string
			share *AssistedShare
		}{{"before", s.Before}, {"after", s.After}} {
			if a := w.share; a != nil {
				share := a.Share
				t.Rows = append(t.Rows, []Cell{
					text(s.Label), text(w.name), whole(a.Assisted), whole(a.PullRequests - a.Assisted), whole(a.PullRequests),
					value(&share, func(x float64) string { return FormatNumber(100*x) + narrow + "%" }),
				})
			}
		}
	}
	return t
}

// feltTable is what people answered: what they believe beside what was
// measured, and the mean answer to each question.
func (r *Report) feltTable() Table {
	t := Table{
		ID: "felt", Title: "What people felt", Caption: "Each person counts once; fewer than five answers are not shown.",
		Columns: []Column{
			word("question", "Question"), word("side", "Side"), word("window", "Window"), number("people", "People"),
			number("value", "Value"), word("unit", "Unit"),
		},
	}
	side := sideLabel(r.Definition.Pilot)
	if b := r.Felt.Belief; b != nil {
		percent := func(x float64) string { return FormatPercent(x) }
		median := b.Median
		primary := r.Metrics[0]
		t.Rows = append(t.Rows,
			[]Cell{text("Believed change, median"), text(side), text("after"), whole(b.People), value(&median, percent), text("percent")},
			[]Cell{text("Own change, measured"), text(side), text("before → after"), {Text: dash}, value(b.Own, percent), text("percent")},
			[]Cell{
				text("Measured against the comparison"), text(side), text("before → after"), {Text: dash},
				value(b.Effect, func(x float64) string { return FormatEffect(x, b.EffectUnit, primary.Headline.SE) }), text(string(b.EffectUnit)),
			})
	}
	for _, q := range r.Felt.Questions {
		scale := fmt.Sprintf("scale from %s to %s", FormatNumber(q.Low), FormatNumber(q.High))
		for _, s := range q.Sides {
			for _, w := range []struct {
				name string
				mean *FeltMean
			}{{"before", s.Before}, {"after", s.After}} {
				if w.mean != nil {
					mean := w.mean.Mean
					t.Rows = append(t.Rows, []Cell{text(q.Question), text(s.Label), text(w.name), whole(w.mean.People), value(&mean, FormatNumber), text(scale)})
				}
			}
		}
	}
	return t
}

// spentTable is what each side's assistants cost.
func spentTable(all []Spent) Table {
	t := Table{
		ID: "cost", Title: "What it cost", Caption: "No verdict rests on it: what a pull request is worth is not known here.",
		Columns: []Column{
			word("side", "Side"), word("unit", "Unit"), word("from", "From"), word("to", "To"),
			number("amount", "Amount"), number("merged", "Merged pull requests"), number("per_merge", "For each"),
		},
	}
	for _, s := range all {
		amount := s.Amount
		t.Rows = append(t.Rows, []Cell{
			text(upperFirst(s.Label)), text(s.Unit), text(s.From.Format("2006-01-02")), text(s.To.AddDate(0, 0, -1).Format("2006-01-02")),
			value(&amount, FormatNumber), whole(s.Merged), value(s.PerMerge, FormatNumber),
		})
	}
	return t
}
