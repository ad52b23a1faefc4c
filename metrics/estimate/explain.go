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
		if r.bare && !t.explained(r.Term) {
			bare = append(bare, r.Term)
		}
		if r.open {
			open = append(open, r.Term)
		}
	}
	if len(bare) > 0 {
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

// explained reports whether a warning says why a term, or all that begin as it
// does, have no standard error.
func (t *task) explained(term string) bool {
	kind, _, _ := strings.Cut(term, ":")
	return slices.ContainsFunc(t.a.Warnings, func(w string) bool {
		of, _, told := strings.Cut(strings.ToLower(w), "no standard error")
		return told && (of == "" || of == strings.ToLower(term)+": " || of == strings.ToLower(kind)+": ")
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
