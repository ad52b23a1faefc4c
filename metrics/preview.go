package metrics

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Preview says what a design could see before its pilot starts: it is measured
// on the data there is, as if it had started earlier by the length of its
// window, when nothing had changed. It shows no difference between the sides,
// which would be chance.
type Preview struct {
	// AsIf is the start that was taken, Periods how many periods it has after
	// it, of the Planned that the definition has; 0 where it has no end.
	// PeriodNoun is what a period is.
	AsIf             time.Time
	PeriodNoun       string
	Periods, Planned int
	Metrics          []PreviewMetric
	// Small is how many teams of the comparison were not looked at, because
	// fewer than five authors opened something in that time.
	Small int
	// Problem says why nothing can be said, with its own full stop; "" where it
	// can.
	Problem string
}

// PreviewMetric is one outcome of a preview.
type PreviewMetric struct {
	Title string
	// Detectable is the effect that the design sees in 8 cases of 10, in Unit;
	// nil where it has no standard error.
	Detectable *float64
	Unit       EffectUnit
	Text       string
	PreTrend   Test
	// Trend is how both sides went so far, of the primary outcome alone, with
	// neither a start nor windows, which would look like a difference.
	Trend *Trend
}

// usualWindow is how many periods after the start a preview takes of a pilot
// that does not say when it ends: a quarter in weeks.
const usualWindow = 13

// Preview looks at a pilot over pull requests that has not started in the data.
// It is nil where it has, or where the pilot is over a panel.
func (r *Reporter) Preview(ctx context.Context, p Pilot) (*Preview, error) {
	if p.Level != LevelPullRequests || len(p.Treated) == 0 {
		return nil, nil
	}
	summary, err := r.store.PullRequestSummary(ctx)
	if err != nil {
		return nil, fmt.Errorf("look ahead at %q: %w", p.ID, err)
	}
	_, _, start := sidesOf(p)
	switch {
	case summary.Total == 0:
		return &Preview{Problem: "No pull request is stored yet, so nobody can tell what this design could see. Import some, and define it again."}, nil
	case summary.Last.After(start):
		return nil, nil
	}
	shadow, out, ok := asIfEarlier(p, start, summary)
	if !ok {
		return &Preview{Problem: fmt.Sprintf("The data, from %s to %s, is too short to be cut into a time before and a time after.", FormatDate(summary.First), FormatDate(summary.Last))}, nil
	}
	var problem string
	if shadow, out.Small, problem, err = r.largeAlone(ctx, shadow); err != nil {
		return nil, fmt.Errorf("look ahead at %q: %w", p.ID, err)
	}
	if problem != "" {
		return &Preview{Problem: problem}, nil
	}
	data, err := r.data(ctx, shadow)
	if err != nil {
		return nil, fmt.Errorf("look ahead at %q: %w", p.ID, err)
	}
	report, err := Build(Definition{Pilot: shadow}, data)
	if err != nil {
		return &Preview{Problem: sentence(err.Error())}, nil
	}
	out.take(report)
	return out, nil
}

// asIfEarlier moves a pilot back by whole periods until its window after the
// start lies in the data; where that leaves less than half of the data for the
// time before, the window becomes as long as half of the data. Spans to leave
// out that belong to the start, such as a ramp-up, move with it.
func asIfEarlier(p Pilot, start time.Time, summary PullRequestSummary) (Pilot, *Preview, bool) {
	g, ok := stepOf(p.PeriodNoun)
	if !ok {
		return p, nil, false
	}
	g.first = g.kind.At(start)
	from := later(summary.First, p.Before.From)
	first, last := g.at(from)+1, g.at(summary.Last) // whole periods are first … last − 1
	out := &Preview{PeriodNoun: p.PeriodNoun}
	if to := p.After.To; !to.IsZero() {
		out.Planned = g.at(to.Add(-time.Nanosecond)) + 1
	}
	out.Periods = out.Planned
	if out.Periods <= 0 {
		out.Periods = usualWindow
	}
	out.Periods = min(out.Periods, (last-first)/2)
	if out.Periods < 2 {
		return p, nil, false
	}
	back := out.Periods - last // periods from the start taken to the real one
	move := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		if g.kind == PeriodMonth {
			return t.AddDate(0, -back, 0)
		}
		return t.AddDate(0, 0, -back*g.step)
	}
	shadow := p
	shadow.Treated = nil
	for _, a := range p.Treated {
		shadow.Treated = append(shadow.Treated, Adoption{Unit: a.Unit, Start: move(a.Start)})
	}
	out.AsIf = move(start)
	shadow.Before.To = move(p.Before.To)
	shadow.After = Window{From: move(p.After.From), To: g.start(last)}
	shadow.LeftOut = nil
	for _, x := range p.LeftOut {
		if !x.From.Before(start) {
			x.Window = Window{From: move(x.From), To: move(x.To)}
		}
		shadow.LeftOut = append(shadow.LeftOut, x)
	}
	return shadow, out, true
}

// take keeps of a report what does not depend on what happened after the start
// that was taken.
func (p *Preview) take(r *Report) {
	for _, m := range r.Metrics {
		if m.refused {
			p.Problem = sentence(m.Headline.Missing)
			return
		}
		p.Metrics = append(p.Metrics, PreviewMetric{
			Title: m.Outcome.Title, Detectable: m.Detectable, Unit: m.Headline.Unit, Text: m.DetectableText, PreTrend: m.PreTrend,
		})
	}
	if m := r.Metrics[0]; m.Trend != nil && len(p.Metrics) > 0 {
		trend := *m.Trend
		trend.StartIndex = -1
		trend.PilotBefore, trend.PilotAfter, trend.ComparisonBefore, trend.ComparisonAfter = nil, nil, nil, nil
		trend.Points = slices.Clone(trend.Points)
		for i := range trend.Points {
			trend.Points[i].Adopted, trend.Points[i].LeftOut = 0, ""
		}
		p.Metrics[0].Trend = &trend
	}
}

// Lines say in words what the design could see.
func (p *Preview) Lines() []string {
	if p.Problem != "" {
		return []string{p.Problem}
	}
	about := fmt.Sprintf("Measured as if it had started on %s, when nothing had changed, with %s after the start.", FormatDate(p.AsIf), counted(p.Periods, p.PeriodNoun))
	if p.Planned > p.Periods {
		about += fmt.Sprintf(" The definition has %d; the data is too short for as many, and with more the design sees somewhat more.", p.Planned)
	}
	if p.Small > 0 {
		about += fmt.Sprintf(" Without %s of the comparison with fewer than five authors in that time, which a report has.", counted(p.Small, "team"))
	}
	out := []string{about}
	for _, m := range p.Metrics {
		out = append(out, fmt.Sprintf("%s: %s %s", m.Title, m.Text, m.PreTrend.Text))
	}
	return out
}
