package tests

import (
	"fmt"
	"regexp"
	"strings"
)

// Calls that say how often something has to come at least, or at most.
var (
	atLeastForm = regexp.MustCompile(`(^| )(atLeast|at_least|MinTimes|AtLeast|by_at_least|minTimes|Received) (?:\(|=) ([0-9]*)`)
	atMostForm  = regexp.MustCompile(`(^| )(atMost|at_most|MaxTimes|AtMost|by_at_most|maxTimes) (?:\(|=) ([0-9]+)`)
)

// oftener reports a call that may come less often than before, or more often.
func oftener(o, n *assertion) string {
	for _, form := range []*regexp.Regexp{atLeastForm, atMostForm} {
		a, b := form.FindStringSubmatch(o.text), form.FindStringSubmatch(n.text)
		if a == nil || b == nil || a[2] != b[2] || a[3] == "" || alike(o.text, n.text) < 0.5 {
			continue
		}
		from, ok := plainNumber(a[3])
		to, also := plainNumber(b[3])
		if b[3] == "" {
			return fmt.Sprintf("%q does not say how often", b[2])
		}
		if ok && also && (form == atLeastForm && to < from && b[2] != "Received" || form == atMostForm && to > from) {
			return fmt.Sprintf("%s goes from %s to %s", b[2], figure(from), figure(to))
		}
	}
	return ""
}

// lesserForms are matchers with those of the same value that ask for less.
var lesserForms = map[string]string{
	"isExactlyInstanceOf": " isInstanceOf ", "ThrowExactly": " Throw ", "ThrowExactlyAsync": " ThrowAsync ", "ThrowsExactly": " Throws ThrowsAny ", "assertThrowsExactly": " assertThrows ",
	"containsOnly": " contains containsAnyOf containsAll ", "containsExactlyElementsOf": " containsAll containsExactlyInAnyOrderElementsOf containsAnyElementsOf ", "containsExactly": " containsOnly ",
	"Equal": " Equivalent EqualExportedValues ", "MatchError": " HaveOccurred ", "AssertNumberOfCalls": " AssertCalled ",
	"assert_has_calls": " assert_any_call ", "toHaveBeenNthCalledWith": " toHaveBeenCalledWith toBeCalledWith ", "toHaveBeenLastCalledWith": " toHaveBeenCalledWith toBeCalledWith ",
	"hasMessage": " hasMessageContaining hasMessageStartingWith hasMessageEndingWith hasMessageMatching hasMessageFindingMatch ", "EqualError": " ErrorContains ", "verifyOrder": " verify ", "verifySequence": " verify verifyOrder ", "verifyAll": " verify ",
}

// lesserForm reports a matcher in place of one that asks for more.
func lesserForm(o, n *assertion) string {
	if o.negated != n.negated || alike(o.text, n.text) < 0.3 {
		return ""
	}
	before, after := strings.Fields(o.text), strings.Fields(n.text)
	for _, w := range before {
		for lesser := range strings.FieldsSeq(lesserForms[w]) {
			if called(before, w) && called(after, lesser) && !called(before, lesser) && !called(after, w) {
				return fmt.Sprintf("%q asks for less than %q", lesser, w)
			}
		}
	}
	if called(before, "WithStrictOrdering") && !called(after, "WithStrictOrdering") && n.name == o.name {
		return "the order does not count any more"
	}
	return ""
}

// typeless reports an error of which the kind was asked for, and now any will
// do.
func typeless(o, n *assertion) string {
	switch {
	case strings.Contains(o.text, "errors . Is (") || strings.Contains(o.text, "errors . As ("):
		if n.level == presence && n.expected == "nil" && n.name == "if" && holds(o.text, n.subject) {
			return "any error will do"
		}
	case o.raises != nil && n.raises == nil && !o.negated && (*o.raises != "" || o.detail != ""):
		switch n.name {
		case "NotNil", "toBeDefined", "toBeTruthy", "assertNotNull", "NotNull":
			if o.subject == n.subject && o.subject != "" {
				return "any error will do"
			}
		}
	}
	subject, kind, ok := strings.Cut(o.subject, " instanceof ")
	if ok && n.subject == subject && kind != "" && truthy[n.name] && n.expected == "" && !n.negated {
		return fmt.Sprintf("it need not be a %s any more", short(kind))
	}
	return ""
}

// sorting are ways to write a list in an order of its own, or as a set.
var sorting = regexp.MustCompile(`^(?:(?:sorted|set|frozenset|Set|new Set|new HashSet < >|new TreeSet < >|new HashSet|TreeSet|HashSet) \( (.+) \)|(.+?) \. (?:sort|sorted|toSet|to_set|toSorted|toSortedSet|order|Order|OrderBy|ToHashSet)(?: \(.*\))?)$`)

// reordered reports a list that was compared in its order and now is put into
// one first.
func reordered(o, n *assertion) string {
	if o.level != exact || n.level != exact || o.negated || n.negated || o.subject == n.subject {
		return ""
	}
	m := sorting.FindStringSubmatch(n.subject)
	if m == nil || sorting.MatchString(o.subject) {
		return ""
	}
	if inside := strings.TrimSpace(m[1] + m[2]); inside == o.subject || "list ( "+inside+" )" == o.subject {
		return "the order does not count any more"
	}
	return ""
}

// oneMember reports a value that was compared whole and of which now one member
// is.
func oneMember(o, n *assertion) string {
	if o.level != exact || strength(n) != exact || o.negated || n.negated || !strings.HasPrefix(n.subject, o.subject+" [ ") || !strings.HasSuffix(n.subject, " ]") || len(o.subject) < 2 {
		return ""
	}
	if wholeLists[o.name] {
		return "of the whole list one member is compared"
	}
	if !strings.HasPrefix(o.expected, "[ ") && !strings.HasPrefix(o.expected, "{ ") || len(elements(strings.TrimSpace(o.expected[1:len(o.expected)-1]))) < 2 {
		return ""
	}
	return "of the whole value one member is compared"
}

// roomNow reports something that had to be empty and now may hold a few.
func roomNow(o, n *assertion) string {
	empty := empties[o.name] && !o.negated || o.expected == "[ ]" || o.expected == "0" && o.sizeOf || strings.HasPrefix(o.text, "assert not ") && o.level == truth
	if !empty || !n.sizeOf && !strings.Contains(n.name, "SizeLess") || direction(n) != "<" || n.expected == "1" && n.op == "<" || n.expected == "0" {
		return ""
	}
	if subject := strings.TrimPrefix(strings.TrimPrefix(o.subject, "not "), "! "); subject != n.subject {
		return ""
	}
	return fmt.Sprintf("it had to be empty and may hold up to %s", short(n.expected))
}

// onlySize reports values that were looked at one by one and now are counted.
func onlySize(o, n *assertion) string {
	if o.name == "Collection" && n.sizeOf && o.subject == n.subject {
		return "only the size is asked for"
	}
	return ""
}

// leniencies are arguments by which a comparison overlooks something.
var leniencies = regexp.MustCompile(`check_\w+ = False|check_like = True|ignore_\w+ = True|strict = False`)

// nothings are matchers of a value that is not there.
var nothings = map[string]bool{
	"toBeNull": true, "toBeUndefined": true, "null": true, "undefined": true, "assertIsNone": true, "Nil": true, "isNull": true, "assertNull": true, "nullValue": true,
	"be_nil": true, "assert_nil": true, "must_be_nil": true, "IsNull": true, "Null": true, "BeNull": true, "BeNil": true, "ShouldBeNull": true,
}

// turnedOver reports whether a value had not to be there and now has to.
func turnedOver(o, n *assertion) bool {
	if nothings[o.name] && !o.negated && o.subject == n.subject {
		return n.negated && n.name == o.name || nullOpposites.MatchString(n.name)
	}
	return strings.Contains(o.text, ". is_none ( )") && strings.ReplaceAll(o.text, ". is_none ( )", ". is_some ( )") == n.text
}

// nullOpposites are the matchers of a value that is there, whatever it is.
var nullOpposites = regexp.MustCompile(`(?i)not_?_?null|not_?nil|isnotnone|refute_nil|isNotNull`)

// lenient reports more of them than before.
func lenient(o, n *assertion) string {
	had := map[string]bool{}
	for _, form := range leniencies.FindAllString(o.text, maxTexts) {
		had[form] = true
	}
	for _, form := range leniencies.FindAllString(n.text, maxTexts) {
		if !had[form] && o.name == n.name {
			return fmt.Sprintf("%q overlooks differences", form)
		}
	}
	return ""
}

// wholeLists are matchers of all the members of a list.
var wholeLists = map[string]bool{
	"containsExactly": true, "containsExactlyElementsOf": true, "containsExactlyInAnyOrder": true, "containsOnly": true, "shouldContainExactly": true, "shouldContainExactlyInAnyOrder": true,
	"contain_exactly": true, "match_array": true, "ConsistOf": true, "ElementsMatch": true, "assertIterableEquals": true, "assertArrayEquals": true, "SequenceEqual": true, "assertListEqual": true, "assertSequenceEqual": true,
}
