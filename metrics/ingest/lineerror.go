package ingest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// LineError is one bad line of a file. Nothing of the file was imported.
type LineError struct {
	// File is the file as it was named by the caller.
	File string
	// Line counts physical lines from 1, also after quoted line breaks.
	Line int
	// Column is the name of the column; empty where the whole line is meant.
	Column string
	// Value is the offending text, at most 80 characters of it.
	Value string
	// Problem says what is wrong, as the rest of a sentence about the value.
	Problem string
	// Cure says what to do.
	Cure string
}

// Error reads "panel.csv:4000: column time: "2024-13" is not a period; write …".
func (e *LineError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	b.WriteString(": ")
	if e.Column != "" {
		b.WriteString("column " + e.Column + ": ")
	}
	if e.Column != "" || e.Value != "" {
		b.WriteString(strconv.Quote(e.Value) + " ")
	}
	b.WriteString(e.Problem)
	if e.Cure != "" {
		b.WriteString("; " + e.Cure)
	}
	return b.String()
}

// flaw is what is wrong with one value, before it is known where it stands.
type flaw struct{ problem, cure string }

const maxShown = 80

// shown cuts text for a message: at most 80 characters, "…" for the rest.
func shown[T string | []byte](text T) string {
	n := 0
	for i := 0; i < len(text); n++ {
		if n == maxShown-1 && len(text) > i+maxRune(text[i:]) {
			return string(text[:i]) + "…"
		}
		i += maxRune(text[i:])
	}
	return string(text)
}

// maxRune is the length in bytes of the first character of text.
func maxRune[T string | []byte](text T) int {
	_, n := utf8.DecodeRuneInString(string(text[:min(len(text), utf8.UTFMax)]))
	return n
}

// list names up to 30 things for a message.
func list(names []string) string {
	const most = 30
	quoted := make([]string, 0, min(len(names), most))
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, shown(n))
	}
	out := strings.Join(quoted, ", ")
	if rest := len(names) - most; rest > 0 {
		out += " and " + strconv.Itoa(rest) + " more"
	}
	return out
}

// nearest returns the name closest to want, or "" where none is close: at most
// one letter and a third of the others differ, or it begins with want. Case, spaces, '_',
// '-' and '.' do not count. Only the first 10,000 names are looked at.
func nearest(want string, names []string) string {
	w := plain(want)
	if len(w) > maxName {
		return ""
	}
	best, at := 1, ""
	if len(w) >= 3 {
		best = len(w)/3 + 2
	}
	for _, n := range names[:min(len(names), 10_000)] {
		p := plain(n)
		if strings.HasPrefix(p, w) && best > 1 && len(w) >= 3 {
			best, at = 1, n
		}
		if p == "" || len(p) > maxName || len(p)-len(w) >= best || len(w)-len(p) >= best {
			continue
		}
		if d := distance(w, p); d < best {
			best, at = d, n
		}
	}
	return at
}

func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance is the Levenshtein distance of two short strings, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
