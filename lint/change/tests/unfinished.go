package tests

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// Words that begin a check and check nothing until a matcher follows, and
// matchers that check nothing unless they are called.
var (
	begins   = map[string]bool{"expect": true, "assertThat": true, "Expect": true, "Eventually": true, "Consistently": true, "expectTypeOf": true, "assertThatCode": true, "assertThatThrownBy": true}
	uncalled = regexp.MustCompile(`^(to(Be|Have|Equal|Strict|Match|Throw|Contain|Resolve)\w*|assert_(called|not_called|awaited|any|has)\w*)$`)
)

// unfinishedChecks are the places of a test where a check is begun and no
// matcher follows, or one that is not called.
func (t *test) unfinishedChecks() []int {
	var found []int
	src := t.suite.src
	for i := t.body.from; i < t.body.to && len(found) < maxLoops; i++ {
		if !src.isWord(i) {
			continue
		}
		if uncalled.MatchString(src.at(i)) && src.is(i-1, ".") && (src.lang == javascript || src.lang == python) && src.endsHere(i+1) && src.chainOfCheck(i, t.body) {
			found = append(found, i)
			continue
		}
		end := src.close(i + 1)
		if !begins[src.at(i)] || !src.is(i+1, "(") || end < 0 || end >= t.body.to || !src.startsCheck(i) || src.at(i) == "expect" && src.lang != javascript && src.lang != ruby {
			continue
		}
		if src.endsHere(end+1) && (src.lang == golang || len(src.arguments(i+1)) == 1) {
			found = append(found, i)
		}
	}
	return found
}

// startsCheck reports whether nothing takes the value of the call at i.
func (s *source) startsCheck(i int) bool {
	if s.is(i-1, ".") {
		if !s.is(i-2, "gomega") && !s.is(i-2, "g") {
			return false // a call of its own kind that is whole: assert.Eventually(t, …)
		}
		i -= 2
	}
	if s.is(i-1, "await") {
		i--
	}
	return s.token(i).first || s.is(i-1, ";") || s.is(i-1, "{")
}

// endsHere reports whether a statement ends before i.
func (s *source) endsHere(i int) bool {
	if i >= len(s.tokens) || s.is(i, ";") || s.is(i, "}") {
		return true
	}
	return s.token(i).first && !s.goesOn(i)
}

// chainOfCheck reports whether a matcher that is not called belongs to a
// statement of its own.
func (s *source) chainOfCheck(i int, within span) bool {
	st := s.statement(i, within)
	line := s.join(span{st.from, i})
	return s.lang == python && s.token(st.from).first && !strings.Contains(line, "=") && !strings.Contains(line, "assert ") || strings.HasPrefix(strings.TrimPrefix(line, "await "), "expect (")
}

// unfinished reports checks that are begun and check nothing, more often than
// before.
func (c *change) unfinished(o, n *test) {
	after := n.unfinishedChecks()
	if len(after) <= len(o.unfinishedChecks()) || len(o.asserts) == 0 {
		return
	}
	at := after[len(after)-1]
	c.report("TS013", n.suite.path, n.suite.src.line(at), []lint.Related{was(o.suite, o.head(), "the test before")}, "%q in %q is begun and checks nothing: no matcher follows", short(n.suite.src.at(at)), short(n.name))
}
