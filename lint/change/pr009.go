package change

import "steelyard/lint"

// checkMayApprove reports an agent's pull request that none of those who may
// has approved.
func checkMayApprove(p *lint.Pass, c *Change) {
	who := c.Policy.MayApprove
	if c.Agent == "" || who == nil {
		return
	}
	if !c.ReviewsKnown {
		c.leave("whether one of %s has approved the pull request of %s (PR009): %s", listed(who, "or"), c.Agent, c.reviewsUnknown())
		return
	}
	switch c.approvedBy(who) {
	case yes:
		return
	case unknown:
		c.leave("whether one of %s has approved the pull request of %s (PR009): %s", listed(who, "or"), c.Agent, c.whyUnknown(who))
		return
	}
	f, where := c.place(p, "agents.may_approve")
	report(c.soon(p), f, where, "%s wrote this pull request: it needs the approval of %s before the merge%s", c.Agent, listed(who, "or"), c.sofar())
}
