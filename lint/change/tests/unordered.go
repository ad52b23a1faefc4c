package tests

import (
	"fmt"
	"regexp"
	"strings"
)

// anyOrder are matchers of several values in whatever order.
var anyOrder = map[string]bool{
	"containsExactlyInAnyOrder": true, "containsExactlyInAnyOrderElementsOf": true, "containsInAnyOrder": true, "arrayContainingInAnyOrder": true,
	"ElementsMatch": true, "ElementsMatchf": true, "ConsistOf": true, "assertCountEqual": true, "assertItemsEqual": true, "assertSameElements": true,
	"match_array": true, "contain_exactly": true, "AreEquivalent": true, "members": true, "sameMembers": true, "sameDeepMembers": true,
	"shouldContainExactlyInAnyOrder": true, "containsExactlyEntriesInAnyOrder": true, "hasSameElementsAs": true, "assert_same_elements": true,
}

// inTheirOrder are matchers of several values one after the other.
var inTheirOrder = map[string]bool{
	"containsExactly": true, "containsExactlyElementsOf": true, "contains": true, "arrayContaining": true, "isEqualTo": true, "Equal": true, "equalTo": true, "is": true,
	"EqualValues": true, "assertEqual": true, "assertListEqual": true, "assertSequenceEqual": true, "assertEquals": true, "assertIterableEquals": true, "assertArrayEquals": true,
	"eq": true, "eql": true, "assert_equal": true, "AreEqual": true, "SequenceEqual": true, "deepEqual": true, "deepStrictEqual": true, "toEqual": true, "toStrictEqual": true,
	"shouldContainExactly": true, "shouldBe": true, "assert": true, "orderedMembers": true, "DeepEqual": true, "inOrder": true, "Exactly": true,
}

// unordered reports several values that had to come in their order and now may
// come in any.
func unordered(o, n *assertion) string {
	if count(n.text, "any_order = True") > count(o.text, "any_order = True") {
		return "the order does not count any more"
	}
	if n.name == "BeEquivalentTo" && o.name == "Equal" && related(o, n) && !n.negated {
		return "\"BeEquivalentTo\" takes the values in any order"
	}
	if !anyOrder[n.name] || !inTheirOrder[o.name] || n.negated || o.negated || !related(o, n) {
		return ""
	}
	if o.name == "contains" && n.name != "containsInAnyOrder" || o.name == "assert" && o.level != exact || len(o.expected) < 2 {
		return ""
	}
	return fmt.Sprintf("%q takes the values in any order", n.name)
}

// evening are parts of the names of functions that make unlike values alike.
var evening = regexp.MustCompile(`(?i)^(sorted|set|frozenset)$|trim|strip|lower|upper|casefold|normali[sz]|whitespace|squish|collapse|squeeze|clean|omit|except$|without|redact|scrub|sanit|drop_?(field|key|time)|remove_?(field|key|time)|ignor`)

// sameMeaning are parts of the names of those that only even out what systems
// write differently.
var sameMeaning = regexp.MustCompile(`(?i)path|slash|eol|newline|line_?(ending|feed|break)|crlf|indent|dedent`)

// evened reports an equality of which both sides now go through a function that
// takes differences away.
func evened(o, n *assertion) string {
	if o.text == n.text || o.negated != n.negated || !strings.Contains(n.text, " ( ") || len(n.text) > 2000 {
		return ""
	}
	words := strings.Fields(n.text)
	seen := map[string]int{}
	for i := 0; i+1 < len(words); i++ {
		if words[i+1] == "(" && len(words[i]) > 2 && evening.MatchString(words[i]) && !sameMeaning.MatchString(words[i]) {
			seen[words[i]]++
		}
	}
	for w, times := range seen {
		if times < 2 || count(o.text, w+" (") > 0 {
			continue
		}
		if bare := withoutCalls(words, w); alike(bare, o.text) >= 0.6 {
			return fmt.Sprintf("both sides go through %q before they are compared", w)
		}
	}
	return ""
}

// withoutCalls is a text without a function's name.
func withoutCalls(words []string, name string) string {
	var kept []string
	for _, w := range words {
		if w != name {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// redaction is what stands in a snapshot for a value of its own.
var redaction = regexp.MustCompile(`"[^"]*?\.?([A-Za-z_]\w*)" => "\[`)

// redacted reports a value of a snapshot that was written out and is replaced
// before it is compared.
func redacted(o, n *assertion) string {
	before := map[string]bool{}
	for _, m := range redaction.FindAllStringSubmatch(o.text, maxTexts) {
		before[m[1]] = true
	}
	for _, m := range redaction.FindAllStringSubmatch(n.text, maxTexts) {
		if !before[m[1]] && strings.Contains(o.text, `"`+m[1]+`":`) {
			return fmt.Sprintf("%q is replaced before it is compared", m[1])
		}
	}
	return ""
}
