package tests

import (
	"fmt"
	"regexp"
	"strings"
)

// Names of assertions of a project's own that want a value near another, and
// those that want the very value.
var (
	roughName = regexp.MustCompile(`(?i)rough|approx|almost|near|close(_?to|$)|all_?close|is_?close|around|about|within|toleran|in_?delta|in_?epsilon|ulps|abs_?diff|relative_eq|similar|equalish|fuzzy`)
	exactName = regexp.MustCompile(`(?i)identical|exact|equal|same|(^|_)eq($|_)|Eq$`)
	countName = regexp.MustCompile(`(?i)almost|places|digits|decimal`)
)

// widerAbout reports an assertion of a project's own that wants a value near
// another, of which the last number, which says how near, has grown.
func widerAbout(o, n *assertion) string {
	if o.name != n.name || o.negated || n.negated || !roughName.MatchString(n.name) || levels[n.name] != unknown || len(n.loose) > 0 {
		return ""
	}
	from, to := lastCallArgs(o), lastCallArgs(n)
	last := len(from) - 1
	if last < 1 || len(from) != len(to) || last < 2 && holds(n.text, n.name+" ( "+from[0]) && n.subject == from[0] {
		return ""
	}
	for last > 1 && from[last] == to[last] && (strings.IndexAny(from[last], "\"'`") == 0) {
		last-- // a message
	}
	for i := range last {
		if from[i] != to[i] {
			return ""
		}
	}
	if countName.MatchString(n.name) && !strings.Contains(from[last], ".") && further(from[last], "17") > 0 {
		return "" // it may count digits
	}
	if isSum(from[last]) && isSum(to[last]) && further(from[last], to[last]) > 0 {
		return fmt.Sprintf("how near is near enough goes from %s to %s", short(from[last]), short(to[last]))
	}
	return ""
}

// lastCallArgs are the arguments of the call that names the assertion, without
// the test that Go hands on.
func lastCallArgs(a *assertion) []string {
	words := strings.Fields(a.text)
	for i := len(words) - 2; i >= 0; i-- {
		if words[i] != a.name {
			continue
		}
		if words[i+1] == "!" && i+2 < len(words) {
			i++
		}
		end := bracketed(words, i+1)
		if end < 0 {
			end = len(words) // Ruby writes none
			i--
			return elements(strings.Join(words[i+2:end], " "))
		}
		args := elements(strings.Join(words[i+2:end], " "))
		if len(args) > 0 && (args[0] == "t" || args[0] == "c" || args[0] == "tb") {
			args = args[1:]
		}
		return args
	}
	return nil
}

// nearByName reports an assertion whose name wants the very value, in place of
// which one with the same arguments wants a value near it.
func nearByName(o, n *assertion) string {
	if o.name == n.name || o.negated != n.negated || !exactName.MatchString(o.name) || roughName.MatchString(o.name) {
		return ""
	}
	rough := roughName.MatchString(n.name)
	if !rough && (!strings.Contains(strings.ToLower(o.name), "identical") || !exactName.MatchString(n.name) || strings.Contains(strings.ToLower(n.name), "identical")) {
		return ""
	}
	from, to := lastCallArgs(o), lastCallArgs(n)
	if len(from) < 2 || len(to) < 2 || !(from[0] == to[0] && from[1] == to[1] || from[0] == to[1] && from[1] == to[0]) || decimal.MatchString(from[0]) || decimal.MatchString(from[1]) {
		return ""
	}
	if rough {
		return "near is enough where equal was asked for"
	}
	return fmt.Sprintf("%q asks for less than %q", n.name, o.name)
}

// decimal is a number of floating point that stands for itself.
var decimal = regexp.MustCompile(`^-? ?[0-9]+\.[0-9]+$`)
