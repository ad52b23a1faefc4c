package rules

import "github.com/bmatcuk/doublestar/v4"

// MayRead reports whether a surface reads a file of this path for some file of
// the repository: whether it does for a certain one depends on where that one
// lies and on the front matter.
func (s Surface) MayRead(path string) bool {
	for _, r := range s.Reads {
		if doublestar.MatchUnvalidated(r.Path, path) || r.In != AtRoot && doublestar.MatchUnvalidated("**/"+r.Path, path) {
			return true
		}
	}
	return false
}
