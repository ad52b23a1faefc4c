package owners

import "steelyard/lint"

// reviewNotRequired notes a default branch that takes changes without the
// review of an owner.
var reviewNotRequired = lint.Rule{ID: "CO008", Check: checkReviewNotRequired}

func checkReviewNotRequired(p *lint.Pass) {
	known, ok := lint.Given[OnGitHub](p)
	if !ok || known.Required == nil {
		p.Abstain()
		return
	}
	if c := read(p); c.File != nil && !*known.Required {
		p.ReportFile(c.File, nil, "the branch %q takes pull requests without the review of a code owner: owners are asked, and nothing waits for them", known.Branch)
	}
}
