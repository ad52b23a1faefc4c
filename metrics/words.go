package metrics

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// upperFirst begins a sentence with s.
func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// list joins words as a sentence does: "a", "a and b", "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// fraction names a share between 0 and 1 in words: a common fraction where it
// lies within three points of one, else how it compares with a half.
func fraction(x float64) string {
	names := []struct {
		at   float64
		name string
	}{
		{1. / 5, "a fifth"},
		{1. / 4, "a quarter"},
		{1. / 3, "a third"},
		{1. / 2, "half"},
		{2. / 3, "two thirds"},
		{3. / 4, "three quarters"},
	}
	best := -1
	for i, n := range names {
		if d := math.Abs(x - n.at); d <= 0.03 && (best < 0 || d < math.Abs(x-names[best].at)) {
			best = i
		}
	}
	switch {
	case best >= 0:
		return names[best].name
	case x < 0.15:
		return "a little"
	case x < 0.5:
		return "less than half"
	case x < 0.85:
		return "more than half"
	}
	return "nearly all"
}

// lowerFirst continues a sentence with s.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// lowerTitle is an outcome's title inside a sentence: an abbreviation keeps its
// capitals.
func lowerTitle(title string) string {
	if len(title) > 1 && unicode.IsUpper(rune(title[1])) {
		return title
	}
	return lowerFirst(title)
}

// trimStop takes a final full stop away.
func trimStop(s string) string { return strings.TrimSuffix(s, ".") }

// magnitude takes the sign of a written change away: "−33 %" is "33 %".
func magnitude(s string) string { return strings.TrimLeft(s, "+"+minus) }

// asPercent is 100·(exp(b) − 1).
func asPercent(b float64) float64 { return 100 * math.Expm1(b) }

// inSentence is a label inside a sentence: "The pilot team" loses its capital,
// a name ("Payments", "Team Blue") keeps it.
func inSentence(label string) string {
	_, rest, found := strings.Cut(label, " ")
	next, _ := utf8.DecodeRuneInString(rest)
	if found && unicode.IsLower(next) {
		return lowerFirst(label)
	}
	return label
}
