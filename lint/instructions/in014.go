package instructions

import (
	"steelyard/lint"
	"steelyard/rules"
)

// covertInstruction reports instructions to conceal, to send secrets away, to
// skip review or to ignore what else was said.
var covertInstruction = lint.Rule{ID: "IN014", Check: checkCovertInstruction}

func checkCovertInstruction(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions, rules.Tasks)) {
		for i := range d.Statements {
			s := &d.Statements[i]
			if s.Bad || s.Table || s.Section.Gone {
				continue
			}
			if what := covertIn(s.S); what != "" && covertIn(s.Whole) != "" {
				p.Reportf(d.File, s.whole(), "%q %s", quote(trimmed(s.S)), what)
			}
		}
		d.unreadSentences(func(sentence string, at lint.Span) bool {
			what := covertIn(sentence)
			if what != "" {
				p.Reportf(d.File, at, "%q %s", quote(sentence), what)
			}
			return what != ""
		})
		checkSentAway(p, d)
	}
}
