// Package output writes lint findings in the forms in which they leave: text
// for people, JSON for programs, SARIF for code scanning, annotations, a job
// summary and a comment for GitHub, JUnit XML and reviewdog's JSON for other
// hosts, a diff of fixes. [Write] writes a check in any of them.
//
// What a repository says (paths, values, source lines) is hostile and never
// reaches a terminal as it is: control and formatting characters are written
// as escapes. In Markdown it is code, so that it names nobody, links nowhere
// and is no markup.
package output

import (
	"fmt"
	"strings"
	"unicode"

	"steelyard/lint"
	"steelyard/rules"
)

// counts are the findings of a result by severity.
type counts struct{ errors, warnings, notes int }

func count(findings []lint.Finding) counts {
	var c counts
	for _, f := range findings {
		switch f.Severity {
		case rules.Error:
			c.errors++
		case rules.Warning:
			c.warnings++
		default:
			c.notes++
		}
	}
	return c
}

// unsafe reports whether a character could move the cursor, change colours or
// reorder what a terminal or an editor shows: controls, and the invisible
// formatting characters (bidirectional marks, zero width, tags).
func unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar
}

// plain returns text with unsafe characters, and what would begin a command to a
// runner, written as Go writes them in strings.
func plain(s string) string {
	if !strings.ContainsFunc(s, unsafe) {
		return mute(s)
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteString(visible(r))
	}
	return mute(b.String())
}

func visible(r rune) string {
	switch {
	case !unsafe(r):
		return string(r)
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
