package lint

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hidden takes the fast listing from a tree.
type hidden struct{ fs.ReadLinkFS }

// TestListing wants the same of a folder however its tree is listed: one folder
// from the other by several hands, or by paths from the root by one.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		folder := filepath.Join(dir, fmt.Sprintf("p%d", i%7), fmt.Sprintf("q%d", i%5), fmt.Sprintf("r%d", i), ".cursor", "rules")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.mdc"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("r1*\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"out": "..", "p0/AGENTS.md": "../p1", "p2/loop": "."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	fast, err := DirFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, limits := range map[string]Limits{"all": {}, "entries": {Entries: 500}, "governed": {Governed: 50}, "depth": {Depth: 3}} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Limits: limits}
			files, skipped := paths(t, fast, cfg)
			wantFiles, wantSkipped := paths(t, hidden{fast.(fs.ReadLinkFS)}, cfg)
			if len(wantFiles) == 0 {
				t.Fatal("nothing was found")
			}
			if diff := cmp.Diff(append(wantFiles, wantSkipped...), append(files, skipped...)); diff != "" {
				t.Errorf("listings differ (-paths +handles):\n%s", diff)
			}
		})
	}
}

// TestFolderBecomesLink wants no listing through a link that took a folder's
// place after its name was read.
func TestFolderBecomesLink(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	tree, err := DirFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := tree.(lister); !ok {
		t.Skip("folders are listed by paths here")
	}
	root, err := openRoot(tree)
	if err != nil {
		t.Fatal(err)
	}
	defer root.close()
	if err := os.Remove(inner); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), inner); err != nil {
		t.Fatal(err)
	}
	if l, err := root.open("inner"); err == nil {
		l.close()
		t.Error("a link was followed")
	}
}
