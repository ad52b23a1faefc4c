package tests

// outputChecks are methods of Rust's tests of command line tools that say what
// a run must print.
var outputChecks = map[string]bool{
	"with_stderr": true, "with_stdout": true, "with_stderr_data": true, "with_stdout_data": true, "with_stderr_contains": true, "with_stdout_contains": true,
	"with_stderr_does_not_contain": true, "with_stdout_does_not_contain": true, "with_stderr_unordered": true, "with_stdout_unordered": true,
	"stdout_is": true, "stderr_is": true, "stdout_only": true, "stderr_only": true, "stdout_contains": true, "stderr_contains": true, "stdout_is_fixture": true, "stderr_is_fixture": true, "stdout_is_any": true, "stdout_is_bytes": true, "stdout_only_bytes": true, "stdout_does_not_contain": true, "stderr_does_not_contain": true, "code_is": true,
	"stdout_eq": true, "stderr_eq": true, "stdout_eq_": true, "stderr_eq_": true, "stdout_matches": true, "stderr_matches": true,
}

// outputCheck reads one of them; the run before the dot is no part of it.
func (s *suite) outputCheck(i int) (assertion, bool) {
	end := s.src.close(i + 1)
	if end < 0 {
		return assertion{}, false
	}
	a := assertion{at: i, end: end + 1, name: s.src.at(i), level: unknown}
	a.expected = s.src.join(span{i + 2, end})
	a.setup = a.expected == `""` // stdout_only and no_stderr say so too
	return a, true
}

// expectedCall reads gomock's m.EXPECT().Save(5).Times(1): it sets up as much
// as it checks.
func (s *suite) expectedCall(i int, r span) (assertion, bool) {
	st := s.src.statement(i, r)
	return assertion{at: st.from, end: max(st.to, i+1), name: "EXPECT", level: unknown, setup: true, subject: s.src.join(span{st.from, i})}, true
}
