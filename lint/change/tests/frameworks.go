package tests

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// frameworksForm lists the versions of .NET for which a project is built.
var frameworksForm = regexp.MustCompile(`<TargetFrameworks\b[^>]*>([^<]*)</TargetFrameworks>`)

// frameworksOut reports a project of tests that is built for fewer of them than
// before and for no other, while no project of the product lost one.
func (c *change) frameworksOut(p *pair, old, now []string) {
	if !p.test || strings.ToLower(path.Ext(p.Path)) != ".csproj" {
		return
	}
	lost, n := lostFramework(old, now)
	if lost == "" {
		return
	}
	for _, q := range c.files {
		if ext := strings.ToLower(path.Ext(q.Path)); q == p || q.test || ext != ".csproj" && ext != ".props" && ext != ".fsproj" && ext != ".targets" && path.Base(q.Path) != "global.json" {
			continue
		}
		if strings.Count(string(q.New), lost) < strings.Count(string(q.Old), lost) {
			return
		}
	}
	c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests are no longer built for %q", lost)
}

// lostFramework is the first that a list of them lost, and the line of the list.
func lostFramework(old, now []string) (string, int) {
	had, _ := frameworksIn(old)
	have, line := frameworksIn(now)
	if len(have) == 0 || len(have) >= len(had) {
		return "", 0
	}
	for _, f := range have {
		if !slices.Contains(had, f) {
			return "", 0
		}
	}
	for _, f := range had {
		if !slices.Contains(have, f) {
			return f, line
		}
	}
	return "", 0
}

func frameworksIn(lines []string) ([]string, int) {
	for n, line := range lines {
		if len(line) > 500 {
			continue
		}
		if m := frameworksForm.FindStringSubmatch(line); m != nil {
			return strings.FieldsFunc(m[1], func(r rune) bool { return r == ';' || r == ' ' }), n
		}
	}
	return nil, 0
}
