package tests

import "strings"

// optionMarks reads { skip: true, retry: 2 } beside a test's function.
func (s *suite) optionMarks(r span) []marker {
	src := s.src
	if !src.is(r.from, "{") || src.close(r.from) != r.to-1 {
		return nil
	}
	var marks []marker
	for i := r.from + 1; i+1 < r.to; i++ {
		if c := src.close(i); c > 0 {
			i = c
			continue
		}
		if src.is(i, "skip") && (src.is(i+1, ",") || src.is(i+1, "}")) && (src.is(i-1, "{") || src.is(i-1, ",")) { // { skip }
			marks = append(marks, marker{kind: skipsIf, at: i, words: "skip", cond: "skip"})
			continue
		}
		if !src.is(i+1, ":") || !src.is(i-1, "{") && !src.is(i-1, ",") || src.is(i+2, "false") || src.is(i+2, "0") {
			continue
		}
		m := marker{at: i, words: src.at(i)}
		switch src.at(i) {
		case "skip", "todo", "ignore":
			if m.kind = skips; !src.is(i+2, "true") && src.kind(i+2) != text {
				m.kind, m.cond = skipsIf, src.join(src.split(span{i + 2, r.to - 1})[0])
			}
		case "fails":
			m.kind = expectsFailure
		case "retry", "retries":
			m.kind, m.count = retries, 1
		default:
			continue
		}
		marks = append(marks, m)
	}
	return marks
}

// alias is another name for a test function.
type alias struct {
	group bool
	marks []marker
}

// aliases finds "const maybeIt = process.env.CI ? it : it.skip" and
// "const slow = test.extend(…)".
func (s *suite) aliases() map[string]alias {
	found := map[string]alias{}
	src := s.src
	for i := 1; i+2 < len(src.tokens); i++ {
		if !src.isWord(i) || !src.is(i+1, "=") || !src.is(i-1, "const") && !src.is(i-1, "let") && !src.is(i-1, "var") {
			continue
		}
		if _, known := scriptTests[src.at(i)]; known {
			if a, ok := s.shadowed(i); ok {
				found[src.at(i)] = a
			}
			continue
		}
		a, tests, skip, chosen := alias{}, 0, false, false
		for j := i + 2; j < min(i+40, len(src.tokens)) && !src.is(j, ";") && (!src.token(j).first || src.goesOn(j)); j++ {
			group, ok := scriptTests[src.at(j)]
			switch {
			case ok && !src.is(j-1, ".") && (src.is(j-1, "=") || src.is(j-1, "?") || src.is(j-1, ":")):
				a.group = group
				tests++
			case src.is(j-1, ".") && (src.is(j, "skip") || src.is(j, "todo") || src.is(j, "fails") || src.is(j, "fixme")):
				skip = true
			case src.is(j, "?"):
				chosen = true
			case src.is(j, "=>") || src.is(j, "function"):
				tests = 0
			case opens(src.at(j)) && src.close(j) > 0:
				j = src.close(j)
			}
		}
		if tests == 0 {
			continue
		}
		if skip {
			m := marker{kind: skips, at: i, words: src.at(i)}
			if chosen {
				m.kind = skipsIf
			}
			a.marks = append(a.marks, m)
		}
		found[src.at(i)] = a
	}
	return found
}

// conditionalTest reports whether a function's name says that it declares a
// test, or a group, under a condition: itIf, describeUnlessWindows, maybeTest.
func conditionalTest(w string) (group, ok bool) {
	lower := strings.ToLower(strings.ReplaceAll(w, "_", ""))
	for _, base := range []string{"it", "test", "describe"} {
		if rest, found := strings.CutPrefix(lower, base); found {
			for _, cond := range []string{"if", "unless", "skipif", "onlyif", "onlyon", "when", "skip", "flaky", "noton"} {
				if strings.HasPrefix(rest, cond) && w[len(base)] != lower[len(base)] {
					return base == "describe", true
				}
			}
		}
		if lower == "flaky"+base || lower == "quarantined"+base || lower == "unstable"+base || lower == "if"+base || lower == "maybe"+base || lower == "conditional"+base || lower == "skippable"+base {
			return base == "describe", true
		}
	}
	return false, false
}
