package owners

import "steelyard/lint"

// ignoredLine reports lines of CODEOWNERS that GitHub passes over.
var ignoredLine = lint.Rule{ID: "CO004", Check: checkIgnoredLine}

func checkIgnoredLine(p *lint.Pass) {
	c := read(p)
	for _, s := range c.Skipped {
		p.Reportf(c.File, s.At, "GitHub passes over this line: %q %s", s.Text, s.Why)
	}
}
