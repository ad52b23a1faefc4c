package change

import "steelyard/lint"

// checkMayAsk reports an agent's pull request that was asked for by somebody
// who may not.
func checkMayAsk(p *lint.Pass, c *Change) {
	if c.Agent == "" || c.Policy.MayAsk == nil {
		return
	}
	asked := c.surelyAskedBy()
	switch {
	case len(c.AskedBy) == 0:
		c.leave("whether the person who asked %s for the pull request may (PR008): it does not say who asked", c.Agent)
		return
	case len(asked) == 0:
		c.leave("whether the person who asked %s for the pull request may (PR008): only the messages of commits say who asked, and anybody can write those", c.Agent)
		return
	}
	for _, who := range asked {
		switch c.among(who, c.Policy.MayAsk) {
		case yes:
			return
		case unknown:
			c.leave("whether @%s may ask %s for a pull request (PR008): %s", who.Login, c.Agent, c.whyUnknown(c.Policy.MayAsk))
			return
		}
	}
	f, where := c.place(p, "agents.may_ask")
	report(p, f, where, "%s asked %s for this pull request, and only %s may", listed(at(asked), "and"), c.Agent, listed(c.Policy.MayAsk, "or"))
}
