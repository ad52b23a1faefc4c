package tests

// nestedChecks reports whether an assertion that only says that no error came
// holds others in a function of its own: Eventually(func(g Gomega) { … }).
func (s *suite) nestedChecks(a *assertion) bool {
	src := s.src
	depth := 0
	for i := a.at + 1; i < a.end; i++ {
		switch {
		case src.is(i, "{"):
			depth++
		case src.is(i, "}"):
			depth--
		case depth == 0 || !src.isWord(i) || !src.is(i+1, "("):
		case fluents[src.at(i)]:
			if inner, ok := s.fluent(i, span{i, a.end}); ok && !nothingRaised[inner.name] {
				return true
			}
		case checkName(src.at(i)):
			return true
		}
	}
	return false
}
