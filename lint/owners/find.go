package owners

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Find reads the CODEOWNERS of a tree by itself, without a run: nil where there
// is none that GitHub reads. Its File is nil.
func Find(fsys fs.FS) (*Codeowners, string, error) {
	for _, place := range places {
		info, err := fs.Lstat(fsys, place)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := fsys.Open(place)
		if err != nil {
			return nil, place, fmt.Errorf("read %s: %w", place, err)
		}
		text, err := io.ReadAll(io.LimitReader(f, maxBytes))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, place, fmt.Errorf("read %s: %w", place, err)
		}
		if len(text) >= maxBytes {
			return nil, place, nil // GitHub loads nothing of it
		}
		return Parse(text), place, nil
	}
	return nil, "", nil
}

// Parse reads the text of a CODEOWNERS file.
func Parse(text []byte) *Codeowners {
	c := &Codeowners{}
	c.Lines, c.Skipped = parseLines(text)
	return c
}
