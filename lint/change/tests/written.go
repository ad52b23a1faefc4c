package tests

import (
	"regexp"
	"strings"
)

// maxTexts bounds the strings of an assertion that are compared.
const maxTexts = 16

// written keeps an assertion's strings apart from the rest of it, so that two
// that differ in a string alone can be told.
func (a *assertion) written(src *source) {
	var b strings.Builder
	for i := a.at; i < a.end && i < a.at+maxStatement; i++ {
		if src.is(i, ",") && closes(src.at(i+1)) {
			continue
		}
		if i > a.at && src.goesOnAsText(i) && len(a.texts) > 0 {
			a.texts[len(a.texts)-1] = joined(a.texts[len(a.texts)-1], src.at(i))
			continue
		}
		if (src.is(i, "\\") || src.is(i, "+")) && src.goesOnAsText(i+1) {
			continue
		}
		b.WriteByte(' ')
		if src.kind(i) != text {
			b.WriteString(src.at(i))
			continue
		}
		b.WriteByte('"')
		if len(a.texts) < maxTexts {
			a.texts = append(a.texts, src.at(i))
		}
	}
	a.shape = b.String()
}

// goesOnAsText reports whether the string at i goes on with the one before it:
// beside it, behind a plus or a backslash.
func (s *source) goesOnAsText(i int) bool {
	if s.kind(i) != text || i < 1 {
		return false
	}
	before := i - 1
	if s.is(before, "\\") || s.is(before, "+") {
		before--
	}
	if before < 0 || s.kind(before) != text || before == i-1 && s.lang != python && s.lang != ruby {
		return false
	}
	a, b := s.at(before), s.at(i)
	return len(a) > 1 && len(b) > 1 && strings.IndexAny(a, "\"'`") == 0 && strings.IndexAny(b, "\"'`") == 0
}

// joined is one string of two.
func joined(a, b string) string { return a[:len(a)-1] + b[1:len(b)-1] + a[:1] }

// saysLess compares two assertions that differ in their strings alone and ask
// for a part of a text, or for a pattern.
func saysLess(o, n *assertion) string {
	if o.shape != n.shape || len(o.texts) != len(n.texts) || len(o.texts) == maxTexts {
		return ""
	}
	parts := o.partOfText() && n.partOfText()
	why := ""
	for i, was := range o.texts {
		now := n.texts[i]
		if was == now {
			continue
		}
		less := lessText(was, now, parts)
		if less == "" {
			return ""
		}
		why = less
	}
	return why
}

// partOfText reports whether an assertion wants a text to hold another, or an
// error's message to.
func (a *assertion) partOfText() bool {
	lower := strings.ToLower(a.name)
	return a.raises != nil && a.detail != "" && a.name != "EqualError" && a.name != "raise_error" || a.level == partial && !a.sizeOf && a.op == "" && len(a.loose) == 0 ||
		strings.Contains(lower, "contain") || strings.Contains(lower, "match") || strings.Contains(lower, "include")
}

// lessText says how the new text lets more pass, "" if it does not: it is a
// part of the old one, or a pattern with fewer anchors or more that may be
// anything.
func lessText(was, now string, part bool) string {
	a, b := inner(was), inner(now)
	if a == b || b == "" && !part {
		return ""
	}
	pieces, wild := patternPieces(b)
	if _, before := patternPieces(a); wild > before && inOrder(pieces, a) {
		return "a part of the text that was written out may be anything now"
	}
	if !part {
		return ""
	}
	if optional.MatchString(b) && strings.Count(b, "?") > strings.Count(a, "?") && (optional.ReplaceAllString(b, "$1") == a || optional.ReplaceAllString(b, "") == a || optionalByte.ReplaceAllString(b, "$1") == a) {
		return "a part of the pattern may be left out"
	}
	if strings.Count(b, "|") > strings.Count(a, "|") && alternative(a, b) {
		return "another text will do too"
	}
	x, y := strings.TrimSuffix(strings.TrimPrefix(a, "^"), "$"), strings.TrimSuffix(strings.TrimPrefix(b, "^"), "$")
	switch {
	case x == y && len(b) < len(a):
		return "the pattern lost an anchor"
	case x == y || len(y) < len(b):
		return "" // anchored anew, or still: another value
	case strings.Contains(x, y):
		return "less of the text is asked for"
	case wild > 0 && inOrder(pieces, a) && len(b) < len(a):
		return "less of the text is asked for"
	}
	return ""
}

// Parts of a pattern that may be left out.
var (
	optional     = regexp.MustCompile(`\((?:\?:)?([^()]*)\)\?`)
	optionalByte = regexp.MustCompile(`(\\?.)\?`)
)

// alternative reports whether a pattern is another one with more to choose
// from.
func alternative(a, b string) bool {
	strip := strings.NewReplacer("(?:", "", "(", "", ")", "", "^", "", "$", "")
	for choice := range strings.SplitSeq(strip.Replace(b), "|") {
		if choice == strip.Replace(a) {
			return true
		}
	}
	open := strings.IndexByte(b, '(')
	end := strings.LastIndexByte(b, ')')
	if open < 0 || end < open || len(a) < open+len(b)-end-1 || a[:open] != b[:open] || !strings.HasSuffix(a, b[end+1:]) {
		return false
	}
	own := strings.Trim(a[open:len(a)-(len(b)-end-1)], "()")
	for choice := range strings.SplitSeq(own, "|") {
		if !strings.Contains("|"+strings.TrimPrefix(b[open+1:end], "?:")+"|", "|"+strings.TrimPrefix(choice, "?:")+"|") {
			return false
		}
	}
	return own != ""
}

// inner is a string without its quotes and prefix, or a pattern without its
// slashes and flags.
func inner(v string) string {
	from := strings.IndexAny(v, "\"'`/")
	if from < 0 || from > 3 {
		return strings.TrimPrefix(v, ":")
	}
	end := strings.LastIndexByte(v, v[from])
	if end <= from {
		return v
	}
	v = v[from+1 : end]
	return strings.Trim(v, `"'`)
}

// anything are the ways to write "whatever stands here" in patterns and in the
// expected output of command line tests.
var anything = []string{"[..]", ".*?", ".+?", ".*", ".+", `\d+`, `\w+`, `\S+`, `[^"]*`, `[^"]+`, "[^/]+", "[0-9]+", "[a-z]+"}

// patternPieces cuts a pattern at what may be anything, and counts that.
func patternPieces(v string) (pieces []string, wild int) {
	if n := strings.Count(v, "\n...\n"); n > 0 { // lines that are left out
		wild += n
		v = strings.ReplaceAll(v, "\n...\n", "\n\x00")
	}
	for _, form := range anything {
		if n := strings.Count(v, form); n > 0 {
			wild += n
			v = strings.ReplaceAll(v, form, "\x00")
		}
	}
	return strings.Split(v, "\x00"), wild
}

// inOrder reports whether all pieces stand in a text one after the other.
func inOrder(pieces []string, v string) bool {
	said := 0
	for _, piece := range pieces {
		piece = strings.TrimSuffix(strings.TrimPrefix(piece, "^"), "$")
		if piece == "" {
			continue
		}
		i := strings.Index(v, piece)
		if i < 0 {
			return false
		}
		v, said = v[i+len(piece):], said+len(piece)
	}
	return said > 0
}
