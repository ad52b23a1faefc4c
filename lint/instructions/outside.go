package instructions

import (
	"path"
	"strings"

	"steelyard/lint"
)

// outside reports whether a joined path leads out of the repository.
func outside(full string) bool { return full == ".." || strings.HasPrefix(full, "../") }

// beside reports whether a path leads to a checkout beside this repository: it
// climbs out of it from one of the folders that it may start from, and from the
// others its first name is not there. A link starts at its own file, so it
// means what it says.
func (m *mention) beside(p *lint.Pass, d *Doc) bool {
	if m.link || !strings.HasPrefix(m.path, "../") {
		return false
	}
	climb := strings.LastIndex(m.path, "../") + len("../")
	start := m.path[:climb] + firstSegment(m.path[climb:])
	climbs := false
	for _, base := range bases(d.File.Path) {
		full := path.Join(base, start)
		if outside(full) {
			climbs = true
			continue
		}
		if e, _ := p.Entry(full); e != lint.Absent {
			return false
		}
	}
	return climbs
}

// imported reports whether a mention is what code imports rather than a path:
// a package of this tree and what it exports, as in "acme/client".
func (m *mention) imported(p *lint.Pass) bool {
	if m.folder || m.link || sourceExts.MatchString(m.path) {
		return false
	}
	return treePackages(p)[firstSegment(m.path)]
}

type packageNames map[string]bool

// treePackages returns the names of the npm packages that the tree holds.
func treePackages(p *lint.Pass) packageNames {
	return lint.TreeParsed(p, func(p *lint.Pass) packageNames {
		names := packageNames{}
		for _, full := range everywhere(p, "package.json") {
			m, ok := readPackageJSON(p, full)
			if !ok || m.root == nil {
				continue
			}
			if name, ok := m.root.Get("name").Str(); ok {
				names[name] = true
			}
		}
		return names
	})
}

var (
	ownerAndName = compile(`^[A-Za-z0-9][\w-]*/[\w.-]+$`)
	towards      = compile("\\b(to|in|into|of|from|at)\\s+[\\[`*]*$")
)

// ofNamedRepository reports whether the sentence places the path in another
// repository by its name: "ported to `acme/site` (the `src/pages/` folder)".
func (m *mention) ofNamedRepository(p *lint.Pass) bool {
	for _, c := range m.s.Codes {
		if c.From == m.from || !ownerAndName.MatchString(c.Text) || sourceExts.MatchString(c.Text) {
			continue
		}
		owner := firstSegment(c.Text)
		if e, _ := p.Entry(owner); e != lint.Absent || usualFolder[owner] || len(p.Ending(c.Text)) > 0 {
			continue
		}
		if towards.MatchString(m.s.before(c.From)) {
			return true
		}
	}
	return false
}
