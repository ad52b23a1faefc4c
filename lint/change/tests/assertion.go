package tests

import "strings"

// level says how much an assertion pins down. A lower one lets more wrong
// results pass.
type level uint8

const (
	unknown  level = iota
	nothing        // true whatever the code does
	presence       // there is a value, of some type, other than one
	truth          // true, false, null
	ordered        // more or less than
	partial        // a part, a size, about
	exact          // this very value
)

// assertion is one check in a test.
type assertion struct {
	name     string // the matcher: "toEqual", "assertEqual", "if"
	text     string // all of it with single spaces
	subject  string // what is checked
	full     string // the same with what local variables hold, once it is asked for
	expected string
	op       string // of an ordered comparison
	limit    string // what is expected, with the numbers that names stand for, once it is asked for
	level    level
	other    string // the other side of an equality that is no literal: it may be the subject
	alts     int    // alternatives, each of which will do
	sizeOf   bool   // the subject's size is checked
	texts    []string
	shape    string // the text with every string replaced
	at, end  int    // tokens
	setup    bool   // only that no error came back
	negated  bool
	raises   *string // the error that is wanted, "" for any
	detail   string  // what its message must say, "" for anything
	helper   bool    // a call of a function that checks
	loose    []tolerance
	guards   []guard
}

// tolerance is a number of an assertion that says how far off is near enough.
type tolerance struct {
	name  string
	value float64
	digit bool // counts digits: fewer is looser
}

// assertions finds those in a range whose tokens are the test's own.
func (s *suite) assertions(r span, own func(int) bool) []assertion {
	var found []assertion
	for i := r.from; i < r.to; i++ {
		if !s.src.isWord(i) || !own(i) {
			continue
		}
		a, ok := s.assertionAt(i, r)
		if !ok {
			continue
		}
		a.setup = a.setup || nothingRaised[a.name] && (!a.negated || a.name != "Succeed") && (a.negated || a.name != "HaveOccurred") || a.negated && raisers[a.name]
		if a.setup && s.nestedChecks(&a) {
			a.setup = false
		}
		a.guards = s.guards(r, a.at)
		a.text = s.src.join(span{a.at, a.end})
		a.written(s.src)
		for _, holder := range []string{"Assert . ", "Assertions . ", "self . ", "org . junit . Assert . "} {
			a.text = strings.TrimPrefix(a.text, holder) // the import's manner
		}
		if s.src.lang == golang { // which of them ends the test at once is no matter here
			a.text = strings.TrimPrefix(strings.TrimPrefix(a.text, "assert . "), "require . ")
			a.shape = strings.TrimPrefix(strings.TrimPrefix(a.shape, "assert . "), "require . ")
		}
		found = append(found, a)
		i = max(i, a.end-1)
	}
	return found
}

// nothingRaised only say that no error came, as the code without them does.
var nothingRaised = map[string]bool{
	"DoesNotThrow": true, "DoesNotThrowAsync": true, "assertDoesNotThrow": true, "assert_nothing_raised": true, "NotThrow": true, "NotThrowAsync": true, "NoError": true, "NoErrorf": true, "NotPanics": true,
	"doesNotThrow": true, "notThrows": true, "assert_ok": true, "doesNotThrowAnyException": true, "ifError": true, "HaveOccurred": true, "Succeed": true, "ShouldNotThrow": true,
}

// assertionAt reads the assertion that the word at i begins or belongs to.
func (s *suite) assertionAt(i int, r span) (assertion, bool) {
	src := s.src
	w := src.at(i)
	dotted := src.is(i-1, ".") || src.is(i-1, "?.")
	switch {
	case w == "assert" && src.lang == python && !src.is(i+1, "(") && !dotted,
		w == "assert" && src.lang == python && src.token(i).first && !dotted:
		return s.bareAssert(i, r)
	case w == "raises" && src.lang == python || w == "warns" && src.is(i-2, "pytest"):
		return s.raising(i, r)
	case fluents[w] && src.is(i+1, "(") && (!dotted || strings.HasPrefix(w, "assertThat") || src.lang == golang):
		return s.fluent(i, r)
	case w == "That" && dotted && src.lang == csharp && src.is(i-2, "Assert") && src.is(i+1, "(") && src.is(src.close(i+1)+1, "."): // TUnit
		return s.chained(i, r)
	case w == "then" && !dotted && src.lang == java && src.is(i+1, "(") && src.token(i).first && src.is(src.close(i+1)+1, "."):
		return s.fluent(i, r)
	case w == "EXPECT" && dotted && src.lang == golang && src.is(i+1, "("):
		return s.expectedCall(i, r)
	case src.lang == rust && dotted && outputChecks[w] && src.is(i+1, "("):
		return s.outputCheck(i)
	case w == "expect" && !dotted && src.lang == javascript && src.is(i+1, ".") && (src.is(i+2, "poll") || src.is(i+2, "soft")) && src.is(i+3, "("):
		return s.fluent(i, r)
	case w == "expect" && src.lang == ruby && src.is(i+1, "{"):
		return s.fluent(i, r)
	case w == "is_expected" && src.lang == ruby:
		return s.fluent(i, r)
	case dotted && (w == "should" || w == "Should") && !src.is(i+1, ")"):
		return s.should(i, r)
	case dotted && (strings.HasPrefix(w, "ShouldBe") || strings.HasPrefix(w, "Should") && src.lang == csharp) && src.is(i+1, "("),
		dotted && src.lang == ruby && (strings.HasPrefix(w, "must_") || strings.HasPrefix(w, "wont_")),
		src.lang == kotlin && strings.HasPrefix(w, "should") && !src.is(i+1, "("):
		return s.suffix(i, r)
	case src.is(i+1, "!") && src.lang == rust && src.is(i+2, "(") && macroChecks(w):
		return s.call(i, i+2, r)
	case src.lang == ruby && !dotted && (strings.HasPrefix(w, "assert") || strings.HasPrefix(w, "refute")):
		return s.rubyCall(i, r)
	}
	open := i + 1
	var typeArgs span
	if src.is(open, "<") && (src.lang == csharp || src.lang == java || src.lang == kotlin) {
		for n := open; n < min(open+40, r.to); n++ {
			if src.is(n, ">") && (src.is(n+1, "(") || src.lang == kotlin && src.is(n+1, "{")) {
				typeArgs, open = span{open + 1, n}, n+1
				break
			}
		}
	}
	if w == "check" && src.lang == kotlin && !dotted && src.token(i).first && src.is(open, "(") && !declaring[src.at(i-1)] && src.close(open) > 0 {
		if a, ok := s.call(i, open, r); ok && a.level != unknown {
			return a, true
		}
	}
	block := src.lang == kotlin && src.is(open, "{") && (strings.HasPrefix(w, "assert") || strings.HasPrefix(w, "shouldThrow") || mockChecks[w])
	if !src.is(open, "(") && !block {
		return assertion{}, false
	}
	if !s.assertCall(i, w, dotted) {
		return assertion{}, false
	}
	a, ok := s.call(i, open, r)
	if src.lang == kotlin && mockChecks[w] {
		if c := src.close(a.end); src.is(a.end, "{") && c > 0 {
			a.end = c + 1
		}
		if m := int(src.token(a.end - 1).mate); src.is(a.end-1, "}") && m > i {
			a.subject = src.join(span{m + 1, a.end - 1})
		}
	}
	if w == "verify" || w == "coVerify" || w == "verifyBlocking" {
		a.end = src.chainEnd(a.end, r)
	}
	if ok && typeArgs.len() > 0 {
		a.typed(src.join(typeArgs))
	}
	return a, ok
}

// mockChecks are MockK's checks of calls, which stand in a block.
var mockChecks = map[string]bool{"verify": true, "coVerify": true, "verifyOrder": true, "coVerifyOrder": true, "verifySequence": true, "coVerifySequence": true, "verifyAll": true, "coVerifyAll": true}

// fluents begin a chain of matchers.
var fluents = map[string]bool{
	"expect": true, "assertThat": true, "Expect": true, "expectTypeOf": true, "Eventually": true, "Consistently": true, "expect_that": true,
	"assertThatThrownBy": true, "assertThatExceptionOfType": true, "assertThatCode": true,
}

// assertCall reports whether a call of the word at i checks something.
func (s *suite) assertCall(i int, w string, dotted bool) bool {
	src := s.src
	lower := strings.ToLower(w)
	if dotted {
		holder := src.at(i - 2)
		if src.lang == csharp && (strings.HasPrefix(w, "Skip") || w == "Ignore" || w == "Inconclusive") {
			return false // ends the test
		}
		switch holder {
		case "sinon":
			return !fakes[w]
		case "expect":
			if w == "assertions" || w == "hasAssertions" {
				return false // they count the others
			}
		case "assert", "require":
			return src.lang != golang || !s.isValue(i-2)
		case "Assert", "Assertions", "CollectionAssert", "StringAssert", "assertions", "Should", "chai", "testing", "qt", "is":
			return true
		case "t", "c", "ctx":
			return scriptChecks[w] && (src.lang == javascript || src.lang == golang && w != "fail")
		}
		if src.lang == javascript && scriptChecks[w] && s.checkers()[holder] {
			return true
		}
		if strings.HasPrefix(lower, "assert") || src.lang == javascript && w == "should" {
			return true
		}
		if w == "Verify" && src.lang == csharp || w == "Received" && src.lang == csharp || w == "verify" && (holder == "Mockito" || holder == "BDDMockito") {
			return true
		}
	} else {
		if strings.HasPrefix(lower, "assert") || s.bareCheck(w) && !declaring[src.at(i-1)] {
			return true
		}
		if (src.lang == java || src.lang == kotlin) && (w == "verify" || w == "fail" || w == "expectThrows" || w == "coVerify" || src.lang == kotlin && mockChecks[w]) {
			return true
		}
	}
	if up := int(src.token(i).up); src.lang == kotlin && up > 0 && src.is(up, "{") && (src.is(up-1, "every") || src.is(up-1, "coEvery")) {
		return false // what a mock answers
	}
	return s.checks[w] || checkName(w) && (!dotted || src.is(i-2, "this") || src.is(i-2, "self") || src.is(i-2, "s"))
}

// fakes are functions of Sinon that make something to be called, and check
// nothing.
var fakes = map[string]bool{"stub": true, "spy": true, "mock": true, "fake": true, "useFakeTimers": true, "createSandbox": true, "restore": true, "reset": true, "replace": true, "createStubInstance": true}

// isValue reports whether a call is a value of something, not a statement.
func (s *suite) isValue(i int) bool {
	switch s.src.at(i - 1) {
	case ":", ",", "=", "[":
		return !s.src.token(i).first
	}
	return s.src.is(i-1, "(") && s.src.isWord(i-2)
}

// scriptChecks are the methods of the test object in AVA, tap and QUnit.
var scriptChecks = map[string]bool{
	"is": true, "deepEqual": true, "true": true, "false": true, "truthy": true, "falsy": true, "like": true, "regex": true, "throws": true,
	"throwsAsync": true, "notThrows": true, "snapshot": true, "equal": true, "same": true, "strictSame": true, "ok": true, "notOk": true,
	"match": true, "pass": true, "not": true, "strictEqual": true, "Assert": true, "Check": true,
	"deepStrictEqual": true, "notEqual": true, "notStrictEqual": true, "notDeepEqual": true, "rejects": true, "doesNotThrow": true, "doesNotMatch": true, "ifError": true,
}

// checkers are the variables of a file of JavaScript that hold an object with
// the methods of assertions: one that counts them, or a test's own under
// another name.
func (s *suite) checkers() map[string]bool {
	if s.holders == nil {
		s.holders = map[string]bool{"tt": true, "st": true, "t1": true, "t2": true, "t3": true}
		for i := 1; i+3 < len(s.src.tokens) && len(s.holders) < maxLocals; i++ {
			if s.src.is(i, "=") && s.src.isWord(i-1) && (s.src.is(i+1, "tspl") || s.src.is(i+1, "plan")) && s.src.is(i+2, "(") {
				s.holders[s.src.at(i-1)] = true
			}
		}
	}
	return s.holders
}

// checkName reports whether a function's name says that it checks something,
// as in verifyTotals, expectError, checkRow.
func checkName(w string) bool {
	for _, prefix := range []string{"assert", "verify", "expect", "check", "validate", "ensure", "must", "should", "require", "compare"} {
		if len(w) <= len(prefix)+2 || !strings.EqualFold(w[:len(prefix)], prefix) {
			continue
		}
		if next := w[len(prefix)]; next == '_' || next >= 'A' && next <= 'Z' {
			return true
		}
	}
	return false
}

// bareAssert is Python's statement.
func (s *suite) bareAssert(i int, r span) (assertion, bool) {
	src := s.src
	st := src.statement(i, r)
	st.from = i
	cond := span{i + 1, st.to}
	for j := cond.from; j < cond.to; j++ { // the message behind a comma
		if c := src.close(j); c > 0 {
			j = c
		} else if src.is(j, ",") {
			cond.to = j
		}
	}
	a := src.comparison(cond)
	if len(a.loose) == 0 && strings.Contains(a.subject, "close (") {
		a.loose = src.tolerances(cond) // math.isclose(a, b, rel_tol=0.1)
	}
	a.name, a.at, a.end = "assert", i, max(st.to, i+1)
	a.alts = src.alternatives(cond, "or")
	return a, true
}

// chainEnd is the end of ".name(…)" links that begin at i.
func (s *source) chainEnd(i int, r span) int {
	for i+2 < r.to && s.is(i, ".") && s.isWord(i+1) && s.close(i+2) > 0 && s.is(i+2, "(") {
		i = s.close(i+2) + 1
	}
	return i
}
