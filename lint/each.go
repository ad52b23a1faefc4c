package lint

import "strings"

// EachPath yields the path of every file and link that the walk saw, governed
// or not, until yield returns false. Ignored and vendored folders were not
// walked.
func (p *Pass) EachPath(yield func(path string) bool) {
	for _, f := range p.tree.folders {
		for _, e := range f.entries {
			if !e.mode.IsDir() && !yield(join(f.path, e.name)) {
				return
			}
		}
	}
}

// Called returns the paths of files and links with this name, in any spelling of
// capitals and small letters, in the order of the walk. It makes no index, so it
// costs little even in a large tree.
func (p *Pass) Called(name string) []string {
	var found []string
	for _, f := range p.tree.folders {
		for _, e := range f.entries {
			if n := e.name; len(n) == len(name) && !e.mode.IsDir() && strings.EqualFold(n, name) {
				found = append(found, join(f.path, n))
			}
		}
	}
	return found
}
