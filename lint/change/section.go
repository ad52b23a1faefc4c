package change

import (
	"regexp"
	"strings"
	"unicode"
)

// section is one part of a pull request's text.
type section struct {
	boxes, ticked int
	// words are the lines with something in them, boxes and headings aside.
	words []string
	line  int // of the heading, from 1
}

var (
	headingForm = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	boxForm     = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]`)
	fenceForm   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
)

// maxComments bounds how often the end of a comment is looked for.
const maxComments = 10_000

// withoutComments blanks what is hidden in HTML comments; line breaks stay.
func withoutComments(text string) string {
	var b strings.Builder
	for range maxComments {
		before, rest, found := strings.Cut(text, "<!--")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		hidden, after, closed := strings.Cut(rest, "-->")
		b.WriteString(strings.Repeat("\n", strings.Count(hidden, "\n")))
		if !closed {
			return b.String()
		}
		text = after
	}
	return b.String()
}

// findSection returns the section under a heading, to the next heading of its
// level or above. ok is false where there is no such heading.
func findSection(text, heading string) (s section, ok bool) {
	text = withoutComments(strings.ReplaceAll(text, "\r\n", "\n"))
	level, fence, number := 0, "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		if m := fenceForm.FindStringSubmatch(line); m != nil {
			switch {
			case fence == "":
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence):
				fence = ""
			}
			continue
		}
		if m := headingForm.FindStringSubmatch(line); m != nil && fence == "" {
			switch {
			case !ok && sameHeading(m[2], heading):
				ok, level, s.line = true, len(m[1]), number
			case ok && len(m[1]) <= level:
				return s, true
			}
			continue
		}
		if ok {
			s.add(line)
		}
	}
	return s, ok
}

func (s *section) add(line string) {
	if m := boxForm.FindStringSubmatch(line); m != nil {
		s.boxes++
		if m[1] != " " {
			s.ticked++
		}
		return
	}
	if line = strings.TrimSpace(line); line != "" && strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		s.words = append(s.words, line)
	}
}

// sameHeading compares headings by their letters and digits alone, so that an
// emoji or a colon more does not matter.
func sameHeading(a, b string) bool {
	return strings.EqualFold(letters(a), letters(b))
}

func letters(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// beyond are the words that another section does not have.
func (s section) beyond(other section) []string {
	known := map[string]bool{}
	for _, w := range other.words {
		known[w] = true
	}
	var own []string
	for _, w := range s.words {
		if !known[w] {
			own = append(own, w)
		}
	}
	return own
}
