package lint

import "regexp"

var testData = regexp.MustCompile(`(?i)(^|/)_*(fixtures?|test[-_]?data)_*/`)

// TestData reports whether the file lies among the data of tests: no host reads
// it there, and its form may be wrong on purpose. A file that a link from
// elsewhere leads to is read through the link.
func (f *File) TestData() bool { return !f.linked && testData.MatchString(f.Path) }
