package tests

import (
	"regexp"
	"strings"
)

// maxLocals bounds the local variables of a test that are put in for.
const maxLocals = 100

// locals are the variables of a test that are set once, with what they are set
// to.
func (t *test) locals() map[string]string {
	if t.set != nil {
		return t.set
	}
	found, twice := map[string]string{}, map[string]bool{}
	t.set = found
	src := t.suite.src
	for i := t.body.from + 1; i+1 < t.body.to && len(found) < maxLocals; i++ {
		if !src.is(i, "=") && !src.is(i, ":=") || !src.isWord(i-1) || src.is(i-2, ".") || src.is(i-2, ",") {
			continue
		}
		name := src.at(i - 1)
		if twice[name] {
			continue
		}
		if _, had := found[name]; had {
			delete(found, name)
			twice[name] = true
			continue
		}
		if st := src.statement(i+1, t.body); st.to > i+1 && st.to-i < maxBound {
			found[name] = src.join(span{i + 1, st.to})
		}
	}
	return found
}

// expand puts into the subjects of assertions what the local variables in them
// hold.
func expand(t *test, list []*assertion) {
	locals := t.locals()
	if len(locals) == 0 {
		return
	}
	for _, a := range list[:min(len(list), maxPairing)] {
		full, all := a.subject, ""
		for range 2 {
			var b strings.Builder
			words := strings.Fields(full)
			for i, w := range words[:min(len(words), 4*maxBound)] {
				if value, ok := locals[w]; ok && (i == 0 || words[i-1] != ".") {
					w = value
				}
				b.WriteString(w + " ")
			}
			if full == strings.TrimSpace(b.String()) {
				break
			}
			full = strings.TrimSpace(b.String())
			all += full + " ; "
		}
		a.full = all
	}
}

// resolved is a limit with the numbers that its names stand for: local
// variables, and constants of the file.
func (t *test) resolved(limit string) string {
	words := strings.Fields(limit)
	if len(words) > maxBound {
		return limit
	}
	var locals map[string]string
	for i, w := range words {
		if !identifier(w) || i > 0 && (words[i-1] == "." || words[i-1] == "::") || i+1 < len(words) && (words[i+1] == "(" || words[i+1] == "." || words[i+1] == "::") {
			continue
		}
		if locals == nil {
			locals = t.locals()
		}
		value, ok := locals[w]
		if !ok && strings.ToUpper(w) == w {
			if r, had := t.suite.definitions()[w]; had {
				value = t.suite.src.join(r)
			}
		}
		if isSum(value) {
			words[i] = "( " + value + " )"
		}
	}
	return strings.Join(words, " ")
}

// distance is a value that says how far apart two others are.
var distance = regexp.MustCompile(`(?i)(^|\W)(f?abs|abs_diff|absolute|hypot|distance\w*|difference|linalg . norm) \(|\. (abs|Abs|magnitude|duration)$|\. abs( |$)`)

// nearNow reports whether a value that had to equal another may now lie some
// way off: their distance has a limit.
func nearNow(o, n *assertion) bool {
	if o.level != exact || n.level != ordered && n.level != partial || direction(n) != "<" {
		return false
	}
	full := n.full
	if full == "" {
		full = n.subject
	}
	if !distance.MatchString(full) {
		return false
	}
	return o.expected != "" && holds(full, o.expected) || o.subject != "" && holds(full, o.subject)
}
