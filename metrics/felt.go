package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Felt is what people answered in a survey, beside what was measured. Answers
// of fewer than five people are not in it.
type Felt struct {
	Questions []FeltQuestion `json:"questions"`
	Belief    *Belief        `json:"belief,omitempty"`
	// Hidden says what is not shown, as sentences.
	Hidden []string `json:"hidden,omitempty"`
}

// FeltQuestion is one question, by side.
type FeltQuestion struct {
	Question string     `json:"question"`
	Low      float64    `json:"low"` // ends of the scale
	High     float64    `json:"high"`
	Sides    []FeltSide `json:"sides"`
}

// FeltSide is what one side answered before and after the start. A person
// counts once, with the mean of that person's answers.
type FeltSide struct {
	Label  string    `json:"label"`
	Before *FeltMean `json:"before,omitempty"`
	After  *FeltMean `json:"after,omitempty"`
}

// FeltMean is a mean over people.
type FeltMean struct {
	People int     `json:"people"`
	Mean   float64 `json:"mean"`
	Text   string  `json:"text"` // "3.8 (12 people)"
}

// Belief is by how much people think that the primary outcome changed, beside
// what was measured. The gap between the two is a result in itself.
type Belief struct {
	People int `json:"people"`
	// Mean and Median are of each person's newest answer after the start, in
	// percent.
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	// Own is the pilot's own change in percent, Effect the estimate against the
	// comparison in EffectUnit; nil where there is none.
	Own        *float64   `json:"own"`
	Effect     *float64   `json:"effect"`
	EffectUnit EffectUnit `json:"effect_unit,omitempty"`
	// Gap is Median less Effect, in points; nil where one of them is missing.
	Gap  *float64 `json:"gap"`
	Text string   `json:"text"`
}

// addFelt reads the answers of the pilot's teams and puts them beside the
// report.
func (r *Reporter) addFelt(ctx context.Context, report *Report, others []string) error {
	store, ok := r.store.(SurveyStore)
	if !ok {
		return nil
	}
	p := report.Definition.Pilot
	treated, _, start := sidesOf(p)
	if len(treated) == 0 {
		return nil
	}
	answers, err := store.Answers(ctx, append(slices.Clone(treated), others...))
	if err != nil {
		return fmt.Errorf("read the survey of %q: %w", p.ID, err)
	}
	if len(answers) > 0 {
		report.Felt = felt(report, answers, treated, start)
	}
	return nil
}

// sidesOf names the treated units and the comparison that the definition names,
// and says when the first unit started.
func sidesOf(p Pilot) (treated, named []string, start time.Time) {
	for _, a := range p.Treated {
		treated = append(treated, a.Unit)
		if start.IsZero() || a.Start.Before(start) {
			start = a.Start
		}
	}
	return treated, p.Comparison, start
}

// comparedOf names the units that a pilot is compared with: those that its
// definition names, or every other one of its data.
func comparedOf(p Pilot, data Data) []string {
	treated, named, _ := sidesOf(p)
	if len(named) > 0 {
		return named
	}
	var others []string
	for _, t := range data.Summary.Teams {
		if !slices.Contains(treated, t.Team) {
			others = append(others, t.Team)
		}
	}
	if data.Panel != nil {
		for _, u := range data.Panel.Units {
			if !slices.Contains(treated, u.Name) {
				others = append(others, u.Name)
			}
		}
	}
	return others
}

// felt sums answers up. Days before the window before, and after the window
// after, do not count; neither do days that are left out.
func felt(report *Report, answers []Answer, treated []string, start time.Time) *Felt {
	p := report.Definition.Pilot
	out := &Felt{Questions: []FeltQuestion{}}
	groups := map[feltKey][]Answer{}
	var order []string
	for _, a := range answers {
		if !p.counts(a.Day) {
			continue
		}
		if a.Question != BelievedChange && !slices.Contains(order, a.Question) {
			order = append(order, a.Question)
		}
		k := feltKey{a.Question, slices.Contains(treated, a.Team), !a.Day.Before(start)}
		groups[k] = append(groups[k], a)
	}
	slices.Sort(order)
	hidden := 0
	for _, q := range order {
		question, few := feltQuestion(q, groups, sideLabel(p))
		hidden += few
		if len(question.Sides) > 0 {
			out.Questions = append(out.Questions, question)
		}
	}
	out.Belief = belief(report, groups[feltKey{BelievedChange, true, true}])
	if out.Belief == nil && len(groups[feltKey{BelievedChange, true, true}]) > 0 {
		hidden++
	}
	if hidden > 0 {
		out.Hidden = append(out.Hidden, fmt.Sprintf("%s not shown, because fewer than %d people answered: what so few say can be one person’s.", counted(hidden, "figure"), smallGroup))
	}
	return out
}

type feltKey struct {
	question       string
	treated, after bool
}

// counts reports whether a day lies in one of the pilot's windows and is not
// left out.
func (p Pilot) counts(day time.Time) bool {
	if !(Window{From: p.Before.From, To: p.After.To}).Contains(day) {
		return false
	}
	return !slices.ContainsFunc(p.LeftOut, func(x Exclusion) bool { return x.Contains(day) })
}

func sideLabel(p Pilot) string {
	if p.Subject != "" {
		return p.Subject
	}
	return "the pilot"
}

// feltQuestion is one question by side; few is how many of its figures too few
// people stand behind.
func feltQuestion(q string, groups map[feltKey][]Answer, pilot string) (out FeltQuestion, few int) {
	out = FeltQuestion{Question: q, Sides: []FeltSide{}}
	for _, treated := range []bool{true, false} {
		side := FeltSide{Label: "comparison"}
		if treated {
			side.Label = pilot
		}
		for _, after := range []bool{false, true} {
			all := groups[feltKey{q, treated, after}]
			if len(all) == 0 {
				continue
			}
			out.Low, out.High = all[0].Low, all[0].High
			people := byPerson(all)
			if len(people) < smallGroup {
				few++
				continue
			}
			m := &FeltMean{People: len(people), Mean: mean(people)}
			m.Text = fmt.Sprintf("%s (%s)", FormatNumber(m.Mean), peopleText(m.People))
			if after {
				side.After = m
			} else {
				side.Before = m
			}
		}
		if side.Before != nil || side.After != nil {
			out.Sides = append(out.Sides, side)
		}
	}
	return out, few
}

func peopleText(n int) string { return FormatCount(n) + " people" }

// byPerson is one value a person, the mean of that person's answers, in a fixed
// order.
func byPerson(all []Answer) []float64 {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Answer) int { return cmp.Compare(a.Respondent, b.Respondent) })
	var out []float64
	for i := 0; i < len(all); {
		sum, n := 0.0, 0
		for who := all[i].Respondent; i < len(all) && all[i].Respondent == who; i++ {
			sum += all[i].Value
			n++
		}
		out = append(out, sum/float64(n))
	}
	return out
}

// belief puts each person's newest answer beside the primary outcome; nil where
// fewer than five people gave one.
func belief(report *Report, answers []Answer) *Belief {
	newest := map[string]Answer{}
	for _, a := range answers {
		if old, ok := newest[a.Respondent]; !ok || a.Day.After(old.Day) {
			newest[a.Respondent] = a
		}
	}
	if len(newest) < smallGroup {
		return nil
	}
	var xs []float64
	for _, a := range newest {
		xs = append(xs, a.Value)
	}
	slices.Sort(xs)
	n := len(xs)
	b := &Belief{People: n, Mean: mean(xs), Median: (xs[(n-1)/2] + xs[n/2]) / 2}
	m := report.Metrics[0]
	if m.ChangeUnit == UnitPercent {
		b.Own = m.Pilot.Value
	}
	if h := m.Headline; h.Estimate != nil && (h.Unit == UnitPoints || h.Unit == UnitPercent) {
		b.Effect, b.EffectUnit = h.Estimate, h.Unit
		b.Gap = finitePtr(b.Median - *h.Estimate)
	}
	b.Text = b.say(m)
	return b
}

// say writes a belief in words.
func (b *Belief) say(m MetricReport) string {
	text := fmt.Sprintf("%s think that %s changed by %s (median)", upperFirst(peopleText(b.People)), lowerTitle(m.Outcome.Title), FormatPercent(b.Median))
	if b.Own != nil {
		text += fmt.Sprintf("; it changed by %s", FormatPercent(*b.Own))
	}
	if b.Gap == nil {
		return text + ". Against the comparison there is no estimate in percent to hold it to."
	}
	text += fmt.Sprintf(", and against the comparison by %s", m.Headline.Text)
	switch gap := math.Abs(*b.Gap); {
	case gap < 0.5:
		return text + ". The belief is the estimate."
	case *b.Gap < 0:
		return fmt.Sprintf("%s. The belief lies %s points under the estimate.", text, FormatNumber(gap))
	default:
		return fmt.Sprintf("%s. The belief lies %s points over the estimate.", text, FormatNumber(gap))
	}
}

// facts are the answers as lines.
func (f *Felt) facts() []Fact {
	var out []Fact
	if f.Belief != nil {
		out = append(out, Fact{"Belief", f.Belief.Text})
	}
	for _, q := range f.Questions {
		for _, s := range q.Sides {
			text := s.Label + ": "
			switch {
			case s.Before != nil && s.After != nil:
				text += s.Before.Text + " → " + s.After.Text
			case s.Before != nil:
				text += s.Before.Text + " before the start"
			default:
				text += s.After.Text + " after the start"
			}
			out = append(out, Fact{q.Question, fmt.Sprintf("%s, on a scale from %s to %s", text, FormatNumber(q.Low), FormatNumber(q.High))})
		}
	}
	for _, h := range f.Hidden {
		out = append(out, Fact{"Not shown", h})
	}
	return out
}
