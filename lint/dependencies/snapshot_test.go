package dependencies_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint/dependencies"
)

func readTree(t *testing.T, files map[string]string) dependencies.Tree {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	found, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A snapshot is as good a base as the tree that it was made of.
func TestSnapshotIsABase(t *testing.T) {
	base := map[string]string{
		"package.json":      `{"dependencies": {"left-pad": "^1.3.0", "own": "file:./own", "alias": "npm:real@1"}}`,
		"package-lock.json": `{"lockfileVersion": 3, "packages": {"node_modules/left-pad": {"version": "1.3.0", "resolved": "https://user:s3cret@registry.example/left-pad.tgz", "integrity": "sha512-x"}}}`,
		".npmrc":            "@acme:registry=https://npm.acme.example/\n",
	}
	head := map[string]string{
		"package.json": `{"dependencies": {"left-pad": "^1.3.0", "own": "^1.0.0", "alias": "npm:other@1", "@acme/x": "1", "new": "1"}}`,
		"package-lock.json": `{"lockfileVersion": 3, "packages": {"node_modules/left-pad": {"version": "1.3.0", "resolved": "https://registry.example/left-pad.tgz", "integrity": "sha512-x"},
			"node_modules/new": {"version": "1.0.0", "resolved": "https://elsewhere.example/new.tgz"}}}`,
		".npmrc": "@acme:registry=https://npm.acme.example/\n",
	}
	whole, after := readTree(t, base), readTree(t, head)
	packed, err := whole.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := dependencies.ReadSnapshot(packed)
	if err != nil {
		t.Fatal(err)
	}
	want, got := dependencies.Compare(whole, after), dependencies.Compare(kept, after)
	if len(want.Added) == 0 || len(want.Changed) == 0 || len(want.Locked) == 0 {
		t.Fatalf("nothing to compare: %+v", want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with the snapshot (-tree +snapshot):\n%s", diff)
	}
	again, err := kept.Snapshot()
	if err != nil || !cmp.Equal(packed, again) {
		t.Errorf("a snapshot of a snapshot differs, %v", err)
	}
	// What is left open is new once more.
	items := []string{}
	for _, e := range want.Added {
		items = append(items, e.Item())
	}
	for _, e := range want.Locked {
		items = append(items, e.LockItem())
	}
	if c := dependencies.Compare(after.Without(items), after); len(c.Added) != len(want.Added) || len(c.Locked) != len(want.Locked) {
		t.Errorf("judged again: %+v", c)
	}
	for _, item := range items {
		if !after.Items()[item] {
			t.Errorf("%q is not there", item)
		}
	}
}

func TestBrokenSnapshots(t *testing.T) {
	for _, text := range []string{"", "x", "\x1f\x8b\x08\x00"} {
		if _, err := dependencies.ReadSnapshot([]byte(text)); !errors.Is(err, dependencies.ErrSnapshot) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzReadSnapshot(f *testing.F) {
	packed, err := dependencies.Tree{Dependencies: []dependencies.Dependency{{Ecosystem: dependencies.NPM, Name: "x", Locked: true, Path: "yarn.lock"}}}.Snapshot()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(_ *testing.T, packed []byte) {
		if tree, err := dependencies.ReadSnapshot(packed); err == nil {
			_ = dependencies.Compare(tree, tree)
		}
	})
}
