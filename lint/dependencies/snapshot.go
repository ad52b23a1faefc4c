package dependencies

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// snapshotVersion is the form of a snapshot; another one is not read.
const snapshotVersion = 1

// maxSnapshotBytes bounds a snapshot when it is unpacked.
const maxSnapshotBytes = 64 << 20

// snapshot is a tree as it is kept: what [Compare] looks at of a base, and
// nothing else.
type snapshot struct {
	Version    int      `json:"version"`
	Files      int      `json:"files"`
	Registries []string `json:"registries,omitempty"`
	// Paths are the files of lockfile entries, which name them by their place.
	Paths   []string        `json:"paths,omitempty"`
	Entries []snapshotEntry `json:"entries"`
}

type snapshotEntry struct {
	Ecosystem Ecosystem `json:"e"`
	Name      string    `json:"n"`
	Resolved  string    `json:"r,omitempty"`
	Source    Source    `json:"s,omitempty"` // the registry where it is empty
	Catalog   bool      `json:"c,omitempty"`
	// The rest stands on lockfile entries alone.
	Locked  bool   `json:"l,omitempty"`
	Version string `json:"v,omitempty"`
	Host    string `json:"h,omitempty"`
	Path    int    `json:"p,omitempty"`
}

// Snapshot packs what a later comparison needs of the tree as its base. It
// holds no address and no version range, so no password in one either.
func (t Tree) Snapshot() ([]byte, error) {
	s := snapshot{Version: snapshotVersion, Files: t.Files, Entries: []snapshotEntry{}}
	for r := range t.registries {
		s.Registries = append(s.Registries, r)
	}
	slices.Sort(s.Registries)
	paths := map[string]int{}
	seen := map[snapshotEntry]bool{}
	for _, d := range t.Dependencies {
		e := snapshotEntry{Ecosystem: d.Ecosystem, Name: d.Name, Resolved: d.ResolvedName, Source: d.Source, Catalog: d.Table == catalogTable}
		if e.Source == FromRegistry {
			e.Source = ""
		}
		if d.Locked {
			at, ok := paths[d.Path]
			if !ok {
				at = len(s.Paths)
				paths[d.Path] = at
				s.Paths = append(s.Paths, d.Path)
			}
			e.Locked, e.Version, e.Host, e.Path = true, d.Version, host(d.Resolved), at
		}
		if !seen[e] {
			seen[e] = true
			s.Entries = append(s.Entries, e)
		}
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(w).Encode(s), w.Close()); err != nil {
		return nil, fmt.Errorf("pack the dependencies: %w", err)
	}
	return out.Bytes(), nil
}

// ErrSnapshot is returned for a snapshot of another version, or a broken one.
var ErrSnapshot = errors.New("not a snapshot that this version reads")

// ReadSnapshot unpacks a tree that can be the base of [Compare].
func ReadSnapshot(packed []byte) (Tree, error) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return Tree{}, ErrSnapshot
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSnapshotBytes+1))
	var s snapshot
	if err != nil || len(text) > maxSnapshotBytes || json.Unmarshal(text, &s) != nil || s.Version != snapshotVersion {
		return Tree{}, ErrSnapshot
	}
	t := Tree{Files: s.Files, registries: map[string]bool{}}
	for _, r := range s.Registries {
		t.registries[r] = true
	}
	for _, e := range s.Entries {
		d := Dependency{Ecosystem: e.Ecosystem, Name: e.Name, ResolvedName: e.Resolved, Source: e.Source, Locked: e.Locked, Version: e.Version}
		if d.Source == "" {
			d.Source = FromRegistry
		}
		if e.Catalog {
			d.Table = catalogTable
		}
		if e.Locked {
			if e.Path < 0 || e.Path >= len(s.Paths) {
				return Tree{}, ErrSnapshot
			}
			d.Path = s.Paths[e.Path]
		}
		if e.Host != "" {
			d.Resolved = "https://" + e.Host + "/"
		}
		t.Dependencies = append(t.Dependencies, d)
	}
	return t, nil
}

// Item tells an entry from others of one repository: ecosystem, name, source
// and the name that it stands for.
func (d Dependency) Item() string {
	item := d.Key() + " " + string(d.Source)
	if asked := d.Ecosystem.Canonical(d.Asked()); asked != d.Ecosystem.Canonical(d.Name) {
		item += " " + asked
	}
	return item
}

// LockItem tells a lockfile entry from others of one repository: where it
// stands, what it is and where it comes from.
func (d Dependency) LockItem() string {
	return strings.TrimSpace("lockfile " + d.Path + " " + d.Key() + " " + d.Version + " " + host(d.Resolved))
}

// Items are those of all entries: [Dependency.Item] of what manifests name,
// [Dependency.LockItem] of what lockfiles hold.
func (t Tree) Items() map[string]bool {
	all := map[string]bool{}
	for _, d := range t.Dependencies {
		all[d.item()] = true
	}
	return all
}

func (d Dependency) item() string {
	if d.Locked {
		return d.LockItem()
	}
	return d.Item()
}

// Without returns the tree without these items, so that a comparison with it
// judges them again.
func (t Tree) Without(items []string) Tree {
	if len(items) == 0 {
		return t
	}
	drop := map[string]bool{}
	for _, item := range items {
		drop[item] = true
	}
	t.Dependencies = slices.DeleteFunc(slices.Clone(t.Dependencies), func(d Dependency) bool { return drop[d.item()] })
	return t
}
