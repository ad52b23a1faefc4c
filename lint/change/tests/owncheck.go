package tests

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// thenChecks is the name of a call that does something and then checks what it
// left behind: closeAndVerify, stop_and_assert_clean.
var thenChecks = regexp.MustCompile(`\w(?:And|_and_)(?:Then|then_)?(?:Test|Verify|Assert|Check|Validate|Ensure|Expect|test_|verify|assert|check|validate|ensure|expect)`)

// ownPrefixes begin the names of a project's own checks that are methods of an
// object of its tests.
var ownPrefixes = regexp.MustCompile(`^(?:[Ee]xpect|[Vv]erify|[Aa]ssert|[Cc]heck|EXPECT|VERIFY)(?:_[a-z]|[A-Z])\w`)

// doubles are holders whose methods say what a double of something will be
// asked, and make it answer.
var doubles = regexp.MustCompile(`(?i)mock|stub|fake|spy|recorder|replay|server|nock|http|sql|ctrl|controller`)

// ownCheck is such a call that stands as a statement.
type ownCheck struct {
	name, text string
	args       []string
	at         int
	then       bool // it does something else first
}

// ownChecks are those of a test that are not read as assertions.
func (t *test) ownChecks() []ownCheck {
	var list []ownCheck
	src := t.suite.src
	next := 0
	for i := t.body.from; i+1 < t.body.to && len(list) < maxPairing; i++ {
		if !src.isWord(i) || !t.own(i) || !src.is(i+1, "(") || src.close(i+1) < 0 {
			continue
		}
		w := src.at(i)
		then := thenChecks.MatchString(w)
		dotted := src.is(i-1, ".") || src.is(i-1, "::")
		if !then && (!dotted || !ownPrefixes.MatchString(w) || doubles.MatchString(w)) {
			continue
		}
		head := i
		for head-2 >= t.body.from && (src.is(head-1, ".") || src.is(head-1, "::")) && src.isWord(head-2) {
			head -= 2
		}
		holder := src.join(span{head, i})
		if !src.token(head).first && !src.is(head-1, "await") && !src.is(head-1, "defer") && !src.is(head-1, "yield") && !src.is(head-1, "{") && !src.is(head-1, ";") && !src.is(head-1, "return") || src.is(head-1, "=") || src.is(head-1, ".") || doubles.MatchString(holder) {
			continue
		}
		for next < len(t.asserts) && t.asserts[next].end <= i && t.asserts[next].at <= i {
			next++
		}
		inside := false
		for k := range t.asserts[:min(len(t.asserts), maxPairing)] {
			if t.asserts[k].at <= i && i < t.asserts[k].end {
				inside = true
				break
			}
		}
		if inside {
			continue
		}
		end := src.close(i + 1)
		if src.is(end+1, ".") && !src.is(end+2, "await") && !src.is(end+2, "unwrap") {
			continue // the result is looked at
		}
		list = append(list, ownCheck{w, src.join(span{head, end + 1}), elements(src.join(span{i + 2, end})), head, then})
	}
	return list
}

// ownChecksLost reports calls of a project's own checks that a test no longer
// makes, or in the place of which one stands that asks for less.
func (c *change) ownChecksLost(o, n *test) {
	if o.body.len() > maxMoved || n.body.len() > maxMoved {
		return
	}
	old := o.ownChecks()
	if len(old) == 0 {
		return
	}
	now := n.ownChecks()
	lost, gained := checksWithout(old, now), checksWithout(now, old)
	if len(lost) == 0 || len(n.asserts) > len(o.asserts) || c.gone(o.suite.src, o.body) != "" && !c.anyThen(lost) {
		return
	}
	l := lost[0]
	if c.gone(o.suite.src, span{l.at, l.at + 1}) != "" {
		return
	}
	related := []lint.Related{was(o.suite, l.at, "the call before: %s", short(l.text))}
	for _, k := range lost {
		for _, g := range gained {
			if why := askedLess(k.name, g.name, k.args, g.args); why != "" {
				c.report("TS006", n.suite.path, n.suite.src.line(g.at), related, "assertion in %q is weaker: %s", short(n.name), why)
				return
			}
		}
	}
	added := 0
	for _, more := range n.addedWords() {
		added += max(more, 0)
	}
	if len(gained) > 0 || n.callsChecks() && !l.then || added > 3*len(lost) {
		return
	}
	c.report("TS005", n.suite.path, n.line(), related, "1 assertion is removed from test %q: %s", short(n.name), short(l.text))
}

func (c *change) anyThen(list []ownCheck) bool {
	for _, k := range list {
		if k.then {
			return true
		}
	}
	return false
}

// askedLess compares two checks of a project's own that are given the same: the
// other one is given fewer texts that have to come.
func askedLess(name, other string, from, to []string) string {
	if name == other || len(to) >= len(from) || len(to) == 0 || from[0] != to[0] {
		return ""
	}
	same := 1
	for same < len(to) && from[same] == to[same] {
		same++
	}
	lost := strings.Join(from[same:], " , ")
	if !strings.ContainsAny(lost, "\"'`") {
		return ""
	}
	for _, arg := range to[same:] {
		for _, t := range quotedForm.FindAllString(arg, maxTexts) {
			if !strings.Contains(strings.NewReplacer("\\", "").Replace(lost), strings.NewReplacer("\\", "").Replace(t[1:len(t)-1])) {
				return ""
			}
		}
		if !strings.ContainsAny(arg, "\"'`") && !holds(lost, arg) {
			return ""
		}
	}
	return "of what was written out only a part is asked for by \"" + other + "\""
}

// helperAsksLess is the same for two helpers that are read as assertions.
func helperAsksLess(o, n *assertion) string {
	if o.name == n.name || !checkName(o.name) || !checkName(n.name) || levels[o.name] != unknown || levels[n.name] != unknown || o.negated || n.negated {
		return ""
	}
	return askedLess(o.name, n.name, lastCallArgs(o), lastCallArgs(n))
}

// checksWithout are the checks of a list that another has not, or has fewer times.
func checksWithout(list, other []ownCheck) (more []ownCheck) {
	left := map[string]int{}
	for _, k := range other {
		left[k.text]++
	}
	for _, k := range list {
		if left[k.text]--; left[k.text] < 0 {
			more = append(more, k)
		}
	}
	return more
}
