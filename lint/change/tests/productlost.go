package tests

import "strings"

// minProduct is how many lines product code must have lost for a change to be
// one of behaviour, whose tests follow it.
const minProduct = 8

// followsProduct reports whether product code of a language lost many lines in
// the change: what tests lost with them may be what these lines did.
func (c *change) followsProduct(lang language) bool {
	if c.productLost == nil {
		c.productLost = map[language]int{}
		lines := map[language]map[string]int{}
		for _, p := range c.files {
			if p.test || quiet(p.Path) || isTestPath(p.oldPath()) || helping(p.Path) {
				continue
			}
			for at, s := range []*suite{p.old, p.new} {
				if s == nil {
					continue
				}
				counts := lines[s.src.lang]
				if counts == nil {
					counts = map[string]int{}
					lines[s.src.lang] = counts
				}
				for line, n := range s.productLines() {
					counts[line] += n * (1 - 2*at)
				}
			}
		}
		for l, counts := range lines {
			for _, n := range counts {
				c.productLost[l] += max(n, 0)
			}
		}
	}
	return c.productLost[lang] >= minProduct
}

// productLines counts the lines of a file that say something and stand in none
// of its tests.
func (s *suite) productLines() map[string]int {
	found, next, src := map[string]int{}, 0, s.src
	own := s.testModules()
	last := -1
	for i := range src.tokens {
		for next < len(s.tests) && s.tests[next].whole.to <= i {
			next++
		}
		if !src.token(i).first || next < len(s.tests) && s.tests[next].whole.has(i) || inAny(own, i) || importing[src.at(i)] {
			continue
		}
		from := src.offset(i)
		if from <= last {
			continue
		}
		line, _, _ := strings.Cut(src.text[from:], "\n")
		last = from + len(line)
		if line = strings.TrimSpace(line); len(line) > 2 {
			found[line]++
		}
	}
	return found
}

// importing are the words that begin a line which only names other code.
var importing = map[string]bool{"import": true, "use": true, "using": true, "package": true, "from": true, "require": true, "require_relative": true, "mod": true, "@": true, "#": true}

// helping reports whether a file outside of the tests is there for them.
func helping(name string) bool {
	low := strings.ToLower(name)
	for _, part := range []string{"test", "mock", "fake", "fixture", "spec/", "bench", "example"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}
