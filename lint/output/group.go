package output

import (
	"cmp"
	"slices"

	"steelyard/lint"
)

const (
	// leastGroup is how many findings of whole files with the same words are
	// shown as one.
	leastGroup = 4
	// mostShown is how many of their files are listed.
	mostShown = 12
)

// group is findings that a person reads as one: several files, as wholes, with
// the same fault in the same words. Any other finding is a group of its own.
type group []lint.Finding

// grouped puts findings of whole files with the same words where the first of
// them stands.
func grouped(findings []lint.Finding) []group {
	type words struct{ rule, message, related string }
	of := func(f lint.Finding) (words, bool) {
		if f.Line != 1 || f.Column != 1 || f.EndLine != 0 || f.Snippet != "" || f.Fix != nil || len(f.Related) > 1 {
			return words{}, false
		}
		w := words{f.Rule + string(f.Severity), f.Message, ""}
		for _, r := range f.Related {
			w.related = r.Path + "\x00" + r.Message
		}
		return w, true
	}
	counts := map[words]int{}
	for _, f := range findings {
		if w, ok := of(f); ok {
			counts[w]++
		}
	}
	var groups []group
	place := map[words]int{}
	for _, f := range findings {
		w, ok := of(f)
		if !ok || counts[w] < leastGroup {
			groups = append(groups, group{f})
			continue
		}
		at, begun := place[w]
		if !begun {
			at = len(groups)
			place[w] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], f)
	}
	return groups
}

// folders counts the files of a group by the first two folders of their paths,
// those with most files first.
func (g group) folders() []folderCount {
	counts := map[string]folderCount{}
	for _, f := range g {
		c := counts[within(f.Path)]
		counts[within(f.Path)] = folderCount{f.Path, c.files + 1}
	}
	var list []folderCount
	for folder, c := range counts {
		if c.files > 1 {
			c.path = folder
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b folderCount) int {
		return cmp.Or(cmp.Compare(b.files, a.files), cmp.Compare(a.path, b.path))
	})
	return list
}

// folderCount is a folder, with a slash, and how many files of a group lie in
// it or below it; or the path of the only one.
type folderCount struct {
	path  string
	files int
}

// within is a path's first two folders, the path itself where there are none.
func within(path string) string {
	slashes := 0
	last := -1
	for i, c := range path {
		if c == '/' {
			last = i
			if slashes++; slashes == 2 {
				break
			}
		}
	}
	if last < 0 {
		return path
	}
	return path[:last+1]
}
