package owners

import (
	"strings"

	"steelyard/lint"
)

// unusableOwner reports owners whom GitHub does not ask: they do not exist, are
// not visible, or may not write.
var unusableOwner = lint.Rule{ID: "CO007", Check: checkUnusableOwner}

func checkUnusableOwner(p *lint.Pass) {
	known, ok := lint.Given[OnGitHub](p)
	if !ok {
		p.Abstain()
		return
	}
	c := read(p)
	for _, u := range known.Unusable {
		for i := range c.Lines {
			line := &c.Lines[i]
			if line.Number == u.Line && (u.Path == "" || u.Path == c.File.Path) {
				p.Reportf(c.File, line.At, "GitHub does not know an owner of %q with write access among %s", line.Glob, strings.Join(line.Owners, " "))
			}
		}
	}
}
