package lint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
)

// folderHandle is an open folder. Folders are opened from it by their names, so
// that no path is looked up twice, and never through a link.
type folderHandle struct {
	root *os.Root
	path string
	fd   int
}

// listing opens the root of the tree for a walk.
func (d dirFS) listing() (listing, error) {
	folder, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }() // the walk has a handle of its own
	conn, err := folder.SyscallConn()
	if err != nil {
		return nil, err
	}
	var h listing
	control := conn.Control(func(fd uintptr) { h, err = openFolder(d.root, int(fd), ".", ".") })
	return h, errors.Join(control, err)
}

func (h *folderHandle) open(name string) (listing, error) {
	return openFolder(h.root, h.fd, name, join(h.path, name))
}

func openFolder(root *os.Root, at int, name, path string) (listing, error) {
	const flags = syscall.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	for {
		fd, err := syscall.Openat(at, name, flags, 0)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return &folderHandle{root, path, fd}, nil
	}
}

func (h *folderHandle) close() { _ = syscall.Close(h.fd) } // it was only read

// blocks are what entries are read into, one folder after the other.
var blocks = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// list reads names and types, and asks for nothing else about an entry.
func (h *folderHandle) list() ([]entry, error) {
	block := blocks.Get().(*[64 << 10]byte)
	defer blocks.Put(block)
	var entries []entry
	for {
		n, err := syscall.ReadDirent(h.fd, block[:])
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "readdir", Path: h.path, Err: err}
		}
		if n <= 0 {
			break
		}
		entries = h.read(entries, block[:n])
	}
	slices.SortFunc(entries, compareEntries)
	return entries, nil
}

// read adds the entries of a block as getdents64(2) describes it.
func (h *folderHandle) read(entries []entry, block []byte) []entry {
	const lengthAt, typeAt, nameAt = 16, 18, 19
	for len(block) > nameAt {
		length := int(binary.NativeEndian.Uint16(block[lengthAt:]))
		if length <= nameAt || length > len(block) {
			break
		}
		name, _, _ := bytes.Cut(block[nameAt:length], []byte{0})
		if string(name) != "." && string(name) != ".." {
			e := entry{name: string(name)}
			e.mode = h.mode(block[typeAt], e.name)
			entries = append(entries, e)
		}
		block = block[length:]
	}
	return entries
}

func (h *folderHandle) mode(kind byte, name string) fs.FileMode {
	switch kind {
	case syscall.DT_REG:
		return 0
	case syscall.DT_DIR:
		return fs.ModeDir
	case syscall.DT_LNK:
		return fs.ModeSymlink
	case syscall.DT_UNKNOWN: // a file system that does not say
		if info, err := h.root.Lstat(join(h.path, name)); err == nil {
			return info.Mode().Type()
		}
	}
	return fs.ModeIrregular // a pipe, a socket, a device: nothing of ours
}
