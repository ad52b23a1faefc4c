package tests

import (
	"fmt"
	"strings"

	"steelyard/lint"
)

// compared is TS004, TS005, TS006 and TS013: what became of the assertions of
// the tests that are still there.
func compared(c *change) {
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		for _, n := range p.new.tests {
			if n.mate != nil && !bypassed(n) && !bypassed(n.mate) {
				c.compareTest(n.mate, n)
			}
		}
		c.compareHelpers(p)
		c.hooked(p)
		c.helpersGone(p)
		c.slackened(p)
		c.widerMargins(p)
	}
}

// compareHelpers looks at functions of a test file that check something: what
// they no longer check, no test that calls them does.
func (c *change) compareHelpers(p *pair) {
	if p.old == nil || !p.test || c.helperTests == nil {
		return
	}
	for _, n := range c.helperTests[p] {
		c.lesserHelper(n.mate, n)
	}
}

func (c *change) compareTest(o, n *test) {
	if c.emptied(o, n) {
		return
	}
	if at := n.recovers(); at >= 0 && o.recovers() < 0 {
		c.report("TS013", n.suite.path, n.suite.src.line(at), []lint.Related{was(o.suite, o.head(), "the test before")}, "panics of %q are caught and not looked at", short(n.name))
	}
	pairs := pairAsserts(o, n)
	for _, k := range pairs.kept {
		if k[0].level == ordered && k[1].level == ordered && k[0].expected != k[1].expected {
			k[0].limit, k[1].limit = o.resolved(k[0].expected), n.resolved(k[1].expected)
		}
		c.compareAssertion(o, n, k[0], k[1])
	}
	c.laxerBeside(o, n, pairs)
	c.slackByCase(o, n, pairs)
	c.countedNow(o, n, pairs)
	c.shortened(o, n)
	c.fewerTurns(o, n)
	c.passedOver(o, n)
	c.lesserCalls(o, n)
	c.bothSides(o, n)
	c.cleanedLocals(o, n)
	c.ownChecksLost(o, n)
	c.unfinished(o, n)
	if c.ofOneNow(o, n) || c.lessBeside(o, n, pairs) {
		return
	}
	if likeness(o, n) < 0.4 && o.name != n.name {
		return // another test by now
	}
	c.removed(o, n, pairs)
}

// emptied is TS004: nothing is checked any more.
func (c *change) emptied(o, n *test) bool {
	if len(o.asserts) == 0 || n.checks() || len(n.nested) > len(o.nested) {
		return false
	}
	if succeedsThroughout(o, n) || c.movedAway(o) || c.gone(o.suite.src, o.body) != "" || n.callsChecks() || onlySetup(o) {
		return false
	}
	var related []lint.Related
	for i := range o.asserts {
		if i < 20 {
			related = append(related, was(o.suite, o.asserts[i].at, "the removed assertion: %s", short(o.asserts[i].text)))
		}
	}
	what := "nothing any more"
	if n.body.len() == 0 {
		what = "nothing: it is empty"
	}
	c.report("TS004", n.suite.path, n.line(), related, "test %q checks %s", short(n.name), what)
	return true
}

// checks reports whether a test has an assertion that can fail.
func (t *test) checks() bool {
	for i := range t.asserts {
		if t.asserts[i].level != nothing {
			return true
		}
	}
	return false
}

func onlySetup(t *test) bool {
	for i := range t.asserts {
		if !t.asserts[i].setup {
			return false
		}
	}
	return true
}

// movedAway reports whether the assertions of a test stand elsewhere in the
// change as often as before.
func (c *change) movedAway(t *test) bool {
	for i := range t.asserts {
		if text := t.asserts[i].text; c.after[text] < c.before[text] {
			return false
		}
	}
	return true
}

// callsChecks reports whether a test calls a function that it did not call
// before, which may hold the assertions now.
func (t *test) callsChecks() bool {
	src, old := t.suite.src, t.mate
	before := map[string]bool{}
	for i := old.body.from; i < old.body.to; i++ {
		if old.suite.src.isWord(i) {
			before[old.suite.src.at(i)] = true
		}
	}
	for i := t.body.from; i < t.body.to; i++ {
		if src.isWord(i) && (src.is(i+1, "(") || src.is(i+1, "!") || src.lang == ruby && src.token(i).first) && !before[src.at(i)] && !logCalls[src.at(i)] && !converting[src.at(i)] {
			return true
		}
	}
	return false
}

// converting are calls that give the same in another form, as a log wants it.
var converting = map[string]bool{"str": true, "repr": true, "len": true, "format": true, "toString": true, "ToString": true, "String": true, "Sprintf": true, "inspect": true, "to_s": true, "stringify": true, "Error": true, "getMessage": true, "printStackTrace": true}

// compareAssertion is TS006 and TS013 for one assertion.
func (c *change) compareAssertion(o, n *test, a, b *assertion) {
	if c.movedConstant(o, n, a, b) {
		return
	}
	if a.text != b.text {
		why := weaker(a, b)
		if why == "" {
			why = lostLink(a, b)
		}
		if why == "" {
			why = insideWeaker(o, n, a, b)
		}
		if why == "" {
			why = c.dropped(a, b)
		}
		if why != "" && !c.textGone(a, b) && !sameAsked(o, n, a, b) && !taken(a, b, o, n) && c.gone(o.suite.src, span{a.at, a.end}) == "" {
			c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was: %s", short(a.text))},
				"assertion in %q is weaker: %s", short(n.name), why)
			return
		}
	}
	if !scaled(o, n, a, b) && c.reportFurther(o, n, a, b) || a.subject != b.subject {
		return
	}
	if detached(a, b) {
		c.report("TS013", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was waited for: %s", short(a.text))},
			"assertion in %q is not waited for: its failure comes too late", short(n.name))
		return
	}
	if g := conceals(a, b); g != nil && n.cases <= o.cases && (!a.setup || ofSystem(g.words)) {
		how := "runs only under " + fmt.Sprintf("%q", short(g.words))
		if g.kind == swallowed {
			how = fmt.Sprintf("may fail unseen inside of %q", short(g.words))
		}
		c.report("TS013", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it always counted: %s", short(a.text))},
			"assertion in %q %s", short(n.name), how)
	}
}

// ofSystem reports whether a condition asks where the test runs.
func ofSystem(words string) bool {
	for _, part := range []string{"GOOS", "GOARCH", "Getenv", "platform", "environ", "env .", "os . name", "isWindows", "windows", "isCI", "IsOSPlatform", "version", "RUBY_", "cfg !"} {
		if strings.Contains(words, part) {
			return true
		}
	}
	return false
}

// recovers is where a Go test catches its own panics without a look at them,
// or -1.
func (t *test) recovers() int {
	src := t.suite.src
	if src.lang != golang {
		return -1
	}
	for i := t.body.from; i < t.body.to; i++ {
		if src.is(i, "recover") && src.is(i+1, "(") && (src.token(i).first || src.is(i-1, "=") && src.is(i-2, "_")) {
			return i
		}
	}
	return -1
}

// taken reports whether the new assertion is about the size or a member of what
// the old one compared as a whole, beside others about its members: it was
// taken apart.
func taken(a, b *assertion, o, n *test) bool {
	member := func(x *assertion) bool {
		return strings.HasPrefix(x.subject, a.subject+" . ") || strings.HasPrefix(x.subject, a.subject+" [ ")
	}
	if a.subject == "" || !member(b) && (b.subject != a.subject || !b.sizeOf || a.sizeOf) {
		return false
	}
	parts := 0
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		if member(&n.asserts[i]) || n.asserts[i].subject == a.subject && n.asserts[i].sizeOf {
			parts++
		}
	}
	for i := range o.asserts[:min(len(o.asserts), maxPairing)] {
		if member(&o.asserts[i]) {
			parts--
		}
	}
	return parts > 1 && !looseMember(a, n)
}

// looseMember reports whether a member of a list that was compared as a whole
// is now asked for in part.
func looseMember(a *assertion, n *test) bool {
	if a.level != exact || a.negated || !listStart.MatchString(a.expected) {
		return false
	}
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		b := &n.asserts[i]
		if rest, ok := strings.CutPrefix(b.subject, a.subject+" [ "); ok && strings.HasSuffix(rest, "]") && len(rest) < 6 && b.level == partial && !b.sizeOf && len(b.texts) > 0 {
			return true
		}
	}
	return false
}

// detached reports whether a promise's assertion is no longer waited for.
func detached(a, b *assertion) bool {
	if !strings.Contains(b.text, ". resolves .") && !strings.Contains(b.text, ". rejects .") {
		return false
	}
	awaited := func(s string) bool { return strings.HasPrefix(s, "await ") || strings.HasPrefix(s, "return ") }
	return awaited(a.text) && !awaited(b.text)
}

// logCalls are the last words of calls that only print.
var logCalls = map[string]bool{
	"log": true, "warn": true, "print": true, "println": true, "Log": true, "Logf": true, "info": true, "debug": true, "WriteLine": true, "puts": true, "warning": true, "Println": true, "Printf": true, "error": true,
}

// logged is where a call that only prints names what a lost assertion checked,
// or -1.
func (t *test) logged(lost []*assertion) int {
	src := t.suite.src
	before := t.mate.logs()
	if t.logs() <= before {
		return -1
	}
	for i := t.body.from; i < t.body.to; i++ {
		if !src.logs(i) {
			continue
		}
		line := src.join(src.statement(i, t.body))
		for _, a := range lost {
			subject := strings.Fields(a.subject)
			if len(subject) > 0 && strings.Contains(line, subject[0]) || a.name == "if" {
				return i
			}
		}
	}
	return -1
}

// logs reports whether a call only prints; error(…) of Kotlin throws.
func (s *source) logs(i int) bool {
	return logCalls[s.at(i)] && (s.is(i+1, "(") || s.is(i+1, "!")) && (s.lang != kotlin || s.at(i) != "error" || s.is(i-1, "."))
}

func (t *test) logs() int {
	n, src := 0, t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if src.logs(i) {
			n++
		}
	}
	return n
}
