package owners

import (
	"fmt"

	"steelyard/lint"
)

// missing reports, once, a repository whose governed files nobody can own.
var missing = lint.Rule{ID: "CO002", Check: checkMissing}

func checkMissing(p *lint.Pass) {
	if above, ok := lint.Given[Above](p); ok && above.Owners != nil {
		return
	}
	c := read(p)
	governed := 0
	for _, f := range p.Files() {
		if !f.Shared() && (c.File == nil || f != c.File) {
			governed++
		}
	}
	switch {
	case governed == 0:
	case c.File == nil:
		p.ReportFile(p.Missing(places[0]), nil, "there is no CODEOWNERS, so no owner is asked about the %s", count(governed))
	case c.Unread:
		p.ReportFile(c.File, nil, "this file could not be read (%s), so it is not known who owns the %s", c.Unloaded, count(governed))
	case c.Unloaded != "":
		p.ReportFile(c.File, nil, "GitHub does not load this file (%s), so no owner is asked about the %s", c.Unloaded, count(governed))
	}
}

func count(files int) string {
	if files == 1 {
		return "one governed file"
	}
	return fmt.Sprintf("%d governed files", files)
}
