package tests

import (
	"maps"
	"slices"
	"strings"
)

// hookWords begin a block that runs around tests.
var hookWords = map[string]bool{
	"beforeEach": true, "afterEach": true, "beforeAll": true, "afterAll": true, "before": true, "after": true, "setup": true, "teardown": true, "beforeTest": true, "afterTest": true, "beforeSpec": true, "afterSpec": true,
	"BeforeEach": true, "AfterEach": true, "JustBeforeEach": true, "BeforeSuite": true, "AfterSuite": true, "BeforeAll": true, "AfterAll": true, "suiteSetup": true, "suiteTeardown": true, "around": true,
}

// maxRewritten is from how many words on a helper that has little of them left
// was written anew.
const maxRewritten = 80

// maxHooks bounds the blocks around tests that are compared in a file.
const maxHooks = 100

// hookBlocks are the bodies of the blocks of a file that run around tests, by
// their word.
func (s *suite) hookBlocks() map[string][]span {
	found := map[string][]span{}
	src := s.src
	for i, n := 0, 0; i < len(src.tokens) && n < maxHooks; i++ {
		if !src.isWord(i) || !hookWords[src.at(i)] || declaring[src.at(i-1)] || s.inLeaf(i) {
			continue
		}
		if b := s.hookBody(i); b.len() > 0 {
			found[src.at(i)] = append(found[src.at(i)], b)
			n++
		}
	}
	return found
}

// hookBody is the block behind such a word.
func (s *suite) hookBody(i int) span {
	src := s.src
	switch src.lang {
	case ruby:
		if !src.token(i).first {
			return span{}
		}
		for j := i + 1; j < min(i+8, len(src.tokens)) && !src.token(j).first; j++ {
			if src.is(j, "do") {
				return src.block(i)
			}
		}
	case kotlin:
		if c := src.close(i + 1); src.is(i+1, "{") && c > 0 {
			return span{i + 2, c}
		}
	case javascript, golang:
		end := src.close(i + 1)
		if !src.is(i+1, "(") || end < 0 || src.is(i-1, "function") || src.is(i-1, "func") {
			return span{}
		}
		for j := i + 2; j < min(end, i+30); j++ {
			if c := src.close(j); src.is(j, "{") && c > 0 && (src.is(j-1, "=>") || src.is(j-1, ")")) {
				return span{j + 1, c}
			} else if src.is(j, "(") && c > 0 {
				j = c
			}
		}
	}
	return span{}
}

// inLeaf reports whether a test that has no test inside holds a place.
func (s *suite) inLeaf(i int) bool {
	for _, t := range s.tests {
		if t.body.has(i) && len(t.nested) == 0 {
			return true
		}
	}
	return false
}

// hooked compares what the blocks around the tests of a file check, where there
// are as many as before.
func (c *change) hooked(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	before, after := p.old.hookBlocks(), p.new.hookBlocks()
	for _, word := range slices.Sorted(maps.Keys(before)) {
		if len(before[word]) != len(after[word]) {
			continue
		}
		for k, b := range before[word] {
			o, n := p.old.asTest(word, b), p.new.asTest(word, after[word][k])
			if len(o.asserts) == 0 {
				continue
			}
			link(o, n)
			for i := range o.asserts {
				c.before[o.asserts[i].text]++
			}
			for i := range n.asserts {
				c.after[n.asserts[i].text]++
			}
			c.lesserHelper(o, n)
		}
	}
}

// asTest takes a range for a test.
func (s *suite) asTest(name string, body span) *test {
	t := &test{suite: s, name: name, full: name, whole: body, body: body}
	t.asserts = s.assertions(body, func(int) bool { return true })
	t.fingerprint()
	return t
}

// lesserHelper compares a function or block that is no test and checks
// something. One that checks nothing any more has lost it only if nobody else
// in the file has taken it over.
func (c *change) lesserHelper(o, n *test) {
	if n.checks() {
		c.compareTest(o, n)
		return
	}
	if onlySetup(o) || n.callsChecks() || n.body.len() == 0 || o.body.len() > maxRewritten && likeness(o, n) < 0.5 || c.gone(o.suite.src, o.body) != "" || n.suite.allChecks() > o.suite.allChecks()-len(o.asserts) || returnsMore(o, n) {
		return
	}
	c.removed(o, n, pairAsserts(o, n))
}

// allChecks counts the assertions of the tests and helpers of a file.
func (s *suite) allChecks() int {
	n := 0
	for i := range s.src.tokens {
		w := s.src.at(i)
		if !s.src.isWord(i) || declaring[s.src.at(i-1)] {
			continue
		}
		if lower := strings.ToLower(w); strings.HasPrefix(lower, "assert") && len(lower) > 6 || w == "expect" || w == "assert" || fluents[w] || strings.HasPrefix(w, "should") || strings.HasPrefix(w, "Should") || failures[w] && s.src.lang == golang {
			n++
		}
	}
	return n
}

// returnsMore reports whether a helper now hands back what it looked at.
func returnsMore(o, n *test) bool {
	count := func(t *test) int {
		k := 0
		for i := t.body.from; i < t.body.to; i++ {
			if w := t.suite.src.at(i); w == "return" || w == "yield" || w == "throw" || w == "raise" || w == "panic" {
				k++
			}
		}
		return k
	}
	return count(n) > count(o)
}
