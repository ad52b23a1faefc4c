package tests

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// deciding are names of functions that say whether tests can run here.
var deciding = regexp.MustCompile(`(?i)(avail|support|enabled|installed|present|ready|reachable|can_?run|has_?[A-Z_]|should_?(run|skip)|skip|able)`)

// skipWord is what a file has that leaves tests out by what a function says.
var skipWord = regexp.MustCompile(`(?i)\b(skip|skipif|runif|skipunless|describeif|itif|assume\w*|enabledif|disabledif|pending)\b`)

// decides reports a function of a test file that says whether tests can run,
// and of which one answer was turned from yes to no.
func (c *change) decides(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.new.helpers)) {
		before, ok := p.old.helpers[name]
		body := p.new.helpers[name]
		if !ok || body.len() != before.len() || body.len() > maxPrint || !deciding.MatchString(name) {
			continue
		}
		at := turnedAnswer(p.old.src, p.new.src, before, body, strings.Contains(strings.ToLower(name), "skip"))
		if at < 0 || !skipWord.MatchString(p.new.src.text) {
			continue
		}
		m := marker{kind: skipsIf, at: at, words: name}
		c.reportSkip(p.new, m, []lint.Related{was(p.old, before.from, "the function before")}, "whatever asks", name)
		return
	}
}

// turnedAnswer is where two bodies differ in one "return true" alone that is
// "return false" now, or the other way round; -1 if they do not.
func turnedAnswer(old, now *source, before, after span, opposite bool) int {
	from, to := "true", "false"
	if opposite {
		from, to = to, from
	}
	at := -1
	for i := range after.len() {
		a, b := old.at(before.from+i), now.at(after.from+i)
		if a == b {
			continue
		}
		if at >= 0 || strings.ToLower(a) != from || strings.ToLower(b) != to || !now.is(after.from+i-1, "return") {
			return -1
		}
		at = after.from + i
	}
	return at
}
