package tests

import (
	"strconv"
	"strings"
)

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
	expected string
	op       string // of an ordered comparison
	level    level
	at, end  int  // tokens
	setup    bool // only that no error came back
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
		a.setup = a.setup || nothingRaised[a.name] || a.negated && raisers[a.name]
		a.guards = s.guards(r, a.at)
		a.text = s.src.join(span{a.at, a.end})
		for _, holder := range []string{"Assert . ", "Assertions . ", "self . ", "org . junit . Assert . "} {
			a.text = strings.TrimPrefix(a.text, holder) // the import's manner
		}
		found = append(found, a)
		i = max(i, a.end-1)
	}
	return found
}

// nothingRaised only say that no error came, as the code without them does.
var nothingRaised = map[string]bool{
	"DoesNotThrow": true, "DoesNotThrowAsync": true, "assertDoesNotThrow": true, "assert_nothing_raised": true, "NotThrow": true, "NotThrowAsync": true, "NoError": true, "NoErrorf": true, "NotPanics": true,
	"doesNotThrow": true, "notThrows": true, "assert_ok": true, "doesNotThrowAnyException": true, "HaveOccurred": true, "Succeed": true, "ShouldNotThrow": true,
}

// assertionAt reads the assertion that the word at i begins or belongs to.
func (s *suite) assertionAt(i int, r span) (assertion, bool) {
	src := s.src
	w := src.at(i)
	dotted := src.is(i-1, ".") || src.is(i-1, "?.")
	switch {
	case w == "assert" && src.lang == python && !src.is(i+1, "(") && !dotted,
		w == "assert" && src.lang == python && src.tokens[i].first && !dotted:
		return s.bareAssert(i, r)
	case w == "raises" && src.lang == python || w == "warns" && src.is(i-2, "pytest"):
		return s.raising(i, r)
	case (w == "expect" || w == "assertThat" || w == "Expect" || w == "expectTypeOf" || w == "Eventually" || w == "Consistently" || w == "expect_that") && src.is(i+1, "(") && (!dotted || w == "assertThat"):
		return s.fluent(i, r)
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
	case src.is(i+1, "!") && src.lang == rust && src.is(i+2, "(") && strings.Contains(w, "assert"):
		return s.call(i, i+2, r)
	case src.lang == ruby && !dotted && (strings.HasPrefix(w, "assert") || strings.HasPrefix(w, "refute")):
		return s.rubyCall(i, r)
	}
	open := i + 1
	var typeArgs span
	if src.is(open, "<") && (src.lang == csharp || src.lang == java || src.lang == kotlin) {
		for n := open; n < min(open+40, r.to); n++ {
			if src.is(n, ">") && src.is(n+1, "(") {
				typeArgs, open = span{open + 1, n}, n+1
				break
			}
		}
	}
	block := src.lang == kotlin && src.is(open, "{") && strings.HasPrefix(w, "assert")
	if !src.is(open, "(") && !block {
		return assertion{}, false
	}
	if !s.assertCall(i, w, dotted) {
		return assertion{}, false
	}
	a, ok := s.call(i, open, r)
	if ok && typeArgs.len() > 0 {
		a.typed(src.join(typeArgs))
	}
	return a, ok
}

// assertCall reports whether a call of the word at i checks something.
func (s *suite) assertCall(i int, w string, dotted bool) bool {
	src := s.src
	lower := strings.ToLower(w)
	if dotted {
		holder := src.at(i - 2)
		switch holder {
		case "assert", "require", "Assert", "Assertions", "CollectionAssert", "StringAssert", "assertions", "Should", "chai", "testing", "qt", "is", "sinon":
			return true
		case "t", "c", "ctx":
			return scriptChecks[w] && (src.lang == javascript || src.lang == golang && w != "fail")
		}
		if strings.HasPrefix(lower, "assert") || src.lang == javascript && w == "should" {
			return true
		}
		if w == "Verify" && src.lang == csharp || w == "Received" && src.lang == csharp || w == "verify" && (holder == "Mockito" || holder == "BDDMockito") {
			return true
		}
	} else {
		if strings.HasPrefix(lower, "assert") {
			return true
		}
		if (src.lang == java || src.lang == kotlin) && (w == "verify" || w == "fail" || w == "expectThrows" || w == "coVerify") {
			return true
		}
	}
	return s.checks[w] || checkName(w) && (!dotted || src.is(i-2, "this") || src.is(i-2, "self") || src.is(i-2, "s"))
}

// scriptChecks are the methods of the test object in AVA, tap and QUnit.
var scriptChecks = map[string]bool{
	"is": true, "deepEqual": true, "true": true, "false": true, "truthy": true, "falsy": true, "like": true, "regex": true, "throws": true,
	"throwsAsync": true, "notThrows": true, "snapshot": true, "equal": true, "same": true, "strictSame": true, "ok": true, "notOk": true,
	"match": true, "pass": true, "not": true, "strictEqual": true, "Assert": true, "Check": true,
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
	a.name, a.at, a.end = "assert", i, max(st.to, i+1)
	return a, true
}

// comparison reads a condition that must hold.
func (s *source) comparison(cond span) assertion {
	for s.is(cond.from, "(") && s.close(cond.from) == cond.to-1 {
		cond = span{cond.from + 1, cond.to - 1}
	}
	subject, op, expected := s.operator(cond)
	a := assertion{subject: s.join(subject), expected: s.join(expected)}
	switch op {
	case "":
		a.level = s.calls(cond)
		if cond.len() == 1 && constant(s.value(cond.from)) {
			a.level = nothing
		}
	case "==", "===", "is":
		a.level = exact
		a.bool()
		a.sized()
		if strings.Contains(a.expected, "approx") {
			a.level = partial
			a.loose = s.tolerances(expected)
		}
	case "!=", "!==", "is not", "not in", "isnot":
		a.level = presence
	case "in", "=~":
		a.level = partial
	default:
		a.level, a.op = ordered, op
	}
	return a
}

// bool lowers a comparison with true, false or null to what it is.
func (a *assertion) bool() {
	switch a.expected {
	case "true", "false", "True", "False", "None", "null", "nil", "undefined", "0":
		if a.expected != "0" {
			a.level = truth
		}
	}
	if a.subject != "" && a.subject == a.expected && constant(a.subject) {
		a.level = nothing
	}
}

// sized lowers a comparison of a size.
func (a *assertion) sized() {
	s := a.subject
	if strings.HasPrefix(s, "len ( ") || hasAnySuffix(s, ". length", ". size", ". count", ". Count", ". Length", ". len ( )", ". size ( )", ". count ( )", ". length ( )") {
		a.level = min(a.level, partial)
	}
}

// constant reports whether a value is true whatever the code does.
func constant(v string) bool {
	if v == "true" || v == "True" || v == "1" || v == "false" || v == "False" {
		return true
	}
	_, err := strconv.ParseFloat(v, 64)
	return err == nil || len(v) > 1 && (v[0] == '"' || v[0] == '\'')
}

// operator cuts a condition at its comparison. Of several joined by "and" it
// takes the first.
func (s *source) operator(r span) (subject span, op string, expected span) {
	end := r.to
	at, width := -1, 1
	for i := r.from; i < r.to && at < 0; i++ {
		if c := s.close(i); c > 0 && c < r.to {
			i = c
			continue
		}
		switch v := s.at(i); v {
		case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~":
			at, op = i, v
		case "in", "is":
			if s.lang != python {
				continue
			}
			at, op = i, v
			if v == "is" && s.is(i+1, "not") {
				op, width = "is not", 2
			}
			if v == "in" && s.is(i-1, "not") {
				at, op, width = i-1, "not in", 2
			}
		case "for":
			if s.lang == python {
				return r, "", span{}
			}
		}
	}
	if at <= r.from {
		return r, "", span{}
	}
	for i := at + width; i < end; i++ {
		if c := s.close(i); c > 0 && c < r.to {
			i = c
		} else if v := s.at(i); v == "and" || v == "or" || v == "&&" || v == "||" {
			end = i
		}
	}
	return span{r.from, at}, op, span{at + width, end}
}

// calls is how much a condition without a comparison pins down, by the last
// function that it calls.
func (s *source) calls(r span) level {
	name := ""
	for i := r.from; i < r.to; i++ {
		if s.isWord(i) && (s.is(i+1, "(") || s.is(i+1, "!")) {
			name = s.at(i)
		}
		if c := s.close(i); c > 0 && c < r.to {
			i = c
		}
	}
	switch lower := strings.ToLower(strings.ReplaceAll(name, "_", "")); {
	case lower == "equals" || lower == "equal" || lower == "deepequal" || lower == "allequal" || lower == "arrayequal" || lower == "sequenceequal" || lower == "eq":
		return exact
	case strings.HasPrefix(lower, "contain") || strings.HasPrefix(lower, "include") || strings.HasPrefix(lower, "startswith") || strings.HasPrefix(lower, "endswith") ||
		strings.HasPrefix(lower, "match") || lower == "hasprefix" || lower == "hassuffix" || lower == "all" || lower == "every" || lower == "allclose" || lower == "isclose":
		return partial
	case lower == "isok" || lower == "issome" || lower == "isinstance" || lower == "hasattr" || lower == "callable" || lower == "iserr" || lower == "any" || lower == "ispresent":
		return presence
	}
	return truth
}
