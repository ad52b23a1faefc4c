package tests

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// checkingName are the names of helpers that tests check by.
var checkingName = regexp.MustCompile(`(?i)^(assert|check|ensure|verify|expect|test|run|validate|should|must|compare|do_?test)`)

// exit is where a function is left under a condition.
type exit struct {
	marker
	word string
}

// exits finds the bare ones of a function.
func (s *suite) exits(r span, own func(int) bool) []exit {
	var found []exit
	src := s.src
	for i := r.from; i < r.to && len(found) < maxAsked; i++ {
		w := src.at(i)
		if w != "return" && (w != "next" || src.lang != ruby) || !src.isWord(i) || !own(i) || src.is(i-1, ".") {
			continue
		}
		modified := src.lang == ruby && (src.is(i+1, "if") || src.is(i+1, "unless"))
		if !src.bare(i) && !modified {
			continue
		}
		if g := s.guards(r, i); len(g) > 0 {
			m := marker{kind: skipsIf, at: i, words: w, cond: guarding(g)}
			found = append(found, exit{m, w})
		}
	}
	marks := make([]marker, len(found))
	for i := range found {
		marks[i] = found[i].marker
	}
	s.writeOut(marks)
	for i := range found {
		found[i].marker = marks[i]
	}
	return found
}

// leavesEarlier reports tests, and helpers that check, which are left in more
// places than before.
func (c *change) leavesEarlier(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	for _, n := range p.new.tests {
		if n.mate == nil || n.mate.suite != p.old || bypassed(n.mate) {
			continue
		}
		old, now := p.old.exits(n.mate.body, n.mate.own), p.new.exits(n.body, n.own)
		if m, ok := widerExit(old, now); ok {
			c.reportSkip(p.new, m, []lint.Related{was(p.old, n.mate.head(), "the test before")}, "test", n.name)
			return
		}
	}
	all := func(int) bool { return true }
	for _, name := range slices.Sorted(maps.Keys(p.new.helpers)) {
		before, ok := p.old.helpers[name]
		if !ok || !p.new.checks[name] && !checkingName.MatchString(name) {
			continue
		}
		old, now := p.old.exits(before, all), p.new.exits(p.new.helpers[name], all)
		m, ok := widerExit(old, now)
		if !ok && len(now) > len(old) {
			m, ok = systemExit(old, now)
		}
		if ok {
			c.reportSkip(p.new, m, []lint.Related{was(p.old, before.from, "the function before")}, "whatever uses", name)
			return
		}
	}
}

// widerExit is the first of as many exits whose condition holds more often.
func widerExit(old, now []exit) (marker, bool) {
	if len(old) != len(now) {
		return marker{}, false
	}
	for i := range now {
		if now[i].word == old[i].word && wider(old[i].marker, now[i].marker) {
			m := now[i].marker
			m.words = short(m.cond)
			return m, true
		}
	}
	return marker{}, false
}

// systemExit is an exit that was not there and asks for the system.
func systemExit(old, now []exit) (marker, bool) {
	for _, e := range now {
		if slices.ContainsFunc(old, func(o exit) bool { return o.cond == e.cond }) {
			continue
		}
		for w := range strings.FieldsSeq(e.cond) {
			if len(w) <= maxName && slices.ContainsFunc(nameWords(strings.Trim(w, `"'`)), systems.MatchString) {
				return e.marker, true
			}
		}
	}
	return marker{}, false
}
