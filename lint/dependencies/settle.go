package dependencies

import (
	"path"
	"strings"
)

// settle decides what only the whole tree can tell: catalogs, packages of a
// workspace, inherited entries, and the exact versions that lockfiles hold.
func (r *reading) settle() {
	r.inherit()
	for i := range r.deps {
		d := &r.deps[i]
		if d.Locked {
			continue
		}
		if d.Ecosystem == NPM && strings.HasPrefix(d.Spec, "catalog:") {
			if from, ok := r.catalogued(*d); ok {
				d.ResolvedName, d.Version = from.ResolvedName, from.Version
				if from.Source != "" {
					d.Source = from.Source
				}
			}
		}
		switch {
		case d.Source != FromRegistry || !r.holds(*d):
		case d.Ecosystem == Maven, d.Ecosystem == NPM && r.linked(d.Asked()):
			d.Source = FromLocal // a module of this build, a package of this workspace
		default:
			d.Elsewhere = true // it may be taken from the tree or from the registry
		}
	}
	r.versions()
}

// versions gives a manifest's range the exact version that the lockfile of its
// folder, or of one above, holds.
func (r *reading) versions() {
	locked := map[string]string{} // folder, ecosystem and name → version; "" where there are several
	for _, d := range r.deps {
		if !d.Locked || d.Version == "" {
			continue
		}
		key := lockKey(path.Dir(d.Path), d)
		if v, ok := locked[key]; ok && v != d.Version {
			locked[key] = ""
			continue
		}
		locked[key] = d.Version
	}
	for i := range r.deps {
		d := &r.deps[i]
		if d.Locked || d.Version != "" || d.Source != FromRegistry {
			continue
		}
		for dir := path.Dir(d.Path); ; dir = path.Dir(dir) {
			if v, ok := locked[lockKey(dir, *d)]; ok {
				d.Version = v
				break
			}
			if dir == "." {
				break
			}
		}
	}
}

func lockKey(dir string, d Dependency) string {
	return dir + "\x00" + string(d.Ecosystem) + "\x00" + d.Ecosystem.Canonical(d.Asked())
}

// inherit gives Cargo entries that say "workspace = true" what the workspace's manifest says. One whose
// workspace is not in the tree is local: under which name it would be asked
// cannot be told.
func (r *reading) inherit() {
	for i := range r.deps {
		d := &r.deps[i]
		if d.Ecosystem != Cargo || d.Spec != cargoInherited {
			continue
		}
		d.Source = FromLocal
		for dir := path.Dir(d.Path); ; dir = path.Dir(dir) {
			if from, ok := r.cargoRoots[dir][d.Name]; ok {
				d.Source, d.ResolvedName, d.Version, d.Spec = from.Source, from.ResolvedName, from.Version, from.Spec
				break
			}
			if dir == "." {
				break
			}
		}
	}
}
