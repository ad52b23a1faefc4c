package instructions

import (
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// malformedFrontMatter reports front matter that no program reads.
var malformedFrontMatter = lint.Rule{ID: "IN010", Check: checkFrontMatter}

func checkFrontMatter(p *lint.Pass) {
	for _, d := range live(p, docs(p, rules.Instructions, rules.Tasks)) {
		// The hosts of tasks write descriptions with colons themselves, and
		// read them.
		lenient := !d.File.Is(rules.Instructions) && strings.Contains(faultOf(d), "mapping values")
		if faultOf(d) != "" && !lenient {
			p.Reportf(d.File, d.Front.FaultAt, "front matter is not read: %s", d.Front.Fault)
		}
	}
}

func faultOf(d *Doc) string {
	if d.Front == nil {
		return ""
	}
	return d.Front.Fault
}
