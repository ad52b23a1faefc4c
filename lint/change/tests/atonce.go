package tests

// leavesAtOnce reports whether a bare return is the first thing that a test
// does, always or under a condition, and something stands behind it: what the
// test checks by means that are not known is left out as well.
func (s *suite) leavesAtOnce(t *test, i int) bool {
	src := s.src
	modified := src.lang == ruby && (src.is(i+1, "if") || src.is(i+1, "unless"))
	if !src.bare(i) && !modified {
		return false
	}
	at, g := i, s.guards(t.body, i)
	switch {
	case modified || len(g) == 0:
	case len(g) == 1 && g[0].kind == conditional && g[0].at > 0:
		if at = g[0].at; at > i {
			at = i
		}
	default:
		return false
	}
	return s.first(t, at) && s.ownLevel(t, at) && src.line(t.body.to-1) > src.line(i)
}

// first reports whether a statement is the first of a test's body.
func (s *suite) first(t *test, at int) bool {
	src := s.src
	for i := at - 1; i >= t.body.from; i-- {
		switch {
		case src.is(i, "{") && src.close(i) >= t.body.to-1: // the head of an arrow function
			return true
		case src.kind(i) != text:
			return false
		}
	}
	return true
}
