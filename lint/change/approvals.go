package change

import (
	"slices"
	"strings"
)

// approvers are the people whose last word is an approval that counts, the
// author aside. One of an earlier commit does not count unless the policy keeps
// it: what was pushed since, nobody has seen.
func (c *Change) approvers() []Account {
	return c.approved(func(r Review) bool { return !c.outrun(r) })
}

// outdated are the people whose last word is an approval of an earlier commit
// that does not count any more.
func (c *Change) outdated() []Account {
	return c.approved(c.outrun)
}

// approved are the people whose last word is an approval of which something
// holds. A comment takes no approval back; a request for changes does, and so
// does whoever dismisses the review.
func (c *Change) approved(holds func(Review) bool) []Account {
	var order []Account
	last := map[string]Review{}
	for _, r := range c.Reviews {
		login := strings.ToLower(r.By.Login)
		if r.By.Machine || login == "" || strings.EqualFold(login, c.Author.Login) || r.State == "COMMENTED" || r.State == "PENDING" {
			continue
		}
		if _, seen := last[login]; !seen {
			order = append(order, r.By)
		}
		last[login] = r
	}
	return slices.DeleteFunc(order, func(a Account) bool {
		r := last[strings.ToLower(a.Login)]
		return r.State != "APPROVED" || !holds(r)
	})
}

// outrun reports whether something was pushed after a review, as far as that
// shows: a review of an unknown commit gets the benefit of the doubt, and the
// result says so.
func (c *Change) outrun(r Review) bool {
	switch {
	case c.Policy.KeepStale:
		return false
	case c.Commit == "" || r.Commit == "":
		c.leave("whether @%s has approved the last commit: GitHub does not say which one the approval was given to, so it counts", r.By.Login)
		return false
	}
	return r.Commit != c.Commit
}

// approvedBy reports whether one of some people and teams has approved.
func (c *Change) approvedBy(list []string) answer {
	result := no
	for _, a := range c.approvers() {
		switch c.among(a, list) {
		case yes:
			return yes
		case unknown:
			result = unknown
		}
	}
	return result
}

// sofar ends the message about a missing approval with what was done about it:
// who approved what is not there any more, and whose review is asked for, so
// that nobody asks them again.
func (c *Change) sofar() string {
	text := ""
	if names := at(c.outdated()); len(names) > 0 {
		text = "; " + listed(names, "and") + " approved an earlier commit"
	}
	if len(c.Requested) > 0 {
		text += "; asked for a review: " + listed(c.Requested, "and")
	}
	return text
}
