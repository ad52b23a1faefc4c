package tests

import (
	"regexp"
	"strings"
)

// assertImport takes functions out of Node's module of assertions, or of
// another of its kind.
var assertImport = regexp.MustCompile(`(?:import|const|let|var)\s*\{([^{}]{1,400})\}\s*(?:from|=\s*require\s*\(|=\s*await\s+import\s*\()\s*['"](?:node:)?(?:assert|power-assert|uvu/assert|chai|bun:test|jsr:@std/(?:assert|expect)[^'"]*)(?:/strict)?['"]`)

// assertDestructured takes them out of an object called assert.
var assertDestructured = regexp.MustCompile(`(?:const|let|var)\s*\{([^{}]{1,400})\}\s*=\s*assert\b`)

// noseChecks are the assertions of Python's nose that do not say so.
var noseChecks = map[string]bool{"eq_": true, "ok_": true}

// bareCheck reports whether a call without a dot is an assertion that the file
// took out of its module: deepStrictEqual(a, b).
func (s *suite) bareCheck(w string) bool {
	switch s.src.lang {
	case python:
		return noseChecks[w]
	case javascript:
		if s.bare == nil {
			s.bare = map[string]bool{}
			for _, form := range []*regexp.Regexp{assertImport, assertDestructured} {
				for _, m := range form.FindAllStringSubmatch(s.src.text, 20) {
					s.takeNames(m[1])
				}
			}
		}
		return s.bare[w]
	}
	return false
}

// takeNames keeps the names of an import that are assertions.
func (s *suite) takeNames(list string) {
	for name := range strings.SplitSeq(list, ",") {
		from, as, renamed := strings.Cut(strings.ReplaceAll(strings.TrimSpace(name), ":", " as "), " as ")
		from = strings.TrimSpace(from)
		if !scriptChecks[from] {
			continue
		}
		if renamed {
			from = strings.TrimSpace(as)
		}
		s.bare[from] = true
	}
}
