package owners

import (
	"fmt"

	"steelyard/lint"
)

// unowned reports governed files that CODEOWNERS leaves without an owner.
var unowned = lint.Rule{ID: "CO001", Check: checkUnowned}

func checkUnowned(p *lint.Pass) {
	if above, ok := lint.Given[Above](p); ok {
		above.checkAbove(p)
		return
	}
	c := read(p)
	if c.File == nil || c.Unloaded != "" {
		return // one CO002 for the whole repository
	}
	for _, f := range p.Files() {
		if f.Shared() || f == c.File {
			continue // of CODEOWNERS itself CO003 speaks
		}
		line, ok := c.Decides(f.Path)
		if !ok {
			p.Skip(f.Path, "%s has too many lines for this many files: owners of the rest were not looked up", c.File.Path)
			return
		}
		switch {
		case line == nil:
			p.ReportFile(f, nil, "no pattern in %s gives this file an owner", c.File.Path)
		case !line.Owned():
			p.ReportFile(f, c.takes(line), "line %d of %s takes this file's owner away", line.Number, c.File.Path)
		}
	}
}

// takes is the place of a line that names no owner.
func (c *Codeowners) takes(line *Line) []lint.Related {
	return []lint.Related{{
		Path: c.File.Path, Line: line.Number, Column: 1,
		Message: fmt.Sprintf("%q names no owner", line.Text),
	}}
}
