package change

import (
	"fmt"

	"steelyard/lint"
)

// checkRiskyPaths reports changes of risky files that the people whom the
// policy names have not approved.
func checkRiskyPaths(p *lint.Pass, c *Change) {
	for _, risk := range c.Policy.Risky {
		paths := c.matches(risk.Globs)
		if len(paths) == 0 {
			continue
		}
		if !c.ReviewsKnown {
			c.leave("whether %s%s may be merged (PR002, %s): %s", paths[0], more(paths), risk.Reason, c.reviewsUnknown())
			continue
		}
		missing := max(risk.Approvals-len(c.approvers()), 0)
		right := yes
		if len(risk.Who) > 0 {
			right = c.approvedBy(risk.Who)
		}
		if right == unknown {
			c.leave("whether one of %s has approved %s%s (PR002): %s", listed(risk.Who, "or"), paths[0], more(paths), c.whyUnknown(risk.Who))
			right = yes
		}
		if right == yes && missing == 0 {
			continue
		}
		c.soon(p).ReportFile(file(p, paths[0]), related(paths[1:]),
			"a risky path (%s): %s%s needs %s before the merge%s", risk.Reason, paths[0], more(paths), wanted(risk, right, missing), c.sofar())
	}
}

// wanted says which approvals are missing.
func wanted(risk Paths, right answer, missing int) string {
	who := listed(risk.Who, "or")
	switch {
	case right == yes && missing == 1:
		return "one more approval"
	case right == yes:
		return fmt.Sprintf("%d more approvals", missing)
	case missing > 1:
		return fmt.Sprintf("%d more approvals, one of them of %s", missing, who)
	}
	return "the approval of " + who
}
