package tests

import (
	"regexp"
	"slices"
	"strings"
)

// besides are further reasons why a lost assertion is no loss.
func (l *lostFor) besides(a *assertion) bool {
	return l.callAgain(a) || l.twiceOtherwise(a) || l.reached(a) || l.noErrorNow(a) || l.otherMocks(a) || l.listedNow(a) || l.polledNow(a)
}

// polledNow reports whether an assertion of Go stands in a function that is
// asked again and again, which checks by a value of its own.
func (l *lostFor) polledNow(a *assertion) bool {
	if l.o.suite.src.lang != golang {
		return false
	}
	if _, rest, ok := strings.Cut(a.text, "( t , "); ok && a.name != "" && (l.says(a.name+" ( c , "+rest) || l.says(a.name+" ( collect , "+rest) || l.says(a.name+" ( ct , "+rest)) {
		return true
	}
	return len(a.subject) > 8 && l.says("g . Expect ( "+a.subject+" )")
}

// callAgain reports whether an assertion asked for the error of a call that the
// test made and checked once more, and still makes and checks.
func (l *lostFor) callAgain(a *assertion) bool {
	src := l.o.suite.src
	if !l.says(a.text) || a.at <= l.o.body.from+3 {
		return false
	}
	prev := src.statement(a.at-1, span{l.o.body.from, a.at})
	if src.is(a.at-1, ";") {
		prev = src.statement(a.at-2, span{l.o.body.from, a.at})
	}
	text := src.join(prev)
	_, call, ok := strings.Cut(text, " = ")
	if !ok {
		_, call, ok = strings.Cut(text, " := ")
	}
	call = strings.TrimSuffix(strings.TrimSpace(call), " ;")
	if !ok || len(call) < 8 || !strings.HasSuffix(call, ")") || strings.Contains(call, "{") {
		return false
	}
	before := " " + src.join(l.o.body) + " "
	return strings.Count(before, " "+call+" ") > strings.Count(l.text, " "+call+" ") && strings.Contains(l.text, " "+call+" ")
}

// twiceOtherwise reports whether the assertion beside a lost one asks for the
// same in the words of another library, and still stands.
func (l *lostFor) twiceOtherwise(a *assertion) bool {
	list := l.o.asserts[:min(len(l.o.asserts), maxPairing)]
	at := slices.IndexFunc(list, func(b assertion) bool { return b.at == a.at })
	for _, i := range []int{at - 1, at + 1} {
		if at < 0 || i < 0 || i >= len(list) || a.level != exact || a.negated || a.expected == "" {
			continue
		}
		b := &list[i]
		same := b.subject == a.subject && b.expected == a.expected || b.subject == a.expected && b.expected == a.subject
		if same && b.level == exact && !b.negated && b.text != a.text && l.says(b.text) && quietBetween([]assertion{list[min(at, i)], list[max(at, i)]}, l.o) {
			return true
		}
	}
	return false
}

// settled are calls that end a test which waits for them.
var settled = regexp.MustCompile(` (resolve|done|end|finish|complete|resolveTest) \( `)

// reached reports whether an assertion only said that the test came so far, and
// the test ends there now.
func (l *lostFor) reached(a *assertion) bool {
	return (a.name == "pass" || a.name == "SUCCEED") && l.o.suite.src.lang == javascript && settled.MatchString(l.text)
}

// Questions about an error in Go, and the one that there is none.
var (
	errorAsked = regexp.MustCompile(`^(ErrorContains|EqualError|ErrorIs|ErrorAs|ErrorType|Error|ErrorContainsf|EqualErrorf|ErrorIsf)$`)
	noneAsked  = regexp.MustCompile(`^(NoError|NoErrorf|NilError)$`)
)

// noErrorNow reports whether the error that an assertion looked at must not come
// any more: the test asks more often that there is none.
func (l *lostFor) noErrorNow(a *assertion) bool {
	if l.o.suite.src.lang != golang || !errorAsked.MatchString(a.name) {
		return false
	}
	return countNamed(l.n, noneAsked) > countNamed(l.o, noneAsked) && countNamed(l.n, errorAsked) < countNamed(l.o, errorAsked)
}

// countNamed counts the assertions of a test with such a name.
func countNamed(t *test, form *regexp.Regexp) int {
	n := 0
	for i := range t.asserts[:min(len(t.asserts), maxPairing)] {
		if form.MatchString(t.asserts[i].name) {
			n++
		}
	}
	return n
}

// mocked is the call that a library for mocks is asked for.
var mockedCall = regexp.MustCompile(`=> \w+ \. (\w+)`)

// otherMocks reports whether a call that must have come, or must not have, is
// asked for by another library: Received() and DidNotReceive().
func (l *lostFor) otherMocks(a *assertion) bool {
	m := mockedCall.FindStringSubmatch(a.text)
	if l.o.suite.src.lang != csharp || a.name != "Verify" || m == nil {
		return false
	}
	form := regexp.MustCompile(` \. (DidNotReceive|Received)(WithAnyArgs)? \( (\w+ )?\) \. ` + regexp.QuoteMeta(m[1]) + `\b`)
	return len(form.FindAllStringIndex(l.text, -1)) > len(form.FindAllStringIndex(" "+l.o.suite.src.join(l.o.body)+" ", -1))
}

// Forms of one member of a list, and of the list or its beginning.
var (
	memberForm = regexp.MustCompile(`(\w+) \[ \d+ \]`)
	sliceEnd   = regexp.MustCompile(` \[ (0 )?: \w+ \]$`)
)

// listedNow reports whether a member of a list that was asked for exactly is
// asked for by an added assertion that writes the list out.
func (l *lostFor) listedNow(a *assertion) bool {
	m := memberForm.FindStringSubmatch(a.subject)
	if m == nil || a.level != exact || a.negated {
		return false
	}
	ask := func(b *assertion) bool {
		whole := sliceEnd.ReplaceAllString(b.subject, "")
		return b.level == exact && !b.negated && listStart.MatchString(b.expected) && (whole == m[1] || strings.HasSuffix(whole, " "+m[1]))
	}
	for _, b := range l.pairs.added {
		if ask(b) {
			return true
		}
	}
	for _, k := range l.pairs.kept {
		if k[0].text != k[1].text && ask(k[1]) {
			return true
		}
	}
	return false
}
