package tests

import (
	"fmt"
	"strings"
)

// ignoreForms leave a part of a value out of its comparison.
var ignoreForms = []string{
	"IgnoreFields", "IgnoreTypes", "IgnoreMapEntries", "IgnoreSliceElements", "IgnoreInterfaces", "FilterPath", "FilterValues", "EquateApprox",
	"ignoringFields", "ignoringFieldsMatchingRegexes", "ignoringFieldsOfTypes", "ignoringActualNullFields", "ignoringExpectedNullFields", "comparingOnlyFields",
	"Excluding", "ExcludingMissingMembers", "excluding", "IgnoreProperty", "ignoringAllOverriddenEquals", "ignoring",
}

// ignoring reports a comparison that leaves out more than before.
func ignoring(o, n *assertion) string {
	for _, form := range ignoreForms {
		if count(n.text+" ", form+" (") > count(o.text+" ", form+" (") {
			return fmt.Sprintf("a part of the value is left out by %q", form)
		}
	}
	for _, form := range []string{"IgnoreCase", "ignoreCase : true", "IgnoringCase", "ignoreCase = true", "EqualFold"} {
		if strings.Count(n.text, form) > strings.Count(o.text, form) && alike(o.text, n.text) >= 0.4 {
			return "large and small letters are one now"
		}
	}
	return ""
}

// callCounts are ways to say how often something must be called, by how much
// each pins down.
var callCounts = []struct {
	form string
	rank int
}{
	{"AnyTimes", 1},
	{"Maybe", 1},
	{"anyTimes", 1},
	{"atLeastOnce", 2},
	{"atLeast", 2},
	{"AtLeastOnce", 2},
	{"AtLeast", 2},
	{"at_least", 2},
	{"at_least_once", 2},
	{"by_at_least", 2},
	{"MinTimes", 2},
	{"called", 2},
	{"AtMost", 2},
	{"atMost", 2},
	{"MaxTimes", 2},
	{"at_most", 2},
	{"times", 3},
	{"Times", 3},
	{"Once", 3},
	{"Exactly", 3},
	{"exactly", 3},
	{"once", 3},
	{"twice", 3},
	{"by", 3},
	{"calledOnce", 3},
	{"calledTwice", 3},
	{"EXPECT", 3},
}

// onceWith are matchers of the only call, with those of a call among others.
var onceWith = map[string]string{
	"assert_called_once_with":         " assert_called_with assert_any_call assert_has_calls ",
	"assert_awaited_once_with":        " assert_awaited_with assert_any_await assert_has_awaits ",
	"toHaveBeenCalledExactlyOnceWith": " toHaveBeenCalledWith toBeCalledWith toHaveBeenLastCalledWith ",
	"calledOnceWithExactly":           " calledWith calledWithExactly ",
	"calledOnceWith":                  " calledWith ",
}

// fewerCalls reports a call that had to come so many times and now may come
// more often, or not at all.
func fewerCalls(o, n *assertion) string {
	from, _ := callCount(o)
	if from == 0 && (o.name == "verify" || o.name == "coVerify") {
		from = 3 // Mockito's own default is once
	}
	if onceWith[o.name] != "" && strings.Contains(onceWith[o.name], " "+n.name+" ") && o.subject == n.subject {
		return fmt.Sprintf("%q does not say how often", n.name)
	}
	to, form := callCount(n)
	if from < 3 || to == 0 || to >= from {
		return ""
	}
	return fmt.Sprintf("%q does not say how often", form)
}

// callCount is the rank of the weakest form in an assertion, 0 without one.
func callCount(a *assertion) (rank int, form string) {
	words := strings.Fields(a.text)
	for i, w := range words {
		if i == 0 || words[i-1] != "." && words[i-1] != "," && words[i-1] != "(" {
			continue
		}
		for _, c := range callCounts {
			if w == c.form && (rank == 0 || c.rank < rank) {
				rank, form = c.rank, c.form
			}
		}
	}
	return rank, form
}
