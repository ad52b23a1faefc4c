package tests

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// holding are matchers that want a value to hold several others; what is not
// named may be there or not.
var holding = map[string]bool{
	"toMatchObject": true, "contains": true, "containsAll": true, "include": true, "have_attributes": true, "Subset": true, "ContainElements": true, "hasItems": true,
	"containsKeys": true, "containsEntry": true, "assertDictContainsSubset": true, "HaveKeys": true, "ContainAll": true, "containsAtLeast": true, "containsAnyOf": false, "toHaveProperties": true,
	"hasAttributesSatisfying": true, "hasAttributes": true, "hasEntries": true, "allOf": true, "include_json": true, "a_hash_including": true, "shouldContainAll": true, "Contain": true, "assert_has_calls": true,
	"partialDeepStrictEqual": true, "like": true, "toIncludeAllMembers": true, "IsSubsetOf": true, "ProperSuperset": true, "Superset": true, "assertIsSubset": true, "match_unordered_json": false, "rejects": true, "throws": true,
}

// holdingPart is such a matcher inside of another.
var holdingPart = regexp.MustCompile(`(objectContaining|arrayContaining|hash_including|a_hash_including|array_including|HasEntries|has_entries|MatchKeys|MatchFields|partialMatch) \(`)

// dropped reports a value that had to be there among others and has not to any
// more.
func (c *change) dropped(o, n *assertion) string {
	if o.name != n.name || o.negated || n.negated || o.subject != n.subject && o.subject != n.expected || choiceForm.MatchString(o.text) && !holding[o.name] {
		return ""
	}
	subset := o.level == ordered && strings.HasPrefix(o.op, ">") && strings.HasPrefix(o.expected, "{ ") && o.op == n.op
	if !holding[o.name] && !holdingPart.MatchString(o.text) && !subset {
		return ""
	}
	lost, at := insertedAt(strings.Fields(n.text), strings.Fields(o.text))
	if len(lost) < 2 || !subset && !inList(strings.Fields(o.text), at) || len(lost) > maxBound || lost[0] != "," && lost[len(lost)-1] != "," {
		return ""
	}
	for _, w := range lost {
		if name := strings.Trim(w, "'\"`:"); c.vanished[name] || c.members[name] {
			return ""
		}
	}
	if slices.ContainsFunc(lost, func(w string) bool { return w == "=>" || w == "->" || w == "lambda" }) && !strings.Contains(o.name, "Satisfying") {
		return ""
	}
	return fmt.Sprintf("%s has not to be there any more", short(strings.Trim(strings.Join(lost, " "), " ,")))
}
