package owners

import (
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
	found := p.Ending("CODEOWNERS")
	for _, place := range places {
		found = append(found, p.Folded(place)...)
	}
	slices.Sort(found)
	for _, name := range slices.Compact(found[:min(len(found), maxMisplaced)]) {
		if c.File != nil && name == c.File.Path || models.MatchString(name) || strings.Contains("/"+name, "/.gitlab/") {
			continue // GitLab reads its own place
		}
		f, ok := p.Named(name)
		if !ok {
			continue
		}
		switch {
		case !slices.Contains(places, name):
			p.ReportFile(f, nil, "GitHub reads CODEOWNERS in .github, the root and docs, spelt so, and not %q", name)
		case c.File != nil:
			p.ReportFile(f, nil, "GitHub reads %s and not this file beside it", c.File.Path)
		}
	}
}
