package tests

import "regexp"

// runsEach are functions that run what they are given for each value of a list,
// or with something that is there for the test.
var runsEach = regexp.MustCompile(`^(map|forEach\w*|ForEach\w*|for_each|each\w*|flatMap|every|all|times|repeat|run|Run|run[A-Z_]\w*|Run[A-Z]\w*|with[A-Z_]\w*|With[A-Z]\w*|using[A-Z]\w*|Using[A-Z]\w*|for[A-Z_]\w*|For[A-Z]\w*|each[A-Z]\w*|on_each|runTest|runBlocking\w*|test[A-Z]\w*|[a-z]+Test|fakeAsync|waitForAsync|inject|act|loop|Parallel\w*|parallel\w*|all_\w+)$`)

// eachLevel reports whether a statement stands first, before anything is
// checked, in a function that a test runs for each value: the test itself goes
// through such functions alone.
func (s *suite) eachLevel(t *test, i int) bool {
	src := s.src
	if src.lang.indented() {
		return false
	}
	open := int(src.token(i).up)
	for depth := 0; depth < 6 && open > t.body.from && src.is(open, "{"); depth++ {
		if src.close(open) >= t.body.to-1 && depth > 0 {
			return true
		}
		callee, outer := src.givenTo(open)
		if callee == "" || !runsEach.MatchString(callee) {
			return depth > 0 && src.passes(open) && s.ownLevel(t, open)
		}
		if s.ownLevel(t, outer) {
			return true
		}
		for outer = int(src.token(outer).up); outer > t.body.from && !src.is(outer, "{"); outer = int(src.token(outer).up) {
			if w := src.at(outer - 1); src.is(outer, "(") && !runsEach.MatchString(w) {
				return false
			}
		}
		if outer <= t.body.from {
			return true
		}
		open = outer
	}
	return false
}

// givenTo is the name of the function that is given the function whose body
// begins at a brace, and where it is called; "" if it is given to none.
func (s *source) givenTo(open int) (string, int) {
	at := open - 1
	switch {
	case s.lang == kotlin:
		if c := int(s.token(at).mate); s.is(at, ")") && c > 0 {
			at = c - 1
		}
		if s.isWord(at) && s.at(at) != "else" && s.at(at) != "try" {
			return s.at(at), at
		}
		return "", 0
	case s.is(at, "=>") || s.is(at, "->"):
	case s.lang == rust && (s.is(at, "|") || s.is(at, "||") || s.is(at, "move")):
	case s.lang == golang:
		if !s.closesFunc(at) {
			return "", 0
		}
	case s.lang == javascript && s.is(at, ")"):
		c := int(s.token(at).mate)
		if c <= 0 || !s.is(c-1, "function") && !s.is(c-2, "function") {
			return "", 0
		}
	default:
		return "", 0
	}
	call := int(s.token(open).up)
	if call <= 0 || !s.is(call, "(") || !s.isWord(call-1) {
		return "", 0
	}
	return s.at(call - 1), call - 1
}

// closesFunc reports whether the token before a brace ends the head of a
// function literal of Go.
func (s *source) closesFunc(at int) bool {
	for j := at; j > max(at-12, 0); j-- {
		if c := int(s.token(j).mate); s.is(j, ")") && c > 0 {
			j = c
			if s.is(j-1, "func") {
				return true
			}
			continue
		}
		if v := s.at(j); v == "{" || v == "}" || v == ";" {
			return false
		}
	}
	return false
}

// leavesEach reports whether a bare return under a condition leaves such a
// function before it checks anything.
func (s *suite) leavesEach(t *test, i int, checked []int) bool {
	src := s.src
	if !src.is(i, "return") || !src.bare(i) || len(checked) == 0 {
		return false
	}
	g := s.guards(t.body, i)
	if len(g) == 0 || g[0].kind != conditional {
		return false
	}
	at := min(g[0].at, i)
	open := int(src.token(at).up)
	if !src.is(open, "{") || src.close(open) < 0 || s.reports(span{at, i}) || !s.eachLevel(t, at) {
		return false
	}
	for _, other := range g[1:] {
		if other.at > open {
			return false
		}
	}
	after := false
	for _, c := range checked {
		if c > open && c < at {
			return false
		}
		after = after || c > i && c < src.close(open)
	}
	return after
}
