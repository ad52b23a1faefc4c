//go:build unix

package migrations_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"steelyard/migrations"
)

// nobody is an unprivileged user on every Unix: rights do not bind root.
const nobody = 65534

// A file or a folder that may only be read is named, with what to do.
func TestReadOnly(t *testing.T) {
	dir := openFolder(t)
	program := copyProgram(t, dir)
	tests := []struct {
		name         string
		file, folder os.FileMode
		want         string
	}{
		{"file", 0o444, 0o777, "the file cannot be written: give this user the right to write it and its folder"},
		{"folder", 0o666, 0o555, "the file cannot be written: give this user the right to write it and its folder"},
		{"both", 0o444, 0o555, "the file cannot be written: give this user the right to write it and its folder"},
		{"not-readable", 0o000, 0o777, "the file cannot be opened: give this user the right to read and write it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := filepath.Join(dir, test.name)
			path := filepath.Join(folder, "x.db")
			makeDatabase(t, path)
			chmod(t, path, test.file)
			chmod(t, folder, test.folder)
			defer chmod(t, folder, 0o755)
			out, err := unprivileged(t, program, path)
			if err == nil || !strings.Contains(out, test.want) {
				t.Errorf("%v: %q; want %q", err, out, test.want)
			}
			if !strings.HasPrefix(out, `opening`+"\n"+`open database "sqlite:`+path) {
				t.Errorf("%q does not name the database", out)
			}
		})
	}
	t.Run("no-file-in-a-read-only-folder", func(t *testing.T) {
		folder := filepath.Join(dir, "empty")
		if err := os.Mkdir(folder, 0o555); err != nil {
			t.Fatal(err)
		}
		chmod(t, folder, 0o555)
		out, err := unprivileged(t, program, filepath.Join(folder, "x.db"))
		if want := "the file cannot be opened: give this user the right"; err == nil || !strings.Contains(out, want) {
			t.Errorf("%v: %q; want %q", err, out, want)
		}
	})
}

// openFolder is a temporary folder that everybody may enter.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "steelyard-readonly-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	chmod(t, dir, 0o755)
	return dir
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// copyProgram copies this program to where another user may run it.
func copyProgram(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

func makeDatabase(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db := open(t, "sqlite:"+path, migrations.Options{})
	write(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// unprivileged opens the database at path in a process that rights bind.
func unprivileged(t *testing.T, program, path string) (string, error) {
	t.Helper()
	cmd := childCommand(t, program, "sqlite:"+path)
	cmd.Dir = filepath.Dir(program)
	borrow(cmd)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func borrow(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// A new database is its owner's alone, and so is what SQLite puts beside it.
func TestNewFileIsItsOwners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := migrations.Open(t.Context(), "sqlite:"+path, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) < 2 {
		t.Fatalf("files %q, %v", files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(f), info.Mode(), err)
		}
	}
}
