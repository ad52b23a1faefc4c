package tests

import (
	"strings"

	"steelyard/lint"
)

// specialCased is TS008: product code that knows a test's input and answers
// with what the test expects.
func specialCased(c *change) {
	known := c.expectations()
	if len(known) == 0 {
		return
	}
	for _, p := range c.files {
		if p.new == nil || p.test {
			continue
		}
		had := map[string]bool{}
		if p.old != nil {
			for _, s := range shortcuts(p.old) {
				had[s.given+" → "+s.answer] = true
			}
		}
		for _, s := range shortcuts(p.new) {
			at, ok := known[s.given+" → "+s.answer]
			if !ok || had[s.given+" → "+s.answer] || p.new.inTest(s.at) {
				continue
			}
			related := []lint.Related{{Path: at.suite.path, Line: at.suite.src.line(at.token), Column: 1, Message: "the test that expects it"}}
			c.report("TS008", p.Path, p.new.src.line(s.at), related, "input %s of a test is answered with the expected %s", short(s.given), short(s.answer))
		}
	}
}

type place struct {
	suite *suite
	token int
}

// expectations are the pairs of an input and an expected value that stand in
// one assertion of a test: both written out and neither common.
func (c *change) expectations() map[string]place {
	known := map[string]place{}
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		for _, t := range p.new.tests {
			for i := range t.asserts {
				a := &t.asserts[i]
				values := telling(p.new.src, span{a.at, min(a.end, a.at+200)})
				for _, x := range values {
					for _, y := range values {
						if x != y && len(known) < 50_000 {
							if _, ok := known[x+" → "+y]; !ok {
								known[x+" → "+y] = place{p.new, a.at}
							}
						}
					}
				}
			}
		}
	}
	return known
}

// telling are the literals in a range that do not stand everywhere.
func telling(src *source, r span) []string {
	var values []string
	for i := r.from; i < r.to && len(values) < 12; i++ {
		if v := src.value(i); tells(src.kind(i), v) {
			values = append(values, v)
		}
	}
	return values
}

func tells(k kind, v string) bool {
	switch k {
	case number:
		digits := strings.Trim(strings.TrimRight(v, "fFdDmML"), "0.")
		return len(digits) >= 2 && v != "100" && v != "1000" && v != "200" && v != "404" && v != "500"
	case text:
		return len(v) >= 6 && !strings.HasPrefix(v, ":")
	}
	return false
}

// shortcut is "if x == given { return answer }".
type shortcut struct {
	given, answer string
	at            int
}

// shortcuts finds branches on equality with a literal that return a literal at
// once. Cases of a switch are tables, not branches.
func shortcuts(s *suite) []shortcut {
	var found []shortcut
	src := s.src
	for i := range src.tokens {
		if !src.is(i, "if") && !src.is(i, "elif") && !src.is(i, "elsif") {
			continue
		}
		given, answer := "", ""
		for j := i + 1; j < min(i+24, len(src.tokens)); j++ {
			if v := src.at(j); (v == "==" || v == "===") && given == "" {
				for _, k := range []int{j + 1, j - 1} {
					if tells(src.kind(k), src.value(k)) {
						given = src.value(k)
					}
				}
			}
			if src.is(j, "equals") && src.is(j+1, "(") && tells(src.kind(j+2), src.value(j+2)) {
				given = src.value(j + 2)
			}
			if src.is(j, "return") {
				if tells(src.kind(j+1), src.value(j+1)) && !src.is(j+2, "+") && !src.is(j+2, ".") && !src.is(j+2, ",") {
					answer = src.value(j + 1)
				}
				break
			}
		}
		if given != "" && answer != "" && given != answer {
			found = append(found, shortcut{given, answer, i})
		}
	}
	return found
}

// inTest reports whether a token stands in a test.
func (s *suite) inTest(i int) bool {
	for _, t := range s.tests {
		if t.whole.has(i) {
			return true
		}
	}
	return false
}
