package metrics

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Invisible finds the first character of s that shows nothing, or that turns
// the order of those around it: two names that differ in one look the same, and
// a reversed one reads as another. These are format characters (bidirectional
// overrides, zero widths, soft hyphens, tags), separators of lines and fillers.
// The joiner and non-joiner between two letters or signs beyond Latin belong to
// how these are written, and are none. ok is false where there is none.
func Invisible(s string) (r rune, ok bool) {
	before := rune(0)
	for i, r := range s {
		n := utf8.RuneLen(r)
		if !unseen(r) {
			before = r
			continue
		}
		if (r == '\u200c' || r == '\u200d') && n > 0 && i+n < len(s) {
			if next, _ := utf8.DecodeRuneInString(s[i+n:]); before >= beyondLatin && next >= beyondLatin && !unseen(next) {
				continue
			}
		}
		return r, true
	}
	return 0, false
}

// beyondLatin is the first character after Latin letters and their modifiers.
const beyondLatin = 0x0300

func unseen(r rune) bool {
	return unicode.IsOneOf([]*unicode.RangeTable{
		unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
	}, r) || r == '\u2800' // a Braille pattern without dots
}

// nameInvisible is the problem of a text with an invisible character.
func nameInvisible(r rune) string {
	return fmt.Sprintf("has the invisible character U+%04X", r)
}
