package mcp

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest strings that leave in an answer, in runes.
const (
	maxLine  = 1000
	maxBlock = 4000
	// maxCleaned is where one is cut before secrets are looked for: after what
	// is invisible went, which could part one, and before it gets short, which
	// could leave half of one.
	maxCleaned = 64 << 10
)

// invisible are letters, marks and symbols that show nothing, beside the
// categories that [harmless] drops as a whole. Text can be hidden in them from
// the person who reads the same file.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // half-width Hangul filler
	},
	R32: []unicode.Range32{
		{Lo: 0xe0100, Hi: 0xe01ef, Stride: 1}, // variation selectors supplement
	},
}

// harmless reports whether r may leave in an answer: it is no control,
// format (bidirectional overrides, zero widths, tags), private-use, surrogate
// or unassigned character, and can be seen.
func harmless(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return unicode.IsOneOf(visible, r) && !unicode.Is(invisible, r)
}

var visible = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs}

// line makes s one line of visible text of at most n runes; what is cut off
// is marked with an ellipsis.
func line(s string, n int) string {
	if plainLine(s) && len(s) <= n {
		return s
	}
	var b strings.Builder
	space, runes := false, 0
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == ' ':
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || !harmless(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
			runes++
		}
		b.WriteRune(r)
		runes++
		if runes > n {
			return cut(b.String(), n)
		}
	}
	return b.String()
}

// plainLine reports whether s is one line of visible ASCII as it is, which nearly
// every text is.
func plainLine(s string) bool {
	space := true // before the first character
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && space, c < ' ', c > '~':
			return false
		default:
			space = c == ' '
		}
	}
	return !space || s == ""
}

// block makes s visible text of at most n runes that keeps its lines.
func block(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r != utf8.RuneError && harmless(r) {
			return r
		}
		return -1
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return cut(strings.TrimSpace(s), n)
}

// cut shortens s to n runes, the last of them an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:n-1]), " \n") + "…"
}

// bound cuts every string inside what p points at to n runes.
func bound(p any, n int) {
	eachString(reflect.ValueOf(p).Elem(), "", func(s string, _ reflect.StructTag) string { return cut(s, n) })
}

// clean makes every string inside what p points at harmless: one line, or a
// block where the field is tagged clean:"block", without secrets. add does it
// to each tool's output, so no tool can forget it.
func clean(p any) {
	eachString(reflect.ValueOf(p).Elem(), "", func(s string, tag reflect.StructTag) string {
		if tag.Get("clean") == "block" {
			return cut(redact(block(s, maxCleaned)), maxBlock)
		}
		return cut(redact(line(s, maxCleaned)), maxLine)
	})
}

// eachString replaces every string that an exported field, element or pointer
// inside v leads to; tag is the one of the nearest field.
func eachString(v reflect.Value, tag reflect.StructTag, replace func(string, reflect.StructTag) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(replace(v.String(), tag))
	case reflect.Pointer:
		if !v.IsNil() {
			eachString(v.Elem(), tag, replace)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachString(v.Index(i), tag, replace)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachString(v.Field(i), f.Tag, replace)
			}
		}
	default: // numbers and the like hold no text
	}
}
