package mcpconfig

import (
	"path"

	"steelyard/lint"
)

// unpinned reports servers started from a package that is not pinned.
var unpinned = lint.Rule{ID: "MC002", Check: checkUnpinned}

func checkUnpinned(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, f := range s.fetches() {
				if f.fault == "" || f.fault == noVersion && f.local != "" && installed(p, c.File, f.local) {
					continue
				}
				p.Reportf(c.File, f.pkg.At(), "%s fetches %q %s", f.launcher, f.pkg.Value, f.fault)
			}
		}
	}
}

// lockfiles are the files that pin what a package.json names.
var lockfiles = []string{"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

// installed reports whether a package.json beside the file or above it names
// the package and a lockfile pins it, so that the installed copy runs.
func installed(p *lint.Pass, f *lint.File, name string) bool {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if manifest, ok := p.Named(path.Join(dir, "package.json")); ok && names(manifest, name) {
			for up := dir; ; up = path.Dir(up) {
				for _, lock := range lockfiles {
					if _, ok := p.Named(path.Join(up, lock)); ok {
						return true
					}
				}
				if up == "." {
					return false
				}
			}
		}
		if dir == "." {
			return false
		}
	}
}

// packageJSON is a parsed package.json, nil if it could not be read.
type packageJSON struct{ root *lint.Node }

// names reports whether a package.json depends on a package. One whose content
// cannot be read names nothing.
func names(manifest *lint.File, name string) bool {
	parsed := lint.Parsed(manifest, func(f *lint.File) packageJSON {
		src, err := f.Bytes()
		if err != nil {
			return packageJSON{}
		}
		root, err := lint.ParseJSON(src)
		if err != nil {
			return packageJSON{}
		}
		return packageJSON{root}
	})
	for _, group := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		if parsed.root.Get(group, name) != nil {
			return true
		}
	}
	return false
}
