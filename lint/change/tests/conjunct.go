package tests

import (
	"fmt"
	"regexp"
	"strings"
)

// fewerConditions reports an assertion that wanted several things at once and
// now wants fewer of them.
func fewerConditions(o, n *assertion) string {
	joints := []string{"&&", "and"}
	if o.name == "if" {
		joints = []string{"||", "or"} // it is what makes the test fail
	}
	if o.name != n.name || o.negated != n.negated {
		return ""
	}
	lost := inserted(strings.Fields(n.text), strings.Fields(o.text))
	if len(lost) < 3 || len(lost) > maxBound {
		return ""
	}
	for _, joint := range joints {
		if lost[0] == joint && balanced(lost[1:]) {
			return fmt.Sprintf("%s is no longer wanted", short(strings.Join(lost[1:], " ")))
		}
		if last := len(lost) - 1; lost[last] == joint && balanced(lost[:last]) {
			return fmt.Sprintf("%s is no longer wanted", short(strings.Join(lost[:last], " ")))
		}
	}
	return ""
}

// balanced reports whether every bracket of a text is closed in it.
func balanced(words []string) bool {
	depth := 0
	for _, w := range words {
		if opens(w) {
			depth++
		} else if closes(w) {
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// equalInside is a comparison with a text or a name inside of an assertion.
var equalInside = regexp.MustCompile(`(\w+(?: \. \w+)*) ={2,3} ("[^"]*"|\w+(?: \. \w+)*)`)

// partInside reports a comparison in a block of an assertion of which now only
// a part is compared.
func partInside(o, n *assertion) string {
	if o.negated != n.negated || len(o.text) > 4000 || alike(o.text, n.text) < 0.4 {
		return ""
	}
	for _, m := range equalInside.FindAllStringSubmatch(o.text, maxTexts) {
		if strings.Contains(n.text, m[1]+" == ") || strings.Contains(n.text, m[1]+" === ") {
			continue
		}
		for _, part := range []string{"startsWith", "endsWith", "includes", "contains", "Contains", "StartsWith", "starts_with", "ends_with", "startswith", "start_with?", "include?", "EndsWith"} {
			if strings.Contains(n.text, m[1]+" . "+part+" ( "+m[2]) {
				return fmt.Sprintf("%q asks for a part of the value", part)
			}
		}
	}
	return ""
}
