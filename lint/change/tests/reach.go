package tests

import (
	"fmt"
	"regexp"
	"strings"

	"steelyard/lint"
)

// reachName are names of matchers that want a value on one side of a limit, and
// which nobody lists whole.
var reachName = regexp.MustCompile(`^(?:is|Is|toBe|Be|be_|ShouldBe|shouldBe|to_be_)(?:Strictly|On|Not)?(?:Or)?(?:Greater|Less|After|Before|greater_than|less_than|after|before|Above|Below|AtLeast|AtMost|LaterThan|EarlierThan)\w*$`)

// slackName is the name of a value that says how far off is near enough.
var slackName = regexp.MustCompile(`(?i)toleran|slack|jitter|margin|leeway|epsilon|grace|fudge|allowance|buffer|skew|deviation|deadband|(^|_)eps$`)

// timeMethods are methods that give another time: the sign, and the unit of
// their number; without one the argument is a length of time.
var timeMethods = map[string]struct {
	sign, unit string
}{
	"Add": {"+", ""}, "Subtract": {"-", ""}, "plus": {"+", ""}, "minus": {"-", ""},
	"AddMilliseconds": {"+", "Millisecond"}, "AddSeconds": {"+", "Second"}, "AddMinutes": {"+", "Minute"}, "AddHours": {"+", "Hour"}, "AddDays": {"+", "Day"},
	"plusNanos": {"+", "Nanosecond"}, "plusMillis": {"+", "Millisecond"}, "plusSeconds": {"+", "Second"}, "plusMinutes": {"+", "Minute"}, "plusHours": {"+", "Hour"},
	"minusNanos": {"-", "Nanosecond"}, "minusMillis": {"-", "Millisecond"}, "minusSeconds": {"-", "Second"}, "minusMinutes": {"-", "Minute"}, "minusHours": {"-", "Hour"},
}

// moments writes calls of such methods as sums: start.Add(-d) as (start + (-d)).
func moments(text string) string {
	words := strings.Fields(text)
	if len(words) > maxBound {
		return text
	}
	for range 4 {
		at := -1
		for i := 1; i+2 < len(words); i++ {
			if _, ok := timeMethods[words[i+1]]; ok && words[i] == "." && words[i+2] == "(" {
				at = i
				break
			}
		}
		if at < 0 {
			break
		}
		end := bracketed(words, at+2)
		if end < 0 || end == at+3 {
			break
		}
		from := operandStart(words, at-1)
		m := timeMethods[words[at+1]]
		by := "( " + strings.Join(words[at+3:end], " ") + " )"
		if m.unit != "" {
			by = strings.Join(words[at+3:end], " ") + " * time . " + m.unit
			if words[at+3] == "-" {
				by = "( " + by + " )"
			}
		}
		sum := "( " + strings.Join(words[from:at], " ") + " " + m.sign + " " + by + " )"
		words = append(append(append([]string{}, words[:from]...), strings.Fields(sum)...), words[end+1:]...)
	}
	return strings.Join(words, " ")
}

// operandStart is where the operand begins that ends at a word: a name with
// those that it is a member of, and brackets.
func operandStart(words []string, i int) int {
	for i > 0 {
		if closes(words[i]) {
			depth := 0
			for ; i > 0; i-- {
				if closes(words[i]) {
					depth++
				} else if opens(words[i]) {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if i > 0 && identifier(words[i-1]) {
				i--
				continue
			}
			return i
		}
		if i > 1 && (words[i-1] == "." || words[i-1] == "::" || words[i-1] == "?.") {
			i -= 2
			continue
		}
		return i
	}
	return 0
}

// reached is a limit with what local variables hold put in. A plain number is
// put in only if both tests have it so, or if its name says that it is slack.
func (t *test) reached(limit string, other *test) string {
	locals, others := t.locals(), other.locals()
	for range 3 {
		words, changed := strings.Fields(limit), false
		if len(words) > maxBound {
			return limit
		}
		for i, w := range words {
			value, ok := locals[w]
			if !ok || i > 0 && (words[i-1] == "." || words[i-1] == "::") || i+1 < len(words) && (words[i+1] == "(" || words[i+1] == "[") {
				continue
			}
			if i+1 < len(words) && (words[i+1] == "." || words[i+1] == "::") {
				if i+2 >= len(words) || timeMethods[words[i+2]].sign == "" {
					continue
				}
			}
			if holds(value, w) || strings.ContainsAny(value, "{;\"'") || len(value) > 400 {
				continue
			}
			if value != others[w] && (isSum(value) && !slackName.MatchString(w) || !t.ofChecks(w)) {
				continue
			}
			words[i], changed = "( "+value+" )", true
		}
		limit = strings.Join(words, " ")
		if !changed {
			break
		}
	}
	return moments(limit)
}

// ofChecks reports whether a local variable is there for assertions alone, and
// for other variables: none of its uses hands it to the code.
func (t *test) ofChecks(name string) bool {
	uses := 0
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.is(i, name) && !t.suite.src.is(i-1, ".") {
			uses++
		}
	}
	known := 1 + mentioned(t.asserts, name)
	for _, value := range t.locals() {
		known += strings.Count(" "+value+" ", " "+name+" ")
	}
	return uses <= known
}

// limitOf is a value that is wanted on one side of a limit.
type limitOf struct{ subject, side, limit string }

// beforeForm is a question which of two times comes first.
var beforeForm = regexp.MustCompile(`^(.+?) \. (?:is|Is|is_)?(After|Before|after|before|Greater|Less|greater|less)(?:Than)?(?:OrEqual)?(?:To)? \( (.+) \)$`)

// limits are those that an assertion asks for: its own, those in the local
// variable that it wants to be true, and which of two times comes first.
func (t *test) limits(a *assertion) []limitOf {
	if a.level == ordered {
		if side := direction(a); side != "" {
			return []limitOf{{a.subject, side, a.expected}}
		}
		return nil
	}
	if a.level != truth && a.level != unknown && (a.name != "if" || a.level != presence) || a.helper {
		return nil
	}
	cond := a.subject
	if a.name == "if" {
		_, after, ok := strings.Cut(a.text, "; ")
		if cond = a.text; ok {
			cond = after
		}
	}
	opposite := a.name == "if" != (a.expected == "false" || a.expected == "False") != strings.Contains(strings.ToLower(a.name), "false") != (a.name == "refute")
	if value, ok := t.locals()[cond]; ok {
		cond = value
	}
	words := strings.Fields(cond)
	if len(words) == 0 || len(words) > 2*maxBound {
		return nil
	}
	if words[0] == "!" || words[0] == "not" {
		opposite, words = !opposite, words[1:]
	}
	var list []limitOf
	from, depth := 0, 0
	for i := 0; i <= len(words); i++ {
		if i < len(words) {
			if opens(words[i]) {
				depth++
			} else if closes(words[i]) {
				depth--
			}
			if depth != 0 || words[i] != "||" && words[i] != "&&" && words[i] != "or" && words[i] != "and" {
				continue
			}
		}
		l, ok := limitIn(words[from:i], opposite)
		if !ok {
			return nil
		}
		list = append(list, l)
		from = i + 1
	}
	return list
}

// limitIn reads one comparison.
func limitIn(words []string, opposite bool) (limitOf, bool) {
	l, depth := limitOf{}, 0
	for i, w := range words {
		if opens(w) {
			depth++
		} else if closes(w) {
			depth--
		}
		if depth == 0 && (w == "<" || w == "<=" || w == ">" || w == ">=") && i > 0 {
			l = limitOf{strings.Join(words[:i], " "), w[:1], strings.Join(words[i+1:], " ")}
			break
		}
	}
	if m := beforeForm.FindStringSubmatch(strings.Join(words, " ")); l.side == "" && m != nil {
		l = limitOf{m[1], "<", m[3]}
		if strings.EqualFold(m[2], "after") || strings.EqualFold(m[2], "greater") {
			l.side = ">"
		}
	}
	if opposite && l.side != "" {
		l.side = turnedRound(l.side)
	}
	return l, l.side != ""
}

// heldFurther says how a limit that stands behind local variables or in a
// question moved so that more values pass.
func heldFurther(o, n *test, a, b *assertion) string {
	from, to := o.limits(a), n.limits(b)
	if len(from) == 0 || len(from) != len(to) {
		return ""
	}
	why := ""
	for i, f := range from {
		t := to[i]
		if f.subject != t.subject || f.side != t.side {
			return ""
		}
		before, after := o.reached(f.limit, n), n.reached(t.limit, o)
		if before == after {
			continue
		}
		moved := further(before, after)
		if f.side == "<" && moved > 0 || f.side == ">" && moved < 0 {
			why = fmt.Sprintf("the limit goes from %s to %s", short(before), short(after))
			continue
		}
		return ""
	}
	return why
}

// reportFurther reports it.
func (c *change) reportFurther(o, n *test, a, b *assertion) bool {
	if len(o.locals()) == 0 && a.text == b.text {
		return false
	}
	why := heldFurther(o, n, a, b)
	if why == "" {
		return false
	}
	c.report("TS006", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was: %s", short(a.text))}, "assertion in %q is weaker: %s", short(n.name), why)
	return true
}
