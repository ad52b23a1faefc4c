package tests

import "strings"

// takesCondition reads a project's own assertion of whatever counts as true,
// require_True(t, took < limit), by the comparison that it is given. One whose
// name wants the opposite is left alone.
func (a *assertion) takesCondition(s *suite, args []span) bool {
	src := s.src
	cond := args[0]
	lower := strings.ToLower(a.name)
	if len(args) > 3 || strings.Contains(lower, "false") || strings.Contains(lower, "not") || src.isFunction(cond) || src.is(cond.from, "{") || src.kind(cond.from) == text && cond.len() == 1 {
		return false
	}
	for i := cond.from; i < cond.to; i++ { // an argument by name, a type's arguments
		if c := src.close(i); c > 0 && c < cond.to {
			i = c
		} else if src.is(i, "=") || src.is(i, "=>") || src.is(i, "->") || src.is(i, "?") || src.is(i, "|") {
			return false
		}
	}
	c := src.comparison(cond)
	if c.op == "" && c.level != exact && c.level != partial || c.subject == "" || c.expected == "" {
		return false
	}
	a.level, a.subject, a.expected, a.other, a.op, a.loose, a.sizeOf = c.level, c.subject, c.expected, c.other, c.op, c.loose, c.sizeOf
	a.alts = src.alternatives(cond, "or")
	a.helper = false
	return true
}
