package metrics

import (
	"fmt"
	"maps"
	"slices"
)

// Exposure describes how many pull requests carried an assistant's marks. It
// is description only: marks can be switched off, so their share is a lower
// bound, and it is never the treatment.
type Exposure struct {
	Sides []ExposureSide `json:"sides"`
}

// ExposureSide is one side of the comparison.
type ExposureSide struct {
	Label string `json:"label"`
	// Before and After are of pull requests opened before and after the start;
	// where units start at different times, After is of all periods used.
	Before *AssistedShare `json:"before,omitempty"`
	After  *AssistedShare `json:"after,omitempty"`
}

// AssistedShare counts pull requests that were looked through for marks.
type AssistedShare struct {
	PullRequests int     `json:"pull_requests"`
	Assisted     int     `json:"assisted"`
	Share        float64 `json:"share"`
	Text         string  `json:"text"` // "12 % (34 of 280)"
}

// manyAssisted is the share of marked pull requests in the comparison over
// which it no longer went without.
const manyAssisted = 0.10

// exposure counts marks by side; nil where nobody looked for any. lo is the
// frame's first period in the pull requests' own numbering.
func (d *pullData) exposure(f *frame, lo int) *Exposure {
	if f.problem != nil {
		return nil
	}
	count := func(units, periods []int) *AssistedShare {
		s := &AssistedShare{}
		for _, u := range units {
			for _, t := range periods {
				if c := d.teams[f.units[u].name].periods[lo+t]; c != nil {
					s.PullRequests += c.looked
					s.Assisted += c.assisted
				}
			}
		}
		if s.PullRequests == 0 {
			return nil
		}
		s.Share = float64(s.Assisted) / float64(s.PullRequests)
		s.Text = fmt.Sprintf("%s%s%% (%s of %s)", FormatNumber(100*s.Share), narrow, FormatCount(s.Assisted), FormatCount(s.PullRequests))
		return s
	}
	side := func(label string, units []int) ExposureSide {
		if f.kind == DesignStaggered {
			return ExposureSide{Label: label, After: count(units, f.kept)}
		}
		return ExposureSide{Label: label, Before: count(units, f.before), After: count(units, f.after)}
	}
	e := &Exposure{Sides: []ExposureSide{side(f.side(), f.treated), side("comparison", f.comparison)}}
	for _, s := range e.Sides {
		if s.Before != nil || s.After != nil {
			return e
		}
	}
	return nil
}

// facts are the exposure as lines.
func (e *Exposure) facts() []Fact {
	var out []Fact
	for _, s := range e.Sides {
		text := ""
		switch {
		case s.Before != nil && s.After != nil:
			text = s.Before.Text + " before the start, " + s.After.Text + " after it"
		case s.Before != nil:
			text = s.Before.Text + " before the start"
		case s.After != nil:
			text = s.After.Text
		default:
			text = "nobody looked"
		}
		out = append(out, Fact{upperFirst(s.Label), text})
	}
	return append(out, Fact{"What it says", "The share of pull requests that carry an assistant’s mark. Marks can be switched off, so no mark does not mean no assistant; who is treated is decided by team and date alone."})
}

// contaminated says that the comparison used assistants, too; "" where too few
// marks say so.
func (e *Exposure) contaminated() string {
	if e == nil {
		return ""
	}
	s := e.Sides[len(e.Sides)-1]
	if s.After == nil || s.After.Share <= manyAssisted {
		return ""
	}
	return fmt.Sprintf("%s of the comparison’s pull requests after the start carry an assistant’s mark. It did not go without, so the difference shows less than the whole effect.", s.After.Text)
}

// leaveApart counts what is set apart by rule, by reason.
func (d *pullData) leaveApart(f *frame) {
	f.leave(d.bots, plural(d.bots, "pull request"), "the author is a bot")
	for _, why := range slices.Sorted(maps.Keys(d.apart)) {
		f.leave(d.apart[why], plural(d.apart[why], "pull request"), "it is set apart: "+why)
	}
}
