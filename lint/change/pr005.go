package change

import (
	"strings"

	"steelyard/lint"
)

// settingsFile is governed as much as what it governs.
const settingsFile = "steelyard.yaml"

// checkGoverned reports changes of files that steer assistants which none of
// their owners has approved.
func checkGoverned(p *lint.Pass, c *Change) {
	if c.Owners == nil {
		return // CO002 says that there are none
	}
	groups, byOwners := [][]string{}, map[string][]string{}
	for _, path := range c.steeringIn(p) {
		line, ok := c.Owners.Decides(path)
		if !ok {
			p.Skip(path, "CODEOWNERS has too many lines for this many files: owners of the rest were not looked up")
			return
		}
		if line == nil || !line.Owned() {
			continue // CO001 says so
		}
		key := strings.Join(line.Owners, " ")
		if byOwners[key] == nil {
			groups = append(groups, line.Owners)
		}
		byOwners[key] = append(byOwners[key], path)
	}
	for _, who := range groups {
		c.ownersOf(p, who, byOwners[strings.Join(who, " ")])
	}
}

func (c *Change) ownersOf(p *lint.Pass, who, paths []string) {
	if !c.ReviewsKnown {
		c.leave("whether an owner has reviewed %s%s (PR005): %s", paths[0], more(paths), c.reviewsUnknown())
		return
	}
	if c.among(c.Author, who) == yes && len(c.approvers()) > 0 {
		return // an owner wrote it and somebody else looked at it
	}
	switch c.approvedBy(who) {
	case yes:
		return
	case unknown:
		c.leave("whether one of the owners %s has reviewed %s%s (PR005): %s", listed(who, "or"), paths[0], more(paths), c.whyUnknown(who))
		return
	}
	c.soon(p).ReportFile(file(p, paths[0]), related(paths[1:]),
		"what steers assistants needs the review of an owner (%s) before the merge: %s%s%s", listed(who, "or"), paths[0], more(paths), c.sofar())
}
