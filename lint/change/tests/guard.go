package tests

import "strings"

// guardKind is how a block keeps an assertion from failing its test.
type guardKind uint8

const (
	conditional guardKind = iota
	swallowed
)

// guard is a block around an assertion.
type guard struct {
	kind  guardKind
	at    int
	words string
	whole bool // the block ends the test, so that what follows is its other branch
}

// guards are the blocks between the start of a test and one of its tokens in
// which the token may not run, or may fail without notice. A branch whose other
// branch checks too, or that only lets a test of a table choose, is none.
func (s *suite) guards(r span, at int) []guard {
	if s.src.lang.indented() {
		return s.indentedGuards(r, at)
	}
	var found []guard
	up := int(s.src.token(at).up)
	for steps := 0; up >= r.from && steps < 32 && len(found) < 8; steps++ {
		if s.src.is(up, "{") {
			g := s.guardOf(up, r)
			if g != nil {
				found = append(found, *g)
			}
		}
		up = int(s.src.token(up).up)
	}
	if g, ok := s.swallowingTail(r, at); ok {
		found = append(found, g)
	}
	if g, ok := s.leadingGuard(r, at); ok {
		found = append(found, g)
	}
	return found
}

// leadingGuard is "if (ready) expect(…)" and "ready && expect(…)".
func (s *suite) leadingGuard(r span, at int) (guard, bool) {
	src := s.src
	p := at - 1
	if p < r.from {
		return guard{}, false
	}
	if src.is(p, "&&") && src.lang == javascript {
		return guard{kind: conditional, at: p, words: src.join(span{max(r.from, p-12), at})}, true
	}
	open := int(src.token(p).mate)
	if !src.is(p, ")") || open < r.from || open > p || !src.is(open-1, "if") || src.is(open-2, "else") {
		return guard{}, false
	}
	if st := src.statement(at, r); src.is(st.to, "else") || src.is(st.to+1, "else") {
		return guard{}, false
	}
	return guard{kind: conditional, at: open - 1, words: src.join(span{open - 1, at})}, true
}

// guardOf is the guard that the block of a brace is, nil for none.
func (s *suite) guardOf(open int, r span) *guard {
	if g, ok := s.guarded[open]; ok {
		return g
	}
	if s.guarded == nil {
		s.guarded = map[int]*guard{}
	}
	var kept *guard
	if g, ok := s.braceGuard(open, r); ok {
		kept = &g
	}
	s.guarded[open] = kept
	return kept
}

// braceGuard reads what stands before an opening brace.
func (s *suite) braceGuard(open int, r span) (guard, bool) {
	src := s.src
	from := open - 1
	r.from = max(r.from, open-maxStatement)
	for from > r.from {
		v := src.at(from)
		if closes(v) && v != "}" && src.token(from).mate >= 0 {
			from = int(src.token(from).mate)
		} else if v == ";" && (src.lang != golang || !s.headed(from, r, open)) || v == "{" || v == "}" {
			from++
			break
		}
		if v == "if" || v == "try" || v == "for" || v == "while" || v == "else" || v == "match" {
			break
		}
		from--
	}
	from = max(from, r.from)
	switch src.at(from) {
	case "if":
		end := src.close(open)
		if src.is(end+1, "else") || src.is(from-1, "else") {
			return guard{}, false
		}
		return guard{conditional, from, src.join(span{from, min(open, from+30)}), src.leaves(end)}, true
	case "try":
		return s.tryGuard(from, open)
	}
	return guard{}, false
}

// leaves reports whether the block that ends here ends with a bare return, so
// that what follows is its other branch.
func (s *source) leaves(end int) bool {
	if s.is(end-1, ";") {
		end--
	}
	return s.is(end-1, "return") || s.is(end-1, "continue")
}

// leavesIndented is leaves for an indented block that begins at i.
func (s *source) leavesIndented(i int) bool {
	end := s.block(i).to
	if s.lang == ruby {
		end--
	}
	return s.is(end-1, "return") || s.is(end-1, "continue") || s.is(end-1, "next")
}

// headed reports whether a semicolon stands in the head of an if: Go's
// "if v, ok := m[k]; ok {".
func (s *suite) headed(i int, r span, open int) bool {
	for j := i - 1; j >= r.from && s.src.line(j) == s.src.line(open); j-- {
		if s.src.is(j, "if") || s.src.is(j, "for") || s.src.is(j, "switch") {
			return true
		}
	}
	return false
}

// tryGuard looks into the catch blocks: one that fails, throws or asserts lets
// the failure through.
func (s *suite) tryGuard(from, open int) (guard, bool) {
	src := s.src
	end := src.close(open)
	if !src.is(end+1, "catch") {
		return guard{}, false
	}
	for src.is(end+1, "catch") {
		body := end + 2
		if src.is(body, "(") {
			if wanted := src.join(span{body + 1, max(src.close(body), body+1)}); !broad(wanted, src.lang) {
				return guard{}, false
			}
			body = src.close(body) + 1
		}
		if !src.is(body, "{") || src.close(body) < 0 {
			return guard{}, false
		}
		if s.reports(span{body + 1, src.close(body)}) {
			return guard{}, false
		}
		end = src.close(body)
	}
	return guard{kind: swallowed, at: from, words: "try … catch"}, true
}

// broad reports whether what a catch names takes a failed assertion: in Java
// an AssertionError is no Exception.
func broad(wanted string, lang language) bool {
	if lang != java && lang != kotlin {
		return true
	}
	return strings.Contains(wanted, "Throwable") || strings.Contains(wanted, "AssertionError") || strings.Contains(wanted, "Error ")
}

// reports reports whether a block makes its test fail or checks what it caught.
func (s *suite) reports(r span) bool {
	for i := r.from; i < r.to; i++ {
		if !s.src.isWord(i) {
			continue
		}
		switch w := s.src.at(i); {
		case w == "throw" || w == "raise" || w == "fail" || w == "Fail" || w == "reject" || w == "done" || w == "panic" || w == "expect" || w == "should" || w == "skip":
			return true
		case s.src.is(i+1, "true") || s.src.is(i+2, "true") && s.src.is(i+1, "("): // as good as nothing
		case strings.HasPrefix(strings.ToLower(w), "assert") || strings.HasPrefix(w, "flunk") || checkName(w):
			return true
		}
	}
	return false
}

// swallowingTail is expect(…).catch(() => {}).
func (s *suite) swallowingTail(r span, at int) (guard, bool) {
	if s.src.lang != javascript {
		return guard{}, false
	}
	st := s.src.statement(at, r)
	for i := at; i < st.to; i++ {
		if s.src.is(i, "catch") && s.src.is(i-1, ".") && s.src.is(i+1, "(") && s.src.close(i+1) > 0 {
			if body := (span{i + 2, s.src.close(i + 1)}); !s.reports(body) && body.len() > 0 {
				return guard{kind: swallowed, at: i, words: ".catch"}, true
			}
		}
	}
	return guard{}, false
}

// indentedGuards walks outwards over the lines that are indented less.
func (s *suite) indentedGuards(r span, at int) []guard {
	src := s.src
	var found []guard
	if src.lang == ruby {
		st := src.statement(at, r)
		if m := s.modifier(span{at, st.to}); m < st.to {
			found = append(found, guard{kind: conditional, at: m, words: src.join(span{m, min(st.to, m+20)})})
		}
	}
	first := at
	for first > max(r.from, at-maxStatement) && !src.token(first).first {
		first--
	}
	col := src.token(first).col
	for i := first - 1; i >= max(r.from, first-maxStatement) && len(found) < 8; i-- {
		if m := int(src.token(i).mate); closes(src.at(i)) && m >= r.from && m < i {
			i = m
		}
		if !src.token(i).first || src.token(i).col >= col {
			continue
		}
		col = src.token(i).col
		switch src.at(i) {
		case "if", "unless":
			if !s.otherBranch(i) {
				found = append(found, guard{kind: conditional, at: i, words: src.join(src.headLine(i)), whole: src.leavesIndented(i)})
			}
		case "try", "begin":
			if s.swallows(i) {
				found = append(found, guard{kind: swallowed, at: i, words: src.at(i)})
			}
		case "with":
			if line := src.join(src.headLine(i)); strings.Contains(line, "suppress (") {
				found = append(found, guard{kind: swallowed, at: i, words: line})
			}
		}
	}
	return found
}

// headLine is the rest of the line that begins at i.
func (s *source) headLine(i int) span {
	end := i + 1
	for end < len(s.tokens) && !s.token(end).first && end < i+30 {
		end++
	}
	return span{i, end}
}

// otherBranch reports whether an if has an else.
func (s *suite) otherBranch(i int) bool {
	src := s.src
	end := src.block(i).to
	if src.lang == ruby {
		for j := i + 1; j < end; j++ {
			if src.token(j).first && src.token(j).col == src.token(i).col && (src.is(j, "else") || src.is(j, "elsif")) {
				return true
			}
		}
		return false
	}
	return src.is(end, "else") || src.is(end, "elif")
}

// swallows reports whether a handler takes any failure without saying so.
func (s *suite) swallows(i int) bool {
	src := s.src
	col := src.token(i).col
	end := src.block(i).to
	if src.lang == ruby {
		for j := i + 1; j < end; j++ {
			if src.token(j).first && src.token(j).col == col && src.is(j, "rescue") {
				head := src.join(src.headLine(j))
				return (head == "rescue" || strings.Contains(head, "Exception") || strings.Contains(head, "Minitest :: Assertion")) && !s.reports(span{j + 1, end})
			}
		}
		return false
	}
	for src.is(end, "except") && src.token(end).col == col {
		head := src.join(src.headLine(end))
		body := src.block(end)
		inside := span{src.headLine(end).to, body.to}
		if (head == "except :" || strings.Contains(head, "Exception") || strings.Contains(head, "AssertionError")) && (!s.reports(inside) || s.raisesSometimes(inside)) {
			return true
		}
		end = body.to
	}
	return false
}

// raisesSometimes reports whether a handler raises under a condition alone and
// checks nothing itself.
func (s *suite) raisesSometimes(r span) bool {
	src, under := s.src, false
	for i := r.from; i < r.to; i++ {
		switch w := src.at(i); {
		case w == "if" && src.token(i).first && src.token(i).col == src.token(r.from).col:
			under = under || !s.otherBranch(i)
		case w == "raise":
			if src.token(i).col == src.token(r.from).col {
				return false
			}
		case src.isWord(i) && (w == "fail" || w == "skip" || w == "xfail" || strings.HasPrefix(w, "assert") || checkName(w)):
			return false
		}
	}
	return under
}
