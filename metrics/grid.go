package metrics

import (
	"slices"
	"time"
)

// grid is a row of consecutive periods, indexed from 0.
type grid struct {
	kind  PeriodKind
	step  int // period numbers from one index to the next
	first int // period number of index 0
	n     int
}

// stepOf is the grid that pull requests are counted on.
func stepOf(periodNoun string) (grid, bool) {
	switch periodNoun {
	case "day":
		return grid{kind: PeriodDay, step: 1}, true
	case "week":
		return grid{kind: PeriodDay, step: 7}, true
	case "month":
		return grid{kind: PeriodMonth, step: 1}, true
	}
	return grid{}, false
}

// Step is the distance between neighbouring periods, in period numbers: the
// greatest common divisor of all distances. A panel of Mondays has step 7. It
// is 1 for a panel of one period.
func (p *Panel) Step() int {
	if len(p.Period) == 0 {
		return 1
	}
	first, g := slices.Min(p.Period), 0
	for _, t := range p.Period {
		for a := t - first; a != 0; {
			g, a = a, g%a
		}
	}
	return max(g, 1)
}

// index is the position of the period that holds period number t; it may lie
// outside [0, n).
func (g grid) index(t int) int { return floorDiv(t-g.first, g.step) }

func (g grid) period(i int) int      { return g.first + i*g.step }
func (g grid) label(i int) string    { return g.kind.Label(g.period(i)) }
func (g grid) start(i int) time.Time { return g.kind.Start(g.period(i)) }
func (g grid) end(i int) time.Time   { return g.kind.Start(g.period(i + 1)) }
func (g grid) at(t time.Time) int    { return g.index(g.kind.At(t)) }
func (g grid) dated() bool           { return g.kind != PeriodInteger }

// overlaps reports whether any part of period i lies in w.
func (g grid) overlaps(i int, w Window) bool {
	return (w.To.IsZero() || g.start(i).Before(w.To)) && (w.From.IsZero() || g.end(i).After(w.From))
}

// excluded is the reason for which period i is left out by name, or "".
func (g grid) excluded(i int, spans []Exclusion) string {
	if !g.dated() {
		return ""
	}
	for _, x := range spans {
		if g.overlaps(i, x.Window) {
			return x.Reason
		}
	}
	return ""
}
