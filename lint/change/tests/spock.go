package tests

import "strings"

// spockMarks are the annotations of Spock that keep a feature from running, or
// all others.
var spockMarks = map[string]markerKind{
	"Ignore": skips, "IgnoreIf": skipsIf, "Requires": skipsIf, "PendingFeature": expectsFailure, "PendingFeatureIf": expectsFailure, "NotYetImplemented": expectsFailure,
	"IgnoreRest": focuses, "Retry": retries,
}

// spockLabels begin a part of a feature.
var spockLabels = map[string]bool{
	"given": true, "setup": true, "when": true, "then": true, "expect": true, "cleanup": true, "where": true, "and": true,
}

// groovyString is a string of Groovy: quoted, between three quotes, or between
// slashes where an operator comes before.
func (l *lexer) groovyString() int {
	rest := l.text[l.pos:]
	switch {
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
		return l.until(l.pos+3, rest[:3])
	case rest[0] == '/' && l.regexMayBegin():
		return l.quoted(l.pos, false)
	}
	return l.simpleString("", "")
}

// feature is the title of a method of Groovy, and whether it is a test: one of
// Spock has a text for a name or a part that expects something.
func (s *suite) feature(name int, body span, annotated bool) (string, bool) {
	title := titleOf(s.src, span{name, name + 1})
	if annotated || s.src.kind(name) == text {
		return title, true
	}
	for i := body.from; i < body.to; i++ {
		if (s.src.is(i, "then") || s.src.is(i, "expect")) && s.src.is(i+1, ":") && s.src.token(i).first {
			return title, true
		}
	}
	return title, strings.HasPrefix(title, "test") && len(title) > 4 && s.extendsTestCase()
}

// spockConditions are the lines below "then:" and "expect:", each of which must
// hold.
func (s *suite) spockConditions(t *test) []assertion {
	if s.src.lang != groovy {
		return nil
	}
	src, checks := s.src, false
	var found []assertion
	for i := t.body.from; i < t.body.to; i++ {
		if !src.token(i).first {
			continue
		}
		if src.is(i+1, ":") && spockLabels[src.at(i)] {
			if !src.is(i, "and") {
				checks = src.is(i, "then") || src.is(i, "expect")
			}
			if !src.token(min(i+2, len(src.tokens)-1)).first && i+2 < t.body.to {
				i += 2
			} else {
				continue
			}
		}
		if !checks || !t.own(i) {
			continue
		}
		st := src.statement(i, span{i, t.body.to})
		if src.is(i, "assert") {
			i = max(st.to-1, i)
			continue // read by its name
		}
		if src.is(i, "def") || src.is(i+1, "=") || st.len() == 0 || closes(src.at(i)) {
			continue
		}
		a := src.comparison(st)
		a.name, a.at, a.end, a.text = "condition", st.from, st.to, src.join(st)
		a.alts = src.alternatives(st, "||")
		a.written(src)
		a.guards = s.guards(t.body, a.at)
		found = append(found, a)
		i = max(st.to-1, i)
	}
	return found
}
