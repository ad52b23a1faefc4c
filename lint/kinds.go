package lint

import (
	"fmt"
	"path"
	"slices"
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
	m, linkable := newMatcher(rows), linkableFolders(rows)
	kinds := map[string][]rules.Kind{}
	for _, p := range paths {
		for _, row := range m.matchPath(p) {
			if !row.Shared {
				kinds[p] = append(kinds[p], row.Kind)
			}
		}
		if kinds[p] == nil {
			kinds[p] = linkable.kinds(p)
		}
		if kinds[p] == nil {
			delete(kinds, p)
		}
	}
	return kinds, nil
}

// linkables are the folders that a link could stand in place of, by their last
// name in lower case.
type linkables map[string][]linkable

// linkable is the pattern of a folder in lower case, and the kind of what it holds.
type linkable struct {
	pattern string
	kind    rules.Kind
}

// linkableFolders lists the folders that patterns name on the way to their files,
// from the first one on whose name begins with a dot.
func linkableFolders(rows []rules.Governed) linkables {
	folders := linkables{}
	for _, row := range rows {
		if row.Shared || !followed(row) {
			continue
		}
		dotted := false
		for i, c := range row.Path {
			if c != '/' {
				continue
			}
			folder := strings.ToLower(row.Path[:i])
			name := path.Base(folder)
			dotted = dotted || strings.HasPrefix(name, ".")
			one := linkable{folder, row.Kind}
			if dotted && !strings.ContainsAny(name, "*?[{") && !slices.Contains(folders[name], one) {
				folders[name] = append(folders[name], one)
			}
		}
	}
	return folders
}

// kinds are those of what a path would hold if it were a link to a folder.
func (l linkables) kinds(p string) (kinds []rules.Kind) {
	lower := strings.ToLower(p)
	for _, folder := range l[path.Base(lower)] {
		if !slices.Contains(kinds, folder.kind) && doublestar.MatchUnvalidated(folder.pattern, lower) {
			kinds = append(kinds, folder.kind)
		}
	}
	return kinds
}
