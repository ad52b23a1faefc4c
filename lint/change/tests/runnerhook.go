package tests

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// runnerHooked reports what the hooks of a runner do to the tests that they are given,
// and did not before: a mark added, a retry for all, items left out.
func (c *change) runnerHooked(p *pair) {
	if p.old == nil || p.new == nil || !p.test && !isSetting(p.Path) {
		return
	}
	had := map[string]int{}
	for _, m := range p.old.runnerMarks() {
		had[m.words]++
	}
	for _, m := range p.new.runnerMarks() {
		if had[m.words]--; had[m.words] >= 0 {
			continue
		}
		related := []lint.Related{was(p.old, 0, "the file before")}
		switch m.kind {
		case retries:
			c.report("TS014", p.Path, p.new.src.line(m.at), related, "tests are retried by %q", m.words)
		case skips:
			c.report("TS011", p.Path, p.new.src.line(m.at), related, "tests are left out by %q", m.words)
		default:
			c.reportSkip(p.new, m, related, "whatever is found in", p.Path)
		}
		return
	}
}

// runnerMarks finds what hooks do to tests.
func (s *suite) runnerMarks() []marker {
	var found []marker
	for i := range s.src.tokens {
		if !s.src.isWord(i) || len(found) >= maxExtra {
			continue
		}
		if m, ok := s.runnerMark(i); ok {
			found = append(found, m)
		}
	}
	return found
}

// runnerMark reads the word at i.
func (s *suite) runnerMark(i int) (marker, bool) {
	src, w := s.src, s.src.at(i)
	m := marker{kind: retries, at: i, words: w}
	switch src.lang {
	case python:
		return s.pytestMark(i)
	case ruby:
		switch {
		case w == "run_with_retry":
			return m, src.is(i-1, ".")
		case w == "default_retry_count" || w == "default_sleep_interval" || w == "retry_count":
			return m, w != "default_sleep_interval" && src.is(i-1, ".") && src.is(i+1, "=") && src.kind(i+2) == number && !src.is(i+2, "0") && !src.is(i+2, "1")
		case (w == "meta" || w == "metadata") && src.is(i+1, "[") && src.is(i+3, "]") && src.is(i+4, "="):
			m.words = src.at(i + 2)
			if m.words == ":skip" || m.words == ":pending" {
				m.kind = skipsIf
				return m, true
			}
			return m, m.words == ":retry"
		}
	case csharp:
		return m, (w == "Retry" || w == "Flaky" || w == "RetryFact") && src.is(i-1, ":") && src.is(i-2, "assembly")
	case java, kotlin, groovy:
		switch {
		case w == "setRetryAnalyzer" || w == "setRetryAnalyzerClass":
			return m, src.is(i-1, ".")
		case w == "setEnabled" && src.is(i+2, "false") && s.words["ITestAnnotation"] > 0:
			m.kind = skips
			return m, true
		case w == "retries" && src.is(i+1, "=") && src.is(i-1, "val") && src.is(i-2, "override"):
			return m, src.kind(i+2) == number && !src.is(i+2, "0")
		}
	}
	return m, false
}

// flakyMark is a mark by which a test is run again.
var flakyMark = regexp.MustCompile(`\b(flaky|reruns?|repeat_on_fail\w*|retry)\b`)

// pytestMark reads a mark that is added to an item, and what is done to the list
// of all items.
func (s *suite) pytestMark(i int) (marker, bool) {
	src, w := s.src, s.src.at(i)
	m := marker{kind: retries, at: i, words: w}
	switch {
	case (w == "add_marker" || w == "applymarker" || w == "append" && src.is(i-2, "own_markers")) && src.is(i+1, "("):
		inside := span{i + 2, max(src.close(i+1), i+2)}
		if flakyMark.MatchString(src.join(inside)) {
			m.words = "flaky"
			return m, true
		}
		m.kind = skipsIf
		return m, w == "append" && s.skipMarkIn(inside)
	case w == "pytest_deselected" && src.is(i-1, "."):
		m.kind = skips
		return m, true
	case w == "items" && src.is(i+1, "[") && src.is(i+2, ":") && src.is(i+3, "]") && src.is(i+4, "="):
		m.kind, m.words = skips, "items[:] ="
		st := src.statement(i+5, span{i + 5, len(src.tokens)})
		return m, slices.Contains(strings.Fields(src.join(st)), "if")
	}
	return m, false
}

// inRunnerHook reports whether a place stands in a block that a runner runs
// before each test of the whole run: beforeEach(…) of a file for set-up,
// config.before of RSpec.
func (s *suite) inRunnerHook(i int) bool {
	src := s.src
	if src.lang == javascript {
		for up := int(src.token(i).up); up > 0; up = int(src.token(up).up) {
			if w := src.at(up - 1); src.is(up, "(") && (w == "beforeEach" || w == "before" || w == "beforeAll") {
				return true
			}
		}
		return false
	}
	if src.lang != ruby {
		return false
	}
	col := int32(1 << 30)
	for j := i; j >= max(0, i-maxStatement); j-- {
		if !src.token(j).first || src.token(j).col >= col {
			continue
		}
		col = src.token(j).col
		if src.is(j+1, ".") && (src.is(j+2, "before") || src.is(j+2, "around") || src.is(j+2, "prepend_before")) {
			return true
		}
	}
	return false
}
