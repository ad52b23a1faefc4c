package chart

import (
	"math"
	"strconv"
	"strings"
)

const (
	minus       = "\u2212"
	narrowSpace = "\u202f" // before %, h and after ×
)

// width estimates how wide s is at a font size. It errs on the wide side, so
// that labels keep apart in whatever sans the reader's system has.
func width(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += advance(r)
	}
	return w * size
}

// advance is the width of one character in ems.
func advance(r rune) float64 {
	switch {
	case strings.ContainsRune("iljtfrI.,:;'|!()[] \u202f\u00a0", r):
		return .38
	case strings.ContainsRune("mwMW%→−+×÷—", r):
		return .9
	case r >= 'A' && r <= 'Z':
		return .72
	case r > 0x2E80:
		return 1
	}
	return .64
}

// fit shortens s with an ellipsis until it is at most w wide.
func fit(s string, w, size float64) string {
	used, cut := 0.0, 0
	for i, r := range s {
		if used+advance('…') <= w/size {
			cut = i
		}
		used += advance(r)
		if used > w/size {
			return strings.TrimRight(s[:cut], " ,.;:") + "…"
		}
	}
	return s
}

// wrap breaks s into at most two lines of width w; the last one is shortened
// if it must be.
func wrap(s string, w, size float64) []string { return wrapTo(s, w, size, 2) }

// block is wrap where the figure grows with its words: it shortens only what
// nobody writes.
func block(s string, w, size float64) []string { return wrapTo(s, w, size, 5) }

// wrapTo breaks s into at most n lines.
func wrapTo(s string, w, size float64, n int) []string {
	words := breakable(s, w, size)
	var out []string
	for len(words) > 0 && len(out) < n {
		line := words[0]
		words = words[1:]
		for len(words) > 0 && width(strings.TrimSpace(line+words[0]), size) <= w {
			line += words[0]
			words = words[1:]
		}
		if len(out) == n-1 && len(words) > 0 {
			line += strings.Join(words, "")
			words = nil
		}
		out = append(out, fit(strings.TrimSpace(line), w, size))
	}
	return out
}

// breakable cuts s where a line may end: after spaces (not the narrow one that
// holds a number and its unit together), and inside a word that is wider than a
// line (a repository's name) after / - _ and dots. The parts keep their spaces.
func breakable(s string, w, size float64) []string {
	var out []string
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
		word += " "
		if width(word, size) > w {
			rest := word
			for i := strings.IndexAny(rest, "/-_."); i >= 0 && i+1 < len(rest); i = strings.IndexAny(rest, "/-_.") {
				out = append(out, rest[:i+1])
				rest = rest[i+1:]
			}
			word = rest
		}
		out = append(out, word)
	}
	return out
}

// number writes v for an axis: no more digits than the step needs, a proper
// minus, and words for the sizes nobody counts zeros of.
func number(v, step float64) string {
	scale, suffix := 1.0, ""
	for _, s := range []struct {
		from   float64
		suffix string
	}{{1e12, "tn"}, {1e9, "bn"}, {1e6, "m"}, {1e4, "k"}} {
		if math.Abs(v) >= s.from && math.Abs(v) < s.from*1e4 {
			scale, suffix = s.from, s.suffix
			if s.from == 1e4 {
				scale = 1e3
			}
			break
		}
	}
	if math.Abs(v) >= 1e16 || v != 0 && math.Abs(v) < 1e-5 {
		return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 2, 64), "-", minus)
	}
	decimals := 0
	for s := math.Abs(step) / scale; s > 0 && decimals < 6 && math.Abs(s-math.Round(s)) > 1e-6; s *= 10 {
		decimals++
	}
	s := strconv.FormatFloat(math.Abs(v)/scale, 'f', decimals, 64)
	if strings.Contains(s, ".") && (scale > 1 || v == math.Trunc(v)) {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	s = group(s) + suffix
	if v < 0 && strings.ContainsAny(s, "123456789") {
		s = minus + s
	}
	return s
}

// group sets commas between thousands.
func group(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	if rest != "" {
		rest = "." + rest
	}
	if len(whole) < 4 {
		return whole + rest
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// signed is number with a plus where v is positive.
func signed(v, step float64) string {
	s := number(v, step)
	if v > 0 {
		return "+" + s
	}
	return s
}

// shortName is name where two lines of the given width hold it, else instead.
func shortName(name, instead string, w float64) string {
	for _, l := range wrap(name, w, 12) {
		if strings.HasSuffix(l, "…") {
			return instead
		}
	}
	return name
}
