package tests

import "path"

// What a lost test must share with a new one to be taken for rewritten, and how
// many lines the file that it is about must have lost for its behaviour to have
// changed.
const (
	akin        = 0.15
	minBehavior = 2
)

// tellsLittle reports whether a lost test comes with new tests of the same
// words, or with a change of the very file that it is about: whether it checked
// more than they do has a reader to say.
func (c *change) tellsLittle(p *pair, t *test) bool {
	for _, n := range c.all.near(t) {
		if n.mate == nil && n.suite.src.lang == t.suite.src.lang && len(n.asserts) > 0 && contained(t, n) >= akin {
			return true
		}
	}
	return c.grownBeside(p, t) || c.renamedAnew(t) || c.followsProduct(t.suite.src.lang) || c.subjectLines(p) >= minBehavior
}

// subjectLines counts the lines that the file lost which a test file is about.
func (c *change) subjectLines(p *pair) int {
	stem := loose(subjectStem(p.oldPath()))
	for _, q := range c.files {
		if q == p || q.test || q.old == nil || q.new == nil || loose(fileStem(q.Path)) != stem && loose(subjectStem(path.Base(q.Path))) != stem {
			continue
		}
		before, after := q.old.linesOf(), q.new.linesOf()
		lost := 0
		for line, n := range before {
			if len(line) > 1 {
				lost += max(n-after[line], 0)
			}
		}
		return lost
	}
	return 0
}

// Shares of words below which a test was written anew, where product code of
// its language changed with it and where none did.
const (
	anewWithCode = 0.5
	anewAlone    = 0.25
	mostlyOld    = 0.75 // of the new words in the old test: it was cut, not written anew
	minAnew      = 6    // words of a test that was
)

// writtenAnew reports whether a test that lost assertions changed with the file
// that it is about, or has little of what it had: its assertions followed.
func (c *change) writtenAnew(o, n *test) bool {
	l := likeness(o, n)
	cut := len(n.print) < minAnew || contained(n, o) >= mostlyOld
	if !cut && (l < anewAlone || l < anewWithCode && c.productChanged(o.suite.src.lang)) {
		return true
	}
	return c.followsProduct(o.suite.src.lang) || c.subjectLines(&pair{File: File{Path: n.suite.path, OldPath: o.suite.path}}) >= minBehavior
}
