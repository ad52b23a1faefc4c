package launch

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
)

// member reports whether a folder is a member of the workspace at a folder
// above it. Where the files that say so cannot be read, or leave it to another
// program, it may be one.
//
// Sources: "workspaces" of npm, Yarn and Bun is a list of patterns, or an
// object with such a list in "packages"; pnpm's stands in pnpm-workspace.yaml.
// A pattern after "!" takes folders out again.
func member(p *lint.Pass, root, dir string) bool {
	rel := dir
	if root != "." {
		rel = strings.TrimPrefix(dir, root+"/")
	}
	for _, name := range []string{"lerna.json", "rush.json"} {
		if _, ok := p.Named(path.Join(root, name)); ok {
			return true
		}
	}
	if f, ok := p.Named(path.Join(root, "pnpm-workspace.yaml")); ok {
		doc := manifestOf(f, lint.ParseYAML)
		return doc.root == nil || listed(doc.root.Get("packages"), rel)
	}
	f, ok := p.Named(path.Join(root, "package.json"))
	if !ok {
		return false
	}
	doc := manifestOf(f, lint.ParseJSON)
	if doc.root == nil {
		return true
	}
	list := doc.root.Get("workspaces")
	if list != nil && list.Kind == lint.Object {
		list = list.Get("packages")
	}
	return listed(list, rel)
}

const maxPatterns = 1000

// listed reports whether a folder meets a list of patterns.
func listed(list *lint.Node, rel string) bool {
	if list == nil {
		return false
	}
	if len(list.Elements) > maxPatterns {
		return true
	}
	found := false
	for _, e := range list.Elements {
		pattern, without := strings.CutPrefix(e.Text, "!")
		pattern = path.Clean(strings.TrimPrefix(pattern, "./"))
		if !lint.Spelled(pattern) || !doublestar.ValidatePattern(pattern) {
			return true
		}
		if doublestar.MatchUnvalidated(pattern, rel) {
			found = !without
		}
	}
	return found
}
