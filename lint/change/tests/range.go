package tests

import (
	"fmt"
	"regexp"
	"strings"

	"steelyard/lint"
)

// between is a value that Python wants between two numbers.
var between = regexp.MustCompile(`^assert (\S+) (<=?|>=?) (.+) (<=?|>=?) (\S+)(?: , .*)?$`)

// widerRange reports a range of which one end now lies further out.
func widerRange(o, n string) string {
	a, b := between.FindStringSubmatch(o), between.FindStringSubmatch(n)
	if a == nil || b == nil || a[3] != b[3] || a[2][0] != a[4][0] || a[2][0] != b[2][0] || a[4][0] != b[4][0] {
		return ""
	}
	low, high := 1, 5
	if a[2][0] == '>' {
		low, high = 5, 1
	}
	for _, end := range []int{low, high} {
		from, ok := plainNumber(a[end])
		to, also := plainNumber(b[end])
		if ok && also && (end == low && to < from || end == high && to > from) {
			return fmt.Sprintf("an end of the range goes from %s to %s", figure(from), figure(to))
		}
	}
	return ""
}

// anyPattern reports a value that was wanted and is now one of the patterns of
// Rust that will do.
func anyPattern(o, n *assertion) string {
	_, patterns, ok := strings.Cut(n.text, "matches ! ( ")
	if !ok || o.name != "assert_eq" || !strings.Contains(patterns, " | ") {
		return ""
	}
	parts := strings.Split(o.expected, " :: ")
	if len(parts) < 2 {
		return ""
	}
	last := strings.Join(parts[len(parts)-2:], " :: ")
	if strings.Contains(" "+patterns+" ", " "+last+" ") {
		return "one of several values will do"
	}
	return ""
}

// wilderPattern reports a pattern of Rust of which a part that was written out
// may be anything now.
func wilderPattern(o, n *assertion) string {
	if !strings.Contains(o.text, "matches ! (") || !strings.Contains(n.text, "matches ! (") {
		return ""
	}
	a, b := strings.Fields(o.text), strings.Fields(n.text)
	from, end := 0, 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	was, now := strings.Join(a[from:len(a)-end], " "), strings.Join(b[from:len(b)-end], " ")
	if was != "" && (now == "_" || now == ". .") && was != "_" && was != ". ." {
		return fmt.Sprintf("anything will do for %s", short(was))
	}
	return ""
}

// equalCall is a call that compares two values whole.
var equalCall = regexp.MustCompile(`\b(DeepEquals|SequenceEqual|SetEquals|isDeepStrictEqual|array_equal) \( .* , `)

// margin is how far off is near enough, by where a test of Python runs.
var margin = regexp.MustCompile(`^(\w*(?:margin|tolerance|slack|epsilon)\w*) = ([0-9.e-]+) if (.+) else ([0-9.e-]+)$`)

// widerMargins reports a larger margin that holds in more places than before.
func (c *change) widerMargins(p *pair) {
	if p.old == nil || p.new == nil || !p.test || p.new.src.lang != python {
		return
	}
	before := map[string]listItem{} // the condition of each margin with its numbers
	for n, line := range linesOf(p.Old) {
		if m := margin.FindStringSubmatch(line); m != nil {
			before[m[1]+" "+m[2]+" "+m[4]] = listItem{m[3], n + 1}
		}
	}
	for n, line := range linesOf(p.New) {
		m := margin.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		large, _ := plainNumber(m[2])
		small, _ := plainNumber(m[4])
		old, ok := before[m[1]+" "+m[2]+" "+m[4]]
		if ok && large > small && strings.HasPrefix(m[3], old.text+" or ") {
			c.report("TS006", p.Path, n+1, []lint.Related{{Path: p.oldPath(), Line: old.line, Column: 1, Message: "it was for " + short(old.text)}}, "%s is %s in more places, for %s", m[1], m[2], short(m[3]))
		}
	}
}
