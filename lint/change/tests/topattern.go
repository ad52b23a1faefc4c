package tests

import (
	"regexp"
	"strings"
)

// toPattern reports a text that was written out and is a pattern now that the
// text matches. Matchers that always looked for a part are left alone.
func toPattern(o, n *assertion) string {
	if o.negated != n.negated || o.partOfText() && o.name != "assert_raises_with_message" || partOfError[o.name] && o.name == n.name && !strings.Contains(o.text, "Error ( ") {
		return ""
	}
	shape, texts := plainErrors(o)
	if now, _ := plainErrors(n); shape != now || len(texts) != len(n.texts) || len(texts) == maxTexts {
		return ""
	}
	found := false
	for i, was := range texts {
		now := n.texts[i]
		switch {
		case was == now:
			continue
		case !quotedText(was) || !patternText(now) || holds(o.subject, was) || anchored(now):
			return ""
		}
		pieces, _ := patternPieces(strings.ReplaceAll(inner(now), `\`, ""))
		if !inOrder(pieces, strings.ReplaceAll(inner(was), `\`, "")) {
			return ""
		}
		found = true
	}
	if !found {
		return ""
	}
	return "a text that holds it will do where the whole was written out"
}

// partOfError are matchers of an error that look for a part of its message when
// they are given a text.
var partOfError = map[string]bool{"toThrow": true, "toThrowError": true, "throw": true, "throws": true, "rejectedWith": true, "rejects": true, "Throw": true, "isRejectedWith": true}

// newError is an error made of a message alone, as some matchers want it.
var newError = regexp.MustCompile(`new \w*(?:Error|Exception) \( " \)`)

// plainErrors is the shape of an assertion with such errors as their messages.
func plainErrors(a *assertion) (shape string, texts []string) {
	return newError.ReplaceAllString(a.shape, `"`), a.texts
}

func quotedText(v string) bool { return strings.IndexAny(v, "\"'`") == 0 && len(v) > 3 }

func patternText(v string) bool {
	return strings.HasPrefix(v, "/") && len(v) > 3 || strings.HasPrefix(v, "%r")
}

// anchored reports whether a pattern wants the whole text.
func anchored(v string) bool {
	v = strings.TrimRight(strings.Trim(v, "imsux"), "/}")
	return (strings.HasPrefix(v, "/^") || strings.HasPrefix(v, `/\A`)) && (strings.HasSuffix(v, "$") || strings.HasSuffix(v, `\z`) || strings.HasSuffix(v, `\Z`))
}

// Forms of a comparison of two whole values, and of a part of one with a part of
// another.
var (
	wholeCompare = regexp.MustCompile(`(?:DeepEqual|Equal|EqualExportedValues|equals|isEqual|deepEqual|deepEquals) \( (\w+(?: \. \w+)*) , (\w+(?: \. \w+)*)(?: \)| ,)`)
	partCompare  = regexp.MustCompile(`(?:Contains|HasPrefix|HasSuffix|contains|includes|startsWith|startswith|StartsWith|start_with\?|include\?) \(`)
)

// partsOfWhole reports two values that had to be equal, of which now a member
// and a part of a text are compared.
func partsOfWhole(o, n *assertion) string {
	m := wholeCompare.FindStringSubmatch(o.text)
	if m == nil || o.negated != n.negated || !partCompare.MatchString(n.text) || partCompare.MatchString(o.text) || wholeCompare.MatchString(n.text) {
		return ""
	}
	if len(m[1]) < 2 || len(m[2]) < 2 || !holds(n.text, m[1]) || !holds(n.text, m[2]) {
		return ""
	}
	return "a part of the value is asked for where the whole was compared"
}

// partsNow is the same for an assertion that was written anew.
func partsNow(a *assertion, pairs comparedTest) bool {
	if !wholeCompare.MatchString(a.text) {
		return false
	}
	for _, b := range pairs.added[:min(len(pairs.added), maxTexts)] {
		if partsOfWhole(a, b) != "" {
			return true
		}
	}
	return false
}
