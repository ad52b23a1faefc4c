package tests

// declaresSkipped reports whether a call such as test.skip, whose bracket is at
// open, declares a test without a title: its first argument is a function with a
// body of statements. A condition that a runner asks for takes what the run
// offers apart, or is one expression: test.skip(({ browserName }) => …, "why").
func (s *source) declaresSkipped(open int) bool {
	args := s.arguments(open)
	if len(args) == 0 || !s.isFunction(args[0]) {
		return false
	}
	first := args[0]
	if s.is(first.from, "async") {
		first.from++
	}
	if s.is(first.from, "(") && (s.is(first.from+1, "{") || s.is(first.from+1, ")")) {
		return false
	}
	return s.is(first.to-1, "}") && (s.is(first.from, "function") || s.isWord(first.from) || s.is(first.from, "("))
}
