package tests

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// formula is a condition as it was read: alternatives, parts that must all
// hold, an opposite, or a question that the place answers.
type formula struct {
	op    string // "or", "and", "not", "ask", "always", "never"
	parts []formula
	// what is asked: the value of a subject, or a plain yes or no
	subject, compare string
	value            []int  // a version, as its numbers
	text             string // another value
}

// Bounds on a condition: its words, and the cases in which two are compared.
const (
	maxFormula = 120
	maxCases   = 4096
)

// formulaOf reads the condition of a skip as it was written for a marker. The
// second value is false for one that cannot be read whole.
func formulaOf(cond string, lang language) (formula, bool) {
	src := cut(cond, lang)
	if len(src.tokens) == 0 || len(src.tokens) > maxFormula {
		return formula{}, false
	}
	for i := range src.tokens {
		if v := src.at(i); src.kind(i) == mark && (opens(v) || closes(v)) && src.token(i).mate < 0 {
			return formula{}, false // it was cut
		}
	}
	p := &formulaReader{src: src}
	from, negated := 0, false
	switch src.at(0) {
	case "if":
		from = 1
	case "unless":
		from, negated = 1, true
	}
	end := len(src.tokens)
	if src.is(from, "cfg") && src.close(from+1) == end-1 { // the test runs under it
		from, end, negated = from+2, end-1, true
	}
	if src.is(from, "cfg_attr") && src.close(from+1) == end-1 {
		if args := src.arguments(from + 1); len(args) > 0 {
			from, end = args[0].from, args[0].to
		}
	}
	for i := from; i < end; i++ { // if v := f(); v {
		if src.is(i, ";") {
			from = i + 1
		}
	}
	for end > from && (src.is(end-1, ":") || src.is(end-1, "then") || src.is(end-1, "{")) {
		end--
	}
	f := p.either(span{from, end}, 0)
	if negated {
		f = formula{op: "not", parts: []formula{f}}
	}
	return f, !p.failed
}

type formulaReader struct {
	src    *source
	failed bool
}

// joined cuts a range at a word that stands outside of brackets.
func (p *formulaReader) joined(r span, words ...string) []span {
	var parts []span
	from := r.from
	for i := r.from; i < r.to; i++ {
		if c := p.src.close(i); c > 0 && c < r.to {
			i = c
			continue
		}
		if p.src.kind(i) != text && slices.Contains(words, p.src.at(i)) {
			parts = append(parts, span{from, i})
			from = i + 1
		}
	}
	return append(parts, span{from, r.to})
}

func (p *formulaReader) either(r span, depth int) formula {
	if depth > 16 || r.len() <= 0 {
		p.failed = true
		return formula{}
	}
	for _, join := range []struct {
		op    string
		words []string
	}{{"or", []string{"||", "or"}}, {"and", []string{"&&", "and"}}} {
		if parts := p.joined(r, join.words...); len(parts) > 1 {
			f := formula{op: join.op}
			for _, part := range parts {
				f.parts = append(f.parts, p.either(part, depth+1))
			}
			return f
		}
	}
	src := p.src
	switch {
	case src.is(r.from, "!") || src.is(r.from, "not") && !src.is(r.from+1, "("):
		return formula{op: "not", parts: []formula{p.either(span{r.from + 1, r.to}, depth+1)}}
	case src.is(r.from, "(") && src.close(r.from) == r.to-1:
		return p.either(span{r.from + 1, r.to - 1}, depth+1)
	case src.close(r.from+1) == r.to-1 && (src.is(r.from, "not") || src.lang == rust && (src.is(r.from, "any") || src.is(r.from, "all"))):
		f := formula{op: map[string]string{"not": "not", "any": "or", "all": "and"}[src.at(r.from)]}
		for _, arg := range src.arguments(r.from + 1) {
			f.parts = append(f.parts, p.either(arg, depth+1))
		}
		if len(f.parts) == 0 {
			p.failed = true
		}
		return f
	}
	return p.question(r)
}

// orderName is a constant that says of a version whether it is reached:
// PANDAS_GE_220.
var orderName = regexp.MustCompile(`^(\w+?)_(GE|GT|LE|LT)_?(\d+)$`)

var orderOps = map[string]string{"GE": ">=", "GT": ">", "LE": "<=", "LT": "<"}

// question is one comparison or name.
func (p *formulaReader) question(r span) formula {
	src := p.src
	if r.len() == 1 {
		switch v := src.at(r.from); v {
		case "true", "True":
			return formula{op: "always"}
		case "false", "False", "nil", "None":
			return formula{op: "never"}
		default:
			if m := orderName.FindStringSubmatch(v); m != nil {
				n, _ := strconv.Atoi(m[3])
				return formula{op: "ask", subject: m[1], compare: orderOps[m[2]], value: []int{n}}
			}
		}
	}
	at := -1
	for i := r.from; i < r.to; i++ {
		if c := src.close(i); c > 0 && c < r.to {
			i = c
			continue
		}
		switch src.at(i) {
		case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "is":
			if at < 0 {
				at = i
			} else {
				at = r.to // a chain, or more than is read here
			}
		}
	}
	whole := formula{op: "ask", subject: src.join(r)}
	if at <= r.from || at >= r.to-1 {
		return whole
	}
	op, left, right := src.at(at), span{r.from, at}, span{at + 1, r.to}
	if op == "in" || src.is(at-1, "not") {
		return p.member(whole, op, left, right)
	}
	op = strings.Replace(op, "is", "==", 1)
	if len(op) == 3 {
		op = op[:2]
	}
	if src.literal(left) && !src.literal(right) {
		left, right = right, left
		op = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}[op] + map[string]string{"==": "==", "!=": "!="}[op]
	}
	f := formula{op: "ask", subject: subjectOf(src.join(left)), compare: op}
	f.value = versionIn(src, right)
	if f.value == nil {
		if op != "==" && op != "!=" {
			return whole
		}
		f.text = src.join(right)
	}
	return f
}

// member is "x in (a, b)", as the alternatives that it names.
func (p *formulaReader) member(whole formula, op string, left, right span) formula {
	src := p.src
	if op != "in" {
		return whole
	}
	not := src.is(left.to-1, "not")
	if not {
		left.to--
	}
	args := src.arguments(right.from)
	if !opens(src.at(right.from)) || src.close(right.from) != right.to-1 || len(args) == 0 || left.len() == 0 {
		return whole
	}
	f := formula{op: "or"}
	for _, arg := range args {
		f.parts = append(f.parts, formula{op: "ask", subject: subjectOf(src.join(left)), compare: "==", text: src.join(arg)})
	}
	if not {
		return formula{op: "not", parts: []formula{f}}
	}
	return f
}

// subjectOf is what a comparison asks, without a part of a version that is cut
// out of it.
func subjectOf(s string) string {
	if at := strings.Index(s, " [ : "); at > 0 && strings.Contains(s, "version") {
		return s[:at]
	}
	return s
}

// versionWords stand around a version.
var versionWords = regexp.MustCompile(`^(Version|version|parse|parse_version|LooseVersion|Gem|new|pkg_resources|packaging|semver|v)$`)

// versionIn is the number or version that a range writes, nil if it is another
// value.
func versionIn(src *source, r span) []int {
	var found []int
	for i := r.from; i < r.to; i++ {
		v := src.at(i)
		switch src.kind(i) {
		case word:
			if !versionWords.MatchString(v) {
				return nil
			}
		case number, text:
			for part := range strings.SplitSeq(strings.TrimPrefix(strings.Trim(v, `"'`+"`"), "v"), ".") {
				n, err := strconv.Atoi(part)
				if err != nil {
					return nil
				}
				found = append(found, n)
			}
		}
	}
	if len(found) > 6 {
		return nil
	}
	return found
}
