package tests

import (
	"regexp"
	"strings"
)

// partialValue is an expected value that takes all with these parts.
var partialValue = regexp.MustCompile(`^expect \. (objectContaining|arrayContaining|stringContaining|stringMatching) \(`)

// failsNow reports whether nothing was wanted and now an error is: the function
// of Rust has another result.
func failsNow(o, n *assertion) bool {
	return o.expected == "None" && strings.Contains(n.text, "is_err (")
}

// sameTruth reports whether a bare assertion of a value, which takes whatever
// counts as true, became one that the value is there.
func sameTruth(o, n *assertion) bool {
	return (o.name == "assert" || o.name == "ok") && o.level == truth && o.expected == "" && !o.negated && !strings.HasPrefix(o.subject, "!") && strength(n) == presence && strings.Trim(o.subject, "() ") == strings.Trim(n.subject, "() ")
}

// lastCall is the method that a check of a mock is about.
var lastCall = regexp.MustCompile(`\) \. (\w+) \(`)

// otherCall reports whether two checks of a mock are about other methods of it.
func otherCall(o, n *assertion) bool {
	if o.name != "verify" || n.name != "verify" {
		return false
	}
	a, b := lastCall.FindStringSubmatch(o.text), lastCall.FindStringSubmatch(n.text)
	return a != nil && b != nil && a[1] != b[1]
}

// otherMessage reports whether two assertions of an error want messages of
// which neither is a part of the other, and the errors are of other kinds.
func otherMessage(o, n *assertion) bool {
	was, now := strings.Trim(o.detail, "\"'`/"), strings.Trim(n.detail, "\"'`/")
	return was != "" && now != "" && *o.raises != *n.raises && !strings.Contains(was, now) && !strings.Contains(now, was) && lessText(o.detail, n.detail, true) == ""
}
