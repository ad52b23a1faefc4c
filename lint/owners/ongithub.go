package owners

import (
	"slices"
	"strings"
)

// OnGitHub is what GitHub knows of a repository's CODEOWNERS and its branch.
// The rules about it take it from [lint.Config.Given].
type OnGitHub struct {
	// Unusable are the lines whose owners do not exist or may not write.
	Unusable []UnusableOwner
	// Branch is the default branch; Required says whether it takes no pull
	// request without an owner's review, and is nil where that is not known.
	Branch   string
	Required *bool
}

// UnusableOwner is an owner whom GitHub asks for nothing.
type UnusableOwner struct {
	Path string
	Line int
	// Text is the line as it is written.
	Text string
}

// Concerned leaves of some lines those that are about a change: lines that the
// earlier file does not have, and lines that decide about one of the changed
// files.
func Concerned(list []UnusableOwner, before, now *Codeowners, changed []string) []UnusableOwner {
	old, decides := map[string]bool{}, map[int]bool{}
	if before != nil {
		for _, line := range before.Lines {
			old[line.Text] = true
		}
	}
	if now == nil {
		return nil
	}
	for _, path := range changed {
		if line, ok := now.Decides(path); ok && line != nil {
			decides[line.Number] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(u UnusableOwner) bool {
		at := slices.IndexFunc(now.Lines, func(l Line) bool { return l.Number == u.Line })
		return at < 0 || old[strings.TrimSpace(now.Lines[at].Text)] && !decides[u.Line]
	})
}
