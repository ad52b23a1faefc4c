// Package treediff says which files two trees have differently, with their
// texts and the lines that one has and the other has not. Trees whose files
// carry git's names are compared by these, so that nothing unchanged is read;
// others by content. It finds renames as git does, by equal or similar text.
package treediff

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // git's names of contents, which nothing here trusts
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Tree is one side of a comparison.
type Tree struct {
	FS fs.FS
	// Paths are its files and links.
	Paths []string
	// ID names a file's content as git does; nil where it must be read.
	ID func(path string) (string, bool)
}

// Change is one file that the trees have differently.
type Change struct {
	// Path is the file's in the head; of a file that is not there any more, the
	// one it had. OldPath is the one in the base, "" for a new file.
	Path, OldPath string
	// Deleted says that the head does not have it.
	Deleted bool
	// Old and New are its texts; nil where there is none, where it is a link,
	// or where it was not read (see Unread).
	Old, New []byte
	// Additions are the lines that only the new text has, Deletions those that
	// only the old one has. Lines that moved are neither.
	Additions, Deletions int
	// Unread is why the texts were not read, "" where they were. Uncounted says
	// that its lines were not counted either.
	Unread    string
	Uncounted bool
}

// Bounds on what is read.
const (
	maxFile  = 4 << 20
	maxTotal = 256 << 20
	// maxPairs bounds the comparisons of files that could be renames, and
	// maxCompared the bytes that are compared for it.
	maxPairs    = 40_000
	maxCompared = 128 << 20
)

// Compare lists the changes in path order.
func Compare(ctx context.Context, base, head Tree) ([]Change, error) {
	before := make(map[string]bool, len(base.Paths))
	for _, p := range base.Paths {
		before[p] = true
	}
	var changes []Change
	for _, p := range head.Paths {
		if !before[p] {
			changes = append(changes, Change{Path: p})
			continue
		}
		delete(before, p)
		differs, err := differ(base, head, p)
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", p, err)
		}
		if differs {
			changes = append(changes, Change{Path: p, OldPath: p})
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for p := range before {
		changes = append(changes, Change{Path: p, OldPath: p, Deleted: true})
	}
	changes = append(changes, outside(base, head)...)
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	if err := read(ctx, base, head, changes); err != nil {
		return nil, err
	}
	changes = joinRenames(changes)
	for i := range changes {
		if c := &changes[i]; c.Unread == "" {
			c.Additions, c.Deletions = lines(c.Old, c.New)
		}
	}
	return changes, nil
}

// holder is a tree that knows of more than it can show: submodules, and files
// whose names it cannot hold.
type holder interface{ Others() map[string]string }

// outside lists what both trees know of and cannot show, where they have it
// differently.
func outside(base, head Tree) []Change {
	b, known := base.FS.(holder)
	h, both := head.FS.(holder)
	if !known || !both {
		return nil
	}
	before, now := b.Others(), h.Others()
	var changes []Change
	for p, id := range now {
		if old, ok := before[p]; !ok {
			changes = append(changes, unshown(Change{}, p))
		} else if old != id {
			changes = append(changes, unshown(Change{OldPath: p}, p))
		}
	}
	for p := range before {
		if _, ok := now[p]; !ok {
			changes = append(changes, unshown(Change{OldPath: p, Deleted: true}, p))
		}
	}
	return changes
}

// unshown is a change of what a tree cannot show.
func unshown(c Change, p string) Change {
	c.Unread = "it is a submodule"
	if !fs.ValidPath(p) {
		c.Unread = "its name is no path of UTF-8 text"
		p = strings.ToValidUTF8(p, "\uFFFD")
	}
	c.Path = p
	if c.OldPath != "" {
		c.OldPath = p
	}
	return c
}

// differ reports whether both trees have different contents under a path.
func differ(base, head Tree, p string) (bool, error) {
	a, named := id(base, p)
	b, both := id(head, p)
	if named && both {
		return a != b || link(base, p) != link(head, p), nil
	}
	old, err := size(base, p)
	if err != nil {
		return false, err
	}
	now, err := size(head, p)
	if err != nil || old != now {
		return true, nil //nolint:nilerr // what cannot be read is shown as changed, and as unread
	}
	switch {
	case named:
		name, err := blobName(head.FS, p, now, len(a))
		return err != nil || name != a, nil //nolint:nilerr // as above
	case both:
		name, err := blobName(base.FS, p, old, len(b))
		return err != nil || name != b, nil //nolint:nilerr // as above
	}
	return !sameContent(base.FS, head.FS, p), nil
}

// link reports whether a file is a link: one that says the same as a file has
// its identity.
func link(t Tree, p string) bool {
	info, err := fs.Lstat(t.FS, p)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// sameContent compares two files a piece at a time: they may be of any size.
func sameContent(a, b fs.FS, p string) bool {
	x, err := open(a, p)
	if err != nil {
		return false
	}
	defer func() { _ = x.Close() }() // it was only read
	y, err := open(b, p)
	if err != nil {
		return false
	}
	defer func() { _ = y.Close() }() // as above
	return sameText(x, y)
}

func sameText(x, y io.Reader) bool {
	const piece = 64 << 10
	mine, other := make([]byte, piece), make([]byte, piece)
	for {
		n, err := io.ReadFull(x, mine)
		m, wrong := io.ReadFull(y, other)
		if !bytes.Equal(mine[:n], other[:m]) {
			return false
		}
		if err != nil || wrong != nil {
			return ended(err) && ended(wrong)
		}
	}
}

// ended reports whether a text was read to its end.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func id(t Tree, p string) (string, bool) {
	if t.ID == nil {
		return "", false
	}
	return t.ID(p)
}

func size(t Tree, p string) (int64, error) {
	info, err := fs.Lstat(t.FS, p)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// blobName is git's name of a content: a digest of its size and itself.
//
// Source: git's manual, "Git Internals - Git Objects".
func blobName(fsys fs.FS, p string, size int64, digits int) (string, error) {
	text, err := open(fsys, p)
	if err != nil {
		return "", err
	}
	defer func() { _ = text.Close() }() // it was only read
	h := sha1.New()                     //nolint:gosec // see above
	if digits == 2*sha256.Size {
		h = sha256.New()
	}
	_, _ = fmt.Fprintf(h, "blob %d\x00", size)                          // a digest takes everything
	if _, err := io.Copy(h, io.LimitReader(text, size+1)); err != nil { // one more would be another content
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// open opens a file's text, or a link's target.
func open(fsys fs.FS, p string) (io.ReadCloser, error) {
	info, err := fs.Lstat(fsys, p)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := fs.ReadLink(fsys, p)
		return io.NopCloser(strings.NewReader(target)), err
	}
	return fsys.Open(p)
}

// lines counts the lines that only one of two texts has, each as often as it
// stands there. Of a binary file there are none.
func lines(before, after []byte) (added, gone int) {
	if binary(before) || binary(after) {
		return 0, 0
	}
	left := map[string]int{}
	for line := range strings.Lines(string(before)) {
		left[line]++
		gone++
	}
	for line := range strings.Lines(string(after)) {
		if left[line] > 0 {
			left[line]--
			gone--
			continue
		}
		added++
	}
	return added, gone
}

// binary is git's own test: a NUL among the first bytes.
func binary(data []byte) bool {
	const looked = 8000
	return bytes.IndexByte(data[:min(len(data), looked)], 0) >= 0
}
