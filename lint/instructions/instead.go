package instructions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"steelyard/lint"
)

// instead says which path was perhaps meant by one that does not exist, ""
// where the tree holds nothing that is like it.
func instead(p *lint.Pass, d *Doc, m mention) string {
	if other := otherCase(p, d, m); other != "" {
		return fmt.Sprintf("; %q is written in other letter case", other)
	}
	base := path.Base(m.path)
	file := !m.folder && strings.Contains(base, ".")
	var named, along []string
	for _, f := range p.Ending(base) {
		if e, _ := p.Entry(f); e == lint.Absent || !under(f, home(d.File.Path)) || file && e != lint.Regular || m.folder && e != lint.Folder {
			continue
		}
		named = append(named, f)
		if strings.Contains(m.path, "/") && runsAlong(f, m.path) {
			along = append(along, f)
		}
	}
	slices.SortStableFunc(along, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	switch {
	case len(along) == 1, len(along) > 1 && strings.Count(along[0], "/") < strings.Count(along[1], "/"):
		return fmt.Sprintf("; there is %q", along[0])
	case file && len(named) == 1:
		return fmt.Sprintf("; the only file of that name is %q", named[0])
	}
	return ""
}

// runsAlong reports whether a path of the tree has the segments of another in
// their order, with more between them: folders were put in between.
func runsAlong(full, name string) bool {
	segments := strings.Split(full, "/")
	for want := range strings.SplitSeq(name, "/") {
		i := slices.Index(segments, want)
		if i < 0 {
			return false
		}
		segments = segments[i+1:]
	}
	return true
}

// otherCase returns the path that differs in letter case alone, "" for none.
func otherCase(p *lint.Pass, d *Doc, m mention) string {
	for _, base := range bases(d.File.Path) {
		if found := p.Folded(path.Join(base, m.path)); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
