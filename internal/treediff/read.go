package treediff

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// read fills in the texts of regular files, the small ones first: a change that
// is too large to be read whole cannot crowd out what weighs little.
func read(ctx context.Context, base, head Tree, changes []Change) error {
	order := make([]int, 0, len(changes))
	sizes := make([]int64, len(changes))
	for i, c := range changes {
		if c.Unread != "" {
			continue // nothing of it can be read
		}
		order = append(order, i)
		if c.OldPath != "" {
			sizes[i], _ = size(base, c.OldPath) // what cannot be read is said below
		}
		if !c.Deleted {
			now, _ := size(head, c.Path)
			sizes[i] += now
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	left := int64(maxTotal)
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &changes[i]
		if c.OldPath != "" {
			c.Old, c.Unread = text(base.FS, c.OldPath, &left)
		}
		if !c.Deleted && c.Unread == "" {
			c.New, c.Unread = text(head.FS, c.Path, &left)
		}
		if c.Unread != "" {
			c.Old, c.New = nil, nil
			c.count(base, head)
		}
	}
	return nil
}

// count counts the lines of a file that was not read, where it is all new or all
// gone.
func (c *Change) count(base, head Tree) {
	var err error
	switch {
	case c.OldPath == "":
		c.Additions, err = countLines(head.FS, c.Path)
	case c.Deleted:
		c.Deletions, err = countLines(base.FS, c.OldPath)
	default:
		err = errUncounted
	}
	c.Uncounted = err != nil
}

// errUncounted says that counting the lines of a file would not tell which of
// them changed.
var errUncounted = errors.New("it has lines on both sides")

// countLines counts a file's lines without keeping it. Of a binary file there
// are none.
func countLines(fsys fs.FS, p string) (n int, err error) {
	f, err := fsys.Open(p)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	buffer := make([]byte, 1<<16)
	last := byte('\n')
	for first := true; ; first = false {
		got, err := io.ReadFull(f, buffer)
		part := buffer[:got]
		if first && binary(part) {
			return 0, nil
		}
		n += bytes.Count(part, []byte{'\n'})
		if got > 0 {
			last = part[got-1]
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return 0, err
		case last != '\n':
			return n + 1, nil
		default:
			return n, nil
		}
	}
}

// text reads one regular file within the bounds.
func text(fsys fs.FS, p string, left *int64) (data []byte, unread string) {
	info, err := fs.Lstat(fsys, p)
	switch {
	case err != nil:
		return nil, "it cannot be read"
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, ""
	case info.Size() > maxFile:
		return nil, fmt.Sprintf("it is larger than %d MB", maxFile>>20)
	case info.Size() > *left:
		return nil, fmt.Sprintf("the change is larger than %d MB", maxTotal>>20)
	}
	f, err := fsys.Open(p)
	if err != nil {
		return nil, "it cannot be read"
	}
	defer func() { _ = f.Close() }() // it was only read
	buffer := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if n, err := buffer.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil || n > maxFile {
		return nil, "it cannot be read"
	}
	*left -= int64(buffer.Len())
	return buffer.Bytes(), ""
}
