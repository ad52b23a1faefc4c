package lint

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// Kinds says which kinds of governed files a path is, wherever the file stands:
// in an earlier tree, or in none. Files that mostly hold other things are left
// out. A link in place of a folder that holds governed files (.claude) is of
// their kinds. A path that is not governed is not in the answer.
func Kinds(paths []string) (map[string][]rules.Kind, error) {
	rows, err := rules.GovernedFiles()
	if err != nil {
		return nil, fmt.Errorf("load governed files: %w", err)
	}
	m := newMatcher(rows)
	kinds := map[string][]rules.Kind{}
	for _, p := range paths {
		for _, row := range m.matchPath(p) {
			if !row.Shared {
				kinds[p] = append(kinds[p], row.Kind)
			}
		}
		for _, row := range rows {
			if kinds[p] == nil && !row.Shared && followed(row) && holds(row.Path, p) {
				kinds[p] = append(kinds[p], row.Kind)
			}
		}
	}
	return kinds, nil
}

// holds reports whether a path is a folder that a pattern names on the way to
// its files, from the first one on whose name begins with a dot.
func holds(pattern, p string) bool {
	lower, dotted := strings.ToLower(p), false
	for i, c := range pattern {
		if c != '/' {
			continue
		}
		folder := pattern[:i]
		name := path.Base(folder)
		dotted = dotted || strings.HasPrefix(name, ".")
		if dotted && !strings.ContainsAny(name, "*?[{") && doublestar.MatchUnvalidated(strings.ToLower(folder), lower) {
			return true
		}
	}
	return false
}
