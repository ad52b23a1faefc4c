package dependencies

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// cargoInherited is the Spec of an entry until settle finds its workspace's.
const cargoInherited = "workspace = true"

var cargoTables = []string{"dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"}

// readCargo reads a Cargo.toml: its own tables, those of targets, of the
// workspace, and its patches.
func readCargo(f *file) error {
	root, err := lint.ParseTOML(f.src)
	if err != nil {
		return err
	}
	registries := f.cargoRegistries()
	if name, ok := root.Get("package", "name").Str(); ok {
		f.tree.member(Cargo, name)
	}
	for _, table := range cargoTables {
		f.cargoTable(table, root.Get(table), registries)
	}
	if targets := root.Get("target"); targets != nil {
		for _, m := range targets.Members {
			for _, table := range cargoTables {
				f.cargoTable("target."+m.Name+"."+table, m.Value.Get(table), registries)
			}
		}
	}
	before := len(f.deps)
	f.cargoTable("workspace.dependencies", root.Get("workspace", "dependencies"), registries)
	if root.Get("workspace") != nil {
		f.tree.cargoRoot(path.Dir(f.path), f.deps[before:])
	}
	for _, table := range []string{"patch", "replace"} {
		if sources := root.Get(table); sources != nil {
			for _, m := range sources.Members {
				if table == "patch" {
					f.cargoTable("patch."+m.Name, m.Value, registries)
				}
			}
		}
	}
	return nil
}

func (r *reading) cargoRoot(dir string, deps []Dependency) {
	if r.cargoRoots == nil {
		r.cargoRoots = map[string]map[string]Dependency{}
	}
	table := map[string]Dependency{}
	for _, d := range deps {
		table[d.Name] = d
	}
	r.cargoRoots[dir] = table
}

func (f *file) cargoTable(table string, n *lint.Node, registries cargoRegistries) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		d := cargoSpec(m.Name, m.Value, registries)
		d.Table, d.Direct = table, true
		f.add(m.At, d)
	}
}

var cargoExact = regexp.MustCompile(`^=\s*([0-9]+\.[0-9]+\.[0-9]+\S*)$`)

func cargoSpec(name string, v *lint.Node, registries cargoRegistries) Dependency {
	d := Dependency{Ecosystem: Cargo, Name: name}
	if spec, ok := v.Str(); ok {
		d.Spec = spec
	} else {
		d.Spec, _ = v.Get("version").Str()
		d.ResolvedName, _ = v.Get("package").Str()
	}
	registry, _ := v.Get("registry").Str()
	switch {
	case isTrue(v.Get("workspace")):
		d.Spec = cargoInherited
	case v.Get("path") != nil:
		d.Source = FromLocal
	case v.Get("git") != nil:
		d.Source = FromGit
	case registry != "" && registry != "crates-io" || v.Get("registry-index") != nil, registry == "" && registries.replaced:
		index, _ := v.Get("registry-index").Str()
		d.Source, d.Registry = FromPrivate, registries.address(registry, index)
	}
	if m := cargoExact.FindStringSubmatch(strings.TrimSpace(d.Spec)); m != nil {
		d.Version = m[1]
	}
	return d
}

// cargoRegistries is what the repository's own .cargo/config.toml decides.
type cargoRegistries struct {
	replaced bool              // crates.io is replaced by a registry of the repository's own
	by       string            // its address or name
	named    map[string]string // addresses by name
}

// address is what [Dependency.Registry] holds of an entry that names a
// registry, an index, or neither. A name without an address stands for itself.
func (c cargoRegistries) address(name, index string) string {
	switch {
	case index != "":
		return registryKey(index)
	case name == "":
		return registryKey(c.by)
	}
	if address := c.named[name]; address != "" {
		return address
	}
	return registryKey(name)
}

func (f *file) cargoRegistries() cargoRegistries {
	c := cargoRegistries{named: map[string]string{}}
	for _, name := range []string{".cargo/config.toml", ".cargo/config"} {
		for _, text := range f.tree.upward(f.path, name) {
			if root, err := lint.ParseTOML(text); err == nil {
				f.cargoConfig(root, &c)
			}
		}
	}
	return c
}

// cargoConfig reads one settings file; what a nearer one said stays.
func (f *file) cargoConfig(root *lint.Node, c *cargoRegistries) {
	if list := root.Get("registries"); list != nil {
		for _, m := range list.Members {
			if address, ok := m.Value.Get("index").Str(); ok && c.named[m.Name] == "" {
				c.named[m.Name] = f.tree.names(Cargo, address)
			}
		}
	}
	if c.replaced {
		return
	}
	if by, ok := root.Get("registry", "default").Str(); ok && by != "crates-io" {
		c.replaced, c.by = true, c.named[by]
		return
	}
	if by, ok := root.Get("source", "crates-io", "replace-with").Str(); ok {
		address, _ := root.Get("source", by, "registry").Str()
		if address == "" || !f.tree.public(Cargo, strings.TrimPrefix(address, "sparse+")) {
			c.replaced, c.by = true, f.tree.names(Cargo, address)
		}
	}
}

// readCargoLock reads the packages of a Cargo.lock. Those without a source are
// the workspace's own.
func readCargoLock(f *file) error {
	f.tomlPackages(func(p tomlPackage) {
		d := Dependency{Ecosystem: Cargo, Name: p.fields["name"], Version: p.fields["version"], Spec: p.fields["version"], Table: "package"}
		source := p.fields["source"]
		switch {
		case source == "":
			d.Source = FromLocal
		case strings.HasPrefix(source, "git+"):
			d.Source = FromGit
		default:
			kind, address, _ := strings.Cut(source, "+")
			d.Resolved = address
			if kind == "registry" && address == cargoIndexName {
				d.Resolved = "" // the name that cargo gives crates.io, whatever it asks
			}
			d.NoIntegrity = p.fields["checksum"] == ""
			if d.Resolved != "" && host(d.Resolved) != "index.crates.io" && !f.tree.public(Cargo, d.Resolved) {
				d.Source = FromPrivate
			}
		}
		f.add(p.at, d)
	})
	return nil
}

// cargoIndexName is how a Cargo.lock calls crates.io.
const cargoIndexName = "https://github.com/rust-lang/crates.io-index"
