package dependencies_test

import (
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"steelyard/lint/dependencies"
)

// TestLinkedFolder says so where a link brings in manifests that the list goes
// past, and is silent where they are listed, or there are none.
func TestLinkedFolder(t *testing.T) {
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
	}
	manifest := &fstest.MapFile{Data: []byte(`{"dependencies": {"left-pad": "1.0.0"}}`)}
	for name, test := range map[string]struct {
		tree fstest.MapFS
		want string
	}{
		"of others":   {fstest.MapFS{"app": link("vendor/app"), "vendor/app/package.json": manifest}, "app: it is a link to vendor/app, which is not looked at, and has a package.json"},
		"in a row":    {fstest.MapFS{"app": link("lib"), "lib": link("third_party/lib"), "third_party/lib/package.json": manifest}, "app: it is a link to third_party/lib, which is not looked at, and has a package.json"},
		"excluded":    {fstest.MapFS{"app": link("sample/app"), "sample/app/package.json": manifest}, "app: it is a link to sample/app, which is not looked at, and has a package.json"},
		"listed":      {fstest.MapFS{"app": link("real"), "real/package.json": manifest}, ""},
		"no manifest": {fstest.MapFS{"app": link("vendor/app"), "vendor/app/a.txt": {}}, ""},
		"outside":     {fstest.MapFS{"app": link("../vendor/app")}, ""},
		"a circle":    {fstest.MapFS{"app": link("app")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := dependencies.Read(t.Context(), test.tree, dependencies.ReadOptions{Exclude: []string{"sample/**"}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(tree.Unread) > 0 {
				got = tree.Unread[0].Path + ": " + tree.Unread[0].Reason
			}
			if got != test.want {
				t.Errorf("unread: %q, want %q", got, test.want)
			}
		})
	}
}

// countedLists is a tree that counts how often its folders are listed.
type countedLists struct {
	fstest.MapFS
	lists map[string]int
}

func (c countedLists) ReadDir(name string) ([]fs.DirEntry, error) {
	c.lists[name]++
	return c.MapFS.ReadDir(name)
}

// TestManyLinkedFolders lists a folder once, however many links lead to it.
func TestManyLinkedFolders(t *testing.T) {
	tree := countedLists{fstest.MapFS{"vendor/app/package.json": {Data: []byte("{}")}}, map[string]int{}}
	const links = 100
	for i := range links {
		tree.MapFS[fmt.Sprintf("app%d", i)] = &fstest.MapFile{Data: []byte("vendor/app"), Mode: fs.ModeSymlink | 0o777}
	}
	got, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := tree.lists["vendor/app"]; n != 1 || len(got.Unread) != links {
		t.Errorf("the folder was listed %d times, and %d links are named", n, len(got.Unread))
	}
}
