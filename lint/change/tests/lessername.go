package tests

import (
	"slices"
	"strings"
)

// exactEnds are the last words of the names of checks that want a whole value,
// lesserEnds those of checks of the same thing that want a part of it.
var (
	exactEnds  = []string{"is", "eq", "equals", "equal", "only", "exactly", "is_fixture", "equal_to", "equals_to"}
	lesserEnds = []string{"contains", "contain", "matches", "match", "starts_with", "ends_with", "includes", "include", "like", "has", "is_any", "contains_any"}
)

// lesserEnd is the name's own check of a part, if the one of these names wants a
// whole: stdout_is and stdout_contains, bodyEquals and bodyMatches, ToBe and
// ToContain. What both begin with says what they look at.
func lesserEnd(name, other string) bool {
	for _, any := range []string{"Any", "AnyOf", "OneOf", "Either", "any_", "any_of_", "one_of_", "either_"} {
		if at := strings.Index(other, any); at > 2 && checkName(name) && other[:at]+other[at+len(any):] == name {
			return true
		}
	}
	for _, end := range exactEnds {
		stem, ok := stemOf(name, end)
		if !ok {
			continue
		}
		for _, lesser := range lesserEnds {
			if again, ok := stemOf(other, lesser); ok && again == stem {
				return true
			}
		}
	}
	return false
}

// stemOf is a name without its last words, in either way to join them.
func stemOf(name, end string) (string, bool) {
	if stem, ok := strings.CutSuffix(name, "_"+end); ok && len(stem) > 2 {
		return stem, true
	}
	joined := ""
	for part := range strings.SplitSeq(end, "_") {
		joined += strings.ToUpper(part[:1]) + part[1:]
	}
	if stem, ok := strings.CutSuffix(name, joined); ok && len(stem) > 2 && stem != "assert" && stem != "Assert" && stem != "Should" && stem != "should" {
		return stem, true
	}
	return "", false
}

// endsLess are those of the names that ask for a part where this one asks for
// the whole.
func endsLess(name string, names map[string]int) []string {
	var list []string
	for other := range names {
		if lesserEnd(name, other) {
			list = append(list, other)
		}
	}
	slices.Sort(list)
	return list
}
