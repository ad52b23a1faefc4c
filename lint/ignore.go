package lint

import "io/fs"

// Ignore is what the ignore files above a place of a working tree hide. Its
// zero value hides nothing. It is for readers of other files than the governed
// ones; [Run] applies ignore files by itself.
type Ignore struct{ list *ignoreList }

// With adds the text of a folder's .gitignore; dir is "." for the root.
func (i Ignore) With(dir, text string) Ignore { return Ignore{i.list.with(dir, text)} }

// Hides reports whether a path is ignored.
func (i Ignore) Hides(path string, folder bool) bool { return i.list.ignored(path, folder) }

// Tracked calls take with every path that git tracks in a working tree,
// ignored or not. Without a readable index there are none.
func Tracked(fsys fs.FS, take func(path string)) {
	t := &tree{fsys: fsys}
	t.tracked(func(p []byte) { take(string(p)) })
}
