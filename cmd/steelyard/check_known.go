package main

import (
	"slices"

	"steelyard/lint"
)

// leaveOld takes out of a result what was found in the base already, and says
// what suppressions answer of the rest.
func (s *span) leaveOld(before lint.Result, result *lint.Result) {
	fresh, known, _ := lint.NewBaseline(before.Findings).Split(result.Findings, s.gone)
	known, other := sameMessages(before.Findings, known)
	fresh = append(fresh, other...)
	slices.SortStableFunc(fresh, lint.Order)
	result.Findings, result.Known = append([]lint.Finding{}, fresh...), len(known)
	s.answered(before, *result)
}

// belowKey reports whether a finding may stand at a line that says nothing of
// what it is about: servers and permissions stand below their keys ("docs": {).
func belowKey(f lint.Finding) bool {
	family := f.Rule[:2]
	return family == "MC" || family == "PM"
}

// sameMessages tells of findings that were known by their lines those that say
// what was said before from the others: another server could have taken the place
// of one that is known.
func sameMessages(before, known []lint.Finding) (same, other []lint.Finding) {
	said := map[[2]string]int{}
	for _, f := range before {
		said[[2]string{f.Rule, f.Message}]++
	}
	for _, f := range known {
		key := [2]string{f.Rule, f.Message}
		if belowKey(f) && said[key] == 0 {
			other = append(other, f)
			continue
		}
		said[key]--
		same = append(same, f)
	}
	return same, other
}

// answered says which findings of the change a suppression answers: a change may
// bring both.
func (s *span) answered(before, now lint.Result) {
	old := lint.NewBaseline(slices.Concat(before.Findings, before.Answered))
	fresh, _, _ := old.Split(now.Answered, s.gone)
	if len(fresh) > 0 {
		s.say("suppressions answer findings of the change itself: %s; read their reasons before you approve", joined(where(fresh)))
	}
}

// where names some findings by their rules and files, each once.
func where(findings []lint.Finding) (names []string) {
	for _, f := range findings {
		if name := f.Rule + " in " + f.Path; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
