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
	if why := saysLess(o, n); why != "" {
		return why
	}
	if why := toPattern(o, n); why != "" {
		return why
	}
	if pattern(o, n) || failsNow(o, n) || sameTruth(o, n) || trueSpelled(o, n) || otherCall(o, n) {
		return ""
	}
	if oneOfSeveral(o, n) {
		return "one of several values will do"
	}
	if nearNow(o, n) {
		return "near is enough where equal was asked for"
	}
	if oneSideNow(o, n) {
		return fmt.Sprintf("%q takes any value on one side", strings.TrimSpace(n.name+" "+n.op))
	}
	if why := typeless(o, n); why != "" {
		return why
	}
	if o.raises != nil && n.raises != nil {
		if why := broader(o, n); why != "" {
			return why
		}
		return lesserForm(o, n)
	}
	for _, ask := range []func(o, n *assertion) string{looser, widerAbout, nearByName, partsOfWhole, helperAsksLess, wildcards, ignoring, fewerCalls, unordered, evened, redacted, anyPattern, anyOfThem, moreChoices, anythingBut, wilderPattern, fewerConditions, partInside, oftener, lesserForm, reordered, oneMember, roomNow, onlySize, lenient, fewerEntries} {
		if why := ask(o, n); why != "" {
			return why
		}
	}
	if o.raises != nil || n.raises != nil || n.helper || o.helper || o.setup || n.setup && (n.level != presence || nothingRaised[n.name]) {
		return ""
	}
	if !related(o, n) {
		return ""
	}
	if n.alts > o.alts && o.level != unknown && strength(n) >= strength(o) {
		return "one of several values will do"
	}
	return lower(o, n)
}

// calledOnce are matchers of a call that do not ask for its arguments.
var calledOnce = map[string]bool{"assert_called_once": true, "assert_awaited_once": true, "calledOnce": true, "calledTwice": true, "toHaveBeenCalledOnce": true}

// empties ask for a value without anything in it.
var empties = map[string]bool{"Empty": true, "BeEmpty": true, "isEmpty": true, "be_empty": true, "assert_empty": true, "toBeEmpty": true, "IsEmpty": true, "empty": true, "ShouldBeEmpty": true, "shouldBeEmpty": true}

// emptyValues are such values, written out.
var emptyValues = map[string]bool{`""`: true, "[ ]": true, "{ }": true, "nil": true, "0": true, "string . Empty": true, "List . of ( )": true}

// related reports whether two assertions are about one thing.
func related(o, n *assertion) bool {
	return o.subject == n.subject || within(o.subject, n.subject) || within(n.subject, o.subject) ||
		o.other != "" && (o.other == n.subject || o.other == n.other)
}

// within reports whether a subject is part of another.
func within(a, b string) bool {
	return a != "" && len(a) > 2 && strings.Contains(" "+b+" ", " "+a+" ") || a != "" && strings.HasPrefix(b, a+" . ")
}

// lower compares what two assertions of one subject pin down.
func lower(o, n *assertion) string {
	from, to := strength(o), strength(n)
	if from == unknown || to == unknown || to >= from || o.name == n.name && o.op == n.op && o.name != "assert" && o.name != "if" && to == partial && (!n.sizeOf || o.sizeOf) {
		return ""
	}
	if n.negated && o.subject != n.subject && !nullish[n.name] {
		return "" // something must not be there: no lesser form of the old one
	}
	if empties[n.name] && !n.negated && emptyValues[o.expected] {
		return "" // empty is what was written out
	}
	if o.level == truth && !o.negated && nullish[o.name] && n.sizeOf && n.expected == "0" {
		return "" // nothing in it is another value than nothing at all
	}
	if from == partial && n.negated && n.level == partial && !n.sizeOf && !nullish[n.name] && !empties[n.name] {
		return "" // that another part is not there is no lesser form
	}
	if to == presence && turnedOver(o, n) {
		return "" // the opposite is expected now
	}
	if to == presence && o.sizeOf && (o.op == ">" && o.expected == "0" || o.op == ">=" && o.expected == "1") {
		return "" // to have something and not to be empty are one
	}
	if ofWhole(o, n) || pattern(o, n) {
		return ""
	}
	if from == partial && to <= truth && choosing.MatchString(n.subject) {
		return "" // a question with a block of its own asks for as much
	}
	switch to {
	case presence:
		if n.expected != "" && n.expected == o.expected && from == exact && (o.name != n.name || o.negated != n.negated) || o.level == truth && o.name != "toBeTruthy" && o.subject != n.subject {
			return "" // the opposite is expected now
		}
		return fmt.Sprintf("%q only asks that there is something", n.name)
	case truth:
		if o.level == truth || equalCall.MatchString(n.subject) {
			return "" // "equals true" and "is true" are one to whoever writes them
		}
		return fmt.Sprintf("%q only asks whether it counts as true", n.name)
	case ordered:
		if from == partial && distance.MatchString(n.subject) {
			return "" // how far apart, on both sides
		}
		return fmt.Sprintf("%q takes any value on one side", strings.TrimSpace(n.name+" "+n.op))
	case partial:
		if (n.expected != "" || n.sizeOf || calledOnce[n.name]) && o.op == "" && from == exact {
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

// nullish are matchers of a value that is not there; their opposite says that
// there is one.
var nullish = map[string]bool{
	"toBeNull": true, "toBeUndefined": true, "null": true, "undefined": true, "BeNil": true, "be_nil": true, "IsNull": true, "BeNull": true, "isNull": true, "nullValue": true,
	"be_empty": true, "empty": true, "BeEmpty": true, "IsEmpty": true, "isEmpty": true, "toBeEmpty": true, "toHaveCount": true, "BeZero": true, "be_blank": true,
}

// strength is an assertion's level where levels can be compared: true, false
// and null wanted exactly are as exact as any value.
func strength(a *assertion) level {
	switch {
	case a.negated && nullish[a.name]:
		return presence
	case a.level == exact && partialValue.MatchString(a.expected):
		return partial
	case a.negated && a.level == truth:
		return unknown
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
	case otherMessage(o, n):
		return "" // product code says it otherwise
	case from != to && anyError[to] && !anyError[from] && from != "":
		if to == "" {
			return fmt.Sprintf("any error will do, not only %s", short(from))
		}
		return fmt.Sprintf("%s takes more errors than %s", short(to), short(from))
	case from != to && from != "" && strings.Contains(" "+to+" ", " "+from+" ") && strings.Contains(to, ","):
		return fmt.Sprintf("%s takes more errors than %s", short(to), short(from))
	case to == from+" or derived" && from != "":
		return fmt.Sprintf("an error derived from %s will do", short(from))
	case from == to && o.detail != "" && n.detail == "":
		return fmt.Sprintf("the message %s is no longer asked for", short(o.detail))
	case from == "EqualError" && to == "ErrorContains":
		return "only a part of the message is asked for"
	case from == to && o.detail != n.detail && n.detail != "" && from != "EqualError":
		if why := lessText(o.detail, n.detail, true); why != "" {
			return "less of the message is asked for"
		}
	}
	return ""
}

// anyError are the errors that most others are kinds of.
var anyError = map[string]bool{
	"": true, "Exception": true, "Error": true, "Throwable": true, "RuntimeException": true, "BaseException": true, "StandardError": true, "Exception or derived": true, "SystemException": true,
}

// looser compares tolerances and limits.
func looser(o, n *assertion) string {
	for _, b := range n.loose {
		a, ok := o.tolerance(b.name)
		if !ok && (o.name != n.name || strings.Contains(o.name, "equal")) {
			continue
		}
		if !ok && o.subject == n.subject && o.expected == n.expected && o.level == exact && len(o.loose) == 0 && (b.digit || b.value > 1e-9) {
			return fmt.Sprintf("near is enough: %s %s", b.name, figure(b.value))
		}
		if !ok {
			a, ok = tolerance{b.name, presets[b.name], b.digit}, presets[b.name] != 0
		}
		if ok && (b.digit && b.value < a.value || !b.digit && b.value > a.value) {
			return fmt.Sprintf("%s goes from %s to %s", a.name, figure(a.value), figure(b.value))
		}
	}
	if why := widerRange(o.text, n.text); why != "" {
		return why
	}
	if why := widerSpan(o, n); why != "" {
		return why
	}
	return furtherLimit(o, n)
}

// tolerance is the one of a name.
func (a *assertion) tolerance(name string) (tolerance, bool) {
	for _, t := range a.loose {
		if t.name == name {
			return t, true
		}
	}
	return tolerance{}, false
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
	"mock . ANY", "ANY", "Arg . Any", "Arg . Is", "It . IsAny", "anyString (", "anyInt (", "anyLong (", "any (", "argThat (", "mock . Anything", "anything", "Mock . Anything", "hash_including", "instance_of (", "kind_of (",
}

// wildcards reports values that were written out and now may be anything.
func wildcards(o, n *assertion) string {
	if o.name != n.name && strength(o) != strength(n) || o.text == n.text {
		return ""
	}
	for _, form := range wildcardForms {
		if !strings.Contains(n.text, form) || form == "any (" && strings.Contains(n.text, "expect . any (") || form == "hash_including" && count(o.text, "hash_not_including") > count(n.text, "hash_not_including") {
			continue
		}
		if count(n.text, form) > count(o.text, form) && total(n.text) > total(o.text) && len(o.text) > 0 && (losesLiteral(o, n) || form == "expect . arrayContaining" && o.name == n.name && o.subject == n.subject) {
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
		if g.whole || g.kind == conditional && o.alts > 0 && strings.Contains(o.text, strings.TrimPrefix(g.words, "if ")) {
			continue // the condition stood in the old assertion
		}
		had := slices.ContainsFunc(o.guards, func(b guard) bool { return b.kind == g.kind })
		if !had {
			return g
		}
	}
	return nil
}
