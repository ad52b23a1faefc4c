package tests

import (
	"slices"
	"strings"
)

// region is a block that holds only under a condition.
type region struct {
	body span
	cond string
	at   int
}

// maxRegions bounds the conditional blocks of a file.
const maxRegions = 5000

// conditions marks the tests that stand inside of a block under a condition: a
// module that defines its tests only on some systems leaves them out on all
// others. Tests and blocks stand in the order of the file.
func (s *suite) conditions() {
	regions := s.regions()
	if len(regions) == 0 || len(s.tests) == 0 {
		return
	}
	next := 0
	var around []region
	for _, t := range s.tests {
		for next < len(regions) && regions[next].body.from <= t.whole.from {
			around = append(around, regions[next])
			next++
		}
		around = slices.DeleteFunc(around, func(r region) bool { return r.body.to <= t.whole.from })
		if n := len(around); n > maxAround {
			around = around[n-maxAround:]
		}
		for _, r := range around {
			if r.body.to >= t.whole.to {
				t.marks = append(t.marks, marker{kind: skipsIf, at: r.at, words: short(r.cond), cond: strings.TrimPrefix(r.cond, "unless "), runs: !strings.HasPrefix(r.cond, "unless")})
			}
		}
	}
}

// regions are the blocks under an if outside of tests, and what stands between
// a directive and its end in C#.
func (s *suite) regions() []region {
	var found []region
	src, next, end := s.src, 0, -1
	for i := 0; i < len(src.tokens) && len(found) < maxRegions; i++ {
		for next < len(s.tests) && s.tests[next].whole.from <= i {
			end = max(end, s.tests[next].body.to)
			next++
		}
		if i < end || !src.is(i, "if") && !src.is(i, "unless") || !src.token(i).first {
			continue
		}
		if src.lang.indented() {
			if b := src.block(i); !s.otherBranch(i) && b.len() > 1 {
				found = append(found, region{b, src.join(src.headLine(i)), i})
			}
			continue
		}
		open := src.close(i+1) + 1
		if src.lang != javascript && src.lang != kotlin || !src.is(open, "{") || src.close(open) < 0 || src.is(src.close(open)+1, "else") {
			continue
		}
		found = append(found, region{span{open, src.close(open) + 1}, src.join(span{i, min(open, i+30)}), i})
	}
	found = append(found, src.directed()...)
	found = append(found, s.wrappedRegions()...)
	slices.SortStableFunc(found, func(a, b region) int { return a.body.from - b.body.from })
	return found
}

// directive is a line for the preprocessor and the token behind it.
type directive struct {
	words string
	token int
}

// directed are the regions of #if … #endif; the branch of an #else has none,
// since most hold the same test in another form.
func (s *source) directed() []region {
	var found []region
	type open struct {
		directive
		plain bool
	}
	var stack []open
	for _, d := range s.directives {
		switch {
		case strings.HasPrefix(d.words, "if"):
			stack = append(stack, open{d, true})
		case strings.HasPrefix(d.words, "el") && len(stack) > 0:
			stack[len(stack)-1].plain = false
		case strings.HasPrefix(d.words, "endif") && len(stack) > 0:
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if o.plain && d.token > o.token && len(found) < maxRegions {
				found = append(found, region{span{o.token, d.token}, o.words, o.token})
			}
		}
	}
	return found
}

// directiveAt is the condition of the #if right above token i, "" without one.
func (s *source) directiveAt(i int) string {
	n, ok := slices.BinarySearchFunc(s.directives, i, func(d directive, i int) int { return d.token - i })
	if !ok || !strings.HasPrefix(s.directives[n].words, "if") {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(s.directives[n].words, "if"))
}
