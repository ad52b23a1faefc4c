package instructions

import "steelyard/lint"

// surfaceDrift reports orders by which two assistants are told different
// things about the same files.
var surfaceDrift = lint.Rule{ID: "IN004", Check: checkSurfaceDrift}

func checkSurfaceDrift(p *lint.Pass) {
	for _, x := range contradictions(p) {
		if x.together == "" {
			p.ReportRelated(x.docB.File, x.b.At, []lint.Related{related(x.docA, &x.a)},
				"%q differs from %s, %q (%s): %s and %s are told different things",
				quote(x.b.Text), x.docA.File.Path, quote(x.a.Text), x.a.Topic.Title, titleOf(x.alone[1]), titleOf(x.alone[0]))
		}
	}
}
