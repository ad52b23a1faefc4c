package tests

import (
	"path"
	"regexp"
	"strings"
)

// failsItself reports whether a test calls a function of its file that it did
// not call before and that ends it with a failure: a wait that panics when the
// time is over.
func (t *test) failsItself() bool {
	src, before := t.suite.src, t.mate.calledNames()
	asked := 0
	for i := t.body.from; i < t.body.to && asked < maxAsked; i++ {
		if !src.isWord(i) || !src.is(i+1, "(") || before[src.at(i)] {
			continue
		}
		body, ok := t.suite.helpers[src.at(i)]
		if !ok {
			continue
		}
		asked++
		for j := body.from; j < min(body.to, body.from+maxStatement); j++ {
			switch src.at(j) {
			case "panic", "throw", "raise", "fail", "Fail", "Fatal", "Fatalf", "flunk":
				if src.isWord(j) {
					return true
				}
			}
		}
	}
	return false
}

// calledNames are the functions that a test calls.
func (t *test) calledNames() map[string]bool {
	names := map[string]bool{}
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.isWord(i) && t.suite.src.is(i+1, "(") {
			names[t.suite.src.at(i)] = true
		}
	}
	return names
}

// otherChecks counts the calls behind a dot whose name says that they check and
// that the test did not make before: run(code).expect_value_eq(2). They are no
// known assertions, and a harness of the project's own may have them.
func (t *test) otherChecks() int {
	src, before, n := t.suite.src, t.mate.calledNames(), 0
	had := map[string]int{}
	for i := t.mate.body.from; i < t.mate.body.to; i++ {
		had[t.mate.suite.src.at(i)]++
	}
	for i := t.body.from; i < t.body.to; i++ {
		chained := src.is(i-1, ".") && (closes(src.at(i-2)) || src.lang != golang)
		if src.isWord(i) && chained && src.is(i+1, "(") && checkName(src.at(i)) && !before[src.at(i)] {
			n++
		}
		if expectedField.MatchString(src.at(i)) && src.is(i+1, ":") && had[src.at(i)] == 0 {
			n++ // a table of a harness
		}
	}
	return n
}

// expectedField is a field in which a harness's table says what is expected.
var expectedField = regexp.MustCompile(`^(Expected|Expect|ExpectedOutput|ExpectedError|Want|WantErr|expected|want|wantErr)$`)

// rootsGone reports whether the new test has nothing any more of what the lost
// assertions looked at: it was written anew for another harness.
func rootsGone(lost []*assertion, n *test) bool {
	words := map[string]bool{}
	for i := n.body.from; i < n.body.to; i++ {
		if n.suite.src.isWord(i) {
			words[n.suite.src.at(i)] = true
		}
	}
	for _, a := range lost {
		root, _, _ := strings.Cut(strings.TrimPrefix(a.subject, "! "), " ")
		if holder, rest, ok := strings.Cut(a.text, " . "); ok && !identifier(root) && identifier(holder) && strings.Contains(rest, ") . ") {
			root = holder // run(…).AssertOK()
		}
		if root == "" || words[root] {
			return false
		}
	}
	return true
}

// succeedsNow reports whether an error that was wanted is not any more, and the
// call that had to fail still stands in the test: it has to succeed.
func succeedsNow(o, n *test, a *assertion) bool {
	src := o.suite.src
	if a.raises == nil || a.setup {
		return false
	}
	call := span{a.at, a.end}
	if src.lang == python { // the block below "with pytest.raises(…):"
		first := a.at
		for first > o.body.from && !src.token(first).first {
			first--
		}
		if src.is(first, "with") {
			call = src.block(first)
			call.from = min(src.headLine(first).to, call.to)
		}
	}
	for i := call.to - 1; i > call.from; i-- {
		if !src.is(i, "(") || !src.isWord(i-1) || len(src.at(i-1)) < 3 || !src.is(i-2, ".") && !src.token(i-1).first {
			continue
		}
		holder, name := src.at(i-3), src.at(i-1)
		for j := n.body.from; j < n.body.to; j++ {
			if n.suite.src.is(j, name) && !n.wantsError(j) && n.suite.src.is(j+1, "(") && (!src.is(i-2, ".") || n.suite.src.is(j-2, holder)) {
				return true
			}
		}
		return false
	}
	return false
}

// wantsError reports whether a place lies in an assertion that wants an error.
func (t *test) wantsError(i int) bool {
	for n := range t.asserts[:min(len(t.asserts), maxPairing)] {
		if a := &t.asserts[n]; a.raises != nil && i >= a.at && i < a.end {
			return true
		}
	}
	return false
}

// duplicate reports whether the same test stands in the file still, in a group
// of the same lines as the lost one.
func duplicate(p *pair, t *test) bool {
	if p.new == nil {
		return false
	}
	if p.named == nil {
		p.named = map[string][]*test{}
		for _, n := range p.new.tests {
			p.named[n.name] = append(p.named[n.name], n)
		}
	}
	found, list := false, p.named[t.name]
	for _, n := range list[:min(len(list), candidates)] {
		found = found || t.sameBody(n)
	}
	if !found || len(t.groups) == 0 {
		return found
	}
	g, src := t.groups[len(t.groups)-1].body, t.suite.src
	if g.len() > maxPrint {
		return false
	}
	lines := p.new.linesOf()
	text := src.text[src.offset(g.from):max(src.offset(g.to), src.offset(g.from))]
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && lines[line] == 0 && !idle(line, text) {
			return false
		}
	}
	return true
}

// lazily declares a value that is made when a test asks for it.
var lazily = regexp.MustCompile(`^let\(:(\w+)\)`)

// idle reports whether a line of a group of Ruby says nothing to its tests: its
// title, or a value that none of them asks for.
func idle(line, group string) bool {
	if strings.HasPrefix(line, "describe ") || strings.HasPrefix(line, "context ") {
		return true
	}
	m := lazily.FindStringSubmatch(line)
	return m != nil && strings.Count(group, m[1]) == 1
}

// unbuilt reports whether a deleted file of Rust was no module of the crate:
// the file that has to name it is in the change and does not.
func (c *change) unbuilt(p *pair) bool {
	if p.New != nil || languageOf(p.oldPath()) != rust {
		return false
	}
	dir, base := path.Split(p.oldPath())
	stem := strings.TrimSuffix(base, ".rs")
	for _, q := range c.files {
		if q.old == nil || q.oldPath() != dir+"mod.rs" && q.oldPath() != dir+"lib.rs" && q.oldPath() != strings.TrimSuffix(dir, "/")+".rs" {
			continue
		}
		for i := range q.old.src.tokens {
			if q.old.src.is(i, "mod") && q.old.src.is(i+1, stem) {
				return false
			}
		}
		return stem != "mod" && stem != "lib"
	}
	return false
}

// choosing are questions of Ruby, scripts and others with a block of their own:
// whether one of many is so.
var choosing = regexp.MustCompile(`(^|[ .])(any\?|all\?|none\?|one\?|include\?|any|all|some|every|exists|find|detect|anyMatch|allMatch|noneMatch|Any|All|Exists|Contains|contains|includes|ContainsFunc) (\(|\{|do\b)`)

// goneKey is a key in a range that product code no longer has and that the new
// file does not have either, "" for none: a field that went with its rows.
func (c *change) goneKey(t *test, n *suite) string {
	src := t.suite.src
	if len(c.members) == 0 {
		return ""
	}
	if n.words == nil {
		n.words = n.src.count()
	}
	for i := t.whole.from; i < t.whole.to; i++ {
		if w := src.at(i); src.isWord(i) && src.is(i+1, ":") && c.members[w] && n.words[w] == 0 {
			return w
		}
	}
	return ""
}
