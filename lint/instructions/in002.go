package instructions

import "steelyard/lint"

// contradictingFiles reports orders of two files that one assistant reads
// together and cannot both follow.
var contradictingFiles = lint.Rule{ID: "IN002", Check: checkContradictingFiles}

func checkContradictingFiles(p *lint.Pass) {
	for _, x := range contradictions(p) {
		if x.together != "" {
			p.ReportRelated(x.docB.File, x.b.At, []lint.Related{related(x.docA, &x.a)},
				"%q contradicts %s, %q (%s); %s reads both", quote(x.b.Text), x.docA.File.Path, quote(x.a.Text), x.a.Topic.Title, titleOf(x.together))
		}
	}
}
