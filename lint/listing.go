package lint

import (
	"io/fs"
	"strings"
)

// entry is one name in a folder.
type entry struct {
	name string
	mode fs.FileMode // the type's bits alone
}

func compareEntries(a, b entry) int { return strings.Compare(a.name, b.name) }

// listing is a folder that is open for a walk. Whoever opened it closes it,
// after every folder that was opened from it.
type listing interface {
	// list returns the folder's entries in name order.
	list() ([]entry, error)
	// open opens a folder in it, never through a link.
	open(name string) (listing, error)
	close()
}

// lister is a tree whose folders can be opened one from the other, which is
// cheaper than from the root each time.
type lister interface{ listing() (listing, error) }

// openRoot opens the root of a tree for a walk.
func openRoot(fsys fs.FS) (listing, error) {
	if l, ok := fsys.(lister); ok {
		return l.listing()
	}
	return plainListing{fsys, "."}, nil
}

// plainListing is a folder of any tree.
type plainListing struct {
	fsys fs.FS
	dir  string
}

func (l plainListing) list() ([]entry, error) {
	all, err := fs.ReadDir(l.fsys, l.dir)
	entries := make([]entry, len(all))
	for i, e := range all {
		entries[i] = entry{e.Name(), e.Type()}
	}
	return entries, err
}

func (l plainListing) open(name string) (listing, error) {
	return plainListing{l.fsys, join(l.dir, name)}, nil
}

func (l plainListing) close() {}
