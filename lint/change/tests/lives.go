package tests

import (
	"slices"
	"strings"
)

// lives reports whether an old test lives on: in a test that is new or has
// grown, as the twin of one that stays, or in what was added to a test file.
func (c *change) lives(t *test) bool {
	if c.mergedInto(t, c.open) != nil {
		return true
	}
	single := c.lastOfGroup(t)
	for _, n := range c.all.near(t) {
		if single && n.mate != nil {
			continue // it was there beside this one, for another case
		}
		if l := likeness(t, n); l >= twin && (n.open || l >= copied || n.suite.path != t.suite.path) || l >= 0.5 && loose(n.name) == loose(t.name) {
			return true
		}
	}
	if c.linesLive(t) {
		return true
	}
	words := slices.Compact(slices.Clone(t.print))
	for _, p := range c.files {
		if p.new == nil || !p.test && len(p.new.tests) == 0 || p.new.src.lang != t.suite.src.lang {
			continue
		}
		found, added := 0, p.addedWords()
		for _, h := range words {
			if added[h] {
				found++
			}
		}
		if len(words) > 8 && float64(found) >= scattered*float64(len(words)) {
			return true
		}
	}
	return false
}

// linesLive reports whether the lines that only this test had stand in a test
// file of the change now, moved into a table or a function.
func (c *change) linesLive(t *test) bool {
	src := t.suite.src
	from, to := src.offset(t.body.from), src.offset(t.body.to)
	var own []string
	for line := range strings.Lines(src.text[from:max(to, from)]) {
		if line = strings.TrimSpace(line); len(line) >= 12 && t.suite.linesOf()[line] == 1 && len(own) < 2000 {
			own = append(own, line)
		}
	}
	if len(own) < 3 {
		return false
	}
	for _, p := range c.files {
		if p.new == nil || !p.test && len(p.new.tests) == 0 || p.new.src.lang != src.lang {
			continue
		}
		found := 0
		for _, line := range own {
			if p.new.linesOf()[line] > 0 {
				found++
			}
		}
		if float64(found) >= merged*float64(len(own)) || len(own) >= 20 && found >= len(own)/2 {
			return true
		}
	}
	return false
}

// linesOf counts the lines of a file without their margins.
func (s *suite) linesOf() map[string]int {
	if s.lines == nil {
		s.lines = map[string]int{}
		lines := strings.Split(s.src.text, "\n")
		inside := blocks(s.src.lang, lines)
		for n, line := range lines {
			if !inside[n] {
				s.lines[strings.TrimSpace(line)]++
			}
		}
	}
	return s.lines
}

// addedWords are the words that stand in the new version of a file more often
// than in the old.
func (p *pair) addedWords() map[uint32]bool {
	if p.added != nil {
		return p.added
	}
	counts := map[uint32]int{}
	for i := range p.new.src.tokens {
		if p.new.src.kind(i) != mark {
			counts[hashOf(p.new.src.value(i))]++
		}
	}
	if p.old != nil {
		for i := range p.old.src.tokens {
			if p.old.src.kind(i) != mark {
				counts[hashOf(p.old.src.value(i))]--
			}
		}
	}
	p.added = map[uint32]bool{}
	for h, n := range counts {
		if n > 0 {
			p.added[h] = true
		}
	}
	return p.added
}

// mergedInto finds a new or grown test that holds the words of an old one.
func (c *change) mergedInto(t *test, ix index) *test {
	for _, n := range ix.near(t) {
		if n.open && contained(t, n) >= merged {
			return n
		}
	}
	return nil
}

// minSetup is how many tokens of its own make a group more than a title.
const minSetup = 12

// lastOfGroup reports whether a test goes with a group around it that had a
// setup of its own: the same words in another group test another case.
func (c *change) lastOfGroup(t *test) bool {
	if len(t.groups) == 0 || c.scopeNames == nil {
		return false
	}
	g := t.groups[len(t.groups)-1]
	if c.scopeNames[g.name] || g.body.len()-t.whole.len() < minSetup || t.suite.src.lang != ruby && t.suite.src.lang != javascript {
		return false
	}
	return true
}
