package families_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"steelyard/internal/config"
	"steelyard/lint/dependencies"
)

// answersFile says what the registries of an example answer, by
// "ecosystem:name". Files below base/ are those of before the change.
const answersFile = "registry.json"

var shippedNames = sync.OnceValues(dependencies.NewNames)

// given is what a run over an example is given: the assessment of its new
// dependencies, where it says what the registries answer.
func given(t *testing.T, tree fstest.MapFS) []any {
	t.Helper()
	all := append(givenPolicy(t, tree), givenTests(tree)...)
	answers := dependencies.Answers{}
	text, ok := tree[answersFile]
	if !ok {
		return all
	}
	if err := json.Unmarshal(text.Data, &answers); err != nil {
		t.Fatalf("%s: %v", answersFile, err)
	}
	base, head := fstest.MapFS{}, fstest.MapFS{}
	for name, file := range tree {
		if below, ok := strings.CutPrefix(name, "base/"); ok {
			base[below] = file
		} else {
			head[name] = file
		}
	}
	names, err := shippedNames()
	if err != nil {
		t.Fatal(err)
	}
	change := dependencies.Compare(readTree(t, base), readTree(t, head))
	return append(all, dependencies.Assess(t.Context(), change, answers, names, policyOf(t, head), dependencies.Options{}))
}

func readTree(t *testing.T, tree fs.FS) dependencies.Tree {
	t.Helper()
	found, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// policyOf takes the decisions of an example's own settings.
func policyOf(t *testing.T, tree fs.FS) dependencies.Policy {
	t.Helper()
	settings, err := config.Load(config.Sources{Dir: tree})
	if err != nil {
		t.Fatal(err)
	}
	p := dependencies.Policy{Today: today}
	for _, d := range settings.Dependencies.Allow {
		p.Decisions = append(p.Decisions, dependencies.Decision{Package: d.Package, Reason: d.Reason, Owner: d.Owner, Until: d.Until, Source: config.FileName, Line: d.Line})
	}
	return p
}
