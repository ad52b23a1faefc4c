package tests

// declaresFun reports whether a name of Kotlin is declared as a function here,
// and not called: "fun" stands before it, behind it perhaps type parameters and
// the type that the function is added to.
func (s *source) declaresFun(name int) bool {
	for i := name - 1; i >= max(name-40, 0); i-- {
		v := s.at(i)
		switch {
		case v == "fun":
			return true
		case v == ")" && s.token(i).mate >= 0:
			i = int(s.token(i).mate)
		case !s.isWord(i) && v != "." && v != "?" && v != "<" && v != ">" && v != "," && v != ":" && v != "*" && v != ">>" && v != "?.":
			return false
		case s.isWord(i) && s.isWord(i-1) && v != "out" && v != "in" && v != "reified" && !s.is(i-1, "fun") && !s.is(i-1, "in") && !s.is(i-1, "out") && !s.is(i-1, "reified"):
			return false
		}
	}
	return false
}
