package lint

import "io/fs"

// EachPath yields the path of every file and link that the walk saw, governed
// or not, until yield returns false. Ignored and vendored folders were not
// walked.
func (p *Pass) EachPath(yield func(path string) bool) {
	for _, f := range p.tree.folders {
		for _, e := range f.entries {
			if e.Type()&fs.ModeDir == 0 && !yield(join(f.path, e.Name())) {
				return
			}
		}
	}
}
