package tests

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"steelyard/lint"
)

// skipCall reports whether a function's name says that it skips the test that
// calls it: skipIfWindows, SkipOnCI, skip_unless_docker.
func skipCall(w string) bool {
	if len(w) < 6 || !strings.EqualFold(w[:4], "skip") {
		return false
	}
	rest := strings.TrimPrefix(w[4:], "_")
	if rest == w[4:] && !unicode.IsUpper(rune(rest[0])) {
		return false
	}
	lower := strings.ToLower(rest)
	if parts := nameWords(rest); len(w) <= maxName && len(parts) > 2 {
		for i, part := range parts[:len(parts)-1] {
			if (part == "on" || part == "if" || part == "unless" || part == "when") && i > 0 {
				return true // skip_any_instance_on_jruby
			}
		}
	}
	for _, prefix := range []string{"if", "unless", "on", "when", "for", "test", "without", "in", "ci", "flak", "asan", "tsan", "msan", "short", "not", "windows", "linux", "mac", "broken", "known"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

// callsAt reports whether the word at i is called: in Ruby a word alone on its
// line may be a call, in Rust a macro is.
func (s *suite) callsAt(i int) bool {
	src := s.src
	switch {
	case src.is(i+1, "("):
		return true
	case src.lang == rust:
		return src.is(i+1, "!") && src.is(i+2, "(")
	case src.lang == ruby:
		return src.token(i).first && (i+1 >= len(src.tokens) || src.token(i+1).first || src.kind(i+1) == text || src.is(i+1, "if") || src.is(i+1, "unless"))
	}
	return false
}

// skipHolder reports whether a function of Go belongs to a package that marks
// tests as flaky, or asks there what the system has.
func (s *suite) skipHolder(i int) bool {
	if s.src.lang != golang || !s.src.is(i-1, ".") {
		return false
	}
	switch s.src.at(i - 2) {
	case "flaky", "quarantine", "flakytest":
		return true
	case "testenv":
		return strings.HasPrefix(s.src.at(i), "MustHave") || strings.HasPrefix(s.src.at(i), "Needs")
	}
	return false
}

// pythonHooks are functions that run around tests by their name.
var pythonHooks = map[string]bool{
	"setUp": true, "setUpClass": true, "setup_method": true, "setup_module": true, "setup_class": true, "setup_function": true, "setUpModule": true,
	"pytest_collection_modifyitems": true, "pytest_runtest_setup": true, "pytest_runtest_call": true, "pytest_itemcollected": true, "pytest_runtest_protocol": true, "pytest_ignore_collect": true, "pytest_pycollect_makeitem": true,
}

// looseSkip is a skip outside of any test.
type looseSkip struct {
	marker
	in string // the function around it, "" for none
}

// looseSkips finds what ends tests from the outside: in a function that runs
// around them, in a helper, at the level of a group or of the file.
func (s *suite) looseSkips() []looseSkip {
	src := s.src
	around := slices.SortedFunc(maps.Keys(s.helpers), func(a, b string) int { return s.helpers[a].from - s.helpers[b].from })
	var found []looseSkip
	next, end := 0, -1
	helper := 0
	for i := 0; i < len(src.tokens) && len(found) < maxTests; i++ {
		for next < len(s.tests) && s.tests[next].whole.from <= i {
			end = max(end, s.tests[next].whole.to)
			next++
		}
		for helper < len(around) && s.helpers[around[helper]].to <= i {
			helper++
		}
		if i < end || !src.isWord(i) {
			continue
		}
		m, ok := s.inlineSkip(i)
		if !ok && (src.is(i, "add_marker") || src.is(i, "applymarker")) && src.is(i+1, "(") {
			m, ok = marker{kind: skipsIf, at: i, words: src.at(i)}, s.skipMarkIn(span{i + 2, src.close(i + 1)})
		}
		if !ok && src.is(i, "importorskip") && src.token(i).col < 60 {
			m, ok = marker{kind: skipsIf, at: i, words: "importorskip"}, src.is(i-1, ".")
		}
		if !ok && s.callsAt(i) && !declaring[src.at(i-1)] && (skipCall(src.at(i)) || s.houseCall(i)) && src.startsStatement(i) && !s.declares(i) {
			m, ok = marker{kind: skipsIf, at: i, words: src.at(i)}, true
		}
		if !ok {
			m, ok = s.leavesGroup(i)
		}
		if !ok {
			m, ok = s.endsRun(i)
		}
		if !ok || declaring[src.at(i-1)] {
			continue
		}
		in := ""
		if helper < len(around) && s.helpers[around[helper]].has(i) {
			in = around[helper]
		}
		found = append(found, looseSkip{m, in})
	}
	return found
}

// leavesGroup reports whether a bare return under a condition ends a group, or
// a file of Ruby, before its tests are declared.
func (s *suite) leavesGroup(i int) (marker, bool) {
	src := s.src
	w := src.at(i)
	m := marker{kind: skipsIf, at: i, words: w}
	switch {
	case src.lang == ruby && (w == "next" || w == "return" || w == "exit"):
		at := i
		if modified := src.is(i+1, "if") || src.is(i+1, "unless"); !modified {
			for at--; at > max(0, i-60) && (!src.token(at).first || src.token(at).col >= src.token(i).col); at-- {
			}
			if !src.is(at, "if") && !src.is(at, "unless") || !src.token(i).first || s.otherBranch(at) {
				return m, false
			}
		}
		if w != "next" {
			return m, src.token(at).first && src.token(at).col == 0
		}
		return m, s.inGroup(at)
	case src.lang == javascript && w == "return" && src.bare(i):
		end := int(src.token(i).up) - 1 // of the condition
		if src.is(i-1, ")") {           // if (windows) return;
			end = i - 1
		}
		if end < 0 || !src.is(end, ")") {
			return m, false
		}
		at := int(src.token(end).mate) - 1
		return m, at > 0 && src.is(at, "if") && s.inGroup(at)
	}
	return m, false
}

// inGroup reports whether a statement stands right inside a group of tests.
func (s *suite) inGroup(i int) bool {
	src := s.src
	for n := len(s.scopes) - 1; n >= 0 && i >= 0; n-- {
		g := s.scopes[n]
		if !g.body.has(i) {
			continue
		}
		if src.lang.indented() {
			return src.token(i).first && src.token(i).col == src.token(g.body.from).col+2
		}
		up := int(src.token(i).up)
		return up >= g.body.from && src.is(up, "{") && src.close(up) >= g.body.to-3
	}
	return false
}

// skipMarkIn reports whether a marker that is added skips: pytest.mark.skip, or
// a name such as skip_slow.
func (s *suite) skipMarkIn(r span) bool {
	for i := r.from; i < r.to; i++ {
		if w := strings.ToLower(s.src.at(i)); s.src.isWord(i) && (strings.HasPrefix(w, "skip") || w == "xfail") {
			return true
		}
	}
	return false
}

// maxExtra bounds the new skips of a file that are looked at.
const maxExtra = 20

// skippedOutside reports skips around the tests of a file that was there before.
func (c *change) skippedOutside(p *pair) {
	if p.old == nil || p.new == nil || !p.test || len(p.old.tests) == 0 && len(p.old.helpers) == 0 && p.old.src.lang != javascript && p.old.src.lang != ruby {
		return
	}
	before := map[string]int{}
	old := p.old.looseSkips()
	for _, m := range old {
		before[m.in]++
	}
	if m, ok := p.widerLoose(old); ok {
		c.reportSkip(p.new, m.marker, []lint.Related{was(p.old, 0, "the file before")}, "whatever uses", cmp.Or(m.in, p.Path))
		return
	}
	extra := 0
	for _, m := range p.new.looseSkips() {
		if before[m.in]--; before[m.in] >= 0 {
			continue
		}
		if extra++; extra > maxExtra {
			return
		}
		if _, had := p.old.helpers[m.in]; m.in != "" && !had && !p.new.hooks[m.in] && !pythonHooks[m.in] || m.in == "" && len(p.old.tests) == 0 && m.words != "exit" && !p.new.inRunnerHook(m.at) || p.fresh(m.at) {
			continue
		}
		what, name := "group", p.Path
		if m.in != "" {
			what, name = "whatever uses", m.in
		}
		if m.kind == skips {
			m.kind = skipsIf
		}
		c.reportSkip(p.new, m.marker, []lint.Related{was(p.old, 0, "the file before")}, what, name)
		return
	}
}

// widerLoose is a skip around tests, of as many as before in its function, whose
// condition holds more often.
func (p *pair) widerLoose(old []looseSkip) (looseSkip, bool) {
	now := p.new.looseSkips()
	if len(now) != len(old) || len(now) > maxExtra {
		return looseSkip{}, false
	}
	for i, m := range now {
		if m.in != old[i].in || m.words != old[i].words {
			return looseSkip{}, false
		}
		before, after := p.old.conditioned(old[i].marker), p.new.conditioned(m.marker)
		if before.cond != "" && after.cond != "" && wider(before, after) {
			return looseSkip{after, m.in}, true
		}
	}
	return looseSkip{}, false
}

// conditioned is a skip outside of any test with the condition around it.
func (s *suite) conditioned(m marker) marker {
	if s.src.is(m.at-1, ".") {
		m.at -= 2
	}
	at := m.at
	if s.src.is(at-1, "return") {
		at--
	}
	m.cond = guarding(s.guards(span{0, len(s.src.tokens)}, at))
	marks := []marker{m}
	s.writeOut(marks)
	return marks[0]
}

// fresh reports whether a place lies in a group whose tests are all new.
func (p *pair) fresh(at int) bool {
	for i := len(p.new.scopes) - 1; i >= 0; i-- {
		g := p.new.scopes[i]
		if !g.body.has(at) {
			continue
		}
		inside := func(t *test) bool { return g.body.has(t.whole.from) }
		return slices.ContainsFunc(p.new.tests, inside) && !slices.ContainsFunc(p.new.tests, func(t *test) bool { return inside(t) && t.mate != nil })
	}
	return false
}

// skippers are the functions of a file that may skip the test that calls them.
func (s *suite) skippers() map[string]bool {
	found := map[string]bool{}
	for _, m := range s.looseSkips() {
		if m.in != "" {
			found[m.in] = true
		}
	}
	return found
}

// skipsElsewhere marks the tests that call a function which skips and stands in
// another file of the change.
func (c *change) skipsElsewhere() {
	for _, version := range []func(*pair) *suite{func(p *pair) *suite { return p.old }, func(p *pair) *suite { return p.new }} {
		names := map[string]language{}
		for _, p := range c.files {
			if s := version(p); s != nil {
				for name := range s.skipping {
					if len(name) > 4 {
						names[name] = s.src.lang
					}
				}
			}
		}
		for _, p := range c.files {
			if s := version(p); s != nil && len(names) > 0 {
				s.markCalls(names)
			}
		}
	}
}

// markCalls marks the tests of a file that call one of these functions.
func (s *suite) markCalls(names map[string]language) {
	for _, t := range s.tests {
		for i := t.body.from; i < t.body.to; i++ {
			w := s.src.at(i)
			if lang, ok := names[w]; !ok || lang != s.src.lang || !s.src.isWord(i) || !s.src.is(i+1, "(") || !t.own(i) || s.skipping[w] || skipCall(w) {
				continue
			}
			if _, own := s.helpers[w]; own {
				continue
			}
			t.marks = append(t.marks, marker{kind: skipsIf, at: i, words: w, cond: w})
		}
	}
}
