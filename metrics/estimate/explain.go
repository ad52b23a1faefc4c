package estimate

import (
	"fmt"
	"slices"
	"strings"
)

// explain warns of terms that have no standard error, where the method did not
// say why, and of intervals that are open on both sides, which look like none.
func (t *task) explain() {
	var bare, open []string
	for _, r := range t.a.Results {
		if r.bare {
			bare = append(bare, r.Term)
		}
		if r.open {
			open = append(open, r.Term)
		}
	}
	if len(bare) > 0 && !t.explained() {
		why := "nothing varies that would show the uncertainty"
		if t.d.cluster != nil && len(t.d.clusters) == 1 {
			why = "all rows lie in one cluster"
		}
		t.warn("%s: no standard error: %s", some(bare), why)
	}
	if len(open) > 0 {
		t.warn("%s: the interval is open on both sides: no value that was tried is rejected", some(open))
	}
}

// explained reports whether the method said why there is no standard error: the
// reason it gives for its main term is that of the others.
func (t *task) explained() bool {
	return slices.ContainsFunc(t.a.Warnings, func(w string) bool {
		return strings.Contains(w, ": no standard error: ") || strings.HasPrefix(w, "No standard error: ")
	})
}

// some lists the first words, and counts the others.
func some(words []string) string {
	const most = 3
	if len(words) <= most+1 {
		return list(words)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}
