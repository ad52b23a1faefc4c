package dependencies

import (
	"net/url"
	"slices"
	"strings"
)

// Change is what one tree has that another has not.
type Change struct {
	// Added are names that no manifest of the base has, Changed those that one
	// has, but from another source or under another real name. Both are in the
	// order of path and line, each name once: at the place where it is wanted
	// for itself, if there is one.
	Added, Changed []Entry
	// Transitive are names that are new in lockfiles alone.
	Transitive []Entry
	// Locked are lockfile entries that are downloaded from a host that the
	// lockfile did not use before, or without a checksum where it is new.
	Locked []LockedEntry
	// Unread lists the files of the newer tree that could not be read.
	Unread []Unread
	// Files counts the manifests and lockfiles of the newer tree.
	Files int
}

// Unread is a manifest or lockfile that could not be read, and why.
type Unread struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Entry is a dependency with the other places that name it.
type Entry struct {
	Dependency
	Also []Place
	// Was says which sources the base had the name from, for a changed entry.
	Was []Source
	// FirstPrivate is set on what comes, or may come, from a registry of the
	// repository's own that the base did not name.
	FirstPrivate bool
}

// Place is a line of a file.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// LockedEntry is a lockfile entry that deserves a look, and why.
type LockedEntry struct {
	Dependency
	// Host is where it is downloaded from, where the lockfile used only Usual
	// before; "" where the missing checksum is the fault.
	Host  string
	Usual []string
}

// Compare returns what head has that base has not, as sets of names: a
// manifest that is re-ordered, or an entry that moves to another table or
// file, adds nothing.
func Compare(base, head Tree) Change {
	names, sources := map[string][]Source{}, map[string]bool{}
	catalogs := map[string]bool{}
	for _, d := range base.Dependencies {
		switch {
		case d.Locked:
		case d.Table == catalogTable:
			catalogs[d.asKey()] = true
		default:
			if !slices.Contains(names[d.Key()], d.Source) {
				names[d.Key()] = append(names[d.Key()], d.Source)
			}
			sources[d.asKey()] = true
		}
	}
	c := Change{Files: head.Files}
	for _, s := range head.Unread {
		c.Unread = append(c.Unread, Unread(s))
	}
	var added, changed []Dependency
	for _, d := range head.Dependencies {
		switch _, known := names[d.Key()]; {
		case d.Locked, d.Table == catalogTable && catalogs[d.asKey()]:
		case !known:
			added = append(added, d)
		case !sources[d.asKey()]:
			changed = append(changed, d)
		}
	}
	c.Added = entries(added)
	c.Changed = entries(changed)
	for i := range c.Changed {
		c.Changed[i].Was = names[c.Changed[i].Key()]
	}
	markFirstPrivate(base, c.Added, c.Changed)
	c.Transitive = transitive(base, head)
	c.Locked = lockedFaults(base, head)
	return c
}

// entries takes each spelling of each name and source once.
func entries(list []Dependency) []Entry {
	index := map[string]int{}
	var out []Entry
	for _, d := range list {
		key := d.asKey() + "\x00" + d.Name
		i, ok := index[key]
		if !ok {
			index[key] = len(out)
			out = append(out, Entry{Dependency: d})
			continue
		}
		e := &out[i]
		if better(d, e.Dependency) {
			d, e.Dependency = e.Dependency, d
		}
		e.Also = append(e.Also, Place{d.Path, d.Line})
	}
	slices.SortStableFunc(out, func(a, b Entry) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.At.Start - b.At.Start
	})
	return out
}

// better reports whether a says more than b: wanted for itself, used and not
// only offered by a catalog, or with an exact version.
func better(a, b Dependency) bool {
	if a.Direct != b.Direct {
		return a.Direct
	}
	if offered := a.Table == catalogTable; offered != (b.Table == catalogTable) {
		return !offered
	}
	return a.Version != "" && b.Version == "" && a.Path == b.Path
}

// transitive are the names that lockfiles have and nothing else had or has.
func transitive(base, head Tree) []Entry {
	known := map[string]bool{}
	key := func(d Dependency) string { return string(d.Ecosystem) + ":" + d.Ecosystem.Canonical(d.Asked()) }
	for _, d := range base.Dependencies {
		known[key(d)] = true
	}
	for _, d := range head.Dependencies {
		if !d.Locked {
			known[key(d)] = true
		}
	}
	var list []Dependency
	for _, d := range head.Dependencies {
		if d.Locked && !known[key(d)] && d.Source != FromLocal {
			list = append(list, d)
		}
	}
	return entries(list)
}

// lockedFaults finds new lockfile entries from an unusual host or without a
// checksum. Usual is any host that the base's lockfile of the same path used;
// for a lockfile that is new, the host of most of its entries.
func lockedFaults(base, head Tree) []LockedEntry {
	usual, known := map[string]map[string]bool{}, map[string]bool{}
	key := func(d Dependency) string {
		return d.asKey() + "\x00" + d.Version + "\x00" + host(d.Resolved)
	}
	for _, d := range base.Dependencies {
		if !d.Locked {
			continue
		}
		known[key(d)] = true
		if h := host(d.Resolved); h != "" {
			note(usual, d.Path, h)
		}
	}
	counts := map[string]map[string]int{}
	for _, d := range head.Dependencies {
		if h := host(d.Resolved); d.Locked && h != "" && usual[d.Path] == nil {
			if counts[d.Path] == nil {
				counts[d.Path] = map[string]int{}
			}
			counts[d.Path][h]++
		}
	}
	for file, hosts := range counts {
		total := 0
		for _, n := range hosts {
			total += n
		}
		for h, n := range hosts {
			if 2*n > total {
				note(usual, file, h)
			}
		}
	}
	var out []LockedEntry
	seen := map[string]bool{}
	for _, d := range head.Dependencies {
		if !d.Locked || d.Source != FromRegistry && d.Source != FromPrivate || known[key(d)] || seen[d.Path+key(d)] {
			continue
		}
		seen[d.Path+key(d)] = true
		if h := host(d.Resolved); h != "" && len(usual[d.Path]) > 0 && !usual[d.Path][h] {
			e := LockedEntry{Dependency: d, Host: h}
			for u := range usual[d.Path] {
				e.Usual = append(e.Usual, u)
			}
			slices.Sort(e.Usual)
			out = append(out, e)
		}
		if d.NoIntegrity {
			out = append(out, LockedEntry{Dependency: d})
		}
	}
	return out
}

func note(sets map[string]map[string]bool, key, value string) {
	if sets[key] == nil {
		sets[key] = map[string]bool{}
	}
	sets[key][value] = true
}

// host is the host of an address, "" for what is none.
func host(address string) string {
	if !strings.Contains(address, "://") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
