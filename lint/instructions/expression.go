package instructions

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"steelyard/rules"
)

// expression is a regular expression that is tried only on texts that hold one
// of the words a match must have: most texts hold none of them. It is compiled
// when a text first does, since most runs need few of the expressions.
type expression struct {
	words func() []string
	re    func() *regexp.Regexp
}

func compile(form string) *expression {
	return &expression{
		words: sync.OnceValue(func() []string { return rules.RequiredTexts(form) }),
		re:    sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) }),
	}
}

// may reports whether a text could match.
func (e *expression) may(text string) bool {
	words := e.words()
	return words == nil || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// The methods are those of [regexp.Regexp].

func (e *expression) MatchString(text string) bool { return e.may(text) && e.re().MatchString(text) }

func (e *expression) FindStringIndex(text string) []int {
	if !e.may(text) {
		return nil
	}
	return e.re().FindStringIndex(text)
}

func (e *expression) FindStringSubmatch(text string) []string {
	if !e.may(text) {
		return nil
	}
	return e.re().FindStringSubmatch(text)
}

func (e *expression) FindAllStringIndex(text string, n int) [][]int {
	if !e.may(text) {
		return nil
	}
	return e.re().FindAllStringIndex(text, n)
}

func (e *expression) FindAllStringSubmatch(text string, n int) [][]string {
	if !e.may(text) {
		return nil
	}
	return e.re().FindAllStringSubmatch(text, n)
}

func (e *expression) FindAllStringSubmatchIndex(text string, n int) [][]int {
	if !e.may(text) {
		return nil
	}
	return e.re().FindAllStringSubmatchIndex(text, n)
}
