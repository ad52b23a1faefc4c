package tests

import (
	"fmt"
	"slices"

	"steelyard/lint"
)

// skipped is TS002: a test that ran before and does not now.
func skipped(c *change) {
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		c.skippedGroups(p)
		from := len(c.found)
		for _, n := range p.new.tests {
			if n.mate == nil {
				c.skippedAnew(p, n)
				continue
			}
			if bypassed(n.mate) {
				continue
			}
			if m, ok := newMark(n.mate.marks, n.marks, skips, skipsIf, skipsMay, expectsFailure); ok {
				c.reportSkip(p.new, m, []lint.Related{was(n.mate.suite, n.mate.head(), "the test before")}, "test", n.name)
			}
		}
		c.taggedTitles(p)
		c.gather(from)
		c.skippedFile(p)
		c.skippedParams(p)
		c.skippedRows(p)
		c.widerNames(p)
		c.leavesEarlier(p)
		c.overridden(p)
		c.inherited(p)
		c.skippedOutside(p)
		c.runnerHooked(p)
		c.hiddenClasses(p)
		c.unannotated(p)
		c.decides(p)
		if !c.has(p) {
			c.directiveRows(p)
		}
	}
}

// skippedAnew reports a test that is skipped and was there before as a function
// that only its project knows for a test: [SkipMono] became [Fact(Skip = …)].
func (c *change) skippedAnew(p *pair, n *test) {
	if p.old == nil || !p.test || !bypassed(n) {
		return
	}
	body, ok := p.old.helpers[n.name]
	if !ok {
		return
	}
	o := &test{suite: p.old, name: n.name, whole: body, body: body}
	o.fingerprint()
	if likeness(o, n) < sameBody {
		return
	}
	for _, m := range n.marks {
		if m.kind == skips {
			c.reportSkip(p.new, m, []lint.Related{was(p.old, body.from, "the test before")}, "test", n.name)
			return
		}
	}
}

// gather makes one finding of many skipped tests of one file.
func (c *change) gather(from int) {
	n := len(c.found) - from
	if n <= maxSingle {
		return
	}
	first := c.found[from]
	for _, f := range c.found[from+1:] {
		if len(first.Related) < 50 {
			first.Related = append(first.Related, f.Related...)
		}
	}
	first.Message = fmt.Sprintf("%d tests are skipped, the first: %s", n, first.Message)
	c.found = append(c.found[:from], first)
}

// bypassed reports whether a test did not run at all.
func bypassed(t *test) bool {
	return slices.ContainsFunc(t.marks, func(m marker) bool { return m.kind == skips })
}

// newMark is the first marker of these kinds of which there are more than
// before.
func newMark(before, after []marker, kinds ...markerKind) (marker, bool) {
	had := 0
	for _, m := range before {
		if slices.Contains(kinds, m.kind) {
			had++
		}
	}
	for _, m := range after {
		if !slices.Contains(kinds, m.kind) {
			continue
		}
		if had--; had < 0 {
			return unlike(before, after, m, kinds), true
		}
	}
	if m, ok := widened(before, after, kinds); ok {
		return m, true
	}
	if m, ok := laxer(before, after, kinds); ok {
		return m, true
	}
	// As many, but one that now holds always.
	for _, m := range after {
		if m.kind == skips && slices.Contains(kinds, skips) && !slices.ContainsFunc(before, func(b marker) bool { return b.kind == skips }) {
			return m, true
		}
	}
	return unconditional(before, after, kinds)
}

// unconditional is a failure that is expected always, where the test was left
// out or expected to fail under a condition.
func unconditional(before, after []marker, kinds []markerKind) (marker, bool) {
	if !slices.Contains(kinds, expectsFailure) || slices.ContainsFunc(before, func(b marker) bool { return b.kind == expectsFailure || b.kind == skips }) {
		return marker{}, false
	}
	for _, m := range after {
		if m.kind == expectsFailure && m.cond == "" {
			return m, true
		}
	}
	return marker{}, false
}

// unlike is the first marker that was not there before, the given one if all
// of them look alike.
func unlike(before, after []marker, m marker, kinds []markerKind) marker {
	for _, a := range after {
		if slices.Contains(kinds, a.kind) && !slices.ContainsFunc(before, func(b marker) bool { return b.words == a.words && b.cond == a.cond }) {
			return a
		}
	}
	return m
}

// subset reports whether every part of a is in b, which has more.
func subset(a, b []string) bool {
	for _, part := range a {
		if !slices.Contains(b, part) {
			return false
		}
	}
	return len(a) < len(b)
}

func (c *change) reportSkip(s *suite, m marker, related []lint.Related, what, name string) {
	if c.leftBefore(s, m) {
		return
	}
	how := "is skipped"
	switch m.kind {
	case skipsIf:
		how = "is skipped under a condition"
	case skipsMay:
		how = "is skipped in short runs"
	case expectsFailure:
		how = "is expected to fail"
	}
	c.report("TS002", s.path, s.src.line(m.at), related, "%s %q %s by %q", what, short(name), how, m.words)
}

// skippedGroups reports a describe block or a class once for all its tests.
func (c *change) skippedGroups(p *pair) {
	if p.old == nil {
		return
	}
	before := map[string]*scope{}
	for _, g := range p.old.scopes {
		if before[g.name] == nil {
			before[g.name] = g
		}
	}
	renamed := p.renames()
	for _, g := range p.new.scopes {
		old := before[g.name]
		if old == nil {
			old = renamed[g]
		}
		if old == nil {
			c.skippedByNew(p, g)
			continue
		}
		if m, ok := newMark(old.mark, g.mark, skips, skipsIf, expectsFailure); ok {
			c.reportSkip(p.new, m, []lint.Related{was(p.old, old.body.from, "the group before")}, "group", g.name)
		}
	}
}

// skippedByNew reports a group that is skipped and was put around tests which
// ran before.
func (c *change) skippedByNew(p *pair, g *scope) {
	m, ok := newMark(nil, g.mark, skips, skipsIf, expectsFailure)
	if !ok {
		return
	}
	marked := func(m marker) bool { return m.kind == skips || m.kind == skipsIf || m.kind == expectsFailure }
	for _, t := range p.new.tests {
		o := t.mate
		if !g.body.has(t.whole.from) || o == nil || slices.ContainsFunc(o.marks, marked) ||
			slices.ContainsFunc(o.groups, func(g *scope) bool { return slices.ContainsFunc(g.mark, marked) }) {
			continue
		}
		c.reportSkip(p.new, m, []lint.Related{was(o.suite, o.head(), "a test of it before")}, "group", g.name)
		return
	}
}

// skippedFile reports marks for a whole file: pytestmark, importorskip.
func (c *change) skippedFile(p *pair) {
	if p.old == nil || !p.test || len(p.new.tests) == 0 || p.new.src.lang != python && p.new.src.lang != rust {
		return
	}
	before := fileMarks(p.old)
	for i, m := range fileMarks(p.new) {
		if i >= len(before) {
			c.reportSkip(p.new, m, []lint.Related{was(p.old, 0, "the file before")}, "file", p.Path)
		}
	}
}

func fileMarks(s *suite) []marker {
	var marks []marker
	if s.src.lang == rust { // #![cfg(unix)]
		for i := 0; i+3 < len(s.src.tokens) && s.src.is(i, "#") && s.src.is(i+1, "!") && s.src.close(i+2) > 0; i = s.src.close(i+2) + 1 {
			if m, ok := s.attributeMark(s.src.at(i+3), span{i + 3, s.src.close(i + 2)}); ok && m.kind == skipsIf {
				marks = append(marks, marker{kind: skipsIf, at: i, words: short(m.cond)})
			}
		}
		return marks
	}
	for i := range s.src.tokens {
		if s.src.is(i, "pytestmark") && s.src.token(i).col == 0 && s.src.is(i+1, "=") {
			st := s.src.statement(i, span{0, len(s.src.tokens)})
			for j := i; j < st.to; j++ {
				if s.src.is(j, "skip") || s.src.is(j, "skipif") || s.src.is(j, "xfail") {
					m := marker{kind: skips, at: i, words: "pytestmark"}
					if s.src.is(j, "skipif") {
						m.kind = skipsIf
					}
					marks = append(marks, m)
				}
			}
		}
	}
	return marks
}

// focused is TS003: a test or group that keeps all others from running. It is
// as bad in a new file as in a changed one.
func focused(c *change) {
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		had := 0
		if p.old != nil {
			had = len(focusesOf(p.old))
		}
		for i, f := range focusesOf(p.new) {
			if i < had {
				continue
			}
			c.report("TS003", p.Path, p.new.src.line(f.m.at), nil, "%q runs alone through %q: every other test of the file is left out", short(f.name), f.m.words)
		}
	}
}

type focus struct {
	name string
	m    marker
}

func focusesOf(s *suite) []focus {
	var found []focus
	keep := func(name string, marks []marker) {
		for _, m := range marks {
			if m.kind == focuses {
				found = append(found, focus{name, m})
			}
		}
	}
	for _, g := range s.scopes {
		keep(g.name, g.mark)
	}
	for _, t := range s.tests {
		keep(t.name, t.marks)
	}
	slices.SortStableFunc(found, func(a, b focus) int { return a.m.at - b.m.at })
	return found
}
