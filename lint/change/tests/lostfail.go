package tests

import (
	"regexp"
	"strings"
)

// failName are calls that fail a test wherever they are reached.
var failName = regexp.MustCompile(`^(?i:(assert_?)?fail|flunk)$`)

// neverTrue is an assertion of a literal that cannot hold.
var neverTrue = regexp.MustCompile(`^(assert|debug_assert|assertTrue|assert_true|True|IsTrue|ok|assert_)( !)? (\( )?(?i:false|nil|none|0)( |$)`)

// literalSide is one side of a comparison that is a literal.
var literalSide = regexp.MustCompile("^(-? ?\\d[\\w.]*|[\"'`][^\"'`]*[\"'`]|true|false|True|False)$")

// mustFail reports whether an assertion fails whatever the code does.
func mustFail(a *assertion) bool {
	return failName.MatchString(a.name) || neverTrue.MatchString(a.text)
}

// ofLiterals reports whether an assertion compares two literals: it says
// nothing of any code.
func ofLiterals(a *assertion) bool {
	return a.level == exact && literalSide.MatchString(a.subject) && literalSide.MatchString(a.expected)
}

// failsAnyway reports whether a lost assertion was a bare failure that comes by
// itself now: an error that was caught is not any more, or an assertion wants
// the error that did not come.
func (l *lostFor) failsAnyway(a *assertion) bool {
	if ofLiterals(a) {
		return true
	}
	if !mustFail(a) {
		return false
	}
	if l.o.suite.inHandler(a.at, l.o.body) {
		return true
	}
	return l.moreErrors || l.moreFailures
}

// raisings counts the assertions of a test that want an error.
func raisings(t *test) int {
	n := 0
	for i := range t.asserts {
		if a := &t.asserts[i]; a.raises != nil || strings.Contains(a.text, "ThrownBy (") || strings.Contains(a.text, "ExceptionOfType (") {
			n++
		}
	}
	return n
}

// throwCall is the name of a call that wants an error.
var throwCall = regexp.MustCompile(`(?i)throws?(error|exception)?(async)?$|^assert_?raises|^assertFails|^catchThrowable|^rejects$`)

// throwCalls counts them.
func (t *test) throwCalls() int {
	n, src := 0, t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if src.isWord(i) && (src.is(i+1, "(") || src.is(i+1, "<") || src.is(i+1, "{")) && throwCall.MatchString(src.at(i)) {
			n++
		}
	}
	return n
}

// inHandler reports whether a place lies in a block that catches errors of any
// kind.
func (s *suite) inHandler(at int, r span) bool {
	src := s.src
	if src.lang.indented() {
		first := at
		for first > r.from && !src.token(first).first {
			first--
		}
		for i := first - 1; i >= max(r.from, first-maxStatement); i-- {
			if src.token(i).first && src.token(i).col < src.token(first).col {
				return src.is(i, "except") || src.is(i, "rescue")
			}
		}
		return false
	}
	open := int(src.token(at).up)
	if open <= r.from || !src.is(open, "{") {
		return false
	}
	if src.is(open-1, ")") {
		return src.is(int(src.token(open-1).mate)-1, "catch")
	}
	return src.is(open-1, "catch")
}

// otherError reports whether a lost assertion looked at an error that the test
// caught in a variable, and the test now wants another error, or wants the same
// by an assertion that names what the lost one named.
func (l *lostFor) otherError(a *assertion) bool {
	name := l.caught(a)
	if name == "" || l.says(name) {
		return false
	}
	if l.moreErrors && l.c.productChanged(l.o.suite.src.lang) && l.otherKind(name) {
		return true
	}
	for _, k := range l.pairs.kept {
		if k[0].raises != nil && k[1].raises != nil && *k[0].raises != *k[1].raises && *k[0].raises != "" && !anyError[*k[1].raises] {
			return true
		}
	}
	if !l.moreErrors {
		return false
	}
	named := 0
	for w := range strings.FieldsSeq(a.text) {
		if w[0] == '"' || w[0] == '`' || len(w) > 5 && w[0] >= 'A' && w[0] <= 'Z' && levels[w] == unknown {
			named++
			if !l.says(w) && !strings.Contains(l.text, strings.Trim(w, "\"`'")) {
				return false
			}
		}
	}
	return named > 0
}

// otherKind reports whether the new test does not name the kind of error as
// which a variable was caught.
func (l *lostFor) otherKind(name string) bool {
	src := l.o.suite.src
	for i := l.o.body.from; i < l.o.body.to; i++ {
		if src.is(i, "catch") && src.is(i+1, "(") {
			for j := i + 2; j < min(src.close(i+1), i+12); j++ {
				if src.is(j+1, name) && src.isWord(j) {
					return !l.says(src.at(j)) && !anyError[src.at(j)]
				}
			}
		}
	}
	return false
}

// caught is the variable of a lost assertion that holds a caught error, "" for
// none.
func (l *lostFor) caught(a *assertion) string {
	src := l.o.suite.src
	names := map[string]bool{}
	for i := a.at; i < a.end; i++ {
		if src.isWord(i) && !src.is(i-1, ".") && !src.is(i+1, "(") {
			names[src.at(i)] = true
		}
	}
	for i := a.at - 1; i >= max(l.o.body.from, a.at-maxStatement); i-- {
		v := src.at(i)
		if !src.isWord(i) || !names[v] {
			continue
		}
		switch {
		case src.is(i-1, "as") && src.lang == python, src.is(i-1, "=>") && src.lang == ruby:
			return v
		case src.is(i+1, ")") && int(src.token(i+1).mate) > 0 && src.is(int(src.token(i+1).mate)-1, "catch"):
			return v
		case src.is(i+1, ":") && src.is(i-1, "(") && src.is(i-2, "catch"): // Kotlin
			return v
		case src.is(i+1, "=") && throwCall.MatchString(firstCall(src, i+2)):
			return v
		}
	}
	return ""
}

// firstCall is the name of the first call behind a place, without the generic
// arguments.
func firstCall(src *source, i int) string {
	for j := i; j < i+12; j++ {
		if src.isWord(j) && (src.is(j+1, "(") || src.is(j+1, "<") || src.is(j+1, "{")) {
			return src.at(j)
		}
	}
	return ""
}

// succeedsThroughout reports whether a test that only wanted errors calls now
// what had to fail, and has it succeed.
func succeedsThroughout(o, n *test) bool {
	for i := range o.asserts[:min(len(o.asserts), maxLost)] {
		if a := &o.asserts[i]; !succeedsNow(o, n, a) && !calledNow(o, n, a) {
			return false
		}
	}
	return len(o.asserts) > 0
}

// calledNow reports whether the function that was handed to an assertion of an
// error, without a call, is called by the test itself now.
func calledNow(o, n *test, a *assertion) bool {
	if a.raises == nil {
		return false
	}
	src := o.suite.src
	for i := a.end - 1; i > a.at; i-- {
		if w := src.at(i); src.isWord(i) && src.is(i-1, ".") && len(w) > 4 && n.calledNames()[w] {
			return true
		}
		if w := src.at(i); src.isWord(i) && src.is(i-1, ".") && len(w) > 4 && strings.Contains(n.suite.src.join(n.body), w+" <") {
			return true
		}
	}
	return false
}
