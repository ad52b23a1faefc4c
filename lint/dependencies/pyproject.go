package dependencies

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// readPyproject reads a pyproject.toml: PEP 621, PEP 735, PEP 518, and the
// tables of Poetry, uv, PDM and Hatch.
func readPyproject(f *file) error {
	root, err := lint.ParseTOML(f.src)
	if err != nil {
		return err
	}
	sources := f.uvSources(root)
	if sources.self != "" {
		f.tree.member(PyPI, sources.self)
	}
	f.addPythonList("project.dependencies", root.Get("project", "dependencies"), sources)
	f.addPythonGroups("project.optional-dependencies", root.Get("project", "optional-dependencies"), sources)
	f.addPythonGroups("dependency-groups", root.Get("dependency-groups"), sources)
	f.addPythonList("build-system.requires", root.Get("build-system", "requires"), sources)
	for _, key := range []string{"dev-dependencies", "override-dependencies"} {
		f.addPythonList("tool.uv."+key, root.Get("tool", "uv", key), sources)
	}
	f.addPythonGroups("tool.pdm.dev-dependencies", root.Get("tool", "pdm", "dev-dependencies"), sources)
	if envs := root.Get("tool", "hatch", "envs"); envs != nil {
		for _, m := range envs.Members {
			for _, key := range []string{"dependencies", "extra-dependencies"} {
				f.addPythonList("tool.hatch.envs."+m.Name, m.Value.Get(key), sources)
			}
		}
	}
	f.poetry(root, sources)
	return nil
}

// uvSources reads the sources and indexes that stand apart from the
// requirements.
func (f *file) uvSources(root *lint.Node) pythonSources {
	s := pythonSources{byName: map[string]Dependency{}}
	for _, at := range [][]string{{"project", "name"}, {"tool", "poetry", "name"}} {
		if name, ok := root.Get(at...).Str(); ok && s.self == "" {
			s.self = PyPI.Canonical(name)
		}
	}
	public := map[string]bool{}
	for _, at := range [][]string{{"tool", "uv", "index"}, {"tool", "poetry", "source"}, {"tool", "pdm", "source"}} {
		f.indexes(root.Get(at...), &s, public)
	}
	f.uvIndexes(root.Get("tool", "uv"), &s)
	for _, text := range f.tree.upward(f.path, "uv.toml") {
		if own, err := lint.ParseTOML(text); err == nil {
			f.indexes(own.Get("index"), &s, public)
			f.uvIndexes(own, &s)
		}
	}
	if named := root.Get("tool", "uv", "sources"); named != nil {
		for _, m := range named.Members {
			s.byName[PyPI.Canonical(m.Name)] = uvSource(m.Value, public, s.byIndex)
		}
	}
	return s
}

// uvIndexes reads the older keys for indexes.
func (f *file) uvIndexes(n *lint.Node, s *pythonSources) {
	f.index(n.Get("index-url"), true, s)
	if extra := n.Get("extra-index-url"); extra != nil {
		for _, e := range extra.Elements {
			f.index(e, false, s)
		}
	}
}

// indexes reads an array of tables that each name an index.
func (f *file) indexes(list *lint.Node, s *pythonSources, public map[string]bool) {
	if list == nil {
		return
	}
	for _, e := range list.Elements {
		address, _ := e.Get("url").Str()
		name, _ := e.Get("name").Str()
		if address == "" || isPyPI(address) || f.tree.public(PyPI, address) {
			public[name] = true
			continue
		}
		key := f.tree.names(PyPI, address)
		if s.byIndex == nil {
			s.byIndex = map[string]string{}
		}
		s.byIndex[strings.ToLower(name)] = key
		priority, _ := e.Get("priority").Str()
		switch {
		case isTrue(e.Get("default")), priority == "primary", priority == "default":
			s.private = true
			s.registries = append(s.registries, key)
		case isTrue(e.Get("explicit")), priority == "explicit":
		default:
			s.further = true
			s.registries = append(s.registries, key)
		}
	}
}

func (f *file) index(n *lint.Node, only bool, s *pythonSources) {
	address, ok := n.Str()
	if !ok || isPyPI(address) || f.tree.public(PyPI, address) {
		return
	}
	s.private = s.private || only
	s.further = true
	s.registries = append(s.registries, f.tree.names(PyPI, address))
}

func isTrue(n *lint.Node) bool { return n != nil && n.Kind == lint.Scalar && n.Text == "true" }

// isPyPI reports whether an address is the public index.
func isPyPI(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	return host == "pypi.org" || host == "pypi.python.org" || host == "www.pypi.org"
}

// uvSource says where one name of tool.uv.sources comes from. Of several, one
// for each marker, the one that deserves most questions counts.
func uvSource(n *lint.Node, public map[string]bool, byIndex map[string]string) Dependency {
	all := []*lint.Node{n}
	if n.Kind == lint.Array {
		all = n.Elements
	}
	order := []Source{"", FromLocal, FromRegistry, FromPrivate, FromGit, FromURL}
	var worst Dependency
	for _, n := range all {
		d := Dependency{Source: FromRegistry}
		index, named := n.Get("index").Str()
		switch {
		case n.Get("git") != nil:
			d.Source = FromGit
			d.Spec, _ = n.Get("git").Str()
		case n.Get("url") != nil:
			d.Source = FromURL
			d.Spec, _ = n.Get("url").Str()
		case n.Get("path") != nil, n.Get("workspace") != nil:
			d.Source = FromLocal
		case named && !public[index]:
			d.Source, d.Registry = FromPrivate, byIndex[strings.ToLower(index)]
		}
		if slices.Index(order, d.Source) > slices.Index(order, worst.Source) {
			worst = d
		}
	}
	if worst.Source == "" {
		worst.Source = FromRegistry
	}
	return worst
}

// poetry reads the tables that Poetry had before PEP 621 and still takes.
func (f *file) poetry(root *lint.Node, sources pythonSources) {
	poetry := root.Get("tool", "poetry")
	if poetry == nil {
		return
	}
	for _, table := range []string{"dependencies", "dev-dependencies"} {
		f.poetryTable("tool.poetry."+table, poetry.Get(table), sources)
	}
	if groups := poetry.Get("group"); groups != nil {
		for _, m := range groups.Members {
			f.poetryTable("tool.poetry.group."+m.Name, m.Value.Get("dependencies"), sources)
		}
	}
	if plugins := poetry.Get("requires-plugins"); plugins != nil {
		f.poetryTable("tool.poetry.requires-plugins", plugins, sources)
	}
}

func (f *file) poetryTable(table string, n *lint.Node, sources pythonSources) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		if m.Name == "python" {
			continue
		}
		values := []*lint.Node{m.Value}
		if m.Value.Kind == lint.Array { // one for each version of Python
			values = m.Value.Elements
		}
		for _, v := range values {
			d := poetrySpec(m.Name, v, sources)
			d.Table, d.Direct = table, true
			if d.Source == "" {
				sources.apply(&d)
			}
			f.add(m.At, d)
		}
	}
}

func poetrySpec(name string, v *lint.Node, sources pythonSources) Dependency {
	d := Dependency{Ecosystem: PyPI, Name: name}
	if spec, ok := v.Str(); ok {
		d.Spec, d.Version = spec, poetryExact(spec)
		return d
	}
	d.Spec, _ = v.Get("version").Str()
	d.Version = poetryExact(d.Spec)
	source, _ := v.Get("source").Str()
	switch {
	case v.Get("git") != nil:
		d.Source = FromGit
	case v.Get("url") != nil:
		d.Source = FromURL
	case v.Get("path") != nil:
		d.Source = FromLocal
	case source != "" && !strings.EqualFold(source, "pypi"):
		d.Source, d.Registry = FromPrivate, sources.byIndex[strings.ToLower(source)]
	}
	return d
}

// poetryExact takes "1.2.3" and "==1.2.3", which Poetry reads alike.
func poetryExact(spec string) string {
	if m := npmExact.FindStringSubmatch(spec); m != nil && !strings.HasPrefix(spec, "v") {
		return m[1]
	}
	return exactPython(spec)
}

// readPipfile reads a Pipfile.
func readPipfile(f *file) error {
	root, err := lint.ParseTOML(f.src)
	if err != nil {
		return err
	}
	s := pythonSources{byName: map[string]Dependency{}}
	public := map[string]bool{}
	f.indexes(root.Get("source"), &s, public)
	s.private = s.further && len(public) == 0
	for _, m := range root.Members {
		switch m.Name {
		case "source", "requires", "scripts", "pipenv", "pipfile":
			continue
		}
		if m.Value.Kind != lint.Object {
			continue
		}
		for _, entry := range m.Value.Members {
			d := poetrySpec(entry.Name, entry.Value, s)
			d.Version = exactPython(d.Spec)
			index, _ := entry.Value.Get("index").Str()
			if d.Source == "" && index != "" && !public[index] {
				d.Source, d.Registry = FromPrivate, s.byIndex[strings.ToLower(index)]
			}
			if entry.Value.Get("file") != nil {
				d.Source = FromURL
			}
			d.Table, d.Direct = m.Name, true
			if d.Source == "" {
				s.apply(&d)
			}
			f.add(entry.At, d)
		}
	}
	return nil
}
