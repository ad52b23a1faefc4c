package reverts

import (
	"maps"
	"slices"
	"time"
)

// State is what became of a change that was undone at least once.
type State struct {
	Change string
	// Reverted is set where it stands undone at the end of the history: an odd
	// number of reverts one upon the other, or a revert without a re-apply.
	Reverted bool
	// Partial is set where only parts of it stand undone.
	Partial bool
	// By is the first change that undid it and still stands, else the first
	// that ever did; At is when that was merged.
	By string
	At time.Time
	// FirstAt is when it was first undone, whatever became of that.
	FirstAt time.Time
	// RestoredAt is when it last came back; zero if it never did.
	RestoredAt time.Time
}

// chains are the reverts of a history: which change undoes which.
type chains struct {
	changes []Facts // in order of merging
	places  map[string]int
	into    map[int][]arc // by what they undo, in order of merging
}

func newChains(changes []Facts, arcs []arc) *chains {
	c := &chains{changes: changes, places: make(map[string]int, len(arcs)), into: map[int][]arc{}}
	for _, a := range arcs {
		c.into[a.to] = append(c.into[a.to], a)
		c.places[changes[a.to].ID] = a.to
	}
	return c
}

// folding says what stands at a moment. A change is effective unless an
// effective later change undoes it wholly and no effective change after that
// brings it back. A change may be undone twice over, which does not restore it:
// only undoing the undoing does.
type folding struct {
	*chains
	until  time.Time    // the moment; zero is the end of the history
	undone map[int]bool // places that do not stand, of those decided
}

// arcs are the reverts and re-applies of the change at place, up to the moment.
func (f *folding) arcs(place int) []arc {
	all := f.into[place]
	if f.until.IsZero() {
		return all
	}
	for i, a := range all {
		if f.changes[a.from].Merged.After(f.until) {
			return all[:i]
		}
	}
	return all
}

// decide reads the state of the change at place; all later ones that bear on it
// are decided. ever is set where it was undone at all.
func (f *folding) decide(place int) (s State, ever bool) {
	s, ever = f.stateOf(place)
	f.undone[place] = s.Reverted && !s.Partial
	return s, ever
}

// states are those at the end, in the order of merging.
func (c *chains) states() []State {
	f := &folding{chains: c, undone: map[int]bool{}}
	var states []State
	// Later changes first: what undoes a change always comes after it.
	for _, place := range slices.Backward(slices.Sorted(maps.Keys(c.into))) {
		if s, ever := f.decide(place); ever {
			states = append(states, s)
		}
	}
	slices.Reverse(states)
	return states
}

// asOf is the state of the change at place as it was at a moment.
func (c *chains) asOf(place int, at time.Time) (s State, ever bool) {
	f := &folding{chains: c, until: at, undone: map[int]bool{}}
	for _, p := range slices.Backward(f.bearing(place)) {
		s, ever = f.decide(p)
	}
	return s, ever
}

// bearing are the places of the changes that bear on the one at place, itself
// among them, in order.
func (f *folding) bearing(place int) []int {
	bears := map[int]bool{place: true}
	open := []int{place}
	for len(open) > 0 {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		for _, a := range f.arcs(next) {
			if !bears[a.from] {
				bears[a.from] = true
				open = append(open, a.from)
			}
		}
	}
	return slices.Sorted(maps.Keys(bears))
}

// since is the moment from which on the change at place stands undone as a
// whole to the end of the history; false where it does not.
func (c *chains) since(place int) (at time.Time, ok bool) {
	f := &folding{chains: c}
	for _, p := range slices.Backward(f.bearing(place)) {
		then := c.changes[p].Merged
		if s, _ := c.asOf(place, then); !s.Reverted || s.Partial {
			return at, ok
		}
		at, ok = then, true
	}
	return at, ok
}

// stateOf reads the reverts and re-applies of one change in order.
func (f *folding) stateOf(place int) (State, bool) {
	s := State{Change: f.changes[place].ID}
	ever := false
	for _, a := range f.arcs(place) {
		from := f.changes[a.from]
		if a.link.Reapply {
			if ever && !f.undone[a.from] && s.Reverted {
				s.Reverted, s.Partial, s.RestoredAt = false, false, from.Merged
			}
			continue
		}
		if !ever {
			ever = true
			s.By, s.At, s.FirstAt = from.ID, from.Merged, from.Merged
		}
		switch {
		case f.undone[a.from]:
			s.RestoredAt = later(s.RestoredAt, f.undoneAt(a.from))
		case !s.Reverted:
			s.Reverted, s.Partial = true, a.link.Partial
			s.By, s.At = from.ID, from.Merged
		default:
			s.Partial = s.Partial && a.link.Partial
		}
	}
	return s, ever
}

// undoneAt is when the change at place was undone by one that stands.
func (f *folding) undoneAt(place int) time.Time {
	for _, a := range f.arcs(place) {
		if !f.undone[a.from] && !a.link.Reapply && !a.link.Partial {
			return f.changes[a.from].Merged
		}
	}
	return time.Time{}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
