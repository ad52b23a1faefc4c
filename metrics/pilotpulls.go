package metrics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// PilotPulls answers which pull requests stand behind a pilot's numbers. It is
// satisfied by [Reporter].
type PilotPulls interface {
	// PilotPulls returns one page of them. Its error wraps [ErrNotFound] where
	// there is no such pilot, [ErrNoPulls] where no pull requests stand behind
	// it, and is a [*ChoiceError] where the filter names what there is not.
	PilotPulls(ctx context.Context, pilot string, f PullFilter) (*PilotPullPage, error)
}

var _ PilotPulls = (*Reporter)(nil)

// ErrNoPulls is wrapped where a pilot is measured by an imported table and not
// by pull requests.
var ErrNoPulls = errors.New("no pull requests stand behind this pilot: it is measured by an imported table")

// ChoiceError says that a filter asked for something that is not there.
type ChoiceError struct {
	What, Value string   // "team", "Paymnts"
	Choices     []string // what there is
}

// Error names the choices.
func (e *ChoiceError) Error() string {
	return fmt.Sprintf("there is no %s %q; there is: %s", e.What, e.Value, strings.Join(e.Choices, ", "))
}

// PullSide is one of the two sides of a pilot.
type PullSide string

// The sides. The zero value is both.
const (
	SidePilot      PullSide = "pilot"
	SideComparison PullSide = "comparison"
)

// PullSides are both sides.
func PullSides() []PullSide { return []PullSide{SidePilot, SideComparison} }

// PullSpan is one of a pilot's windows.
type PullSpan string

// The spans. The zero value is all of the pilot's time and what came between.
const (
	SpanBefore PullSpan = "before"
	SpanAfter  PullSpan = "after"
)

// PullSpans are both spans.
func PullSpans() []PullSpan { return []PullSpan{SpanBefore, SpanAfter} }

// PullFilter chooses among a pilot's pull requests. The zero value chooses all.
type PullFilter struct {
	Team string
	Side PullSide
	// Span is one of the pilot's windows, without what the pilot leaves out;
	// From and To narrow it further. Where nothing is said, the time is that
	// from the first window's beginning to the last one's end.
	Span   PullSpan
	Window Window
	State  PullState
	Signal PullSignal
	After  PullPlace
	Limit  int
}

// PilotPullPage is one page of the pull requests behind a pilot's numbers.
type PilotPullPage struct {
	PullPage
	// Pilot is the definition the teams and windows are of.
	Pilot Pilot
	// Window is the time that the list covers; a zero end is open.
	Window Window
	// Teams are the pilot's teams that the filter leaves, by side and name;
	// All are those of the pilot.
	Teams, All []PullTeam
}

// PullTeam is a team of a pilot.
type PullTeam struct {
	Name string
	Side PullSide
}

// Side says on which side a team stands.
func (p PilotPullPage) Side(team string) PullSide {
	for _, t := range p.All {
		if t.Name == team {
			return t.Side
		}
	}
	return ""
}

// PilotPulls returns one page of the pull requests behind a pilot's numbers:
// those of its teams, in its windows, that are measured.
func (r *Reporter) PilotPulls(ctx context.Context, pilot string, f PullFilter) (*PilotPullPage, error) {
	lister, ok := r.store.(PullLister)
	if !ok {
		return nil, fmt.Errorf("list pull requests of %q: %w", pilot, ErrNoPulls)
	}
	def, err := r.store.Pilot(ctx, pilot)
	if err != nil {
		return nil, fmt.Errorf("read pilot %q: %w", pilot, err)
	}
	p := def.Pilot
	if p.Level != LevelPullRequests {
		return nil, fmt.Errorf("list pull requests of %q: %w", pilot, ErrNoPulls)
	}
	out := &PilotPullPage{Pilot: p}
	if out.All, err = r.pullTeams(ctx, p); err != nil {
		return nil, err
	}
	if out.Teams, err = f.teams(out.All); err != nil {
		return nil, err
	}
	out.Window = f.window(p)
	if out.PullPage, err = lister.ListPulls(ctx, f.query(out, p)); err != nil {
		return nil, fmt.Errorf("list pull requests of %q: %w", pilot, err)
	}
	return out, nil
}

// pullTeams are a pilot's teams: those treated, then those compared with, each
// by name.
func (r *Reporter) pullTeams(ctx context.Context, p Pilot) ([]PullTeam, error) {
	var treated []string
	for _, a := range p.Treated {
		treated = append(treated, a.Unit)
	}
	compared := slices.Clone(p.Comparison)
	if len(compared) == 0 {
		summary, err := r.store.PullRequestSummary(ctx)
		if err != nil {
			return nil, fmt.Errorf("name the teams of %q: %w", p.ID, err)
		}
		for _, t := range summary.Teams {
			if !slices.Contains(treated, t.Team) {
				compared = append(compared, t.Team)
			}
		}
	}
	slices.Sort(treated)
	slices.Sort(compared)
	var out []PullTeam
	for _, t := range slices.Compact(treated) {
		out = append(out, PullTeam{t, SidePilot})
	}
	for _, t := range slices.Compact(compared) {
		out = append(out, PullTeam{t, SideComparison})
	}
	return out, nil
}

// teams are those of all that the filter leaves.
func (f PullFilter) teams(all []PullTeam) ([]PullTeam, error) {
	if f.Side != "" && !slices.Contains(PullSides(), f.Side) {
		return nil, &ChoiceError{"side", string(f.Side), names(PullSides())}
	}
	var out []PullTeam
	for _, t := range all {
		if (f.Team == "" || strings.EqualFold(f.Team, t.Name)) && (f.Side == "" || f.Side == t.Side) {
			out = append(out, t)
		}
	}
	if f.Team != "" && len(out) == 0 {
		var choices []string
		for _, t := range all {
			if f.Side == "" || f.Side == t.Side {
				choices = append(choices, t.Name)
			}
		}
		return nil, &ChoiceError{"team", f.Team, choices}
	}
	return out, nil
}

// window is the time that the filter leaves of the pilot's.
func (f PullFilter) window(p Pilot) Window {
	var start time.Time
	for _, a := range p.Treated {
		if start.IsZero() || a.Start.Before(start) {
			start = a.Start
		}
	}
	w := Window{From: p.Before.From, To: p.After.To}
	switch f.Span {
	case SpanBefore:
		w.To = firstOf(p.Before.To, start)
	case SpanAfter:
		w.From = firstOf(p.After.From, start)
	}
	if from := f.Window.From; !from.IsZero() && (w.From.IsZero() || from.After(w.From)) {
		w.From = from
	}
	if to := f.Window.To; !to.IsZero() && (w.To.IsZero() || to.Before(w.To)) {
		w.To = to
	}
	return w
}

func (f PullFilter) query(page *PilotPullPage, p Pilot) PullQuery {
	q := PullQuery{
		Window: page.Window, State: f.State, Signal: f.Signal, After: f.After, Limit: f.Limit, Teams: []string{},
	}
	for _, t := range page.Teams {
		q.Teams = append(q.Teams, t.Name)
	}
	if f.Span != "" {
		for _, x := range p.LeftOut {
			q.Except = append(q.Except, x.Window)
		}
	}
	return q
}

// firstOf is the first of the times that is set.
func firstOf(all ...time.Time) time.Time {
	for _, t := range all {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func names[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = string(x)
	}
	return out
}
