package tests

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// trueSpelled reports whether a condition that was compared with true is now
// asserted as it stands.
func trueSpelled(o, n *assertion) bool {
	if o.negated || n.negated || n.alts > o.alts || o.subject == "" || !truthy[n.name] || o.expected != "true" && o.expected != "True" {
		return false
	}
	text := n.text + " "
	for _, end := range []string{" )", " ,"} {
		if strings.Contains(text, "( "+o.subject+end) || strings.Contains(text, ", "+o.subject+end) {
			return true
		}
	}
	return strings.HasSuffix(n.text, n.name+" "+o.subject)
}

// oneSideNow reports whether a value that had to be near another, on both
// sides, may now lie any way off on one of them: their difference has a limit.
func oneSideNow(o, n *assertion) bool {
	if o.level != partial || o.negated || n.negated || n.level != ordered || len(o.loose) == 0 && !roughName.MatchString(o.name) || len(n.loose) > 0 {
		return false
	}
	full := n.full
	if full == "" {
		full = n.subject
	}
	if distance.MatchString(full) || !strings.Contains(full, " - ") {
		return false
	}
	return len(o.expected) > 2 && holds(full, o.expected) || len(o.subject) > 2 && holds(full, o.subject)
}

// Forms of a number that depends on a condition.
var (
	pythonChoice = regexp.MustCompile(`^(?P<a>.+?) if (?P<c>.+) else (?P<b>.+)$`)
	markChoice   = regexp.MustCompile(`^(?P<c>.+?) \? (?P<a>.+) : (?P<b>.+)$`)
	braceChoice  = regexp.MustCompile(`^if (?P<c>.+?) \{ (?P<a>.+) \} else \{ (?P<b>.+) \}$`)
	kotlinChoice = regexp.MustCompile(`^if (?P<c>\( .+ \)) (?P<a>\S+) else (?P<b>\S+)$`)
	nearnessName = regexp.MustCompile(`(?i)(^|_)(r|a|rel_?|abs_?|max_?)?(tol|tolerance|thresh|eps|epsilon|delta|deviation)$|(Tolerance|Epsilon|Delta|Tol|Eps)$`)
)

// choiceOf cuts such a number into its condition and the two values.
func choiceOf(value string) (cond string, arms [2]string) {
	value = strings.TrimSuffix(value, " ;")
	for _, form := range []*regexp.Regexp{braceChoice, kotlinChoice, pythonChoice, markChoice} {
		if m := form.FindStringSubmatch(value); m != nil {
			return m[form.SubexpIndex("c")], [2]string{m[form.SubexpIndex("a")], m[form.SubexpIndex("b")]}
		}
	}
	return "", arms
}

// slackByCase reports a tolerance in a local variable that depends on a
// condition and has grown in one of the cases.
func (c *change) slackByCase(o, n *test, pairs comparedTest) {
	after := n.locals()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, now := o.locals()[name], after[name]
		if was == "" || was == now || !nearnessName.MatchString(name) {
			continue
		}
		a, from := choiceOf(was)
		b, to := choiceOf(now)
		if a == "" || a != b || !grown(from, to) {
			continue
		}
		for _, k := range pairs.kept[:min(len(pairs.kept), maxPairing)] {
			if k[0].text == k[1].text && holds(k[1].text, name) && direction(k[1]) != ">" {
				c.report("TS006", n.suite.path, n.suite.src.line(k[1].at), []lint.Related{{Path: o.suite.path, Line: o.suite.src.line(k[0].at), Column: 1, Message: "it was: " + short(was)}},
					"assertion in %q is weaker: %s goes from %s to %s", short(n.name), name, short(was), short(now))
				return
			}
		}
	}
}

// grown reports whether one of two numbers is larger now and none smaller.
func grown(from, to [2]string) bool {
	more := false
	for i := range from {
		moved := 0
		if from[i] != to[i] {
			if moved = further(from[i], to[i]); moved == 0 {
				return false
			}
		}
		if moved < 0 {
			return false
		}
		more = more || moved > 0
	}
	return more
}

// loopWords begin loops, or stand in their calls.
var loopWords = map[string]bool{"for": true, "foreach": true, "forEach": true, "ForEach": true, "each": true, "while": true, "each_with_index": true, "range": true}

// countedNow reports a check of each of many in place of which those that fail
// are counted, and some may.
func (c *change) countedNow(o, n *test, pairs comparedTest) {
	lost := pairs.removed
	fresh := slices.Clone(pairs.added)
	for _, k := range pairs.kept {
		if k[0].text != k[1].text {
			lost, fresh = append(slices.Clip(lost), k[0]), append(fresh, k[1])
		}
	}
	at := slices.IndexFunc(lost, func(a *assertion) bool { return o.inLoop(a.at) && !a.setup })
	if at < 0 {
		return
	}
	for _, b := range fresh[:min(len(fresh), maxTexts)] {
		if b.level != ordered || b.negated || direction(b) != "<" || !identifier(b.subject) || strings.Contains(b.subject, " ") || n.inLoop(b.at) {
			continue
		}
		if further("1", b.expected) < 0 || further("1", b.expected) == 0 && b.expected != "1" || strings.HasPrefix(b.expected, "1") && len(b.expected) == 1 && b.op == "<" {
			continue
		}
		if holds(o.suite.src.join(o.body), b.subject) || !n.countsUp(b.subject) {
			continue
		}
		c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, lost[at].at, "each had to hold: %s", short(lost[at].text))},
			"assertion in %q is weaker: some may fail, as %s counts", short(n.name), b.subject)
		return
	}
}

// inLoop reports whether a place of a test lies in a loop.
func (t *test) inLoop(at int) bool {
	src := t.suite.src
	if !src.lang.indented() {
		for up := int(src.token(at).up); up > t.body.from; up = int(src.token(up).up) {
			first := up
			for first > t.body.from && !src.token(first).first {
				first--
			}
			if src.is(up, "{") && (loopWords[src.at(first)] || src.calledIn(first, up)) {
				return true
			}
		}
		if src.lang != ruby {
			return false
		}
	}
	first := at
	for first > t.body.from && !src.token(first).first {
		first--
	}
	col := src.token(first).col
	for i := first - 1; i > t.body.from; i-- {
		if src.token(i).first && src.token(i).col < col {
			col = src.token(i).col
			if src.is(i, "for") || src.is(i, "while") || src.lang == ruby && src.calledIn(i, min(i+maxBound, first)) {
				return true
			}
		}
	}
	return false
}

// calledIn reports whether a line up to a block calls something for each of
// many.
func (s *source) calledIn(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if s.token(i).first {
			return false
		}
		if s.is(i-1, ".") && eachCalls[s.at(i)] {
			return true
		}
	}
	return false
}

// countsUp reports whether a variable of a test grows by one in a loop.
func (t *test) countsUp(name string) bool {
	src := t.suite.src
	for i := t.body.from + 1; i+2 < t.body.to; i++ {
		if src.is(i, name) && (src.is(i+1, "++") || src.is(i+1, "+") && src.is(i+2, "+") || src.is(i+1, "+=") && src.is(i+2, "1")) && t.inLoop(i) {
			return true
		}
	}
	return false
}
