package tests

// declares reports whether a word is the end of a chain that declares a test:
// describe.skipIf(…).
func (s *suite) declares(i int) bool {
	for s.src.is(i-1, ".") && s.src.isWord(i-2) {
		i -= 2
	}
	_, ok := scriptTests[s.src.at(i)]
	return ok && s.src.lang == javascript
}

// startsStatement reports whether a call begins its statement, behind the names
// of what it belongs to.
func (s *source) startsStatement(i int) bool {
	for s.is(i-1, ".") && s.isWord(i-2) {
		i -= 2
	}
	return s.token(i).first || s.is(i-1, "await") && s.token(i-1).first
}

// endsRun reports whether a file of tests ends the whole run as a good one, at
// its outermost level and under a condition: if (!ready) process.exit(0).
func (s *suite) endsRun(i int) (marker, bool) {
	src := s.src
	m := marker{kind: skipsIf, at: i, words: "exit"}
	if !src.is(i, "exit") && !src.is(i, "Exit") || !src.is(i+1, "(") || !src.is(i+2, "0") && !src.is(i+2, ")") || declaring[src.at(i-1)] {
		return m, false
	}
	switch src.lang {
	case javascript:
		up := int(src.token(i).up)
		if up >= 0 && (!src.is(up, "{") || src.token(up).up >= 0 || !src.is(up-1, ")")) {
			return m, false
		}
		if up < 0 {
			return m, src.is(i-1, ")") || src.is(i-2, ".") && src.is(i-4, ")")
		}
		return m, src.is(int(src.token(up-1).mate)-1, "if")
	case golang: // in TestMain
		g := s.guards(span{0, i}, i)
		return m, src.is(i-2, "os") && len(g) > 0 && len(s.tests) > 0
	case python:
		return m, src.is(i-2, "sys") && src.token(i).up < 0 && src.token(max(i-2, 0)).col > 0 && src.token(max(i-2, 0)).col <= 4 && len(s.tests) > 0 && len(s.guards(span{0, i}, i)) > 0
	}
	return m, false
}
