package tests

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// lesserCalls reports calls of a test whose own name says that they now ask for
// less: without "Exactly", with "InAnyOrder", or a matcher of an attribute that
// wanted a value and now only has it looked at.
func (c *change) lesserCalls(o, n *test) {
	before, after := o.callCounts(), n.callCounts()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if before[name] <= after[name] || strings.HasPrefix(name, "contains") || strings.HasPrefix(name, "Throw") {
			continue // these are compared assertion by assertion
		}
		for _, lesser := range append(lesserNames(name), endsLess(name, after)...) {
			if after[lesser] > before[lesser] && (after[lesser]+after[name] >= before[lesser]+before[name] || checkName(name)) {
				c.reportCall(o, n, name, fmt.Sprintf("%q asks for less than %q", lesser, name), lesser)
				return
			}
		}
	}
	for _, form := range []string{"inOrder", "InOrder", "ordered"} {
		if o.mentions(form) > 0 && n.mentions(form) == 0 && (len(o.asserts) > 1 && len(n.asserts) >= len(o.asserts) || o.mentions("verify") > 1 && n.mentions("verify") >= o.mentions("verify")) {
			c.reportCall(o, n, form, "the order of calls does not count any more", form)
			return
		}
	}
	exactly, loosely := o.attributes(equalCalls), n.attributes(looseCalls)
	still, had := n.attributes(equalCalls), o.attributes(looseCalls)
	for _, key := range slices.Sorted(maps.Keys(exactly)) {
		if exactly[key] > still[key] && loosely[key] > had[key] && loosely[key]+still[key] >= exactly[key] {
			c.reportCall(o, n, key, fmt.Sprintf("the value of %s is no longer written out", short(key)), key)
			return
		}
	}
}

// reportCall reports a call by the lines where its words first stand.
func (c *change) reportCall(o, n *test, was1, why, now string) {
	if c.gone(o.suite.src, span{o.firstOf(was1), o.firstOf(was1) + 1}) != "" {
		return
	}
	c.report("TS006", n.suite.path, n.suite.src.line(n.firstOf(now)), []lint.Related{was(o.suite, o.firstOf(was1), "it was here")}, "assertion in %q is weaker: %s", short(n.name), why)
}

// firstOf is the first token of a test that is the first of these words.
func (t *test) firstOf(words string) int {
	first, _, _ := strings.Cut(words, " ")
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, first) {
			return i
		}
	}
	return t.head()
}

// mentions counts the calls of a name in a test.
func (t *test) mentions(name string) int {
	n := 0
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, name) && (t.suite.src.is(i+1, "(") || name == "ordered" && t.suite.src.lang == ruby && t.suite.src.is(i-1, ".")) {
			n++
		}
	}
	return n
}

// lesserNames are names of calls that ask for less than one of this name.
func lesserNames(name string) []string {
	list := strings.Fields(lesserCodes[name])
	if rest, ok := strings.CutSuffix(name, "Exactly"); ok && len(rest) > 3 {
		list = append(list, rest, name+"InAnyOrder")
	}
	if rest, ok := strings.CutSuffix(name, "_exactly"); ok {
		list = append(list, rest)
	}
	if rest, ok := strings.CutSuffix(name, "InOrder"); ok && len(rest) > 3 {
		list = append(list, rest, rest+"InAnyOrder")
	}
	return list
}

// callCounts counts the calls of a test behind a dot, by their names.
func (t *test) callCounts() map[string]int {
	counts := map[string]int{}
	src := t.suite.src
	for i := t.body.from + 1; i < t.body.to; i++ {
		if src.isWord(i) && src.is(i+1, "(") && (src.is(i-1, ".") || checkName(src.at(i))) {
			counts[src.at(i)]++
		}
	}
	return counts
}

// Calls that say of an attribute what its value is, and those that let a block
// look at it.
var (
	equalCalls = regexp.MustCompile(`^(equalTo|eq|containsEntry|hasAttribute)$`)
	looseCalls = regexp.MustCompile(`^(satisfies|hasKeySatisfying|hasEntrySatisfying|hasAttributeSatisfying)$`)
)

// attributes counts calls of two arguments, by the first of them.
func (t *test) attributes(form *regexp.Regexp) map[string]int {
	counts := map[string]int{}
	src := t.suite.src
	if src.lang != java && src.lang != kotlin {
		return counts
	}
	for i := t.body.from; i < t.body.to; i++ {
		if !src.isWord(i) || !src.is(i+1, "(") || !form.MatchString(src.at(i)) {
			continue
		}
		if args := src.arguments(i + 1); len(args) == 2 && args[0].len() < 12 {
			counts[src.join(args[0])]++
		}
	}
	return counts
}

// oneForms begin calls that want something of one of many.
var oneForms = regexp.MustCompile(`(^| )(anySatisfy|anyMatch|some|any|any\?|Any|Contains|anyOf|shouldForAny|shouldForAtLeastOne|satisfiesAnyOf) (\(|\{|do )`)

// ofOneNow reports an assertion that stood by itself and now is wanted of one
// of many.
func (c *change) ofOneNow(o, n *test) bool {
	had := map[string]bool{}
	for i := range o.asserts[:min(len(o.asserts), maxPairing)] {
		had[o.asserts[i].text] = true
	}
	for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
		b := &n.asserts[i]
		at := oneForms.FindStringIndex(b.text)
		if had[b.text] || at == nil || len(b.text) > 20_000 {
			continue
		}
		for j := range o.asserts[:min(len(o.asserts), maxPairing)] {
			a := &o.asserts[j]
			if c.after[a.text] >= c.before[a.text] || len(a.text) < 10 || !strings.Contains(b.text[at[0]:], a.text) || strings.Contains(a.text, b.text) || oneForms.MatchString(a.text) {
				continue
			}
			c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was: %s", short(a.text))},
				"assertion in %q is weaker: it is wanted of one of many alone", short(n.name))
			return true
		}
	}
	return false
}

// lesserCodes are checks of an exit code with those that take any that fails.
var lesserCodes = map[string]string{"code_is": "failure fails", "fails_with_code": "fails", "code": "failure", "with_status": "fails", "assert_exit_code": "assert_failure"}
