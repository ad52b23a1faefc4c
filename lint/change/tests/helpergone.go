package tests

import (
	"maps"
	"slices"
	"strings"

	"steelyard/lint"
)

// helpersGone reports tests that called a function which checks something, where
// the change deletes that function and nothing stands for it.
func (c *change) helpersGone(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.old.checks)) {
		if _, still := p.new.helpers[name]; still || strings.HasPrefix(strings.ToLower(name), "assert") || checkName(name) || c.called(p, name) {
			continue // a call that says by its name what it does is compared itself
		}
		body := p.old.helpers[name]
		checks := p.old.asTest(name, body)
		checks.asserts = append(checks.asserts, p.old.failing[name]...)
		if onlySetup(checks) || c.gone(p.old.src, body) != "" {
			continue
		}
		for _, o := range p.old.tests {
			n := o.mate
			at := o.callOf(name)
			if at < 0 || n == nil || n.suite != p.new || n.callsChecks() || likeness(o, n) < 0.5 || c.gone(o.suite.src, span{at, at + 1}) != "" || standsIn(checks, n) || len(pairAsserts(o, n).added) > 0 {
				continue
			}
			c.report("TS005", p.Path, n.line(), []lint.Related{was(p.old, at, "the removed call of %s", name), was(p.old, body.from, "what it checked")}, "test %q no longer calls %q, which checks something and is gone", short(o.name), name)
		}
	}
}

// callOf is where a test calls a function, -1 if it does not.
func (t *test) callOf(name string) int {
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, name) && t.suite.src.is(i+1, "(") {
			return i
		}
	}
	return -1
}

// standsIn reports whether a test has an assertion of a helper itself.
func standsIn(helper, n *test) bool {
	for i := range helper.asserts[:min(len(helper.asserts), maxPairing)] {
		for j := range n.asserts[:min(len(n.asserts), maxPairing)] {
			if helper.asserts[i].text == n.asserts[j].text {
				return true
			}
		}
	}
	return false
}
