package tests

import (
	"regexp"
	"strings"
)

// Forms of a question whether something is among many.
var (
	amongForm  = regexp.MustCompile(`arrayContaining|stringContaining|(^|[ .])(any|some|anyMatch|anySatisfy|toContain|toContainEqual|Contains?|contains?|includes?|assertIn|assert_includes?|hasItem|any\?|Any|ShouldContain|exists?|Exists) [({]|(^| )in `)
	quotedForm = regexp.MustCompile("\"[^\"]{2,}\"|'[^']{2,}'|`[^`]{2,}`")
)

// countless reports whether the number of those of many that fit was asked for,
// and now only whether one is among them.
func (c *change) countless(a *assertion, o *test, pairs comparedTest) bool {
	if !a.sizeOf || a.negated || a.op != "" || a.level == ordered || a.expected == "" || a.expected == "0" {
		return false
	}
	full := a.subject
	for range 2 {
		words := strings.Fields(full)
		for i, w := range words[:min(len(words), maxBound)] {
			if value, ok := o.locals()[w]; ok && (i == 0 || words[i-1] != ".") && !holds(value, w) {
				words[i] = value
			}
		}
		full = strings.Join(words, " ")
	}
	texts := quotedForm.FindAllString(full, maxTexts)
	if len(texts) == 0 || full == a.subject && !strings.Contains(full, "(") {
		return false
	}
	fits := func(b *assertion) bool {
		if b.sizeOf || b.negated || b.helper || b.level == ordered || !amongForm.MatchString(b.text) || amongForm.MatchString(a.text) && !strings.Contains(full, b.subject) {
			return false
		}
		for _, t := range texts {
			if strings.Contains(b.text, t[1:len(t)-1]) {
				return true
			}
		}
		return false
	}
	for _, b := range pairs.added[:min(len(pairs.added), maxTexts)] {
		if fits(b) {
			return true
		}
	}
	for _, k := range pairs.kept[:min(len(pairs.kept), maxPairing)] {
		if k[0].text != k[1].text && k[0] != a && fits(k[1]) || k[0] == a && fits(k[1]) {
			return true
		}
	}
	return false
}

// equalForm is a comparison for equality inside of a condition.
var equalForm = regexp.MustCompile(` ={2,3} | (?:Equals?|equals|eq|contains|Contains|includes|include\?) \( `)

// eitherNow reports whether the value that was wanted is now one of two that
// will do, in an assertion that was written anew.
func eitherNow(a *assertion, pairs comparedTest) bool {
	if a.negated || a.level != exact && a.raises == nil && !a.helper && a.detail == "" {
		return false
	}
	var wanted []string
	for w := range strings.FieldsSeq(a.expected) {
		if identifier(w) && len(w) > 3 && levels[w] == unknown && strings.ToLower(w[:1]) == w[:1] && w != "true" && w != "false" && w != "None" {
			wanted = append(wanted, w)
		}
	}
	for _, t := range a.texts {
		if t = inner(t); len(t) > 6 {
			wanted = append(wanted, t)
		}
	}
	for _, b := range pairs.added[:min(len(pairs.added), maxTexts)] {
		if b.negated || b.alts < 1 || b.name == "if" {
			continue
		}
		parts := strings.Split(strings.ReplaceAll(b.text, " or ", " || "), " || ")
		for _, w := range wanted {
			n := 0
			for _, p := range parts {
				if equalForm.MatchString(p) && (holds(p, w) || len(w) > 6 && strings.Contains(p, w)) {
					n++
				}
			}
			if n > 1 || n == 1 && len(w) > 6 && !identifier(w) && len(parts) > 1 && equalForm.MatchString(parts[0]) && equalForm.MatchString(parts[1]) {
				return true
			}
		}
	}
	return false
}
