package tests

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// inherited reports tests that a class of Python or Ruby has from another, and
// that are written again only to be marked: the body calls super, or is a skip.
func (c *change) inherited(p *pair) {
	if p.old == nil || !p.test || !p.new.src.lang.indented() {
		return
	}
	before := p.old.groups()
	for _, n := range p.new.tests {
		if n.mate != nil || len(n.groups) == 0 {
			continue
		}
		g := n.groups[len(n.groups)-1]
		old := before[g.name]
		if old == nil || !p.new.derived(g) {
			continue
		}
		again := p.new.callsSuper(n)
		if src := p.new.src; n.body.len() == 1 && src.is(n.body.from, "pass") && len(n.marks) == 0 {
			m := marker{kind: skips, at: n.body.from, words: "pass"}
			c.reportSkip(p.new, m, []lint.Related{was(p.old, old.body.from, "the class before")}, "inherited test", n.name)
			continue
		}
		for _, m := range n.marks {
			if !again && (m.kind == retries || !p.new.onlySkips(n)) {
				continue
			}
			related := []lint.Related{was(p.old, old.body.from, "the class before")}
			if m.kind == retries {
				c.report("TS014", p.Path, p.new.src.line(m.at), related, "inherited test %q is retried by %q", short(n.name), m.words)
			} else if m.kind != focuses {
				c.reportSkip(p.new, m, related, "inherited test", n.name)
			}
			break
		}
	}
	c.assignedAway(p, before)
}

// derived reports whether a class has another one above it that may hold tests.
func (s *suite) derived(g *scope) bool {
	head := s.src.headLine(g.body.from)
	if s.src.lang == ruby {
		return slices.Contains(strings.Fields(s.src.join(head)), "<")
	}
	open := g.body.from + 2
	for _, arg := range s.src.arguments(open) {
		if base := s.src.at(arg.to - 1); base != "object" && base != "TestCase" && base != "SimpleTestCase" && base != "IsolatedAsyncioTestCase" && !s.src.is(arg.from+1, "=") {
			return true
		}
	}
	return false
}

// callsSuper reports whether a test runs the inherited one.
func (s *suite) callsSuper(t *test) bool {
	for i := t.body.from; i < t.body.to; i++ {
		if s.src.is(i, "super") && (s.src.lang == ruby || s.src.is(i+1, "(") && s.src.is(s.src.close(i+1)+1, ".") && s.src.is(s.src.close(i+1)+2, t.name)) {
			return true
		}
	}
	return false
}

// maxSkipOnly bounds the tokens of a test that does nothing but skip.
const maxSkipOnly = 24

// onlySkips reports whether a test does nothing but skip itself.
func (s *suite) onlySkips(t *test) bool {
	if t.body.len() > maxSkipOnly || len(t.asserts) > 0 {
		return false
	}
	lines := 0
	for i := t.body.from; i < t.body.to; i++ {
		if s.src.token(i).first && s.src.kind(i) != text && !closes(s.src.at(i)) && s.src.at(i) != "end" {
			lines++
		}
	}
	return lines <= 1
}

// assignedAway reports an inherited test that a class of Python sets to None.
func (c *change) assignedAway(p *pair, before map[string]*scope) {
	if p.new.src.lang != python {
		return
	}
	src := p.new.src
	had := p.old.src.count()
	for _, g := range p.new.scopes {
		old := before[g.name]
		if old == nil || !p.new.derived(g) {
			continue
		}
		inside := p.old.src.join(span{old.body.from, min(old.body.to, old.body.from+maxSkipOnly*1000)})
		for i := g.body.from + 1; i+2 < g.body.to; i++ {
			if !src.token(i).first || !strings.HasPrefix(src.at(i), "test") || !src.is(i+1, "=") || !src.is(i+2, "None") {
				continue
			}
			if had["None"] > 0 && strings.Contains(inside, src.at(i)+" = None") {
				continue
			}
			m := marker{kind: skips, at: i, words: src.at(i) + " = None"}
			c.reportSkip(p.new, m, []lint.Related{was(p.old, old.body.from, "the class before")}, "inherited test", src.at(i))
		}
	}
}
