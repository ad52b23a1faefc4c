package tests

import (
	"slices"
	"strings"
)

// inlineSkips finds what a test does to end itself early: t.Skip(),
// pytest.skip(), this.skip(), Assume, assumeTrue.
func (s *suite) inlineSkips(t *test) {
	src := s.src
	var checked []int // where the test checks something
	for i := range t.asserts {
		if t.asserts[i].level != nothing {
			checked = append(checked, t.asserts[i].at)
		}
	}
	slices.Sort(checked)
	for i := t.body.from; i < t.body.to; i++ {
		if !src.isWord(i) || !t.own(i) {
			continue
		}
		m, ok := s.inlineSkip(i)
		if w := src.at(i); !ok && s.callsAt(i) && (s.skipping[w] || skipCall(w) || needCall(w) || s.skipHolder(i) || s.houseCall(i)) {
			m, ok = marker{kind: skipsIf, at: i, words: w, cond: w}, true
		}
		if !ok && s.wraps(i) {
			m, ok = marker{kind: skipsIf, at: i, words: src.at(i), cond: src.at(i)}, true
		}
		if !ok && src.lang == kotlin && src.is(i, "except") && src.is(i+1, "(") && !src.is(i-1, ".") {
			m, ok = marker{kind: skipsIf, at: i, words: "except", cond: src.alternativesIn(span{i + 1, src.close(i + 1)})}, true
		}
		if !ok && (src.is(i, "add_marker") || src.is(i, "applymarker")) && src.is(i+1, "(") {
			m, ok = marker{kind: skipsIf, at: i, words: src.at(i)}, s.skipMarkIn(span{i + 2, src.close(i + 1)})
		}
		if !ok && (s.returnsEarly(t, i, checked) || s.leavesEach(t, i, checked)) {
			m, ok = marker{kind: skips, at: i, words: "return"}, true
		}
		if !ok {
			continue
		}
		if cond := s.branchAt(t.body, i); m.kind == skips && cond != "" && len(s.guards(t.body, i)) == 0 {
			m.kind, m.cond = skipsIf, cond
		}
		if m.kind == skips && len(s.guards(t.body, i)) > 0 {
			m.kind = skipsIf
			m.cond = guarding(s.guards(t.body, i))
			if s.short(i, t.body) {
				m.kind = skipsMay
			}
		}
		if m.cond == "" && m.kind == skipsIf {
			m.cond, m.runs = s.askedBy(m.at)
		}
		t.marks = append(t.marks, m)
	}
}

// inlineSkip reads the word at i.
func (s *suite) inlineSkip(i int) (marker, bool) {
	src := s.src
	w, holder := src.at(i), ""
	if src.is(i-1, ".") {
		holder = src.at(i - 2)
	}
	called := src.is(i+1, "(")
	m := marker{kind: skips, at: i, words: w}
	if holder != "" {
		m.words = holder + "." + w
	}
	switch src.lang {
	case golang:
		return m, called && holder != "" && (w == "Skip" || w == "Skipf" || w == "SkipNow") || called && w == "Skip" && holder == ""
	case javascript:
		if called && (strings.HasSuffix(strings.ToLower(holder), "test") || holder == "it" || holder == "t" || holder == "testInfo" || holder == "ctx" || holder == "context") && (w == "skip" || w == "fixme" || w == "fail" && holder != "t") {
			if src.declaresSkipped(i + 1) {
				return m, false
			}
			if src.close(i+1) > i+2 && src.kind(i+2) != text {
				m.kind = skipsIf
			}
			return m, true
		}
		return m, called && w == "skip" && (holder == "this" || holder == "" && src.token(i).first && (src.is(i+2, ")") || src.kind(i+2) == text && src.close(i+1) == i+3))
	case python:
		if called && w == "importorskip" {
			m.kind = skipsIf
			return m, true
		}
		ok := called && (holder == "pytest" && (w == "skip" || w == "xfail") || w == "skipTest") || w == "SkipTest" && src.is(i-1, "raise") || w == "SkipTest" && src.is(i-3, "raise")
		return m, ok
	case ruby:
		if holder == "" && called && (w == "omit_if" || w == "omit_unless") {
			m.kind = skipsIf
			return m, true
		}
		return m, holder == "" && (w == "skip" || w == "pending" || w == "pend" || w == "omit") && (src.token(i).first || src.is(i-1, "{") || src.is(i-1, "return") && src.token(i-1).first) && !src.is(i+1, "=") && !src.is(i+1, ".")
	case java, kotlin, groovy:
		m.kind = skipsIf
		return m, called && (strings.HasPrefix(w, "assume") || holder == "Assume" || holder == "Assumptions" || src.throwsSkip(i))
	case csharp:
		ok := src.throwsSkip(i) || called && holder == "Assert" && (w == "Ignore" || w == "Inconclusive" || w == "Skip" || strings.HasPrefix(w, "Skip")) || called && (holder == "Skip" || holder == "Assume")
		if holder == "Skip" || holder == "Assume" || strings.HasPrefix(w, "SkipWhen") || strings.HasPrefix(w, "SkipUnless") {
			m.kind = skipsIf
		}
		return m, ok
	}
	return m, false
}

// skipErrors end a test as one that did not run.
var skipErrors = map[string]bool{
	"SkipException": true, "TestAbortedException": true, "AssumptionViolatedException": true, "TestSkippedException": true, "IgnoreException": true,
	"InconclusiveException": true, "AssertInconclusiveException": true, "SkipTestException": true,
}

// throwsSkip reports whether such an error is thrown here.
func (s *source) throwsSkip(i int) bool {
	return skipErrors[s.at(i)] && (s.is(i-1, "throw") || s.is(i-1, "new") && s.is(i-2, "throw"))
}

// returnsEarly reports whether a bare return under a condition stands before
// something that the test checks, with nothing checked or failed beside it, or
// the row of a table is passed over on a platform.
func (s *suite) returnsEarly(t *test, i int, checked []int) bool {
	src := s.src
	w := src.at(i)
	if w == "return" && s.otherwise(t, i) && len(checked) > 0 && checked[len(checked)-1] > i {
		return checked[0] > i
	}
	if w == "continue" {
		g := s.guards(t.body, i)
		return len(g) == 1 && (strings.Contains(g[0].words, "GOOS") || strings.Contains(g[0].words, "platform"))
	}
	if w != "return" && (w != "next" || src.lang != ruby) {
		return false
	}
	if len(checked) == 0 {
		return s.leavesAtOnce(t, i)
	}
	if checked[len(checked)-1] < i {
		return false
	}
	modified := src.lang == ruby && (src.is(i+1, "if") || src.is(i+1, "unless"))
	if !src.bare(i) && !modified {
		return false
	}
	g := s.guards(t.body, i)
	if len(g) == 0 && !modified && checked[0] > i && (src.token(i).first || src.is(i-1, "{")) {
		return s.ownLevel(t, i) // it checks nothing any more
	}
	if len(g) != 1 || g[0].kind != conditional || !s.ownLevel(t, g[0].at) {
		return false
	}
	if s.reports(span{min(g[0].at, i), i}) {
		return false
	}
	next, _ := slices.BinarySearch(checked, g[0].at+1)
	return next == len(checked) || checked[next] >= i
}

// bare reports whether the return at i gives nothing back, or what stands for
// it: Ok(()), a finished task.
func (s *source) bare(i int) bool {
	switch {
	case i+1 >= len(s.tokens) || s.is(i+1, ";") || s.is(i+1, "}") || s.is(i+1, ",") || s.token(i+1).first:
		return true
	case s.lang == rust:
		return s.is(i+1, "Ok") && s.is(i+2, "(") && s.is(i+3, "(") && s.is(i+4, ")")
	case s.lang == kotlin:
		return s.is(i+1, "@") || strings.HasPrefix(s.at(i+1), "@")
	case s.lang == csharp:
		return s.is(i+1, "Task") && s.is(i+3, "CompletedTask")
	}
	return false
}

// otherwise reports whether a bare return is the arm of a match, the else of a
// let or the right side of Kotlin's ?: at the level of the test itself.
func (s *suite) otherwise(t *test, i int) bool {
	src := s.src
	if src.lang != rust && src.lang != kotlin || !src.bare(i) {
		return false
	}
	if src.lang == kotlin {
		return src.is(i-1, "?:") && s.ownLevel(t, i)
	}
	open := int(src.token(i).up)
	if open <= t.body.from || !src.is(open, "{") {
		return false
	}
	if src.is(open-1, "=>") { // an arm with a block
		open = int(src.token(open).up)
	} else if !src.is(i-1, "=>") {
		st := src.statement(open-1, t.body)
		return src.is(open-1, "else") && src.is(st.from, "let") && s.ownLevel(t, st.from)
	}
	for j := open - 1; j > max(open-60, t.body.from-1); j-- {
		if src.is(j, "match") {
			return s.ownLevel(t, j)
		}
		if v := src.at(j); v == ";" || v == "{" {
			return false
		}
	}
	return false
}

// ownLevel reports whether a statement belongs to the test itself, or to a
// function that it runs for each row, and not to a function that it passes on.
func (s *suite) ownLevel(t *test, i int) bool {
	src := s.src
	if src.lang.indented() {
		first := t.body.from
		for first < t.body.to && !src.token(first).first {
			first++
		}
		for i > t.body.from && !src.token(i).first {
			i--
		}
		return first < t.body.to && src.token(i).col == src.token(first).col
	}
	open := int(src.token(i).up)
	if open <= t.body.from || !src.is(open, "{") {
		return open <= t.body.from
	}
	for src.lang != golang && open > t.body.from && src.passes(open) {
		open = int(src.token(open).up)
	}
	if open <= t.body.from || !src.is(open, "{") {
		return open <= t.body.from
	}
	if src.lang != golang {
		// the body of an arrow function begins before its brace
		return open < t.body.from+8 && (src.is(open-1, "=>") || src.is(open-1, ")") || src.lang == kotlin && src.isWord(open-1)) && t.body.from < open && src.close(open) >= t.body.to-1
	}
	for j := open - 1; j > max(open-12, t.body.from); j-- {
		if src.is(j, "func") {
			call := int(src.token(j).up)
			return call > 0 && src.is(call-1, "Run")
		}
		if v := src.at(j); v == "{" || v == "}" || v == ";" {
			return v != "{" && v != "}"
		}
	}
	return false
}

// short reports whether the block around a skip asks for a short run.
func (s *suite) short(i int, r span) bool {
	for _, g := range s.guards(r, i) {
		if strings.Contains(g.words, "Short (") {
			return true
		}
	}
	return false
}
