package reverts

import (
	"strings"
	"time"
)

// How says by what a candidate was resolved.
type How string

// The ways, in the order they are tried.
const (
	ByNumber How = "number"
	ByCommit How = "commit"
	ByTitle  How = "title"
)

// Link says that one change undid another, or with Reapply brought it back.
type Link struct {
	// Change undid Target; both are IDs.
	Change, Target string
	Reapply        bool
	Partial        bool
	Form           Form
	How            How
	Confidence     Confidence
	Evidence       string
}

// Reason says why a candidate names nothing.
type Reason string

// The reasons.
const (
	NoNumber   Reason = "no pull request of that number was merged"
	NoCommit   Reason = "no change of that base holds that commit"
	NoTitle    Reason = "no earlier change has exactly that title"
	OtherTitle Reason = "the pull request of that number has another title"
	OtherName  Reason = "the number belongs to another repository"
	OtherBase  Reason = "it was merged to another base"
	Later      Reason = "it was merged later"
	Ambiguous  Reason = "several changes hold a commit that begins like that"
	Unclear    Reason = "a branch's name alone, with no word of a revert in the texts"
)

// Unresolved is a candidate that no rule could resolve; a person may.
type Unresolved struct {
	Change    string
	Candidate Candidate
	Reason    Reason
}

// Result is what a history says of its reverts, in the order of merging.
type Result struct {
	Links      []Link
	Unresolved []Unresolved
	// Internal counts candidates that undo a commit of their own change, which
	// never was on the base and so was never reverted there.
	Internal int
	// States holds every change that was undone at least once.
	States []State

	chains *chains
}

// AsOf is the state of a change as it was at a moment, by what was merged until
// then; ok is false where nothing had undone it by then.
func (r Result) AsOf(change string, at time.Time) (s State, ok bool) {
	place, ok := r.place(change)
	if !ok {
		return State{}, false
	}
	return r.chains.asOf(place, at)
}

// UndoneSince is the moment from which on a change stands undone as a whole; ok
// is false where it does not.
func (r Result) UndoneSince(change string) (at time.Time, ok bool) {
	place, ok := r.place(change)
	if !ok {
		return time.Time{}, false
	}
	return r.chains.since(place)
}

// place is that of a change which something undid.
func (r Result) place(change string) (int, bool) {
	if r.chains == nil {
		return 0, false
	}
	place, ok := r.chains.places[change]
	return place, ok
}

// Find resolves the candidates of a whole history and folds the chains. An
// error means that two changes share an ID.
func Find(h History) (Result, error) {
	facts := make([]Facts, len(h.Changes))
	for i, c := range h.Changes {
		facts[i] = Read(c)
	}
	return FindFacts(h.Names, facts)
}

// FindFacts is [Find] over facts that were read before. names are the
// repository's, as in [History].
func FindFacts(names []string, changes []Facts) (Result, error) {
	x, err := newIndex(names, changes)
	if err != nil {
		return Result{}, err
	}
	var r Result
	var arcs []arc
	for place := range x.changes {
		j := x.judge(place)
		r.Internal += j.internal
		r.Unresolved = append(r.Unresolved, j.unresolved...)
		for _, a := range j.arcs {
			r.Links = append(r.Links, a.link)
		}
		arcs = append(arcs, j.arcs...)
	}
	r.chains = newChains(x.changes, arcs)
	r.States = r.chains.states()
	return r, nil
}

// arc is a link by places. Parts are the commits inside the target that it
// undoes; none where it names the target as a whole.
type arc struct {
	from, to int
	link     Link
	parts    map[string]bool
}

type judgement struct {
	arcs       []arc
	unresolved []Unresolved
	internal   int
}

// judge decides every candidate of the change at place.
func (x *index) judge(place int) judgement {
	c := x.changes[place]
	j := judgement{internal: c.Internal}
	for _, candidate := range c.Candidates {
		target, how, reason := x.resolve(place, candidate)
		switch {
		case reason != "":
			j.unresolved = append(j.unresolved, Unresolved{Change: c.ID, Candidate: candidate, Reason: reason})
		case target == place:
			j.internal++
		default:
			j.add(arc{from: place, to: target, parts: x.partsOf(target, candidate, how), link: Link{
				Change: c.ID, Target: x.changes[target].ID,
				Reapply: candidate.Form == FormReapply, Partial: candidate.Partial,
				Form: candidate.Form, How: how, Confidence: x.confidence(candidate, how), Evidence: candidate.Evidence,
			}})
		}
	}
	for i := range j.arcs {
		a := &j.arcs[i]
		if len(a.parts) > 0 && len(a.parts) < x.changes[a.to].size() {
			a.link.Partial = true
		}
	}
	j.dropEchoes()
	return j
}

// add keeps one link a target: the surest, and of equals the first. It is
// partial where any of its texts says so.
func (j *judgement) add(a arc) {
	for i := range j.arcs {
		kept := &j.arcs[i]
		if kept.to != a.to {
			continue
		}
		partial, parts := kept.link.Partial || a.link.Partial, union(kept.parts, a.parts)
		if rank(a.link.Confidence) > rank(kept.link.Confidence) {
			*kept = a
		}
		kept.link.Partial, kept.parts = partial, parts
		return
	}
	j.arcs = append(j.arcs, a)
}

// union joins parts; none stands for the whole, which holds every part.
func union(a, b map[string]bool) map[string]bool {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for part := range b {
		a[part] = true
	}
	return a
}

// partsOf returns the commits inside the change at place that a candidate names
// in place of the change itself.
func (x *index) partsOf(place int, c Candidate, how How) map[string]bool {
	target := x.changes[place]
	whole := how == ByNumber ||
		(how == ByCommit && sameHash(target.Commit, c.Commit)) ||
		(how == ByTitle && target.called(titleKey(c.Title)))
	if whole {
		return nil
	}
	parts := map[string]bool{}
	for _, own := range target.Commits {
		if (how == ByCommit && sameHash(own.Hash, c.Commit)) || (how == ByTitle && own.Title == titleKey(c.Title)) {
			parts[own.Hash] = true
		}
	}
	return parts
}

func sameHash(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) >= minHash && len(b) >= minHash && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// dropEchoes forgets unresolved candidates that only repeat, less exactly, what
// a link of the same change already says.
func (j *judgement) dropEchoes() {
	if len(j.arcs) == 0 {
		return
	}
	kept := j.unresolved[:0]
	for _, u := range j.unresolved {
		if u.Candidate.Commit != "" || (u.Candidate.Number > 0 && !u.Candidate.quoted) {
			kept = append(kept, u)
		}
	}
	j.unresolved = kept
}

func rank(c Confidence) int {
	switch c {
	case High:
		return 2
	case Medium:
		return 1
	default:
		return 0
	}
}

// confidence grades a resolved candidate.
func (x *index) confidence(c Candidate, how How) Confidence {
	switch {
	case c.Form == FormNamed:
		return Low
	case how == ByTitle && len(x.titles[titleKey(c.Title)]) > 1:
		return Low
	case how == ByTitle, c.Form == FormProse, c.inner:
		return Medium
	default:
		return High
	}
}

// undoneInside finds the entries of a change that a later entry of the same
// change takes back, and the entries that do so: together they undo nothing.
// An entry that takes back an earlier one is told by the quoted title, or by
// the hash of an own commit. The key is the entry.
func undoneInside(found []Candidate, entries []entry, c Change) map[int]bool {
	cancelled := map[int]bool{}
	for i := len(found) - 1; i >= 0; i-- {
		f := found[i]
		if f.entry < 0 || cancelled[f.entry] || f.Form == FormReapply {
			continue
		}
		if own := ownEntry(f, entries, c); own >= 0 {
			cancelled[f.entry] = true
			cancelled[own] = true
		}
	}
	return cancelled
}

// ownEntry returns the earlier entry of the same text that f takes back, or −1.
func ownEntry(f Candidate, entries []entry, c Change) int {
	title := titleKey(f.Title)
	if f.Commit != "" {
		for _, own := range c.Commits {
			if strings.HasPrefix(strings.ToLower(own.Hash), f.Commit) {
				title = titleKey(subject(own.Message))
			}
		}
	}
	if title == "" {
		return -1
	}
	for i := f.entry - 1; i >= 0; i-- {
		if entries[i].inner && titleKey(entries[i].title) == title {
			return i
		}
	}
	return -1
}
