package tests

import (
	"path"
	"regexp"
	"strings"
)

// foreignFile is a file of others that a repository keeps a copy of.
var foreignFile = regexp.MustCompile(`(^|/)(vendor|node_modules|third_party|third-party)/`)

// containerRun is a step that builds or runs what may hold the tests.
var containerRun = regexp.MustCompile(`(?m)bake-action|\bdocker (buildx |compose )?(build|bake|run|up)\b|^\s*targets?:\s*\S*test`)

// ofRemoved reports whether a workflow is about a folder that the change
// removes with its code: it lies there, or names it.
func (c *change) ofRemoved(p *pair) bool {
	if dir := path.Dir(p.oldPath()); dir != "." && !strings.HasPrefix(p.oldPath(), ".") && c.folderRemoved(dir+"/") {
		return true
	}
	text := string(p.Old)
	asked := map[string]bool{}
	for _, q := range c.files {
		if q.New != nil || isTestPath(q.oldPath()) || languageOf(q.oldPath()) == other {
			continue
		}
		for dir := path.Dir(q.oldPath()); dir != "." && !asked[dir] && len(asked) < maxAsked; dir = path.Dir(dir) {
			asked[dir] = true
			if strings.Contains(dir, "/") && strings.Contains(text, dir) && c.folderRemoved(dir+"/") {
				return true
			}
		}
	}
	return false
}
