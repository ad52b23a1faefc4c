package tests

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// checkLine is a line of code that begins with an assertion.
var checkLine = regexp.MustCompile(`^(assert\w*\s*!?\s*\(|assert |self\.assert\w+\(|(Assert|require|assert)\.\w+\(|expect\(|Expect\()`)

// commentedChecks is TS005 for an assertion of a helper that is now a comment:
// those of tests are compared one by one.
func commentedChecks(c *change) {
	for _, p := range c.files {
		if !p.test || p.old == nil || p.new == nil || len(p.old.tests) > 0 || c.has(p) || len(p.Old) > maxHelperFile || len(p.New) > maxHelperFile {
			continue
		}
		var comment, code strings.Builder
		first := map[string]int{}
		for n, line := range strings.Split(string(p.New), "\n") {
			if rest, ok := uncommented(line); ok {
				comment.WriteString(unspaced(rest))
				if checkLine.MatchString(rest) {
					first[unspaced(rest)] = n + 1
				}
			} else {
				code.WriteString(unspaced(line))
			}
		}
		if len(first) == 0 {
			continue
		}
		for n, line := range strings.Split(string(p.Old), "\n") {
			line = strings.TrimSpace(line)
			core := strings.TrimRight(unspaced(line), ");,")
			if !checkLine.MatchString(line) || len(core) < 12 || !strings.Contains(comment.String(), core) || strings.Contains(code.String(), core) {
				continue
			}
			begins := 0
			for begin, at := range first {
				if strings.HasPrefix(core, strings.TrimRight(begin, ");,")) && (begins == 0 || at < begins) {
					begins = at
				}
			}
			if begins == 0 {
				continue
			}
			c.report("TS005", p.Path, begins, []lint.Related{{Path: p.oldPath(), Line: n + 1, Column: 1, Message: "the code before"}}, "an assertion is commented out: %s", short(line))
			break
		}
	}
}

// maxHelperFile bounds the files that are searched for such comments.
const maxHelperFile = 1 << 18

// unspaced is a line without white space.
func unspaced(line string) string { return strings.Join(strings.Fields(line), "") }
