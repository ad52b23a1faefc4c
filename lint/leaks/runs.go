package leaks

import (
	"regexp/syntax"
	"slices"
)

// leastRun is how many characters without a space every text has that an
// expression matches; 0 where that is not certain. Some keywords are so short
// that they stand in every other sentence, and this tells most of those apart.
func leastRun(expression string) int {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	// What ends a secret may be a space: a quote, a space, the end.
	if last := parts[len(parts)-1]; spaced(last) && shortest(last) <= 1 {
		parts = parts[:len(parts)-1]
	}
	if slices.ContainsFunc(parts, spaced) {
		return 0
	}
	n := 0
	for _, p := range parts {
		n += shortest(p)
	}
	return n
}

// spaces are what \s stands for.
var spaces = []rune{'\t', '\n', '\f', '\r', ' '}

// spaced reports whether a match of re may hold a space.
func spaced(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, func(r rune) bool { return slices.Contains(spaces, r) })
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if slices.ContainsFunc(spaces, func(r rune) bool { return re.Rune[i] <= r && r <= re.Rune[i+1] }) {
				return true
			}
		}
		return false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	}
	return slices.ContainsFunc(re.Sub, spaced)
}

// shortest is the least number of characters that re matches.
func shortest(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 1
	case syntax.OpCapture, syntax.OpPlus:
		n = shortest(re.Sub[0])
	case syntax.OpConcat:
		for _, s := range re.Sub {
			n += shortest(s)
		}
	case syntax.OpAlternate:
		n = shortest(re.Sub[0])
		for _, s := range re.Sub[1:] {
			n = min(n, shortest(s))
		}
	case syntax.OpRepeat:
		n = re.Min * shortest(re.Sub[0])
	default: // what may match nothing
	}
	return n
}

// longestRun is the length of the longest run in text without a space, in bytes.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '\t', '\n', '\f', '\r', ' ':
			run = 0
		default:
			if run++; run > longest {
				longest = run
			}
		}
	}
	return longest
}
