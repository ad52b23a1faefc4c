package tests

import (
	"regexp"
	"strings"
)

// flawsOnly are commands that look for flaws and run no tests.
var flawsOnly = regexp.MustCompile(`\b(cargo|npm|pnpm|yarn|pip|bundle)[ -](audit|deny|lint|clippy|fmt)\b`)

// notNamed is a name that a run by names leaves out.
var notNamed = regexp.MustCompile(`\bnot ([\w.]+)`)

// narrower reports whether a line leaves out what an old one did, by names that
// are longer: fewer tests have them.
func (p *pair) narrower(line string, old []string) bool {
	now := notNamed.FindAllStringSubmatch(line, maxTexts)
	if len(now) == 0 {
		return false
	}
	head, _, _ := strings.Cut(line, " not ")
	for _, was := range old {
		before := notNamed.FindAllStringSubmatch(was, maxTexts)
		same, _, _ := strings.Cut(was, " not ")
		if len(was) > 2000 || len(before) != len(now) || head != same {
			continue
		}
		all := true
		for i := range now {
			all = all && strings.HasPrefix(now[i][1], before[i][1])
		}
		if all {
			return true
		}
	}
	return false
}
