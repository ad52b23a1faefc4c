package lint

import "io/fs"

// Committed reports whether a file is everybody's: git tracks it, the tree holds
// committed files alone, or there is no git here at all, so that what is there
// was given to somebody. In a working tree whose index cannot be read (a linked
// worktree) that is not known, and the answer is no.
func (p *Pass) Committed(f *File) bool {
	if p.tree.committed {
		return true
	}
	tracked := TreeParsed(p, func(p *Pass) trackedPaths {
		if _, err := fs.Lstat(p.tree.fsys, ".git"); err != nil {
			return nil
		}
		paths := trackedPaths{}
		p.tree.tracked(func(path []byte) { paths[string(path)] = true })
		return paths
	})
	return tracked == nil || tracked[f.Path]
}

// trackedPaths are the paths of the git index, nil where there is no git.
type trackedPaths map[string]bool
