package dependencies_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint/dependencies"
)

// data returns a folder of the data of others, or skips.
func data(t testing.TB, below string) string {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	dir := filepath.Join(root, "dependencies", below)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no data: set STEELYARD_DATA to the folder that holds dependencies/%s", below)
	}
	return dir
}

// realChange is the description of one commit.
type realChange struct {
	Ecosystem string
	Lockfiles []string
	Added     map[string][]struct {
		Section, Name, Spec string
		New                 bool `json:"name_new_in_file"`
	} `json:"added_by_my_parser"`
}

func (c realChange) names(new bool) []string {
	var names []string
	for _, list := range c.Added {
		for _, e := range list {
			if e.New == new {
				names = append(names, c.Ecosystem+" "+e.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func subtree(t *testing.T, dir string) fs.FS {
	t.Helper()
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return fstest.MapFS{}
	}
	return os.DirFS(dir)
}

func read(t testing.TB, fsys fs.FS) dependencies.Tree {
	t.Helper()
	tree, err := dependencies.Read(t.Context(), fsys, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range tree.Unread {
		t.Errorf("unread %s: %s", u.Path, u.Reason)
	}
	return tree
}

func written(list []dependencies.Entry) []string {
	var names []string
	for _, e := range list {
		names = append(names, string(e.Ecosystem)+" "+e.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestRealChanges compares the manifests of real commits before and after. What
// is added is exactly what the description lists as a name new in its file;
// what it lists as known there is a change of source at most.
func TestRealChanges(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(data(t, "real_changes"), "*", "meta.json"))
	if err != nil || len(dirs) < 31 {
		t.Fatalf("%d changes, %v", len(dirs), err)
	}
	for _, name := range dirs {
		dir := filepath.Dir(name)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want realChange
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			c := dependencies.Compare(read(t, subtree(t, filepath.Join(dir, "before"))), read(t, subtree(t, filepath.Join(dir, "after"))))
			if diff := cmp.Diff(want.names(true), written(c.Added)); diff != "" {
				t.Errorf("added (-want +got):\n%s", diff)
			}
			known := want.names(false)
			for _, e := range written(c.Changed) {
				if !slices.Contains(known, e) {
					t.Errorf("%s is called a change of source", e)
				}
			}
			for _, e := range slices.Concat(c.Added, c.Changed) {
				local := strings.HasPrefix(e.Spec, "workspace:") || strings.HasPrefix(e.Name, "$/") || strings.HasPrefix(e.Name, "./")
				if local != (e.Source == dependencies.FromLocal) && e.Name != "bird-feeder" {
					t.Errorf("%s %q is %s", e.Name, e.Spec, e.Source)
				}
			}
			for _, l := range c.Locked {
				t.Logf("lockfile: %s %s from %q, usually %v", l.Name, l.Path, l.Host, l.Usual)
			}
		})
	}
}
