package dependencies_test

import (
	"testing"

	"steelyard/lint/dependencies"
	"steelyard/rules"
)

// TestData holds the shipped lists to what the code expects of them.
func TestData(t *testing.T) {
	d, err := rules.DependencyData()
	if err != nil {
		t.Fatal(err)
	}
	for ecosystem, least := range map[string]int{"npm": 10_000, "pypi": 10_000, "gem": 5000, "go": 2900, "cargo": 2100, "actions": 60} {
		if n := len(d.Popular[ecosystem]); n < least {
			t.Errorf("%s has %d popular names, want %d", ecosystem, n, least)
		}
		for i, p := range d.Popular[ecosystem] {
			if p.Name == "" || ecosystem == "npm" && (p.Downloads <= 0 || i > 0 && p.Downloads > d.Popular[ecosystem][i-1].Downloads) {
				t.Fatalf("%s, name %d: %+v", ecosystem, i, p)
			}
		}
	}
	if len(d.Invented) < 700 {
		t.Errorf("%d invented names", len(d.Invented))
	}
	seen := map[string]string{}
	for _, class := range d.Licences {
		if class.Means == "" || len(class.IDs) == 0 {
			t.Errorf("class %q is empty", class.Class)
		}
		if err := (dependencies.LicencePolicy{Allow: class.IDs}).Validate(); err != nil {
			t.Errorf("class %s: %v", class.Class, err)
		}
		for _, id := range class.IDs {
			if seen[id] != "" {
				t.Errorf("%s is in %s and in %s", id, seen[id], class.Class)
			}
			seen[id] = class.Class
		}
	}
	for name, distribution := range d.Distributions {
		if dependencies.PyPI.Canonical(name) == dependencies.PyPI.Canonical(distribution) {
			t.Errorf("%s is called the same as what brings it", name)
		}
	}
	names := shippedNames(t)
	for name, want := range map[string]bool{"openai-gym": true, "OpenAI_Gym": true, "requests": false} {
		if names.Invented(dependencies.PyPI, name) != want {
			t.Errorf("%s invented: %v", name, !want)
		}
	}
	if !names.Popular(dependencies.NPM, "semver") || names.Popular(dependencies.NPM, "Semver") || names.Popular(dependencies.Docker, "ubuntu") {
		t.Error("popular names are wrong")
	}
}
