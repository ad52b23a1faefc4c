package tests

import "strings"

// macroTest keeps a test that is written as a call of a macro of the project's
// own: "clean!(name, …, |dir, cmd| { … });" at the outermost level of a test
// file, with the name first and a closure last.
func (s *suite) macroTest(i, from int, pending []span) {
	src := s.src
	if src.token(i).up >= 0 || !src.token(i).first || !isTestPath(s.path) {
		return
	}
	args := src.arguments(i + 2)
	if len(args) < 2 || args[0].len() != 1 || !src.isWord(args[0].from) {
		return
	}
	end := src.close(i + 2)
	last := end - 1
	if src.is(last, ",") {
		last--
	}
	open := int(src.token(max(last, 0)).mate)
	if !src.is(last, "}") || open < i || !src.is(open-1, "|") && !src.is(open-1, "||") {
		return
	}
	var marks []marker
	for _, r := range pending {
		for _, part := range s.attributes(r) {
			if m, ok := s.attributeMark(s.simpleName(part), part); ok {
				marks = append(marks, m)
			}
		}
	}
	if from < 0 {
		from = i
	}
	s.add(src.at(args[0].from), span{from, end + 1}, span{open + 1, last}, marks)
}

// macroChecks reports whether a macro of Rust checks something.
func macroChecks(w string) bool {
	if strings.Contains(w, "assert") || w == "snapshot" || strings.HasSuffix(w, "_snapshot") || w == "verify_that" || w == "check" || w == "ensure" {
		return true
	}
	return strings.HasPrefix(w, "expect_") && len(w) > 8
}
