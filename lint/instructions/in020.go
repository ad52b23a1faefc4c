package instructions

import (
	"steelyard/lint"
	"steelyard/rules"
)

// remoteScript notes commands that run what an address serves at that moment.
var remoteScript = lint.Rule{ID: "IN020", Check: checkRemoteScript}

func checkRemoteScript(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions, rules.Tasks)) {
		for i := range d.Statements {
			s := &d.Statements[i]
			for _, c := range s.Codes {
				if s.Bad || negatedCue.MatchString(s.prose(0, c.From)) || !pipedToShell.MatchString(c.Text) {
					continue
				}
				p.Reportf(d.File, s.Span(c.From, c.To), "command runs a script from the network that nobody has reviewed")
			}
		}
		for i := range d.Fences {
			f := &d.Fences[i]
			for _, l := range f.Lines {
				if at := pipedToShell.FindStringIndex(l.Text); at != nil && !l.Bad && shellLangs[f.Lang] {
					p.Reportf(d.File, l.Span(at[0], at[1]), "command runs a script from the network that nobody has reviewed")
				}
			}
		}
	}
}
