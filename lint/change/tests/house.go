package tests

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"steelyard/lint"
)

// nameWords cuts a name at its capitals and underscores: IsFlakyOnCI becomes
// is, flaky, on, ci.
func nameWords(name string) []string {
	var words []string
	from := 0
	runes := []rune(name)
	cutAt := func(to int) {
		if to > from {
			words = append(words, strings.ToLower(string(runes[from:to])))
		}
		from = to
	}
	for i, r := range runes {
		switch {
		case r == '_' || r == '-' || r == '$':
			cutAt(i)
			from = i + 1
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cutAt(i)
		}
	}
	cutAt(len(runes))
	return words
}

// maxName bounds a name that is cut into words.
const maxName = 60

// systems are what a test may be kept to, or away from, by name.
var systems = regexp.MustCompile(`^(windows|win|win32|linux|mac|macos|osx|darwin|unix|posix|bsd|freebsd|solaris|wasm|wasi|android|ios|ci|docker|jruby|truffleruby|rhino|pypy|cpython|openj9|j9|arm|arm64|amd64|x86|s390x|musl|alpine|native|graal|mono)$`)

// flakyWord is a word of a name that says that a test cannot be relied on.
var flakyWord = regexp.MustCompile(`^(flak(e|es|y|ey|iness)|quarantin\w*|xfail|xfails|unreliable|intermittent|incompatible)$`)

// houseMark reports whether a name says that a test does not count or does not
// run everywhere, as projects call such marks of their own: IsFlaky,
// quarantined, DockerIncompatible, OnlyOnLinux, notOnWindows, windows_only.
func houseMark(name string) bool {
	if len(name) > maxName || len(name) < 5 {
		return false
	}
	words := nameWords(name)
	for i, w := range words {
		if flakyWord.MatchString(w) {
			return true
		}
		next, before := "", ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if i > 0 {
			before = words[i-1]
		}
		after := next
		if (next == "on" || next == "in" || next == "for" || next == "if" || next == "supported") && i+2 < len(words) {
			after = words[i+2]
		}
		if (w == "only" || w == "not" || w == "unless") && systems.MatchString(after) || w == "only" && systems.MatchString(before) {
			return true
		}
	}
	return false
}

// houseDecoration is houseMark for what stands above a test: there a word such
// as skip or disabled is meant for it.
func houseDecoration(name string) bool {
	if houseMark(name) || skipCall(name) {
		return true
	}
	if len(name) > maxName {
		return false
	}
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	all := strings.Join(words, " ")
	for _, p := range []string{"skip", "skipped", "disable", "disabled", "ignore", "ignored", "broken", "unstable", "expected failure", "expect failure", "known failure", "known issue", "known bug", "fails on", "failing"} {
		if all == p || all == p+" test" || strings.HasPrefix(all, p+" on ") || strings.HasPrefix(all, p+" if ") || strings.HasPrefix(all, p+" for ") || strings.HasPrefix(all, p+" in ") || strings.HasPrefix(all, p+" when ") || strings.HasPrefix(all, p+" unless ") || strings.HasPrefix(all, p+" until ") {
			return true
		}
	}
	return false
}

// houseCall reports whether a statement of a test is a call that marks it so.
func (s *suite) houseCall(i int) bool {
	src := s.src
	first := i
	for src.is(first-1, ".") && src.isWord(first-2) {
		first -= 2
	}
	if !src.token(first).first || declaring[src.at(first-1)] {
		return false
	}
	end := src.close(i + 1)
	if end < 0 || len(src.at(i)) > maxName || end > i+40 || src.is(end+1, ".") || src.is(end+1, "{") {
		return false
	}
	if words := nameWords(src.at(i)); len(words) > 2 && words[0] == "disable" && words[1] == "test" {
		return true // options.disableTestTimeouts()
	}
	return houseMark(src.at(i)) && !flakySubject(nameWords(src.at(i)))
}

// flakySubject reports whether a name speaks of a thing that may be flaky, and
// does not mark a test so: flakyResult, flakyServer.
func flakySubject(words []string) bool {
	for i, w := range words {
		if !flakyWord.MatchString(w) || i+1 >= len(words) {
			continue
		}
		switch next := words[i+1]; next {
		case "test", "tests", "spec", "on", "in", "if", "for", "until", "when", "because", "by", "with":
		default:
			return !systems.MatchString(next)
		}
	}
	return false
}

// requirementField is a field of a test case that says where it runs.
var requirementField = regexp.MustCompile(`^(require|requires|required|requirements?|only(on|if|for)|precondition|prerequisites?)$`)

// required finds what the cases of a test ask for in a field of theirs, and that
// keeps them from running in places: Require: require.Not(x.Docker).
func (s *suite) required(t *test) {
	src := s.src
	for i := t.body.from; i+2 < t.body.to; i++ {
		if !src.isWord(i) || !src.is(i+1, ":") && !src.is(i+1, "=") || !t.own(i) || !requirementField.MatchString(strings.ToLower(src.at(i))) {
			continue
		}
		if !src.is(i-1, ".") && !src.is(i-1, "{") && !src.is(i-1, ",") && !src.token(i).first {
			continue
		}
		st := src.statement(i+2, span{i + 2, t.body.to})
		if parts := src.split(span{i + 2, st.to}); len(parts) > 0 && src.is(i+1, ":") {
			st.to = parts[0].to
		}
		for j := i + 2; j < min(st.to, i+maxFormula); j++ {
			w := src.at(j)
			if c := src.close(j + 1); src.isWord(j) && c > 0 && src.is(j+1, "(") && (w == "Not" || w == "not" || houseMark(w)) {
				t.marks = append(t.marks, marker{kind: skipsIf, at: j, words: short(src.join(span{j, c + 1}))})
				j = c
			}
		}
	}
}

// rowField is a field by which the row of a table is passed over.
var rowField = regexp.MustCompile(`^(?i)(skip(_?(on|if|when|unless|in|reason|windows|ci|mac\w*|linux)\w*|_?tests?)?|(is_?)?flaky(_?reason)?|x_?fail|quarantined?|known_?(failure|bug|issue)s?)$`)

// skipTargets is an argument that names where a test does not run.
var skipTargets = regexp.MustCompile(`^(skip|exclude|ignore|except)(Missing)?(Platform|Engine|Browser|Os|OS|Target|Runtime|Dialect|Database|Backend|Provider|Version)s?$`)

// skipsTargets finds such arguments of a test, one mark for each that is named.
func (s *suite) skipsTargets(t *test) {
	src := s.src
	for i := t.body.from; i+2 < t.body.to; i++ {
		if !src.isWord(i) || !src.is(i+1, "=") && !src.is(i+1, ":") || len(src.at(i)) > 30 || !skipTargets.MatchString(src.at(i)) || !t.own(i) {
			continue
		}
		up := int(src.token(i).up)
		if up < 0 || !src.is(up, "(") && !src.is(up, "{") || !src.is(i-1, "(") && !src.is(i-1, ",") && !src.is(i-1, "{") || src.is(i+2, "false") {
			continue
		}
		value := src.split(span{i + 2, max(src.close(up), i+2)})
		if len(value) == 0 {
			continue
		}
		named := 0
		for j := value[0].from; j < min(value[0].to, i+maxFormula); j++ {
			if src.kind(j) == text || src.is(j, "true") {
				named++
			}
		}
		for range named {
			t.marks = append(t.marks, marker{kind: skipsIf, at: i, words: short(src.join(span{i, value[0].to}))})
		}
	}
}

// minRow is how many letters make a row one that can be found again.
const minRow = 16

// skippedRows reports rows of a table that were there before and have a field
// now by which they are passed over.
func (c *change) skippedRows(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	src := p.new.src
	asked := 0
	for i := 1; i+2 < len(src.tokens) && asked < maxAsked; i++ {
		name := strings.Trim(src.at(i), `"'`)
		if !src.is(i+1, ":") && !src.is(i+1, "=") || len(name) > 40 || len(name) < 4 || !rowField.MatchString(name) {
			continue
		}
		open := int(src.token(i).up)
		if open < 0 || src.close(open) < 0 || src.close(open) > open+400 || !src.is(i-1, ",") && i-1 != open {
			continue
		}
		value := src.split(span{i + 2, src.close(open)})
		if len(value) == 0 || slices.Contains([]string{"false", "False", "nil", "null", "None", `""`, "undefined", "0", "bool", "boolean", "string"}, src.join(value[0])) {
			continue
		}
		asked++
		if src.is(i+2, "true") && p.flipped(i, open) {
			c.reportSkip(p.new, marker{kind: skipsIf, at: i, words: name}, []lint.Related{was(p.old, 0, "the file before")}, "case", src.join(span{max(open-8, 0), open}))
			return
		}
		rest := src.join(span{open, i}) + " " + src.join(span{min(value[0].to+1, src.close(open)), src.close(open) + 1})
		rest = squeezed(rest)
		if len(rest) < minRow || strings.Contains(p.old.squeezedText(), squeezed(src.join(span{open, src.close(open) + 1}))) || !strings.Contains(p.old.squeezedText(), rest) {
			continue
		}
		c.reportSkip(p.new, marker{kind: skipsIf, at: i, words: name}, []lint.Related{was(p.old, 0, "the file before")}, "row", src.join(span{open + 1, src.close(open)}))
		return
	}
}

// flipped reports whether a field that is true now was false in the same place,
// by what stands before it.
func (p *pair) flipped(i, open int) bool {
	before := squeezed(p.new.src.join(span{max(open-10, 0), i + 2}))
	if len(before) < minRow {
		return false
	}
	count := func(v string) int { return strings.Count(p.old.squeezedText(), v) }
	return count(before+"false") > 0 && count(before+"true") == 0
}

// squeezed is a text without white space, the comma before a closing bracket
// and the difference of quotes.
func squeezed(v string) string {
	v = strings.NewReplacer(" ", "", "\n", "", "\t", "", "\r", "", "'", `"`).Replace(v)
	return strings.NewReplacer(",}", "}", ",)", ")", ",]", "]").Replace(v)
}

// squeezedText is the whole file so, once it was asked for.
func (s *suite) squeezedText() string {
	if s.joined == "" {
		s.joined = squeezed(s.src.text)
	}
	return s.joined
}

// widerNames reports the marks that a file names, and whose condition holds in
// more places than before.
func (c *change) widerNames(p *pair) {
	if p.old == nil || p.new == nil || p.new.src.lang != python || !p.test {
		return
	}
	for i := range p.new.src.tokens {
		name := p.new.src.at(i)
		if !p.new.src.token(i).first || p.new.src.token(i).col > 0 || p.new.definitions()[name].len() == 0 || p.old.definitions()[name].len() == 0 {
			continue
		}
		old, ok := p.old.namedMark(name)
		now, also := p.new.namedMark(name)
		if !ok || !also {
			continue
		}
		before, after := []marker{old}, []marker{now}
		p.old.writeOut(before)
		p.new.writeOut(after)
		if m, ok := newMark(before, after, skips, skipsIf, expectsFailure); ok {
			m.at = i
			c.reportSkip(p.new, m, []lint.Related{was(p.old, p.old.definitions()[name].from, "the mark before")}, "whatever has the mark", name)
			return
		}
	}
}
