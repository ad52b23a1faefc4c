//go:build !unix

package lint

import "io/fs"

// ReadDir lists a folder in name order.
func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.root.FS(), name) }
