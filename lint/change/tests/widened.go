package tests

import (
	"regexp"
	"slices"
)

// widened is a skip whose condition holds more often than before: it lost a
// part of "this and that", or got one of "this or that".
func widened(before, after []marker, kinds []markerKind) (marker, bool) {
	var old, now []marker
	for _, m := range before {
		if m.cond != "" && slices.Contains(kinds, m.kind) {
			old = append(old, m)
		}
	}
	for _, m := range after {
		if m.cond != "" && slices.Contains(kinds, m.kind) {
			now = append(now, m)
		}
	}
	if len(old) != len(now) {
		return marker{}, false
	}
	for i, m := range now {
		if m.runs == old[i].runs && wider(old[i], m) {
			m.words = m.cond
			return m, true
		}
	}
	return marker{}, false
}

// laxer is a mark that took the passing of a test for a failure, and does not.
func laxer(before, after []marker, kinds []markerKind) (marker, bool) {
	if !slices.Contains(kinds, expectsFailure) {
		return marker{}, false
	}
	strict := func(m marker) bool { return m.strict }
	for _, m := range after {
		if m.lax && !slices.ContainsFunc(after, strict) && slices.ContainsFunc(before, strict) {
			return m, true
		}
	}
	return marker{}, false
}

// wider reports whether a skip holds more often than it did: its condition, or
// the opposite of the one under which the test runs.
func wider(old, now marker) bool {
	if old.cond == now.cond {
		return false
	}
	if !now.runs && now.lang == rust && fewerSystems(old.cond, now.cond) {
		return true
	}
	before, ok := formulaOf(old.cond, now.lang)
	after, also := formulaOf(now.cond, now.lang)
	if !ok || !also {
		return false
	}
	if now.runs {
		before, after = formula{op: "not", parts: []formula{before}}, formula{op: "not", parts: []formula{after}}
	}
	return grows(before, after) || systemLeft.MatchString(old.cond) && !systemLeft.MatchString(now.cond) && everywhere.MatchString(now.cond) && !now.runs
}

// systemLeft asks for the system that a test runs on, everywhere for the place
// where all runs are made.
var (
	systemLeft = regexp.MustCompile(`(?i)windows|win32|win_platform|darwin|mac_?os|\bosx\b|linux|\bjruby\b|truffle`)
	everywhere = regexp.MustCompile(`\bCI\b|GITHUB_ACTIONS|isCI\b|is_ci\b`)
)
