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

// fraction names a share in words where it lies within three points of a
// common fraction, else in percent: "half", "a third", "42 %".
func fraction(x float64) string {
	names := []struct {
		at   float64
		name string
	}{
		{1. / 10, "a tenth"},
		{1. / 5, "a fifth"},
		{1. / 4, "a quarter"},
		{1. / 3, "a third"},
		{1. / 2, "half"},
		{2. / 3, "two thirds"},
		{3. / 4, "three quarters"},
		{9. / 10, "nine tenths"},
		{1, "all"},
	}
	best := -1
	for i, n := range names {
		if d := math.Abs(x - n.at); d <= 0.03 && (best < 0 || d < math.Abs(x-names[best].at)) {
			best = i
		}
	}
	if best >= 0 {
		return names[best].name
	}
	return fixed(100*x, 0) + narrow + "%"
}

// lowerFirst continues a sentence with s.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
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
