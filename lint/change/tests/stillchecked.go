package tests

import (
	"regexp"
	"strings"
)

// lostFor is a reason why a lost assertion is no loss.
type lostFor struct {
	c     *change
	o, n  *test
	pairs comparedTest
	// text is the body of the new test with single spaces, once asked for, and
	// called are the functions that the old one calls.
	text   string
	called map[string]bool
	asked  int
	// What both tests have of choices and of wanted errors, once asked for.
	fewerChoices, moreErrors, moreFailures bool
}

// maxLost is how many lost assertions of a test are looked at so closely.
const maxLost = 64

// stillChecked reports whether what a lost assertion checked is checked in
// another form, or can no longer be checked by it.
func (l *lostFor) stillChecked(a *assertion) bool {
	if l.asked++; l.asked > maxLost || l.o.body.len() > maxMoved || l.n.body.len() > maxMoved {
		return false
	}
	if l.asked == 1 {
		l.text = " " + l.n.suite.src.join(l.n.body) + " "
		l.called = l.o.calledNames()
		l.moreFailures = l.n.failing() > l.o.failing()
		l.fewerChoices = l.n.choices() < l.o.choices()
		l.moreErrors = raisings(l.n) > raisings(l.o) || l.n.throwCalls() > l.o.throwCalls()
	}
	for _, ask := range []func(*assertion) bool{l.twice, l.oneBranch, l.otherError, l.failsAnyway, l.presentAnyway, l.wholeCompared, l.eachCase, l.elsewhere, l.awaited, l.propagated, l.otherResult, l.besides} {
		if ask(a) {
			return true
		}
	}
	return l.c.leftMember(l.o, span{a.at, a.end})
}

// says reports whether the new test has these words one after the other.
func (l *lostFor) says(words string) bool { return strings.Contains(l.text, " "+words+" ") }

// twice reports whether the old test had the same check twice, with another
// message, and the new one has it still.
func (l *lostFor) twice(a *assertion) bool {
	if a.subject == "" || a.expected == "" && a.level != truth {
		return false
	}
	other := ""
	for i := range l.o.asserts[:min(len(l.o.asserts), maxPairing)] {
		if b := &l.o.asserts[i]; b.text != a.text && sameCheck(a, b) && againAtOnce(a, l.o) {
			other = b.text
		}
	}
	for i := range l.n.asserts[:min(len(l.n.asserts), maxPairing)] {
		if other != "" && l.n.asserts[i].text == other {
			return true
		}
	}
	return false
}

// sameCheck reports whether two assertions check the same.
func sameCheck(a, b *assertion) bool {
	return b.subject == a.subject && b.expected == a.expected && b.name == a.name && b.negated == a.negated && b.op == a.op
}

// wholeCompared reports whether a new assertion compares the whole value of
// which a lost one looked at a member.
func (l *lostFor) wholeCompared(a *assertion) bool {
	for i := range l.pairs.added {
		if b := l.pairs.added[i]; wholeOf(a, b) {
			return true
		}
	}
	for _, k := range l.pairs.kept {
		if k[0].text != k[1].text && k[0].subject != k[1].subject && wholeOf(a, k[1]) {
			return true
		}
	}
	return false
}

func wholeOf(a, b *assertion) bool {
	return memberOf(a.subject, b.subject) && b.level == exact && b.expected != "" && !b.negated && !b.sizeOf && b.raises == nil
}

// eachCase reports whether a test got rows, and a lost assertion's subject is
// compared with what they say.
func (l *lostFor) eachCase(a *assertion) bool {
	if l.n.cases <= max(l.o.cases, 1) || a.subject == "" {
		return false
	}
	for i := range l.n.asserts[:min(len(l.n.asserts), maxPairing)] {
		b := &l.n.asserts[i]
		if b.level >= a.level && !b.negated && (b.subject == a.subject || b.other != "" && (b.other == a.subject || b.other == a.other) || b.subject == a.other && a.other != "") {
			return true
		}
	}
	return false
}

// literalIn is a literal in an assertion's subject.
var literalIn = regexp.MustCompile("[\"'`\\d]")

// elsewhere reports whether a call with the same literals is checked in the
// changed tests as often as before: by another test, which wants another value.
func (l *lostFor) elsewhere(a *assertion) bool {
	if !strings.Contains(a.subject, "(") || !literalIn.MatchString(a.subject) {
		return false
	}
	c := l.c
	if c.subjects == nil {
		c.subjects = map[string][2]int{}
		for _, p := range c.files {
			for at, s := range []*suite{p.old, p.new} {
				if s == nil {
					continue
				}
				for _, t := range s.tests {
					for i := range t.asserts {
						counts := c.subjects[t.asserts[i].subject]
						counts[at]++
						c.subjects[t.asserts[i].subject] = counts
					}
				}
			}
		}
	}
	counts := c.subjects[a.subject]
	return counts[1] > 0 && counts[1] >= counts[0]
}

// presentAnyway reports whether a lost assertion only said that something is
// there, and the test cannot go on without it: it was a value on the way that
// the test has no more, or one that is read in a way that fails by itself.
func (l *lostFor) presentAnyway(a *assertion) bool {
	if a.level == partial && !a.negated && identifier(a.subject) && !a.sizeOf {
		return l.says(a.subject+" [") && strings.Contains(strings.ToLower(a.name), "contains") || a.name == "assert" && a.expected != "" && l.says(a.subject+" [ "+a.expected+" ]")
	}
	if strength(a) != presence || !identifier(a.subject) {
		return false
	}
	if !l.says(a.subject) {
		return l.o.locals()[a.subject] != ""
	}
	was, now := l.o.locals()[a.subject], l.n.locals()[a.subject]
	return was != "" && now != "" && was != now
}

// waits are calls that wait until something is so, or fail.
var waits = regexp.MustCompile(`(?i)^(await|wait|eventually|poll|until|retry|spin|expect_eventually|within)\w*$`)

// timedWait is a wait that says by its value whether the time was enough.
var timedWait = regexp.MustCompile(`\. (WaitOne|Wait|await|acquire|tryAcquire|wait|join|Join|awaitTermination|WaitAsync) \(`)

// awaited reports whether the member that a lost assertion looked at stands now
// in a condition that a new call waits for, or whether the assertion was itself
// such a wait, for what the test has no more.
func (l *lostFor) awaited(a *assertion) bool {
	words := strings.Fields(a.subject)
	if len(words) == 0 {
		return false
	}
	if timedWait.MatchString(a.subject) && identifier(words[0]) && !l.says(words[0]) && (l.says("await") || l.n.waitsIn("", l.called)) {
		return true
	}
	last := words[len(words)-1]
	return len(words) > 2 && identifier(last) && len(last) > 4 && l.n.waitsIn(last, l.called)
}

// waitsIn reports whether a test makes such a call, which it did not make
// before, with a word in it.
func (t *test) waitsIn(what string, before map[string]bool) bool {
	src := t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if !src.isWord(i) || !src.is(i+1, "(") || before[src.at(i)] || !waits.MatchString(src.at(i)) {
			continue
		}
		if what == "" {
			return true
		}
		for j := i + 2; j < min(src.close(i+1), i+maxStatement); j++ {
			if src.is(j, what) {
				return true
			}
		}
	}
	return false
}

// ofError is a question about an error that did not come.
var ofError = regexp.MustCompile(`(?i)(^|[ .])(err|error|errors|stderr|success|is_ok|is_err|status)( |$)`)

// propagated reports whether a test of Rust now ends with the error that a lost
// assertion said did not come.
func (l *lostFor) propagated(a *assertion) bool {
	if l.n.suite.src.lang != rust || !ofError.MatchString(a.subject+" "+strings.Trim(a.expected, `"`)) && !strings.Contains(a.text, `"error"`) {
		return false
	}
	return l.n.marksOf("?") > l.o.marksOf("?")
}

// marksOf counts a mark in a test.
func (t *test) marksOf(v string) int {
	n := 0
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, v) {
			n++
		}
	}
	return n
}

// otherResult reports whether the test now expects another result of what a
// lost assertion looked at another side of: product code changed with it, and
// what followed from the old result went.
func (l *lostFor) otherResult(a *assertion) bool {
	root := rootOf(a)
	if root == "" || !l.c.productChanged(l.o.suite.src.lang) {
		return false
	}
	for _, k := range l.pairs.kept {
		if k[0].subject == k[1].subject && k[0].at < a.at && k[0].level == exact && k[1].level == exact && !k[0].negated && !k[1].negated && k[0].sizeOf == k[1].sizeOf && rootOf(k[0]) == root &&
			k[0].expected != k[1].expected && status.MatchString(k[0].expected) && status.MatchString(k[1].expected) {
			return true
		}
	}
	return false
}

// status is an expected value by which a result is of another kind.
var status = regexp.MustCompile(`^([1-5]\d\d|(\w+ (\.|::) )*[A-Z]\w*|"\w+")$`)

// rootOf is the first name of what an assertion looks at.
func rootOf(a *assertion) string {
	for w := range strings.FieldsSeq(a.subject) {
		if identifier(w) {
			return w
		}
	}
	return ""
}

// productChanged reports whether a change has product code of a language.
func (c *change) productChanged(lang language) bool {
	for _, p := range c.files {
		if !p.test && p.New != nil && p.Old != nil && languageOf(p.Path) == lang {
			return true
		}
	}
	return false
}

// outputCall are calls in a chain that say what a run of a command must do.
var outputCall = regexp.MustCompile(`^(succeeds|fails|success|failure|code|code_is|exit_code|fails_with_code|no_output|(no_)?(stdout|stderr|output)(_\w+)?|\w+_(stdout|stderr|output)_\w+)$`)

// outputCalls counts them.
func (t *test) outputCalls() int {
	n, src := 0, t.suite.src
	if src.lang != rust {
		return 0
	}
	for i := t.body.from + 1; i < t.body.to; i++ {
		if src.is(i-1, ".") && src.is(i+1, "(") && outputCall.MatchString(src.at(i)) && !outputChecks[src.at(i)] {
			n++
		}
	}
	return n
}

// failing counts the places in a test that end it with a failure and are no
// assertions.
func (t *test) failing() int {
	n, src := 0, t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if !t.own(i) {
			continue
		}
		switch src.at(i) {
		case "panic", "unreachable":
			if src.is(i+1, "!") || src.is(i+1, "(") && src.lang == golang {
				n++
			}
		case "throw", "raise":
			if src.lang != rust && src.isWord(i) && (src.token(i).first || src.is(i-1, ")") || src.is(i-1, "{") || src.is(i-1, ":")) {
				n++
			}
		}
	}
	return n
}
