package change

import "steelyard/lint"

// checkOwnersOnly reports files that only their owners may change and somebody
// else does.
func checkOwnersOnly(p *lint.Pass, c *Change) {
	for _, own := range c.Policy.OwnersOnly {
		paths := c.matches(own.Globs)
		if len(paths) == 0 {
			continue
		}
		if !c.Described || c.Author.Login == "" {
			c.leave("whether its author may change %s%s (PR007): who opened the pull request is not known", paths[0], more(paths))
			continue
		}
		switch c.among(c.Author, own.Who) {
		case yes:
		case unknown:
			c.leave("whether @%s may change %s%s (PR007): %s", c.Author.Login, paths[0], more(paths), c.whyUnknown(own.Who))
		case no:
			p.ReportFile(file(p, paths[0]), related(paths[1:]),
				"only %s may change %s%s (%s), and @%s does", listed(own.Who, "or"), paths[0], more(paths), own.Reason, c.Author.Login)
		}
	}
}
