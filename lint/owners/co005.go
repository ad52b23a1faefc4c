package owners

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// misplaced reports CODEOWNERS files that GitHub does not read.
var misplaced = lint.Rule{ID: "CO005", Check: checkMisplaced}

// models matches folders that hold files for other repositories.
var models = regexp.MustCompile(`(?i)(^|/)(__)?(tests?|testdata|fixtures?|templates?|software_templates|skeletons?|samples?|examples?|scaffolds?|boilerplates?)(__)?/`)

// maxMisplaced bounds the files that are looked at.
const maxMisplaced = 200

func checkMisplaced(p *lint.Pass) {
	c := read(p)
	found := p.Called("CODEOWNERS")
	for _, name := range found[:min(len(found), maxMisplaced)] {
		other := path.Base(name) != "CODEOWNERS"
		if other && !slices.ContainsFunc(places, func(place string) bool { return strings.EqualFold(place, name) }) {
			continue // a file of another kind that is called codeowners
		}
		if c.File != nil && name == c.File.Path || models.MatchString(name) || strings.Contains("/"+name, "/.gitlab/") {
			continue // GitLab reads its own place
		}
		f, ok := p.Named(name)
		if !ok {
			continue
		}
		switch _, folder := lint.Given[Above](p); {
		case folder, !slices.Contains(places, name):
			p.ReportFile(f, nil, "GitHub reads CODEOWNERS in .github, the root and docs, spelt so, and not %q", name)
		case c.File != nil:
			p.ReportFile(f, nil, "GitHub reads %s and not this file beside it", c.File.Path)
		}
	}
}
