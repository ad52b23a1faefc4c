package tests

import (
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// removed is TS005, and TS013 where a log stands for the assertion.
func (c *change) removed(o, n *test, pairs comparedTest) {
	if len(pairs.removed) == 0 {
		return
	}
	spare, weak := 0, 0 // added ones that may stand for one that is gone
	for _, b := range pairs.added {
		if b.helper || strings.Contains(b.name, "Snapshot") {
			return // it may check all of it
		}
		switch b.level {
		case nothing:
		case ordered, presence:
			weak++
		default:
			spare++
		}
	}
	spare += max(n.throws()-o.throws(), 0) + max(n.outputCalls()-o.outputCalls(), 0)
	if n.suite.src.lang == rust {
		spare += max(n.failing()-o.failing(), 0)
	}
	for _, k := range pairs.kept {
		if k[1].helper && !k[0].helper || turned(k[0], k[1]) {
			return
		}
	}
	if n.newCheck(pairs) || c.callsNewCheck(n) || n.failsItself() || n.comparesKept() || len(n.nested) > len(o.nested) {
		return
	}
	grown := n.addedWords()
	for _, k := range pairs.kept {
		had := wordsOf(k[0].text)
		for w := range wordsOf(k[1].text) {
			if !had[w] {
				grown[hashOf(w)] = max(grown[hashOf(w)], 1)
			}
		}
	}
	var lost []*assertion
	inHelpers, moved := n.helperTexts(), expectations(o, n)
	why := &lostFor{c: c, o: o, n: n, pairs: pairs}
	for _, a := range pairs.removed {
		if inHelpers[a.text] || moved(a) || a.setup && !uncaught(a, o, n) || c.after[a.text] >= c.before[a.text] || checksMore(a, pairs) || againAtOnce(a, o) || c.gone(o.suite.src, span{a.at, a.end}) != "" || covered(a, grown) || c.sourceGone(o, n, a) || succeedsNow(o, n, a) || raisedNow(a, pairs) || wholeNow(a, o, n) || ofEachRow(a, o, n) || ofOldVersion(a, o, n) || why.stillChecked(a) {
			continue
		}
		if weak > 0 && a.level < partial {
			weak--
			continue
		}
		lost = append(lost, a)
	}
	if len(lost) <= spare {
		return
	}
	lost = lost[:len(lost)-spare]
	if others := n.otherChecks(); others >= len(lost) || others > 0 && rootsGone(lost, n) {
		return
	}
	var related []lint.Related
	for i, a := range lost {
		if i < 20 {
			related = append(related, was(o.suite, a.at, "the removed assertion: %s", short(a.text)))
		}
	}
	line := n.line()
	if at := n.logged(lost); at >= 0 {
		c.report("TS013", n.suite.path, n.suite.src.line(at), related, "assertion in %q is now only logged", short(n.name))
		return
	}
	what := "assertion is"
	if len(lost) > 1 {
		what = "assertions are"
	}
	from := len(c.found)
	c.report("TS005", n.suite.path, line, related, "%d %s removed from test %q: %s", len(lost), what, short(n.name), short(lost[0].text))
	if c.writtenAnew(o, n) {
		for i := range c.found[from:] {
			c.found[from+i].Severity = rules.Note
		}
	}
}

// throws counts the calls of Kotlin's error(…) in a block of a test: they make
// it fail.
func (t *test) throws() int {
	n, src := 0, t.suite.src
	if src.lang != kotlin {
		return 0
	}
	for i := t.body.from + 1; i < t.body.to; i++ {
		if src.is(i, "error") && src.is(i+1, "(") && !src.is(i-1, ".") && t.own(i) && (src.is(i-1, ")") || int(src.token(i).up) > t.body.from) {
			n++
		}
	}
	return n
}

// raisedNow reports whether an error that was wanted is named by an assertion
// that was written anew.
func raisedNow(a *assertion, pairs comparedTest) bool {
	if a.raises == nil || len(*a.raises) < 4 {
		return false
	}
	for _, b := range pairs.added {
		if holds(b.text, *a.raises) {
			return true
		}
	}
	return false
}

// checksMore reports whether a lost assertion's subject is checked by one that
// was written anew.
func checksMore(a *assertion, pairs comparedTest) bool {
	for _, k := range pairs.kept {
		if failCall.MatchString(a.name) && a.subject == "" && k[1].text == a.text || a.subject != "" && k[1].subject == a.subject && k[0].text != k[1].text && strength(k[1]) >= partial {
			return true
		}
	}
	return false
}

// callsNewCheck reports whether the test calls a function that checks something
// and that the change adds to another file.
func (c *change) callsNewCheck(n *test) bool {
	if c.freshChecks == nil {
		c.freshChecks = map[string]language{}
		for _, p := range c.files {
			if p.new == nil || !p.test {
				continue
			}
			var before map[string]int
			if p.old != nil {
				before = p.old.src.count()
			}
			for name := range p.new.checks {
				if p.old == nil || before[name] == 0 {
					c.freshChecks[name] = p.new.src.lang
				}
			}
		}
	}
	src := n.suite.src
	if len(c.freshChecks) == 0 {
		return false
	}
	for i := n.body.from; i < n.body.to; i++ {
		if lang, ok := c.freshChecks[src.at(i)]; ok && lang == src.lang && len(src.at(i)) > 5 && src.is(i+1, "(") {
			return true
		}
	}
	return false
}

// newCheck reports whether the test now calls a helper of its file that asserts.
func (t *test) newCheck(pairs comparedTest) bool {
	src := t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if !src.isWord(i) || !t.suite.checks[src.at(i)] {
			continue
		}
		for _, b := range pairs.added {
			if i >= b.at && i < b.end {
				return true
			}
		}
	}
	return false
}

// helperTexts are the assertions in the functions of its file that a test calls
// and did not call before.
func (t *test) helperTexts() map[string]bool {
	found := map[string]bool{}
	src, before := t.suite.src, t.mate.suite
	seen := map[string]bool{}
	for i := t.body.from; i < t.body.to && len(seen) < 20; i++ {
		name := src.at(i)
		body, ok := t.suite.helpers[name]
		if _, had := before.helpers[name]; !ok || had || seen[name] || !src.is(i+1, "(") {
			continue
		}
		seen[name] = true
		for _, text := range t.suite.textsOf(name, body) {
			found[text] = true
		}
	}
	return found
}

// textsOf are the assertions of a helper.
func (s *suite) textsOf(name string, body span) []string {
	if texts, ok := s.helperTexts[name]; ok {
		return texts
	}
	if s.helperTexts == nil {
		s.helperTexts = map[string][]string{}
	}
	texts := []string{}
	for _, a := range s.assertions(body, func(int) bool { return true }) {
		if len(texts) < 100 {
			texts = append(texts, a.text)
		}
	}
	s.helperTexts[name] = texts
	return texts
}

// addedWords counts the words of a test that it did not have before.
func (t *test) addedWords() map[uint32]int {
	counts := map[uint32]int{}
	for _, h := range t.print {
		counts[h]++
	}
	for _, h := range t.mate.print {
		counts[h]--
	}
	return counts
}

// covered reports whether what an assertion checks stands in what was added.
func covered(a *assertion, grown map[uint32]int) bool {
	all, found := 0, 0
	for w := range wordsOf(a.subject + " " + a.expected) {
		if _, matcher := levels[w]; matcher || w == "(" || len(w) == 1 && !isWordByte(w[0]) {
			continue
		}
		all++
		if grown[hashOf(w)] > 0 {
			found++
		}
	}
	return all > 0 && float64(found) >= 0.6*float64(all)
}
