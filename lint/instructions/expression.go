package instructions

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/rules"
)

// expression is a regular expression that is tried only on texts that hold one
// of the words a match must have: most sentences hold none of them.
type expression struct {
	*regexp.Regexp
	words []string
}

func compile(form string) *expression {
	return &expression{regexp.MustCompile(form), rules.RequiredTexts(form)}
}

// may reports whether a text could match.
func (e *expression) may(text string) bool {
	return e.words == nil || slices.ContainsFunc(e.words, func(w string) bool { return strings.Contains(text, w) })
}

// MatchString is that of regexp.Regexp.
func (e *expression) MatchString(text string) bool { return e.may(text) && e.Regexp.MatchString(text) }

// FindStringIndex is that of regexp.Regexp.
func (e *expression) FindStringIndex(text string) []int {
	if !e.may(text) {
		return nil
	}
	return e.Regexp.FindStringIndex(text)
}
