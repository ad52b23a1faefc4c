package instructions

import (
	"path"
	"strings"

	"steelyard/lint"
)

// catalogs are ranges that the packages of a workspace share: a package.json
// that says "catalog:NAME" means the range that stands there. pnpm keeps them
// in pnpm-workspace.yaml, Bun in the package.json of the root.
// Source: pnpm.io/catalogs, bun.sh/docs/install/catalogs.
type catalogs struct {
	file *lint.File
	root *lint.Node
}

// readCatalogs reads pnpm's catalogs of a folder.
func readCatalogs(p *lint.Pass, dir string) (*catalogs, bool) {
	f, ok := p.Named(path.Join(dir, "pnpm-workspace.yaml"))
	if !ok {
		return nil, false
	}
	return lint.Parsed(f, func(f *lint.File) *catalogs {
		src, err := f.Bytes()
		if err != nil {
			return &catalogs{file: f}
		}
		root, err := lint.ParseYAML(src)
		if err != nil {
			root = nil
		}
		return &catalogs{f, root}
	}), true
}

// catalogEntry returns what a package's "catalog:NAME" stands for, and its
// file; nil where nothing says it.
func catalogEntry(p *lint.Pass, dir, pkg, text string) (*lint.File, *lint.Node) {
	name, ok := strings.CutPrefix(text, "catalog:")
	if !ok {
		return nil, nil
	}
	for _, dir := range above(dir) {
		if c, ok := readCatalogs(p, dir); ok {
			return c.file, inCatalog(c.root, pkg, name)
		}
		m, ok := readPackageJSON(p, path.Join(dir, "package.json"))
		if !ok {
			continue
		}
		for _, root := range []*lint.Node{m.root.Get("workspaces"), m.root} {
			if n := inCatalog(root, pkg, name); n != nil {
				return m.file, n
			}
		}
	}
	return nil, nil
}

// inCatalog looks a package up in the catalog of a name, or in the one that
// has none.
func inCatalog(root *lint.Node, pkg, name string) *lint.Node {
	if name = strings.TrimSpace(name); name != "" && name != "default" {
		return root.Get("catalogs", name, pkg)
	}
	if n := root.Get("catalog", pkg); n != nil {
		return n
	}
	return root.Get("catalogs", "default", pkg)
}
