package change

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/lint"
)

// checkSize reports a pull request that is larger than the policy allows.
func checkSize(p *lint.Pass, c *Change) {
	limit := c.Policy.Size
	if limit.AcceptedBy != "" && slices.ContainsFunc(c.Labels, func(l string) bool { return strings.EqualFold(l, limit.AcceptedBy) }) {
		return
	}
	lines, files := map[Kind]int{}, 0
	var uncounted []string
	for _, f := range c.Files {
		if anyMatch(limit.NotCounted, f.Path) {
			continue
		}
		if f.Uncounted && f.Kind != Generated && f.Kind != Lockfile {
			uncounted = append(uncounted, f.Path)
		}
		lines[f.Kind] += f.Additions + f.Deletions
		if f.Kind == Code {
			files++
		}
	}
	if len(uncounted) > 0 && limit.Lines+limit.Tests+limit.Docs > 0 {
		c.leave("how many lines of %s%s change (PR003): it is too large to be compared", uncounted[0], more(uncounted))
	}
	for _, one := range []struct {
		entry, what string
		have, most  int
	}{
		{"size.lines", "lines of code", lines[Code], limit.Lines},
		{"size.files", "files of code", files, limit.Files},
		{"size.tests", "lines of tests", lines[Test], limit.Tests},
		{"size.docs", "lines of documentation", lines[Docs], limit.Docs},
	} {
		if one.most == 0 || one.have <= one.most {
			continue
		}
		hint := ""
		if limit.AcceptedBy != "" {
			hint = fmt.Sprintf("; the label %q accepts it", limit.AcceptedBy)
		}
		f, at := c.place(p, one.entry)
		report(p, f, at, "the pull request changes %d %s, and the policy allows %d%s", one.have, one.what, one.most, hint)
	}
}
