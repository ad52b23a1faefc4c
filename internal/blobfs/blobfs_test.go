package blobfs_test

import (
	"errors"
	"io/fs"
	"maps"
	"testing"
	"testing/fstest"

	"steelyard/internal/blobfs"
)

var contents = map[string]string{"1": "first\n", "2": "", "3": "AGENTS.md", "4": "x"}

func tree(files ...blobfs.File) *blobfs.FS {
	return blobfs.New(files, func(f blobfs.File) ([]byte, error) {
		text, ok := contents[f.ID]
		if !ok {
			return nil, errors.New("not there")
		}
		return []byte(text), nil
	})
}

func TestTree(t *testing.T) {
	fsys := tree(
		blobfs.File{Path: "AGENTS.md", Mode: 0o644, Size: 6, ID: "1"}, blobfs.File{Path: "a/b/empty", Mode: 0o644, ID: "2"},
		blobfs.File{Path: "sub", Mode: fs.ModeDir | 0o755, ID: "5"}, blobfs.File{Path: "../out", Mode: 0o644, ID: "1"},
		blobfs.File{Path: "a//b", Mode: 0o644, ID: "1"}, blobfs.File{Path: "AGENTS.md", Mode: 0o644, ID: "4"},
	)
	if err := fstest.TestFS(fsys, "AGENTS.md", "a/b/empty", "sub"); err != nil {
		t.Error(err)
	}
	if text, err := fs.ReadFile(fsys, "AGENTS.md"); err != nil || string(text) != "first\n" {
		t.Errorf("AGENTS.md is %q, %v", text, err)
	}
	if got := fsys.Others(); !maps.Equal(got, map[string]string{"sub": "5", "../out": "1", "a//b": "1"}) {
		t.Errorf("others are %q", got)
	}
}

func TestFaults(t *testing.T) {
	fsys := tree(
		blobfs.File{Path: "CLAUDE.md", Mode: fs.ModeSymlink | 0o777, Size: 9, ID: "3"}, blobfs.File{Path: "gone", Mode: 0o644, Size: 1, ID: "9"},
		blobfs.File{Path: "short", Mode: 0o644, Size: 100, ID: "4"},
	)
	if target, err := fs.ReadLink(fsys, "CLAUDE.md"); err != nil || target != "AGENTS.md" {
		t.Errorf("link leads to %q, %v", target, err)
	}
	for _, name := range []string{"CLAUDE.md", "gone", "short", "nowhere"} {
		if _, err := fsys.Open(name); err == nil {
			t.Errorf("%s can be opened", name)
		}
	}
}
