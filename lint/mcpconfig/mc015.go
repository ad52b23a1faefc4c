package mcpconfig

import "steelyard/lint"

// notApproved reports servers that the team's list does not have.
var notApproved = lint.Rule{ID: "MC015", Check: checkNotApproved}

func checkNotApproved(p *lint.Pass) {
	list, ok := lint.Given[Approved](p)
	if !ok {
		p.Abstain()
		return
	}
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			if list.approves(s) {
				continue
			}
			what := "what it runs cannot be told"
			if id := s.identity(); id.kind != "" {
				what = id.String()
			}
			p.Reportf(c.File, s.Name.At(), "server %q (%s) is not on the list of approved servers in %s", s.Name.Value, what, list.Source)
		}
	}
}
