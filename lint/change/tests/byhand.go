package tests

import (
	"maps"
	"regexp"
	"slices"

	"steelyard/lint"
)

// needForm is the name of a function that ends a test where something is not
// there that most runs have to have for it.
var needForm = regexp.MustCompile(`(?i)^(requires?|needs?)_?(docker|podman|root|sudo|linux|windows|unix|darwin|mac_?os|internet|network|online|gpu|cuda|kvm|cgo|ipv6|kernel\w*|privilege\w*|integration|env(ironment)?(_?var\w*)?|slow)(_?tests?|_?only|_?access|_?support)?$`)

func needCall(w string) bool { return len(w) <= maxName && needForm.MatchString(w) }

// shadowed reports whether a test function gets its own name anew with a
// condition for all tests of the file: const test = base.skipIf(…).
func (s *suite) shadowed(i int) (alias, bool) {
	src := s.src
	for j := i + 2; j < min(i+40, len(src.tokens)) && !src.is(j, ";") && (!src.token(j).first || src.goesOn(j)); j++ {
		if m, ok := scriptMark(src.at(j)); ok && src.is(j-1, ".") && src.isWord(j-2) && (m.kind == skips || m.kind == skipsIf) {
			m.at, m.words = i, src.at(i)+" = "+src.at(j-2)+"."+src.at(j)
			if src.is(j+1, "(") && m.kind == skipsIf && src.close(j+1) > 0 {
				m.cond, m.runs = src.join(span{j + 2, src.close(j + 1)}), src.is(j, "runIf") || src.is(j, "if")
			} else if src.alternatives(span{i + 2, j}, "?") > 0 {
				m.kind = skipsIf
			}
			return alias{group: scriptTests[src.at(i)], marks: []marker{m}}, true
		}
		if c := src.close(j); c > 0 && opens(src.at(j)) {
			j = c
		}
	}
	return alias{}, false
}

// triedWord is the name of what counts the times that something is tried.
var triedWord = regexp.MustCompile(`(?i)^(max_?|num_?)?(attempts?|retry|retries|tries)(_?(count|left|no|number))?$`)

// triesAgain finds the loops by which a test tries its checks again, and in
// Ruby the word for that in a rescue.
func (s *suite) triesAgain(t *test) []marker {
	var marks []marker
	src := s.src
	for i := t.body.from; i < t.body.to && len(marks) < maxAsked; i++ {
		if !src.isWord(i) || !t.own(i) {
			continue
		}
		switch w := src.at(i); {
		case s.retriesWhole(t, i):
			marks = append(marks, marker{kind: retries, at: i, words: w, count: 1})
		case w == "retry" && src.lang == ruby && src.token(i).first && !src.is(i+1, "=") && !src.is(i+1, ".") && !src.is(i+1, "(") && !src.is(i+1, "do") && !src.is(i+1, "{"):
			marks = append(marks, marker{kind: retries, at: i, words: w, count: 1})
		case w == "for" || w == "while" || w == "loop" || w == "repeat" || w == "times":
			if body := s.loopOf(i, t.body); body.len() > 0 && s.checksInTry(t, body) {
				marks = append(marks, marker{kind: retries, at: i, words: w, count: 1})
			}
		}
	}
	return marks
}

// retryingCall is the name of a function that runs what it is given again.
var retryingCall = regexp.MustCompile(`(?i)^(with_?|run_?with_?|do_?with_?|execute_?with_?|run_?)?(retry|retries|retrying|rerun)(_?(async|on_?failure|flaky|test|block|action|if_?needed|times|loop))*$`)

// retriesWhole reports whether a test is nothing but a call of such a function:
// RetryHelper.Retry(async () => { … }).
func (s *suite) retriesWhole(t *test, i int) bool {
	src := s.src
	if len(src.at(i)) > maxName || !retryingCall.MatchString(src.at(i)) || len(t.asserts) == 0 {
		return false
	}
	open := i + 1
	for n := 0; n < 12 && open < t.body.to && !src.is(open, "(") && !src.is(open, "{") && !src.is(open, "do"); n++ {
		open++
	}
	first := i
	for src.is(first-1, ".") && src.isWord(first-2) || src.is(first-1, "await") || src.is(first-1, "return") {
		if first--; src.is(first, ".") {
			first--
		}
	}
	if !s.first(t, first) && first != t.body.from {
		return false
	}
	end := src.close(open)
	if src.is(open, "do") {
		end = src.block(first).to
	}
	if next := end + 1; src.is(open, "(") && end > 0 && (src.is(next, "{") || src.is(next, "do")) { // retry(3) { … }
		if end = src.close(next); src.is(next, "do") {
			end = src.block(first).to
		}
	}
	for j := range t.asserts {
		if a := &t.asserts[j]; a.at < open || a.at >= end {
			return false
		}
	}
	return true
}

// loopOf is the block of a loop whose head or first lines count attempts.
func (s *suite) loopOf(i int, within span) span {
	src := s.src
	body := span{}
	if src.lang.indented() {
		for !src.token(i).first && i > within.from {
			i--
		}
		body = src.block(i)
	} else {
		open := i + 1
		if c := src.close(open); src.is(open, "(") && c > 0 {
			open = c + 1
		}
		if open = src.next("{", open, 30); open > 0 && src.close(open) > 0 {
			body = span{open, src.close(open)}
		}
	}
	body.to = min(body.to, within.to)
	for j := i; j < min(body.to, i+40); j++ {
		if src.isWord(j) && len(src.at(j)) < maxName && triedWord.MatchString(src.at(j)) {
			return body
		}
	}
	return span{}
}

// checksInTry reports whether an assertion of a test stands inside of a try in
// a block.
func (s *suite) checksInTry(t *test, body span) bool {
	at := -1
	for i := body.from; i < body.to && at < 0; i++ {
		if s.src.is(i, "try") || s.src.is(i, "begin") || s.src.is(i, "runCatching") {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	return slices.ContainsFunc(t.asserts, func(a assertion) bool {
		return body.has(a.at) && a.at > at && slices.ContainsFunc(s.handlers(body), func(h span) bool { return a.at < h.from })
	})
}

// handlers are what follows the words that begin the handler of an error.
func (s *suite) handlers(r span) []span {
	var found []span
	for i := r.from; i < r.to && len(found) < maxTexts; i++ {
		if s.src.is(i, "catch") || s.src.is(i, "rescue") && s.src.token(i).first || s.src.is(i, "except") && s.src.token(i).first {
			found = append(found, span{i, r.to})
		}
	}
	return found
}

// retriedByHand reports functions that check and, where that fails, now call
// themselves or try again.
func (c *change) retriedByHand(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.new.helpers)) {
		before, ok := p.old.helpers[name]
		if !ok || !p.new.checks[name] {
			continue
		}
		at := p.new.again(name, p.new.helpers[name])
		if at < 0 || p.old.again(name, before) >= 0 {
			continue
		}
		c.report("TS014", p.Path, p.new.src.line(at), []lint.Related{was(p.old, before.from, "the function before")}, "whatever uses %q is retried when it fails", short(name))
		return
	}
}

// again is where a function calls itself, or tries again, once something in it
// went wrong; -1 without such a place.
func (s *suite) again(name string, body span) int {
	for _, h := range s.handlers(body) {
		for i := h.from; i < h.to; i++ {
			if s.src.is(i, name) && s.src.is(i+1, "(") && !s.src.is(i-1, ".") || s.src.is(i, "retry") && s.src.lang == ruby && s.src.token(i).first {
				return i
			}
		}
	}
	return -1
}
