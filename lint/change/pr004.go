package change

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// checkAskedAndApproved reports an agent's pull request that nobody but the
// person who asked for it has approved.
func checkAskedAndApproved(p *lint.Pass, c *Change) {
	if c.Agent == "" || len(c.Files) == 0 {
		return
	}
	if !c.ReviewsKnown {
		c.leave("whether somebody other than the person who asked %s for it has approved the pull request (PR004): %s", c.Agent, c.reviewsUnknown())
		return
	}
	approvers := c.approvers()
	others := slices.DeleteFunc(slices.Clone(approvers), func(a Account) bool { return holds(c.AskedBy, a) })
	f, where := c.place(p, "agents.may_approve")
	asked := listed(at(c.AskedBy), "and")
	switch {
	case len(approvers) > 1 && len(others) > 0:
		return // one of them did not ask, whoever did
	case len(c.AskedBy) == 0 && len(approvers) == 0:
		report(c.soon(p), f, where, "%s wrote this pull request: it needs the approval of a person other than who asked for it before the merge%s", c.Agent, c.sofar())
	case len(c.AskedBy) == 0:
		c.leave("whether %s, who approved the pull request of %s, also asked for it (PR004): the pull request does not say who asked", listed(at(approvers), "and"), c.Agent)
	case len(approvers) == 0:
		report(c.soon(p), f, where, "%s wrote this pull request for %s: it needs the approval of somebody else before the merge%s", c.Agent, asked, c.sofar())
	case len(others) > 0 && len(c.surelyAskedBy()) == 0:
		c.leave("whether %s, who approved the pull request of %s, also asked for it (PR004): only the messages of commits say who asked", listed(at(approvers), "and"), c.Agent)
	case len(others) == 0:
		report(p, f, where, "%s wrote this pull request for %s, and nobody else has approved it%s", c.Agent, asked, c.sofar())
	}
}

// surelyAskedBy are the people who asked by what the code host says.
func (c *Change) surelyAskedBy() []Account {
	return slices.DeleteFunc(slices.Clone(c.AskedBy), func(a Account) bool { return a.Claimed })
}

func holds(list []Account, who Account) bool {
	return slices.ContainsFunc(list, func(a Account) bool { return strings.EqualFold(a.Login, who.Login) })
}
