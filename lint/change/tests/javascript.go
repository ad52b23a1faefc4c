package tests

import (
	"regexp"
	"strings"
)

// scriptTests are the functions that declare a test or a group; the value says
// whether it is a group.
var scriptTests = map[string]bool{
	"it": false, "test": false, "specify": false, "xit": false, "xtest": false, "xspecify": false, "fit": false, "ftest": false, "pit": false,
	"describe": true, "context": true, "suite": true, "fdescribe": true, "xdescribe": true, "fcontext": true, "xcontext": true,
}

// javascript finds calls of a test function with a title and a function.
func (s *suite) javascript() {
	aliases := s.aliases()
	for i := 0; i < len(s.src.tokens); i++ {
		if !s.src.isWord(i) {
			continue
		}
		if alias, ok := aliases[s.src.at(i)]; ok && !s.src.is(i-1, ".") && s.src.is(i+1, "(") {
			s.scriptCall(i, i+1, alias.group, alias.marks)
			continue
		}
		if group, ok := conditionalTest(s.src.at(i)); ok && s.src.is(i+1, "(") && s.src.close(i+1) > 0 {
			open, m := i+1, marker{kind: skipsIf, at: i, words: s.src.at(i)}
			if next := s.src.close(open) + 1; s.src.is(next, "(") {
				if lower := strings.ToLower(m.words); strings.HasPrefix(lower, "if") || strings.HasSuffix(lower, "if") || strings.HasSuffix(lower, "unless") {
					m.cond, m.runs = s.src.join(span{open + 1, next - 1}), !strings.Contains(lower, "skip") && !strings.HasSuffix(lower, "unless")
				}
				open = next
			}
			s.scriptCall(i, open, group, []marker{m})
			continue
		}
		if group, ok := scriptTests[s.src.at(i)]; ok && s.scriptOwn(i) {
			s.scriptTest(i, group)
			continue
		}
		if s.ownTest(i) {
			s.scriptTest(i, false)
			continue
		}
		s.scriptHelper(i)
	}
}

// ownTestName is the name of a project's own function that declares a test.
var ownTestName = regexp.MustCompile(`^[a-z]\w*(Test|Spec)$`)

// ownTest reports whether a statement calls such a function of another file
// with a title and a function: browserTest("opens", async () => { … }).
func (s *suite) ownTest(i int) bool {
	src := s.src
	if !src.token(i).first || len(src.at(i)) > maxName || !ownTestName.MatchString(src.at(i)) || !isTestPath(s.path) {
		return false
	}
	open := i + 1
	for src.is(open, ".") && src.isWord(open+1) {
		open += 2
	}
	if args := src.arguments(open); len(args) < 2 || src.kind(args[0].from) != text || !src.isFunction(args[len(args)-1]) {
		return false
	}
	_, own := s.helpers[src.at(i)]
	return !own
}

// scriptOwn reports whether a word is called by itself: foo.test() is not, but
// Deno.test(), QUnit.test() and t.test() are.
func (s *suite) scriptOwn(i int) bool {
	if s.src.is(i-1, ".") {
		switch s.src.at(i - 2) {
		case "Deno", "QUnit", "t", "test", "vitest", "node":
			return true
		}
		return false
	}
	return !s.src.is(i-1, "function") && (!s.src.is(i+1, ":") || s.src.is(i-1, "?"))
}

// scriptTest reads test.skip.each(rows)("title", fn) and its like.
func (s *suite) scriptTest(i int, group bool) {
	src := s.src
	name := src.at(i)
	var marks []marker
	_, known := scriptTests[name]
	switch {
	case !known:
	case strings.HasPrefix(name, "x") || name == "pit":
		marks = append(marks, marker{kind: skips, at: i, words: name})
	case strings.HasPrefix(name, "f"):
		marks = append(marks, marker{kind: focuses, at: i, words: name})
	}
	if src.is(i-1, "||") || src.is(i-1, "&&") { // process.env.CI || it("…")
		m := marker{kind: skipsIf, at: i, words: src.at(i-1) + " " + name, runs: src.is(i-1, "&&")}
		if st := src.statement(i-1, span{max(0, i-40), i}); st.from < i-1 {
			m.cond = src.join(span{st.from, i - 1})
		}
		marks = append(marks, m)
	}
	j, cases := i+1, 0
	for src.is(j, ".") && src.isWord(j+1) {
		part := src.at(j + 1)
		if part == "describe" {
			group = true
		}
		if m, ok := scriptMark(part); ok {
			m.at, m.words = j+1, name+"."+part
			marks = append(marks, m)
		}
		j += 2
		if part == "each" || part == "for" || part == "skipIf" || part == "runIf" || part == "extend" || part == "if" || part == "todoIf" || part == "skipUnless" {
			if src.is(j, "<") { // type arguments
				for n := 0; n < 200 && !src.is(j, "(") && j < len(src.tokens); n++ {
					j++
				}
			}
			if c := src.close(j); c > 0 {
				cases = src.rowsIn(j)
				if n := len(marks) - 1; n >= 0 && marks[n].kind == skipsIf {
					marks[n].cond, marks[n].runs = src.join(span{j + 1, c}), part == "runIf" || part == "if" || part == "skipUnless"
				}
				j = c + 1
			} else if src.kind(j) == text {
				j++
			}
		}
	}
	if open := int(src.token(min(i, len(src.tokens)-1)).up); open >= 0 && src.is(open, "(") && !src.is(j, "(") && src.is(src.close(open)+1, "(") && src.alternatives(span{open + 1, src.close(open)}, "?") == 1 {
		// (browser ? it : it.skip)("title", …)
		if src.is(i-1, "?") {
			s.scriptCall(i, src.close(open)+1, group, []marker{{kind: skipsIf, at: i, words: short(src.join(span{open, src.close(open) + 1}))}})
		}
		return
	}
	if src.is(i-1, "?") || src.is(i-1, ":") && src.is(j, ";") {
		return
	}
	s.scriptCall(i, j, group, marks)
	if n := len(s.tests); cases > 0 && n > 0 && s.tests[n-1].whole.from == i {
		s.tests[n-1].cases = cases
	}
}

// scriptCall reads the call whose bracket is at j as a test or a group.
func (s *suite) scriptCall(i, j int, group bool, marks []marker) {
	src := s.src
	end := src.close(j)
	if !src.is(j, "(") || end < 0 {
		return
	}
	args := src.arguments(j)
	if len(args) < 2 {
		if len(args) == 1 && src.kind(args[0].from) == text && len(marks) > 0 && args[0].len() == 1 {
			s.add(titleOf(src, args[0]), span{i, end + 1}, span{end, end}, marks) // test.todo("title")
		}
		return
	}
	fn := args[len(args)-1]
	for n := len(args) - 1; n >= 1; n-- {
		if src.isFunction(args[n]) {
			fn = args[n]
			break
		}
	}
	if !src.isFunction(fn) {
		inner, ok := src.innerFunction(fn)
		if !ok || len(args) != 2 || src.kind(args[0].from) != text {
			return
		}
		if w := src.at(fn.from); wrapName(w) {
			marks = append(marks, marker{kind: skipsIf, at: fn.from, words: w, cond: w})
		}
		fn = inner
	}
	for _, a := range args[1:] {
		if src.isFunction(a) { // an earlier one may skip the test
			fn.from = a.from
			break
		}
	}
	title := titleOf(src, args[0])
	for _, a := range args[1:] {
		marks = append(marks, s.optionMarks(a)...)
	}
	if group {
		s.scopes = append(s.scopes, &scope{name: title, body: span{i, end + 1}, mark: marks})
		return
	}
	s.add(title, span{i, end + 1}, fn, marks)
}

// scriptMark is what a part of a chain such as .skip means.
func scriptMark(part string) (marker, bool) {
	switch part {
	case "skip", "todo", "fixme", "failing", "fails", "fail", "ignore":
		if strings.HasPrefix(part, "fail") {
			return marker{kind: expectsFailure}, true
		}
		return marker{kind: skips}, true
	case "skipIf", "runIf", "if", "todoIf", "skipUnless":
		return marker{kind: skipsIf}, true
	case "only":
		return marker{kind: focuses}, true
	}
	if houseMark(part) || skipCall(part) && part != "skipIf" {
		return marker{kind: skipsIf}, true
	}
	return marker{}, false
}

// titleOf is a title as written, without quotes.
func titleOf(src *source, r span) string {
	title := src.join(r)
	if r.len() == 1 && src.kind(r.from) == text && len(title) >= 2 {
		return title[1 : len(title)-1]
	}
	return title
}

// isFunction reports whether an argument is a function written in place.
func (s *source) isFunction(r span) bool {
	for i := r.from; i < min(r.to, r.from+400); i++ {
		switch v := s.at(i); {
		case v == "=>" || v == "function":
			return true
		case opens(v) && s.close(i) > 0 && s.close(i) < r.to:
			i = s.close(i)
		}
	}
	return false
}

// rowsIn counts the elements of the list that a bracket pair holds.
func (s *source) rowsIn(open int) int {
	args := s.arguments(open)
	if len(args) == 1 && s.is(args[0].from, "[") {
		return len(s.arguments(args[0].from))
	}
	return 0
}

// scriptHelper keeps the body of "function name(" and of "name = (…) => {".
func (s *suite) scriptHelper(i int) {
	src := s.src
	switch {
	case src.is(i, "function") && src.isWord(i+1):
		open := i + 2
		if src.is(open, "<") {
			for n := 0; n < 60 && !src.is(open, "("); n++ {
				open++
			}
		}
		if c := src.close(open); c > 0 {
			if at := src.next("{", c+1, 40); at > 0 && src.close(at) > 0 {
				s.helpers[src.at(i+1)] = span{at + 1, src.close(at)}
			}
		}
	case src.is(i+1, "=") && (src.is(i-1, "const") || src.is(i-1, "let") || src.is(i-1, "var")):
		if at := src.arrow(i + 2); at > 0 && src.is(at+1, "{") && src.close(at+1) > 0 {
			s.helpers[src.at(i)] = span{at + 2, src.close(at + 1)}
		}
	}
}

// arrow is where the arrow of the function that begins at i stands, or -1.
func (s *source) arrow(i int) int {
	if s.is(i, "async") {
		i++
	}
	switch {
	case s.is(i, "(") && s.close(i) > 0:
		i = s.close(i) + 1
		if s.is(i, ":") { // its type
			return s.next("=>", i, 30)
		}
	case s.isWord(i):
		i++
	}
	if s.is(i, "=>") {
		return i
	}
	return -1
}

// next is where a token stands at or behind i, within so many, or -1.
func (s *source) next(want string, i, within int) int {
	for n := range within {
		if s.is(i+n, want) {
			return i + n
		}
		if s.is(i+n, ";") {
			return -1
		}
	}
	return -1
}
