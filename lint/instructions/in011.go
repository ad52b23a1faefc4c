package instructions

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// invisibleCharacters reports characters that a person does not see and an
// assistant reads, and texts that cannot be looked at: what they say is hidden
// from every rule, and an assistant may read it all the same.
var invisibleCharacters = lint.Rule{ID: "IN011", Check: checkInvisible}

func checkInvisible(p *lint.Pass) {
	for _, f := range p.Files(rules.Instructions, rules.Tasks) {
		if f.Link != "" || !readable(f.Path) {
			continue
		}
		if err := lint.Parsed(f, parse).Err; err != nil {
			f.Unchecked("IN")
			p.ReportFile(f, nil, "what it says cannot be looked at, and an assistant may read it: %v", err)
		}
	}
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		for _, r := range invisibleRuns(d.source) {
			p.ReportFix(d.File, r.at, lint.Fix{Edits: []lint.Edit{{At: r.at}}}, "%s", r.message())
		}
	}
}

// hiddenRun is a run of invisible characters.
type hiddenRun struct {
	at    lint.Span
	first rune
	count int
	says  string // what tag characters spell
}

func (r *hiddenRun) message() string {
	name := fmt.Sprintf("U+%04X %s", r.first, kindOfHidden(r.first))
	switch {
	case r.says != "":
		return fmt.Sprintf("%d tag characters spell %q, which no person sees", r.count, quote(r.says))
	case r.count > 1:
		return fmt.Sprintf("%d invisible characters from %s on", r.count, name)
	}
	return "invisible character " + name
}

// invisibleRuns finds the runs in a text. What stands in words of scripts that
// need joiners, in emoji, and the mark at the start of a file is in its place.
func invisibleRuns(src []byte) []hiddenRun {
	var found []hiddenRun
	before := rune(0)
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		next, _ := utf8.DecodeRune(src[i+size:])
		if c < 0x80 || !hidden(c) || inPlace(before, c, next, i) {
			if c < 0x80 || !unicode.Is(unicode.Variation_Selector, c) {
				before = c
			}
			i += size
			continue
		}
		n := len(found)
		if n == 0 || found[n-1].at.End != i {
			found = append(found, hiddenRun{at: lint.Span{Start: i, End: i}, first: c})
			n++
		}
		r := &found[n-1]
		r.at.End, r.count = i+size, r.count+1
		const most = 200 // of what tags spell
		if c > 0xE0000 && c < 0xE007F && len(r.says) < most {
			r.says += string(c - 0xE0000)
		}
		i += size
	}
	return found
}

// hidden reports whether a character shows nothing.
func hidden(c rune) bool {
	switch {
	case c >= 0x200B && c <= 0x200D, c >= 0x202A && c <= 0x202E, c >= 0x2060 && c <= 0x2064, c >= 0x2066 && c <= 0x206F,
		c == 0xFEFF, c == 0x00AD, c == 0x034F, c == 0x061C, c == 0x115F, c == 0x1160, c == 0x17B4, c == 0x17B5, c == 0x180E, c == 0x3164,
		c == 0xFFA0, c >= 0xFE00 && c <= 0xFE0D, c >= 0xE0000 && c <= 0xE0FFF, c >= 0x1D173 && c <= 0x1D17A:
		return true
	}
	return false
}

// inPlace reports whether an invisible character belongs where it stands.
func inPlace(before, c, next rune, offset int) bool {
	switch {
	case c == 0xFEFF:
		return offset == 0
	case c == 0x200C || c == 0x200D:
		return joins(before) || joins(next)
	case c >= 0xE0020 && c <= 0xE007F: // the flag of a region
		return before == 0x1F3F4 || before >= 0xE0020 && before <= 0xE007E
	case c == 0x200B || c == 0x2060:
		return spaceless(before) && spaceless(next)
	case c == 0x00AD, c == 0x061C:
		return unicode.IsLetter(before) && unicode.IsLetter(next) && before > 0x7f
	case c >= 0xFE00 && c <= 0xFE0D, c >= 0xE0100 && c <= 0xE01EF:
		return unicode.Is(unicode.Han, before)
	}
	return false
}

// joins reports whether a character is of a script, or an emoji, that joiners
// stand between.
func joins(c rune) bool {
	if c >= 0x1F000 && c <= 0x1FAFF || c >= 0x2190 && c <= 0x2BFF || c == 0xFE0F {
		return true
	}
	return unicode.In(c, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Mongolian, unicode.Syriac)
}

// spaceless reports whether a character is of a script that writes no spaces
// between words, so that an invisible one says where a line may break.
func spaceless(c rune) bool {
	return unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

func kindOfHidden(c rune) string {
	switch {
	case c == 0x200B:
		return "zero-width space"
	case c == 0x200C:
		return "zero-width non-joiner"
	case c == 0x200D:
		return "zero-width joiner"
	case c == 0x2060:
		return "word joiner"
	case c == 0xFEFF:
		return "byte order mark"
	case c == 0x00AD:
		return "soft hyphen"
	case c >= 0x202A && c <= 0x202E, c >= 0x2066 && c <= 0x2069, c == 0x061C:
		return "bidirectional control"
	case c >= 0xE0000 && c <= 0xE007F:
		return "tag character"
	case c >= 0xFE00 && c <= 0xFE0F, c >= 0xE0100 && c <= 0xE01EF:
		return "variation selector"
	}
	return "character without a width"
}
