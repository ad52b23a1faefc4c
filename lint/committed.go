package lint

// Committed reports whether a file is sure to be everybody's: git tracks it, or
// the tree holds committed files alone. In a working tree without a readable
// git index that is not known, and the answer is no.
func (p *Pass) Committed(f *File) bool {
	if p.tree.committed {
		return true
	}
	tracked := TreeParsed(p, func(p *Pass) trackedPaths {
		paths := trackedPaths{}
		p.tree.tracked(func(path []byte) { paths[string(path)] = true })
		return paths
	})
	return tracked[f.Path]
}

// trackedPaths are the paths of the git index.
type trackedPaths map[string]bool
