package instructions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// homoglyphCommand reports words of code in which letters of another alphabet
// stand for Latin ones.
var homoglyphCommand = lint.Rule{ID: "IN012", Check: checkHomoglyphs}

func checkHomoglyphs(p *lint.Pass) {
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		for i := range d.Statements {
			s := &d.Statements[i]
			if alphabetNamed.MatchString(s.Whole) {
				continue
			}
			for _, c := range s.Codes {
				for _, at := range mixedWords(c.Text) {
					reportMixed(p, d, c.Text[at[0]:at[1]], s.Span(c.From+at[0], c.From+at[1]))
				}
			}
		}
		for i := range d.Fences {
			if !shellLangs[d.Fences[i].Lang] {
				continue
			}
			for _, line := range d.Fences[i].Lines {
				code, _, _ := strings.Cut(line.Text, " #")
				if alphabetNamed.MatchString(line.Text) {
					continue
				}
				for _, at := range mixedWords(code) {
					reportMixed(p, d, code[at[0]:at[1]], line.Span(at[0], at[1]))
				}
			}
		}
	}
}

// alphabetNamed matches a text that shows such letters on purpose.
var alphabetNamed = compile(`(?i)\b(cyrillic|greek|homoglyphs?|homographs?|look-?alikes?|confusables?|IDN|punycode)\b`)

func reportMixed(p *lint.Pass, d *Doc, word string, at lint.Span) {
	latin := strings.Map(func(r rune) rune {
		if l, ok := lookalikes[r]; ok {
			return l
		}
		return r
	}, word)
	p.Reportf(d.File, at, "%q looks like %q, but has letters of another alphabet", word, latin)
}

// lookalikes are Cyrillic, Greek and full-width letters that look like Latin
// ones in most typefaces.
//
// Source: Unicode Technical Standard 39, confusables, the single-letter ones.
var lookalikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ј': 'j', 'ѕ': 's', 'һ': 'h', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w',
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'Х': 'X', 'І': 'I', 'Ј': 'J', 'Ѕ': 'S',
	'α': 'a', 'ο': 'o', 'ν': 'v', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'ι': 'i', 'κ': 'k', 'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I',
	'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
}

// mixedWords returns the runs of letters that hold Latin ones and, of other
// letters, lookalikes alone. A small Greek letter among capitals is a symbol,
// as in TNFα and NFκB.
func mixedWords(s string) [][2]int {
	var found [][2]int
	start, latin, capitals, alike, symbols, other := -1, 0, 0, 0, 0, 0
	flush := func(end int) {
		if start >= 0 && latin > 0 && alike > 0 && other == 0 && latin+alike > 2 && (capitals < latin || symbols < alike) {
			found = append(found, [2]int{start, end})
		}
		start, latin, capitals, alike, symbols, other = -1, 0, 0, 0, 0, 0
	}
	for i, r := range s {
		if !unicode.IsLetter(r) {
			flush(i)
			continue
		}
		if start < 0 {
			start = i
		}
		_, is := lookalikes[r]
		switch {
		case r < utf8.RuneSelf:
			latin++
			if unicode.IsUpper(r) {
				capitals++
			}
		case is:
			alike++
			if unicode.Is(unicode.Greek, r) && unicode.IsLower(r) {
				symbols++
			}
		default:
			other++
		}
	}
	flush(len(s))
	return found
}
