package web

import (
	"fmt"
	"strings"
	"unicode"
)

// visible writes characters that are not seen, or that turn the order of others
// round, by their number: a name that somebody decides about must not look like
// another.
func visible(s string) string {
	hidden := func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || unicode.IsSpace(r) && r != ' ' ||
			r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u2800' // letters without ink
	}
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
