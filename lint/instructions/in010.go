package instructions

import (
	"errors"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// malformedFrontMatter reports front matter that no program reads.
var malformedFrontMatter = lint.Rule{ID: "IN010", Check: checkFrontMatter}

func checkFrontMatter(p *lint.Pass) {
	noteUnread(p)
	for _, d := range live(docs(p, rules.Instructions, rules.Tasks)) {
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

// noteUnread says, once a run, which texts were not looked at as a whole.
func noteUnread(p *lint.Pass) {
	for _, f := range p.Files(rules.Instructions, rules.Tasks) {
		if f.Link != "" || !readable(f.Path) {
			continue
		}
		switch d := lint.Parsed(f, parse); {
		case errors.Is(d.Err, ErrTooDeep):
			p.Skip(f.Path, "%v", d.Err)
		case d.partial:
			p.Skip(f.Path, "text of more than %d KB or %d sentences, or a paragraph of more than %d KB: the rest was not read as sentences", maxBody>>10, maxStatements, maxBlock>>10)
		}
	}
}
