package tests

import (
	"fmt"
	"regexp"
	"strings"

	"steelyard/lint"
)

// furtherLimit reports a limit that moved so that more values lie within it.
func furtherLimit(o, n *assertion) string {
	if o.level != ordered || n.level != ordered || direction(o) == "" || direction(o) != direction(n) {
		return ""
	}
	if o.subject != n.subject {
		if direction(o) == ">" && sameMeasure(o, n) && slackTaken(o.expected, n.expected) {
			return fmt.Sprintf("the limit %s is taken less exactly, as %s", short(o.expected), short(n.expected))
		}
		return ""
	}
	if o.expected == n.expected && len(o.op) == 1 && n.op == o.op+"=" {
		return fmt.Sprintf("the limit %s itself will do", short(n.expected))
	}
	moved := further(o.expected, n.expected)
	if moved == 0 && o.limit != "" && n.limit != "" {
		moved = further(o.limit, n.limit)
	}
	if moved == 0 {
		moved = further(moments(o.expected), moments(n.expected))
	}
	if direction(o) == "<" && moved > 0 || direction(o) == ">" && moved < 0 {
		return fmt.Sprintf("the limit goes from %s to %s", short(o.expected), short(n.expected))
	}
	return ""
}

// laxerBeside reports a limit that another assertion of the same value, in
// another branch, now takes less exactly.
func (c *change) laxerBeside(o, n *test, pairs comparedTest) {
	for _, b := range pairs.added {
		if b.level != ordered || b.subject == "" {
			continue
		}
		for _, k := range pairs.kept {
			a := k[0]
			if a.subject != b.subject || len(k[1].guards) <= len(a.guards) && !n.suite.branched(k[1].at, n.body) || o.suite.branched(a.at, o.body) {
				continue
			}
			if why := furtherLimit(a, b); why != "" {
				c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it always was: %s", short(a.text))},
					"assertion in %q is weaker under a condition: %s", short(n.name), why)
				return
			}
		}
	}
}

// branched reports whether a place lies in a branch of a condition.
func (s *suite) branched(at int, r span) bool {
	src := s.src
	if src.lang.indented() {
		first := at
		for first > r.from && !src.token(first).first {
			first--
		}
		for i := first - 1; i > r.from && i > first-maxStatement; i-- {
			if src.token(i).first && src.token(i).col < src.token(first).col {
				return src.is(i, "if") || src.is(i, "else") || src.is(i, "elif") || src.is(i, "elsif") || src.is(i, "unless")
			}
		}
		return false
	}
	up := int(src.token(at).up)
	if up <= r.from || !src.is(up, "{") {
		return false
	}
	first := up
	for first > r.from && !src.token(first).first {
		first--
	}
	return src.is(first, "if") || src.is(up-1, "else") || src.is(first, "}") && src.is(first+1, "else")
}

// orderedNames are parts of the names of assertions that want a value on one
// side of a limit.
var orderedNames = []struct{ part, side string }{
	{"greater", ">"},
	{"above", ">"},
	{"atleast", ">"},
	{"at_least", ">"},
	{"less", "<"},
	{"below", "<"},
	{"atmost", "<"},
	{"at_most", "<"},
}

// direction is on which side of its limit an ordered assertion wants a value.
func direction(a *assertion) string {
	if a.op != "" {
		return a.op[:1]
	}
	lower := strings.ToLower(a.name)
	switch lower {
	case "least", "gt", "gte", "be.gt", "be.gte", "have.length.gte", "have.length.gt":
		return ">"
	case "most", "lt", "lte", "be.lt", "be.lte":
		return "<"
	}
	if reachName.MatchString(a.name) {
		switch {
		case strings.Contains(lower, "after"), strings.Contains(lower, "later"):
			return ">"
		case strings.Contains(lower, "before"), strings.Contains(lower, "earlier"):
			return "<"
		}
	}
	for _, n := range orderedNames {
		if strings.Contains(lower, n.part) {
			return n.side
		}
	}
	return ""
}

// sameMeasure reports whether two assertions look at one thing that is measured
// in another way: a name that the old one subtracts stands in what the new one's
// variable holds.
func sameMeasure(o, n *assertion) bool {
	if n.full == "" {
		return false
	}
	words := strings.Fields(o.subject)
	for i := 1; i < len(words); i++ {
		if words[i-1] == "-" && identifier(words[i]) && holds(n.full, "- "+words[i]) {
			return true
		}
	}
	return false
}

func identifier(w string) bool {
	return w != "" && isWordByte(w[0]) && (w[0] < '0' || w[0] > '9')
}

// spanForm is an assertion that wants a value between two.
var spanForm = regexp.MustCompile(`(?i)between|in_?range|range \(|be_?within| \. \.(=)? |\.\.`)

// widerSpan reports two ends of which one lies further out now, in assertions
// that differ in them alone.
func widerSpan(o, n *assertion) string {
	if o.subject != n.subject && !strings.Contains(n.text, "..") && !strings.Contains(n.text, ". .") || o.text == n.text || !spanForm.MatchString(n.text) {
		return ""
	}
	if why := widerArguments(o, n); why != "" {
		return why
	}
	a, from := numbersOf(o.text)
	b, to := numbersOf(n.text)
	if a != b || len(from) < 2 || len(from) != len(to) {
		return ""
	}
	low, high := len(from)-2, len(from)-1
	for i := range low {
		if from[i] != to[i] {
			return ""
		}
	}
	if to[low] < from[low] && to[high] >= from[high] || to[high] > from[high] && to[low] <= from[low] {
		return fmt.Sprintf("the range goes from %s … %s to %s … %s", figure(from[low]), figure(from[high]), figure(to[low]), figure(to[high]))
	}
	return ""
}

// spanCall is a call whose last two arguments are the ends of a range.
var spanCall = regexp.MustCompile(`(?i)(^| )(\w*between\w*|\w*in_?range) \( (.*) \)`)

// widerArguments reports such a call of which an end lies further out.
func widerArguments(o, n *assertion) string {
	a, b := spanCall.FindStringSubmatch(o.text), spanCall.FindStringSubmatch(n.text)
	if a == nil || b == nil || a[2] != b[2] {
		return ""
	}
	from, to := elements(a[3]), elements(b[3])
	if len(from) < 2 || len(from) != len(to) {
		return ""
	}
	last := len(from) - 1
	low, high := further(from[last-1], to[last-1]), further(from[last], to[last])
	if low <= 0 && high >= 0 && (low < 0 || high > 0) {
		return fmt.Sprintf("the range goes from %s … %s to %s … %s", short(from[last-1]), short(from[last]), short(to[last-1]), short(to[last]))
	}
	return ""
}

// elements cuts a text at its own commas.
func elements(text string) []string {
	var parts []string
	words, from, depth := strings.Fields(text), 0, 0
	for i := 0; i <= len(words); i++ {
		switch {
		case i == len(words) || words[i] == "," && depth == 0:
			if i > from {
				parts = append(parts, strings.Join(words[from:i], " "))
			}
			from = i + 1
		case opens(words[i]):
			depth++
		case closes(words[i]):
			depth--
		}
	}
	return parts
}

// numbersOf takes the numbers out of a text.
func numbersOf(text string) (rest string, numbers []float64) {
	var b strings.Builder
	words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, "..=", " ..= "), "..", " .. "))
	for i, w := range words {
		if v, ok := plainNumber(w); ok && len(numbers) < maxTexts {
			if i > 1 && words[i-1] == "-" && (opens(words[i-2]) || words[i-2] == ",") {
				v = -v
			}
			numbers = append(numbers, v)
			w = "#"
		}
		b.WriteString(w + " ")
	}
	return b.String(), numbers
}
