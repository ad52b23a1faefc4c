package tests

import (
	"path"
	"strings"
)

// leftSubject reports whether a lost test calls what the file that its own file
// is about had and has no more: the method went elsewhere.
func (c *change) leftSubject(p *pair, t *test) bool {
	stem := loose(subjectStem(p.oldPath()))
	for _, q := range c.files {
		if q == p || q.test || q.old == nil || q.new == nil || loose(fileStem(q.Path)) != stem {
			continue
		}
		before, after := q.old.src.count(), q.new.src.count()
		src := t.suite.src
		for i := t.body.from; i < t.body.to; i++ {
			w := src.at(i)
			if src.isWord(i) && len(w) > 5 && src.is(i-1, ".") && src.is(i+1, "(") && before[w] > 0 && after[w] == 0 {
				return true
			}
		}
	}
	return false
}

// moduleGone reports whether the name of a lost test has that of a module of
// two words or more whose file is deleted.
func (c *change) moduleGone(t *test) bool {
	for _, q := range c.files {
		stem := fileStem(q.Path)
		if !q.test && q.New == nil && q.Old != nil && languageOf(q.oldPath()) == t.suite.src.lang && strings.Contains(stem, "_") && strings.Contains("_"+t.name+"_", "_"+stem+"_") {
			return true
		}
	}
	return false
}

// fileStem is the name of a file without what says its kind.
func fileStem(name string) string {
	return strings.TrimSuffix(path.Base(name), path.Ext(name))
}

// leftMember reports whether a range of a test calls or reads a member that the
// file which the test's own is about had and has no more.
func (c *change) leftMember(t *test, r span) bool {
	stem, src := loose(subjectStem(t.suite.path)), t.suite.src
	for _, q := range c.files {
		if q.test || q.old == nil || q.new == nil || loose(fileStem(q.Path)) != stem {
			continue
		}
		before, after := q.old.src.count(), q.new.src.count()
		for i := r.from; i < r.to; i++ {
			if w := src.at(i); src.isWord(i) && len(w) > 5 && src.is(i-1, ".") && before[w] > 0 && after[w] == 0 {
				return true
			}
		}
	}
	return false
}
