package lint

import "regexp"

var testData = regexp.MustCompile(`(?i)(^|/)_*(fixtures?|test[-_]?data)_*/`)

// TestData reports whether the file lies among the data of tests: no host reads
// it there, and its form may be wrong on purpose.
func (f *File) TestData() bool { return testData.MatchString(f.Path) }
