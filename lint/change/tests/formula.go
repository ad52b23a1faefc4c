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
		if v := src.at(i); src.kind(i) == mark && (opens(v) || closes(v)) && src.tokens[i].mate < 0 {
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
		switch v := src.at(r.from); {
		case v == "true" || v == "True":
			return formula{op: "always"}
		case v == "false" || v == "False" || v == "nil" || v == "None":
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
	op = strings.TrimSuffix(strings.Replace(op, "is", "==", 1), "")
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

// asked collects the values with which each subject is compared.
func (f formula) asked(into map[string][]formula) {
	if f.op == "ask" {
		into[f.subject] = append(into[f.subject], f)
	}
	for _, part := range f.parts {
		part.asked(into)
	}
}

// answer is one value of a subject: a place on the line of the versions that
// are named, counted in halves, or one of the texts, or yes and no.
type answer struct {
	version []int
	between bool // just behind that version; before all of them if it is nil
	text    string
	yes     bool
}

// answers are the values of a subject that make a difference.
func answers(asked []formula) []answer {
	if !slices.ContainsFunc(asked, func(f formula) bool { return f.compare != "" }) {
		return []answer{{yes: true}, {}}
	}
	list := []answer{{text: "\x00", between: true}}
	for _, f := range asked {
		if f.compare == "" {
			continue
		}
		if f.value == nil {
			list = append(list, answer{text: f.text})
			continue
		}
		list = append(list, answer{version: f.value}, answer{version: f.value, between: true})
	}
	return list
}

// holds reports whether the formula holds where the subjects have these values.
func (f formula) holds(at map[string]answer) bool {
	switch f.op {
	case "always":
		return true
	case "or":
		return slices.ContainsFunc(f.parts, func(p formula) bool { return p.holds(at) })
	case "and":
		return !slices.ContainsFunc(f.parts, func(p formula) bool { return !p.holds(at) })
	case "not":
		return !f.parts[0].holds(at)
	case "ask":
		return f.answered(at[f.subject])
	}
	return false
}

func (f formula) answered(a answer) bool {
	if f.compare == "" {
		return a.yes
	}
	if f.value == nil {
		return (a.text == f.text && a.version == nil) == (f.compare == "==")
	}
	order := -1
	if a.version != nil {
		if order = slices.Compare(padded(a.version), padded(f.value)); order == 0 && a.between {
			order = 1
		}
	}
	switch f.compare {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// padded makes versions of one length, so that 22 is 22.0.
func padded(v []int) []int { return append(slices.Clone(v), make([]int, max(6-len(v), 0))...) }

// grows reports whether the second of two conditions holds wherever the first
// does, and elsewhere too.
func grows(old, now formula) bool {
	asked := map[string][]formula{}
	old.asked(asked)
	now.asked(asked)
	subjects := make([]string, 0, len(asked))
	cases := 1
	for subject, list := range asked {
		subjects = append(subjects, subject)
		if cases *= len(answers(list)); cases > maxCases {
			return false
		}
	}
	slices.Sort(subjects)
	more := false
	at := map[string]answer{}
	var each func(n int) bool
	each = func(n int) bool {
		if n == len(subjects) {
			before, after := old.holds(at), now.holds(at)
			more = more || after && !before
			return !before || after
		}
		for _, a := range answers(asked[subjects[n]]) {
			at[subjects[n]] = a
			if !each(n + 1) {
				return false
			}
		}
		return true
	}
	return each(0) && more
}
