package tests

import (
	"slices"
	"strings"
)

// kotestTests are the functions of Kotest and Spek that declare a test or a
// group; the value says whether it is a group.
var kotestTests = map[string]bool{
	"test": false, "it": false, "should": false, "expect": false, "scenario": false, "then": false, "Then": false,
	"xtest": false, "xit": false, "xshould": false, "xexpect": false, "xscenario": false, "ftest": false, "fit": false,
	"describe": true, "context": true, "given": true, "Given": true, "feature": true, "xdescribe": true, "xcontext": true, "xfeature": true, "xgiven": true, "fdescribe": true, "fcontext": true,
}

// kotest finds test("name") { … } and test("name").config(enabled = false) { … }.
func (s *suite) kotest() {
	src := s.src
	found := s.kotestSpec() && s.kotestTitles()
	for i := range src.tokens {
		group, ok := kotestTests[src.at(i)]
		if !ok || !src.isWord(i) || !src.is(i+1, "(") || src.kind(i+2) != text || !src.is(i+3, ")") || src.is(i-1, ".") {
			continue
		}
		name, open := src.at(i), i+4
		var marks []marker
		switch {
		case strings.HasPrefix(name, "x") || strings.HasPrefix(src.at(i+2), `"!`):
			marks = append(marks, marker{kind: skips, at: i, words: name})
		case name[0] == 'f' && name != "feature" || strings.HasPrefix(src.at(i+2), `"f:`):
			marks = append(marks, marker{kind: focuses, at: i, words: name})
		}
		if src.is(open, ".") && src.is(open+1, "config") && src.close(open+2) > 0 {
			marks = append(marks, s.kotestConfig(span{open + 3, src.close(open + 2)})...)
			open = src.close(open+2) + 1
		}
		if !src.is(open, "{") || src.close(open) < 0 {
			continue
		}
		title := strings.TrimPrefix(titleOf(src, span{i + 2, i + 3}), "!")
		whole := span{i, src.close(open) + 1}
		if group {
			s.scopes = append(s.scopes, &scope{name: title, body: whole, mark: marks})
		} else {
			s.add(title, whole, span{open + 1, whole.to - 1}, marks)
		}
		found = true
	}
	if found {
		slices.SortStableFunc(s.tests, func(a, b *test) int { return a.whole.from - b.whole.from })
		slices.SortStableFunc(s.scopes, func(a, b *scope) int { return a.body.from - b.body.from })
	}
}

// kotestConfig reads enabled = false, enabledIf = … and retries = 3.
func (s *suite) kotestConfig(r span) []marker {
	var marks []marker
	for i := r.from; i+2 < r.to; i++ {
		m := marker{at: i, words: s.src.at(i)}
		switch {
		case !s.src.is(i+1, "="):
			continue
		case s.src.is(i, "enabled") && s.src.is(i+2, "false"):
			m.kind = skips
		case s.src.is(i, "enabled") && !s.src.is(i+2, "true"), s.src.is(i, "enabledIf"), s.src.is(i, "enabledOrReasonIf"):
			m.kind = skipsIf
		case s.src.is(i, "retries"):
			m.kind = retries
		case s.src.is(i, "tags") && failingTag(s.src.join(span{i, r.to})):
			m.kind = skipsIf
		default:
			continue
		}
		marks = append(marks, m)
	}
	return marks
}
