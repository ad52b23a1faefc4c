package tests

import (
	"regexp"
	"slices"
)

// placeWord is a word of a name that says where something runs, in addition to
// the systems.
var placeWord = regexp.MustCompile(`^(js|jvm|wasmjs|ir|legacy|node|browser|deno|bun|chrome|chromium|firefox|safari|webkit|edge|electron|headless|ie|sqlite|mysql|mariadb|postgres|postgresql|oracle|mssql|redis|travis|appveyor|github|gpu|cuda|cpu|rocm|mps|net|netfx|framework|core|debug|release|root|simulator|emulator|device|ipv6|cluster|jdk\d*|java\d*|ruby\d*|py\d*|php\d*)$`)

func isPlace(w string) bool { return systems.MatchString(w) || placeWord.MatchString(w) }

// wrapName reports whether a function's name says where what it is given runs,
// or does not: noJs, onlyOn, jvmOnly, skipOnWindows, unlessCI, not_on_jruby.
func wrapName(w string) bool {
	if len(w) < 4 || len(w) > maxName {
		return false
	}
	if skipCall(w) || houseMark(w) && !flakySubject(nameWords(w)) {
		return true
	}
	words := nameWords(w)
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	switch words[0] {
	case "no", "on", "if", "when":
		return len(words) <= 3 && isPlace(words[1]) && isPlace(last)
	case "not", "except", "without", "ignore", "ignored", "disable", "disabled", "unless", "only", "skip", "exclude":
		next := words[1]
		if next == "on" || next == "in" || next == "for" || next == "if" || next == "when" {
			return len(words) == 2 || isPlace(words[2])
		}
		return isPlace(next)
	}
	return (last == "only" || last == "unsupported") && slices.ContainsFunc(words[:len(words)-1], isPlace)
}

// wraps reports whether the word at i is such a function, called with a block or
// a function that holds what is to run.
func (s *suite) wraps(i int) bool {
	src := s.src
	if !src.isWord(i) || src.is(i-1, ".") || declaring[src.at(i-1)] || !wrapName(src.at(i)) {
		return false
	}
	return s.wrapped(i).len() > 0
}

// wrapped is the block that the call at i is given, nothing if it has none.
func (s *suite) wrapped(i int) span {
	src := s.src
	switch src.lang {
	case kotlin, groovy:
		open := i + 1
		if src.is(open, "(") && src.close(open) > 0 {
			open = src.close(open) + 1
		}
		if c := src.close(open); src.is(open, "{") && c > 0 {
			return span{open + 1, c}
		}
	case ruby:
		if !src.token(i).first {
			return span{}
		}
		head := src.headLine(i)
		for j := i + 1; j < head.to; j++ {
			if src.is(j, "do") || src.is(j, "{") {
				return span{j + 1, src.block(i).to}
			}
		}
	case javascript, java, csharp:
		if args := src.arguments(i + 1); len(args) > 0 {
			if fn := args[len(args)-1]; src.isFunction(fn) || src.arrowIn(fn) {
				return fn
			}
		}
	}
	return span{}
}

// arrowIn reports whether an argument is a function of Java, written in place.
func (s *source) arrowIn(r span) bool {
	for i := r.from; i < min(r.to, r.from+12); i++ {
		if s.is(i, "->") || s.is(i, "=>") {
			return true
		}
	}
	return false
}

// wrappedRegions are such blocks outside of tests: skipOn("firefox", () => {
// it("opens", …) }).
func (s *suite) wrappedRegions() []region {
	var found []region
	src := s.src
	if src.lang != javascript && src.lang != ruby {
		return nil
	}
	next, end := 0, -1
	for i := 0; i < len(src.tokens) && len(found) < maxRegions; i++ {
		for next < len(s.tests) && s.tests[next].whole.from <= i {
			end = max(end, s.tests[next].body.to)
			next++
		}
		if i < end || !src.token(i).first || !s.wraps(i) {
			continue
		}
		cond := src.at(i)
		if src.is(i+1, "(") && src.kind(i+2) == text {
			cond += " ( " + src.value(i+2)
		}
		body := s.wrapped(i)
		found = append(found, region{body: span{i, body.to}, cond: "unless " + cond, at: i})
	}
	return found
}

// innerFunction is the function that a call in an argument is given: it("…",
// fakeAsync(() => { … })).
func (s *source) innerFunction(r span) (span, bool) {
	for i := r.from; i+1 < min(r.to, r.from+8); i++ {
		if !s.isWord(i) || !s.is(i+1, "(") || s.close(i+1) != r.to-1 {
			continue
		}
		if args := s.arguments(i + 1); len(args) > 0 && s.isFunction(args[len(args)-1]) {
			return args[len(args)-1], true
		}
	}
	return span{}, false
}
