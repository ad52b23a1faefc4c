package tests

import (
	"regexp"
	"strconv"

	"steelyard/lint"
)

// countedForm is the head of a loop that counts up to a figure, subtestForm what
// declares a test or a part of one inside of it.
var (
	countedForm = regexp.MustCompile(`^(?:for \w+ := \d+ ; \w+ <=? (\d+) ; |for \w+ := range (\d+) |for \( (?:let|var|int) \w+ = \d+ ; \w+ <=? (\d+) ; |for \w+ in range \( (\d+) \) :|(\d+) \. times |repeat \( (\d+) \) )`)
	subtestForm = regexp.MustCompile(`\w+ \. Run \(|\bsubTest \(|\bsubtests \. test \(|\bt \. (?:test|step) \(`)
)

// countedLoop is such a loop of a test with subtests in it.
type countedLoop struct {
	turns, at int
	body      string
}

// fewerTurns reports a loop of a test that declares a subtest each time, and
// goes round less often, else the same.
func (c *change) fewerTurns(o, n *test) {
	before, after := o.countedLoops(), n.countedLoops()
	if len(before) != len(after) {
		return
	}
	for i, b := range after {
		a := before[i]
		if b.turns >= a.turns || b.turns == 0 || a.body != b.body {
			continue
		}
		c.report("TS001", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "the loop before")},
			"test %q has %d cases fewer", short(n.name), a.turns-b.turns)
	}
}

// countedLoops finds them in a test.
func (t *test) countedLoops() []countedLoop {
	var found []countedLoop
	src := t.suite.src
	for i := t.body.from; i < t.body.to && len(found) < maxLoops; i++ {
		if !src.token(i).first {
			continue
		}
		m := countedForm.FindStringSubmatch(src.join(span{i, min(i+16, t.body.to)}))
		if m == nil {
			continue
		}
		open, body := i, span{i + 1, i + 1}
		if src.lang.indented() {
			body = src.block(i)
			body.from = src.next(":", i, 12)
			if src.lang == ruby {
				body.from = i + 3
			}
		} else {
			for open < min(i+20, t.body.to) && !src.is(open, "{") {
				open++
			}
			body = span{open, src.close(open) + 1}
		}
		if body.from < i || body.len() < 4 || body.len() > maxPrint {
			continue
		}
		l := countedLoop{at: i, body: src.join(body)}
		for _, figure := range m[1:] {
			if n, err := strconv.Atoi(figure); err == nil {
				l.turns = n
			}
		}
		if subtestForm.MatchString(l.body) {
			found = append(found, l)
		}
	}
	return found
}
