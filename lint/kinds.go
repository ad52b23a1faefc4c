package lint

import (
	"fmt"

	"steelyard/rules"
)

// Kinds says which kinds of governed files a path is, wherever the file stands:
// in an earlier tree, or in none. Files that mostly hold other things are left
// out. A path that is not governed is not in the answer.
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
	}
	return kinds, nil
}
