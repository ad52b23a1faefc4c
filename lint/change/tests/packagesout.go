package tests

import (
	"path"
	"regexp"
	"strings"
)

// packageOut is a package that a command of pnpm leaves out.
var packageOut = regexp.MustCompile(`--filter[= ]\\?['"]?!([^\s'"\\]+)`)

// packagesOut reports packages that a script which runs tests leaves out now.
func (c *change) packagesOut(p *pair, old, now []string) {
	if path.Base(p.Path) != "package.json" {
		return
	}
	before := leftOut(old)
	for n, line := range now {
		name, had := scriptName(line), map[string]bool{}
		if _, ok := before[name]; !ok || name == "" {
			continue
		}
		for _, pkg := range before[name] {
			had[pkg] = true
		}
		for _, m := range packageOut.FindAllStringSubmatch(line, maxTexts) {
			if !had[m[1]] {
				c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests are left out by %q", short(m[0]))
				return
			}
		}
	}
}

// leftOut are the packages that each script with tests leaves out.
func leftOut(lines []string) map[string][]string {
	found := map[string][]string{}
	for _, line := range lines {
		name := scriptName(line)
		if name == "" {
			continue
		}
		found[name] = []string{}
		for _, m := range packageOut.FindAllStringSubmatch(line, maxTexts) {
			found[name] = append(found[name], m[1])
		}
	}
	return found
}

// scriptName is the name of the script of package.json in a line, "" if that
// does not say that it runs tests.
func scriptName(line string) string {
	name, _, ok := strings.Cut(line, "\": ")
	if !ok || len(line) > 2000 || !strings.Contains(name, "test") {
		return ""
	}
	return name
}
