//go:build unix

package lint

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ReadDir lists a folder in name order. A file that was opened through an
// os.Root asks the system about every entry, to be safe for entries that are
// used later; a second handle on the same open folder gives names and types
// alone, which is all a walk needs, in half the time.
func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) {
	folder, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	conn, err := folder.SyscallConn()
	if err != nil {
		return nil, err
	}
	handle := -1
	control := conn.Control(func(fd uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if handle, err = syscall.Dup(int(fd)); err == nil {
			syscall.CloseOnExec(handle)
		}
	})
	if control != nil || err != nil {
		return nil, cmp.Or(control, err)
	}
	listing := os.NewFile(uintptr(handle), name)
	defer func() { _ = listing.Close() }()
	entries, err := listing.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}
