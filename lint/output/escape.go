package output

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// code is a text as a code span, in which Markdown reads no markup and GitHub no
// mention, reference or address.
func code(s string) string {
	s = plain(s)
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	longest, run := 0, 0
	for _, c := range s {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// bounded is a text as it is shown, cut to at most most bytes.
func bounded(s string, most int) string { return short(plain(s), most) }

// prose is a text whose words stand as they are and whose quoted values are
// code; where the words themselves could mean something to Markdown or GitHub,
// all of it is code.
func prose(s string) string {
	if s == "" {
		return ""
	}
	var b strings.Builder
	rest := s
	for {
		from := strings.IndexByte(rest, '"')
		if from < 0 {
			break
		}
		end := closing(rest, from)
		if end < 0 || !harmless(rest[:from]) || from == 0 && b.Len() > 0 { // two code spans must not touch
			return code(s)
		}
		b.WriteString(rest[:from] + code(rest[from:end+1]))
		rest = rest[end+1:]
	}
	if !harmless(rest) {
		return code(s)
	}
	return b.String() + rest
}

// closing is where the quotation that opens at from ends, -1 if it does not.
func closing(s string, from int) int {
	for i := from + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// harmless reports whether a text is only words: letters, digits and the
// punctuation that neither Markdown nor GitHub gives a meaning inside a line.
func harmless(s string) bool {
	for i, c := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		next := s[i+size:]
		switch {
		case c == ' ' || unicode.IsLetter(c) || unicode.IsDigit(c):
		case strings.ContainsRune(",;'()/%=?!…", c):
		case c == '.' || c == ':': // of an address, an emoji
			if next != "" && next[0] != ' ' {
				return false
			}
		case c == '-': // GH-1
			if next != "" && next[0] >= '0' && next[0] <= '9' {
				return false
			}
		default:
			return false
		}
	}
	return true
}
