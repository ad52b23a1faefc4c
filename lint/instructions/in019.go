package instructions

import (
	"path"

	"steelyard/lint"
	"steelyard/rules"
)

// absentFramework reports a library that the instructions build on, with its
// version, and that no manifest of the repository knows.
var absentFramework = lint.Rule{ID: "IN019", Check: checkAbsentFramework}

func checkAbsentFramework(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		var before *placedClaim
		for _, group := range d.claimGroups() {
			c := &group[0]
			if c.product.expression == nil || c.product.facts != nil || !depends(p, d) {
				continue
			}
			facts, known := c.product.repository(p, d)
			if !known || len(facts) > 0 || before != nil && before.s == c.s {
				continue // one finding a sentence
			}
			before = c
			p.Reportf(d.File, c.s.Span(c.from, c.to), "%q is in no manifest of this repository", c.text)
		}
	}
}

// depends reports whether the repository has a package.json with dependencies.
func depends(p *lint.Pass, d *Doc) bool {
	for _, dir := range manifestFolders(p, d) {
		if m, ok := readPackageJSON(p, path.Join(dir, "package.json")); ok && m.root.Get("dependencies") != nil {
			return true
		}
	}
	return false
}
