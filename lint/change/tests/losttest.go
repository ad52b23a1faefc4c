package tests

import (
	"path"
	"strings"
)

// noLoss reports whether a lost test says nothing of code that is still there:
// it compared literals, ran nowhere by itself, has another form now, or is about
// what the change takes away.
func (c *change) noLoss(p *pair, t *test) bool {
	return t.onLiterals() || t.onRequest() || c.namesGone(t) || p.exampleNow(t) || p.namedInto(t) || c.moduleRemoved(p) || c.subjectShrank(p) || c.optionGone(t) || p.groupNow(t) || c.inOtherLanguage(t)
}

// onLiterals reports whether all that a test checks are literals: the example
// that a template came with.
func (t *test) onLiterals() bool {
	for i := range t.asserts {
		if a := &t.asserts[i]; !ofLiterals(a) && !arithmetic(a) {
			return false
		}
	}
	return len(t.asserts) > 0
}

// arithmetic reports whether an assertion is about numbers alone: 2 + 2 == 4.
func arithmetic(a *assertion) bool {
	return a.level == exact && a.expected != "" && isSum(a.subject) && isSum(a.expected) && strings.ContainsAny(a.subject+a.expected, "0123456789") && !strings.ContainsFunc(a.subject+a.expected, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// onRequest reports whether a test without assertions ran only under a
// condition.
func (t *test) onRequest() bool {
	if len(t.asserts) > 0 {
		return false
	}
	for _, m := range t.marks {
		if m.kind == skipsIf || m.kind == skipsMay {
			return true
		}
	}
	return false
}

// Lengths of names, without separators, from which they tell something alone.
const (
	minName  = 6
	partName = 9 // as part of another
)

// namesGone reports whether a test calls or is called after what product code
// declared and declares nowhere now, though a member of the same name may be
// used there still.
func (c *change) namesGone(t *test) bool {
	gone := c.undeclared()
	if len(gone) == 0 {
		return false
	}
	name := loose(t.name)
	for g := range gone {
		if l := loose(g); len(l) >= partName && strings.Contains(name, l) {
			return true
		}
	}
	src := t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if src.isWord(i) && gone[src.at(i)] && (src.is(i+1, "(") || src.is(i-1, ".") || src.is(i-1, "::") || src.is(i-1, "new")) {
			return true
		}
	}
	return false
}

// undeclared are the names that product code no longer declares and uses at
// most as members.
func (c *change) undeclared() map[string]bool {
	if c.declaredGone != nil {
		return c.declaredGone
	}
	before, after, used := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range c.files {
		if p.test || quiet(p.Path) {
			continue
		}
		for at, s := range []*suite{p.old, p.new} {
			if s == nil {
				continue
			}
			names, own := [2]map[string]bool{before, after}[at], s.testModules()
			for name, body := range s.helpers {
				if !inAny(own, body.from) {
					names[name] = true
				}
			}
			next := 0
			for i := range s.src.tokens {
				for next < len(s.tests) && s.tests[next].whole.to <= i {
					next++
				}
				if !s.src.isWord(i) || next < len(s.tests) && s.tests[next].whole.has(i) {
					continue // tests inside of product code declare nothing
				}
				if declaring[s.src.at(i-1)] && !inAny(own, i) {
					names[s.src.at(i)] = true
				} else if at == 1 && !s.src.is(i-1, ".") && !s.src.is(i-1, "?.") {
					used[s.src.at(i)] = true
				}
			}
		}
	}
	c.declaredGone = map[string]bool{}
	for name := range before {
		if len(name) >= minName && !after[name] && !used[name] {
			c.declaredGone[name] = true
		}
	}
	return c.declaredGone
}

// exampleNow reports whether a test of Go became an example, whose output is
// compared.
func (p *pair) exampleNow(t *test) bool {
	if p.new == nil || p.new.src.lang != golang {
		return false
	}
	for name := range p.new.helpers {
		rest, ok := strings.CutPrefix(name, "Example")
		if _, had := p.old.helpers[name]; ok && !had && strings.EqualFold(strings.TrimLeft(rest, "_"), strings.TrimPrefix(t.name, "Test")) && strings.Contains(p.new.src.text, "// Output:") {
			return true
		}
	}
	return false
}

// namedInto reports whether a test of the file that grew took the name of a
// lost one into its own: "registers an offense and corrects".
func (p *pair) namedInto(t *test) bool {
	name := loose(t.name)
	if p.new == nil || len(name) < partName {
		return false
	}
	for _, n := range p.new.tests {
		if n.mate == nil || n.mate.suite != p.old || n.name == n.mate.name || len(n.asserts) <= len(n.mate.asserts) {
			continue
		}
		if strings.Contains(loose(n.name), name) && !strings.Contains(loose(n.mate.name), name) {
			return true
		}
	}
	return false
}

// manifests are the files that make a folder a module of its own.
var manifests = map[string]bool{
	"pom.xml": true, "build.gradle": true, "build.gradle.kts": true, "package.json": true, "Cargo.toml": true, "go.mod": true, "pyproject.toml": true, "setup.py": true,
}

// moduleRemoved reports whether a deleted test file lay in a module that the
// change deletes with the code in it.
func (c *change) moduleRemoved(p *pair) bool {
	if p.New != nil {
		return false
	}
	for _, q := range c.files {
		dir, base := path.Split(q.oldPath())
		if q.New != nil || dir == "" || !manifests[base] && !strings.HasSuffix(base, ".gemspec") && !strings.HasSuffix(base, ".csproj") || !strings.HasPrefix(p.oldPath(), dir) {
			continue
		}
		if c.folderRemoved(dir) {
			return true
		}
	}
	return false
}

// folderRemoved reports whether a change deletes code in a folder and leaves
// none of what it touches there.
func (c *change) folderRemoved(dir string) bool {
	deleted := 0
	for _, q := range c.files {
		switch {
		case q.New != nil && strings.HasPrefix(q.Path, dir):
			return false
		case strings.HasPrefix(q.oldPath(), dir) && !isTestPath(q.oldPath()) && languageOf(q.oldPath()) != other:
			deleted++
		}
	}
	return deleted > 0
}

// What a file must have lost, in lines, to be taken for one that a feature was
// taken from; and how many times that which it got.
const (
	minShrunk = 8
	shrunkBy  = 4
)

// subjectShrank reports whether the file that a test file is about did little
// in the change but lose lines: what it lost had tests.
func (c *change) subjectShrank(p *pair) bool {
	stem := loose(subjectStem(p.oldPath()))
	for _, q := range c.files {
		if q == p || q.test || q.old == nil || q.new == nil || loose(fileStem(q.Path)) != stem {
			continue
		}
		before, after := q.old.linesOf(), q.new.linesOf()
		lost, got := 0, 0
		for line, n := range before {
			if len(line) > 1 {
				lost += max(n-after[line], 0)
			}
		}
		for line, n := range after {
			if len(line) > 1 {
				got += max(n-before[line], 0)
			}
		}
		if lost >= minShrunk && lost >= shrunkBy*got {
			return true
		}
	}
	return false
}

// optionGone reports whether a test sets an option that the tests of the change
// set in several places before and nowhere now, or that product code had.
func (c *change) optionGone(t *test) bool {
	src := t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		w := src.at(i)
		if !src.isWord(i) || len(w) < 8 || !src.is(i+1, "=") && !src.is(i+1, ":") || src.is(i-1, ".") || !src.is(i-1, ",") && !src.is(i-1, "(") && !src.is(i-1, "{") {
			continue
		}
		if c.members[w] {
			return true
		}
		own := 0
		for j := t.body.from; j < t.body.to; j++ {
			if src.is(j, w) {
				own++
			}
		}
		if before, after := c.optionUses(w); before-own > 1 && after == 0 {
			return true
		}
	}
	return false
}

// optionUses counts a word in the files of the change, before in the tests that
// are there still, after in all files.
func (c *change) optionUses(w string) (before, after int) {
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		if p.new.words == nil {
			p.new.words = p.new.src.count()
		}
		after += p.new.words[w]
		if p.old != nil {
			if p.old.words == nil {
				p.old.words = p.old.src.count()
			}
			before += p.old.words[w]
		}
	}
	return before, after
}
