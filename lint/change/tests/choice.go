package tests

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// choiceForm is an assertion that takes one of the values of a list.
var choiceForm = regexp.MustCompile(`[\])}] \. (includes|include\?|Contains|contains|has) \(|\b(in|of) [\[({]|(^|[ .])(either|isIn|isOneOf|BeOneOf|toBeOneOf|oneOf|be_in|be_one_of|ShouldBeOneOf|shouldBeIn|be_any_of|AnyOf|anyOf) \(|(assert_includes?|assertIn|assertContains|Contains) \(? ?(t , )?\[|assertIn \( [^,]* , [\[({]|(^| )Contains \( [^({]* , new |expect \( \[ .*(toContain|to include)|matches ! \( |AnyOf \(`)

// moreChoices reports an assertion that takes another value beside those that
// it took before.
func moreChoices(o, n *assertion) string {
	if o.negated || n.negated || o.name != n.name || !choiceForm.MatchString(o.text) || strings.Contains(n.text, "!= ") && !strings.Contains(o.text, "!= ") {
		return ""
	}
	added, at := insertedAt(strings.Fields(o.text), strings.Fields(n.text))
	if len(added) < 2 || len(added) > maxBound || !inList(strings.Fields(n.text), at) {
		return ""
	}
	for i, w := range added {
		if w == "," && (i == 0 || i == len(added)-1) && !strings.Contains(n.text, "matches !") || w == "|" {
			return fmt.Sprintf("%s will do too", short(strings.Trim(strings.Join(added, " "), " ,|")))
		}
	}
	return ""
}

// inserted are the words by which one text is longer than another that it has
// otherwise whole, nil if it has not.
func inserted(a, b []string) []string {
	words, _ := insertedAt(a, b)
	return words
}

// insertedAt also says where they begin.
func insertedAt(a, b []string) (words []string, at int) {
	if len(b) <= len(a) {
		return nil, 0
	}
	from := 0
	for from < len(a) && a[from] == b[from] {
		from++
	}
	end := 0
	for end < len(a)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	if from+end < len(a) {
		return nil, 0
	}
	to := len(b) - end
	for f, t := from, to; ; f, t = f-1, t-1 { // of "f ( a ) , f ( b )" the part that is an element with its comma
		if t > f && (joins[b[f]] && balanced(b[f+1:t]) || joins[b[t-1]] && balanced(b[f:t-1])) {
			return b[f:t], f
		}
		if f == 0 || b[f-1] != b[t-1] {
			break
		}
	}
	return b[from:to], from
}

// listCalls take a list of values as their arguments.
var listCalls = regexp.MustCompile(`^(isIn|isOneOf|BeOneOf|toBeOneOf|oneOf|be_in|be_one_of|ShouldBeOneOf|shouldBeIn|be_any_of|AnyOf|anyOf|of|asList|listOf|setOf|in|Set|Or|or|matches|Err|Ok|Some)$`)

// inList reports whether a place of a text lies in a list of values, not
// among the arguments of the assertion, of which one may be a message.
func inList(words []string, at int) bool {
	depth := 0
	for i := at - 1; i > 0; i-- {
		if closes(words[i]) {
			depth++
		} else if opens(words[i]) {
			if depth--; depth < 0 {
				return words[i] != "(" || listCalls.MatchString(words[i-1]) || holding[words[i-1]] && words[i-1] != "Subset" || !identifier(words[i-1]) || words[i-1] == "in"
			}
		}
	}
	return false
}

// joins stand between elements and conditions.
var joins = map[string]bool{",": true, "&&": true, "||": true, "and": true, "or": true, "|": true}

// anythingBut reports a list of values of which each would do, where now any
// does but one.
func anythingBut(o, n *assertion) string {
	if o.negated || !choiceForm.MatchString(o.text) || choiceForm.MatchString(n.text) {
		return ""
	}
	words := strings.Fields(n.text)
	for _, op := range []string{"!=", "!==", "isnot"} {
		i := slices.Index(words, op)
		if i < 1 || slices.Contains(strings.Fields(o.text), op) {
			continue
		}
		subject := n.subject
		if at := strings.Index(subject, " "+op+" "); at > 0 {
			subject = subject[:at]
		}
		if len(subject) > 2 && holds(o.text, subject) {
			return "anything will do but " + short(strings.Join(words[i+1:min(i+2, len(words))], " "))
		}
	}
	return ""
}

// oneOfSeveral reports whether one of several values will do where this one was
// wanted.
func oneOfSeveral(o, n *assertion) bool {
	return o.level == exact && !o.negated && !n.negated && o.expected != "" && len(o.subject) > 2 && choiceForm.MatchString(n.text) && !choiceForm.MatchString(o.text) &&
		(n.expected == o.subject || holds(n.subject, o.subject)) && holds(n.text, o.expected) && strings.Contains(n.text, " , ")
}

// manyForms are calls that want something of each of many, and those that want
// it of one.
var manyForms = []struct{ each, one string }{
	{"every", "some"},
	{"allSatisfy", "anySatisfy"},
	{"allMatch", "anyMatch"},
	{"all", "any"},
	{"all?", "any?"},
	{"All", "Any"},
	{"All", "Contains"},
	{"TrueForAll", "Exists"},
	{"OnlyContain", "Contain"},
	{"AllSatisfy", "Contain"},
	{"allOf", "anyOf"},
	{"everyItem", "hasItem"},
	{"shouldForAll", "shouldForAny"},
	{"shouldForAll", "shouldForAtLeastOne"},
	{"all", "include"},
}

// anyOfThem reports something that was wanted of each of many and now is of one.
func anyOfThem(o, n *assertion) string {
	if o.negated != n.negated || len(o.text) > 4000 || len(n.text) > 4000 {
		return ""
	}
	before, after := strings.Fields(o.text), strings.Fields(n.text)
	for _, f := range manyForms {
		if !called(before, f.each) || called(after, f.each) || !called(after, f.one) || called(before, f.one) || f.one == "include" && o.name != f.each {
			continue
		}
		if alike(o.text, n.text) >= 0.4 {
			return fmt.Sprintf("%q wants of one what was wanted of each", f.one)
		}
	}
	return ""
}

// called reports whether a text calls a function of this name.
func called(words []string, name string) bool {
	for i, w := range words {
		if w == name && (i+1 < len(words) && (words[i+1] == "(" || words[i+1] == "{" || words[i+1] == "<" || words[i+1] == "do")) && (i == 0 || words[i-1] != "new") {
			return true
		}
	}
	return false
}
