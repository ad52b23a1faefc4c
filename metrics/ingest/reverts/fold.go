package reverts

import "time"

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

// fold says what stands at the end. A change is effective unless an effective
// later change undoes it wholly and no effective change after that brings it
// back. A change may be undone twice over, which does not restore it: only
// undoing the undoing does.
func fold(changes []Facts, arcs []arc) []State {
	into := map[int][]arc{}
	for _, a := range arcs { // in order of merging
		into[a.to] = append(into[a.to], a)
	}
	effective := make([]bool, len(changes))
	var states []State
	// Later changes first: what undoes a change always comes after it.
	for place := len(changes) - 1; place >= 0; place-- {
		effective[place] = true
		if len(into[place]) == 0 {
			continue
		}
		s, undone := stateOf(changes, into, effective, place)
		effective[place] = !s.Reverted || s.Partial
		if undone {
			states = append(states, s)
		}
	}
	for i, k := 0, len(states)-1; i < k; i, k = i+1, k-1 {
		states[i], states[k] = states[k], states[i]
	}
	return states
}

// stateOf reads the reverts and re-applies of one change in order; all later
// changes are decided.
func stateOf(changes []Facts, into map[int][]arc, effective []bool, place int) (State, bool) {
	s := State{Change: changes[place].ID}
	undone := false
	for _, a := range into[place] {
		from := changes[a.from]
		if a.link.Reapply {
			if undone && effective[a.from] && s.Reverted {
				s.Reverted, s.Partial, s.RestoredAt = false, false, from.Merged
			}
			continue
		}
		if !undone {
			undone = true
			s.By, s.At, s.FirstAt = from.ID, from.Merged, from.Merged
		}
		switch {
		case !effective[a.from]:
			s.RestoredAt = later(s.RestoredAt, undoneAt(changes, into, effective, a.from))
		case !s.Reverted:
			s.Reverted, s.Partial = true, a.link.Partial
			s.By, s.At = from.ID, from.Merged
		default:
			s.Partial = s.Partial && a.link.Partial
		}
	}
	return s, undone
}

// undoneAt is when the change at place was undone by one that stands.
func undoneAt(changes []Facts, into map[int][]arc, effective []bool, place int) time.Time {
	for _, a := range into[place] {
		if effective[a.from] && !a.link.Reapply && !a.link.Partial {
			return changes[a.from].Merged
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
