package tests

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// weaker says how the new assertion lets more pass than the old, "" if it does
// not or cannot be told.
func weaker(o, n *assertion) string {
	if n.level == nothing && o.level != nothing && o.level != unknown {
		return "it now holds whatever the code does"
	}
	if o.raises != nil && n.raises != nil {
		return broader(o, n)
	}
	if why := looser(o, n); why != "" {
		return why
	}
	if why := wildcards(o, n); why != "" {
		return why
	}
	if o.raises != nil || n.raises != nil || n.helper || o.helper || o.setup || n.setup {
		return ""
	}
	related := o.subject == n.subject || within(o.subject, n.subject) || within(n.subject, o.subject)
	if !related {
		return ""
	}
	return lower(o, n)
}

// within reports whether a subject is part of another.
func within(a, b string) bool {
	return a != "" && len(a) > 2 && strings.Contains(" "+b+" ", " "+a+" ")
}

// lower compares what two assertions of one subject pin down.
func lower(o, n *assertion) string {
	from, to := strength(o), strength(n)
	if from == unknown || to == unknown || to >= from || o.name == n.name && o.op == n.op && o.name != "assert" && o.name != "if" && to == partial {
		return ""
	}
	switch to {
	case presence:
		if n.expected != "" && n.expected == o.expected && from == exact || from == truth && o.name != "toBeTruthy" && o.subject != n.subject {
			return "" // the opposite is expected now
		}
		return fmt.Sprintf("%q only asks that there is something", n.name)
	case truth:
		if o.level == truth {
			return "" // "equals true" and "is true" are one to whoever writes them
		}
		return fmt.Sprintf("%q only asks whether it counts as true", n.name)
	case ordered:
		return fmt.Sprintf("%q takes any value on one side", strings.TrimSpace(n.name+" "+n.op))
	case partial:
		if n.expected != "" && o.op == "" && from == exact {
			return fmt.Sprintf("%q asks for less than the whole value", n.name)
		}
	}
	return ""
}

// truthy are matchers that take any value that counts as true.
var truthy = map[string]bool{
	"toBeTruthy": true, "assertTrue": true, "assert": true, "True": true, "IsTrue": true, "ok": true, "be_truthy": true, "assert_true": true, "truthy": true, "isTrue": true,
	"assert_": true, "if": true, "debug_assert": true, "toBeFalsy": false,
}

// strength is an assertion's level where levels can be compared: true, false
// and null wanted exactly are as exact as any value.
func strength(a *assertion) level {
	switch {
	case a.level == truth && (!truthy[a.name] || a.expected != ""):
		return exact
	case a.negated && (a.level == exact || a.level == partial):
		return presence
	case a.negated:
		return unknown
	}
	return a.level
}

// broader compares the errors that two assertions want.
func broader(o, n *assertion) string {
	from, to := *o.raises, *n.raises
	switch {
	case from != to && anyError[to] && !anyError[from] && from != "":
		if to == "" {
			return fmt.Sprintf("any error will do, not only %s", short(from))
		}
		return fmt.Sprintf("%s takes more errors than %s", short(to), short(from))
	case from == to && o.detail != "" && n.detail == "":
		return fmt.Sprintf("the message %s is no longer asked for", short(o.detail))
	case from == "EqualError" && to == "ErrorContains":
		return "only a part of the message is asked for"
	}
	return ""
}

// anyError are the errors that most others are kinds of.
var anyError = map[string]bool{
	"": true, "Exception": true, "Error": true, "Throwable": true, "RuntimeException": true, "BaseException": true, "StandardError": true, "Exception or derived": true, "SystemException": true,
}

// looser compares tolerances and limits.
func looser(o, n *assertion) string {
	for _, a := range o.loose {
		for _, b := range n.loose {
			if a.name == b.name && (a.digit && b.value < a.value || !a.digit && b.value > a.value) {
				return fmt.Sprintf("%s goes from %s to %s", a.name, figure(a.value), figure(b.value))
			}
		}
	}
	if o.subject != n.subject || o.level != ordered || n.level != ordered {
		return ""
	}
	from, ok := plainNumber(o.expected)
	to, also := plainNumber(n.expected)
	if !ok || !also {
		return ""
	}
	op, less := direction(o), false
	switch op {
	case "<":
		less = to > from
	case ">":
		less = to < from
	}
	if less && direction(n) == op {
		return fmt.Sprintf("the limit goes from %s to %s", figure(from), figure(to))
	}
	return ""
}

// direction is on which side of its limit an ordered assertion wants a value.
func direction(a *assertion) string {
	if a.op != "" {
		return a.op[:1]
	}
	switch lower := strings.ToLower(a.name); {
	case strings.Contains(lower, "greater") || lower == "above" || lower == "least" || lower == "isatleast":
		return ">"
	case strings.Contains(lower, "less") || lower == "below" || lower == "most" || lower == "isatmost":
		return "<"
	}
	return ""
}

func plainNumber(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "_", ""), "- ", "-")
	v, err := strconv.ParseFloat(strings.TrimRight(s, "fFdDmML"), 64)
	return v, err == nil
}

func figure(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// wildcardForms are expected values that take many.
var wildcardForms = []string{
	"expect . anything", "expect . any (", "expect . objectContaining", "expect . arrayContaining", "expect . stringContaining", "expect . stringMatching",
	"mock . ANY", "ANY", "Arg . Any", "Arg . Is", "It . IsAny", "anyString (", "anyInt (", "anyLong (", "any (", "mock . Anything", "anything", "Mock . Anything", "hash_including", "instance_of (", "kind_of (",
}

// wildcards reports values that were written out and now may be anything.
func wildcards(o, n *assertion) string {
	if o.name != n.name || o.text == n.text {
		return ""
	}
	for _, form := range wildcardForms {
		if !strings.Contains(n.text, form) || form == "any (" && strings.Contains(n.text, "expect . any (") {
			continue
		}
		if count(n.text, form) > count(o.text, form) && total(n.text) > total(o.text) && len(o.text) > 0 && losesLiteral(o, n) {
			return fmt.Sprintf("%q takes any value where one was written out", strings.ReplaceAll(strings.TrimSuffix(form, " ("), " ", ""))
		}
	}
	return ""
}

func count(s, form string) int { return strings.Count(" "+s+" ", " "+form) }

func total(s string) int {
	n := 0
	for _, form := range wildcardForms {
		n += count(s, form)
	}
	return n
}

// losesLiteral reports whether a word of the old assertion is not in the new.
func losesLiteral(o, n *assertion) bool {
	kept := wordsOf(n.text)
	for w := range wordsOf(o.text) {
		if !kept[w] {
			return true
		}
	}
	return false
}

// conceals reports whether an assertion's guards grew.
func conceals(o, n *assertion) *guard {
	for i := range n.guards {
		g := &n.guards[i]
		had := slices.ContainsFunc(o.guards, func(b guard) bool { return b.kind == g.kind })
		if !had {
			return g
		}
	}
	return nil
}
