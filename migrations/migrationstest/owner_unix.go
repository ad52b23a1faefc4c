//go:build unix

package migrationstest

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// owner is the user that the server runs as. PostgreSQL refuses to run as
// root; root therefore borrows an unprivileged user.
type owner struct {
	uid, gid int
	borrowed bool
}

func serverOwner() (owner, error) {
	if os.Getuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if uidErr == nil && gidErr == nil {
			return owner{uid: uid, gid: gid, borrowed: true}, nil
		}
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

// tempDir makes a folder that the owner can reach and write. Its name is
// short: a Unix socket's path holds about 100 bytes.
func (o owner) tempDir() (string, error) {
	base := os.TempDir()
	if o.borrowed && !reachable(base) {
		base = "/tmp"
	}
	dir, err := os.MkdirTemp(base, "steelyard-pg-")
	if err != nil {
		return "", err
	}
	return dir, o.own(dir)
}

// reachable reports whether everybody may enter dir.
func reachable(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

func (o owner) own(path string) error {
	if !o.borrowed {
		return nil
	}
	return os.Chown(path, o.uid, o.gid)
}

// run makes cmd run as the owner, in dir, in a session of its own so that an
// interrupt at the terminal reaches the tests first.
func (o owner) run(cmd *exec.Cmd, dir string) {
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if o.borrowed {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(o.uid), Gid: uint32(o.gid)}
		cmd.Env = append(os.Environ(), "HOME="+dir)
	}
}
