package families_test

import (
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"steelyard/lint/change/tests"
)

// givenTests is what a change does to tests, where an example is one: files
// below base/ are those of before the change, all others those of after.
func givenTests(tree fstest.MapFS) []any {
	if tree[answersFile] != nil {
		return nil
	}
	files := map[string]*tests.File{}
	of := func(name string) *tests.File {
		if files[name] == nil {
			files[name] = &tests.File{Path: name}
		}
		return files[name]
	}
	change := false
	for name, file := range tree {
		if below, ok := strings.CutPrefix(name, "base/"); ok {
			of(below).Old, change = file.Data, true
		} else {
			of(name).New = file.Data
		}
	}
	if !change {
		return nil
	}
	var list []tests.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, *files[name])
	}
	return []any{tests.Findings(tests.Compare(list))}
}
