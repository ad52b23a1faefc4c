package dependencies

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// pep508 splits a requirement into name, extras and the rest.
var pep508 = regexp.MustCompile(`^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$`)

var pyExact = regexp.MustCompile(`^={2,3}\s*([0-9A-Za-z.!+_-]+)\s*$`)

// requirement reads one requirement of PEP 508, or the bare address that pip
// also takes. It is false where there is no name.
func requirement(text string) (Dependency, bool) {
	text = strings.TrimSpace(text)
	if d, ok := bareAddress(text); ok || d.Spec != "" {
		return d, ok
	}
	m := pep508.FindStringSubmatch(text)
	if m == nil {
		return Dependency{}, false
	}
	d := Dependency{Ecosystem: PyPI, Name: m[1], Spec: strings.TrimSpace(m[2])}
	if d.Spec != "" && !strings.ContainsAny(d.Spec[:1], "=<>!~@;(,#") {
		return Dependency{}, false // words, not a requirement
	}
	if address, ok := strings.CutPrefix(d.Spec, "@"); ok {
		d.Spec = strings.TrimSpace(address)
		d.Source = addressSource(d.Spec)
		return d, true
	}
	d.Version = exactPython(d.Spec)
	return d, true
}

func exactPython(spec string) string {
	spec, _, _ = strings.Cut(spec, ";")
	spec, _, _ = strings.Cut(spec, " --")
	spec = strings.Trim(strings.TrimSpace(spec), "()")
	if m := pyExact.FindStringSubmatch(spec); m != nil {
		return m[1]
	}
	return ""
}

// addressSource says what an address of a requirement is.
func addressSource(address string) Source {
	switch scheme, _, _ := strings.Cut(address, ":"); {
	case strings.HasPrefix(address, "git+"), strings.HasPrefix(address, "hg+"), strings.HasPrefix(address, "svn+"), strings.HasPrefix(address, "bzr+"), scheme == "git":
		return FromGit
	case scheme == "http", scheme == "https", scheme == "ftp":
		return FromURL
	}
	return FromLocal
}

// bareAddress reads "git+https://…#egg=name", "https://….whl" and "./folder".
// Spec is set where the text is an address, and the answer is false where it
// says no name.
func bareAddress(text string) (Dependency, bool) {
	isAddress := strings.Contains(text, "://") && !strings.Contains(strings.SplitN(text, "://", 2)[0], "@")
	isPath := strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "file:")
	if !isAddress && !isPath {
		return Dependency{}, false
	}
	d := Dependency{Ecosystem: PyPI, Spec: text, Source: addressSource(text)}
	address, _, _ := strings.Cut(text, " ")
	address, fragment, _ := strings.Cut(address, "#")
	for part := range strings.SplitSeq(fragment, "&") {
		if egg, ok := strings.CutPrefix(part, "egg="); ok {
			d.Name, _, _ = strings.Cut(egg, "[")
			return d, d.Name != ""
		}
	}
	base := address[strings.LastIndexByte(address, '/')+1:]
	if wheel, ok := strings.CutSuffix(base, ".whl"); ok {
		d.Name, _, _ = strings.Cut(wheel, "-")
	} else {
		base, _, _ = strings.Cut(base, "@")
		d.Name = strings.TrimSuffix(base, ".git")
		if isAddress {
			d.Name = sdistName(d.Name)
		}
	}
	return d, pep508.MatchString(d.Name)
}

var sdist = regexp.MustCompile(`^(.+?)-[0-9].*\.(tar\.gz|zip|tar\.bz2|tgz)$`)

func sdistName(base string) string {
	if m := sdist.FindStringSubmatch(base); m != nil {
		return m[1]
	}
	return base
}

// pythonSources are what a pyproject.toml says of single names: uv's sources.
type pythonSources struct {
	self   string // the project's own canonical name
	byName map[string]Dependency
	// private says that the default index is the repository's own, further
	// that there is another one beside the default.
	private, further bool
	// registries are the addresses of those, byIndex those of named indexes.
	registries []string
	byIndex    map[string]string
}

// registry is what [Dependency.Registry] holds of the indexes for every name.
func (s pythonSources) registry() string { return strings.Join(s.registries, " ") }

// apply gives an entry the source that is kept apart from it.
func (s pythonSources) apply(d *Dependency) {
	name := PyPI.Canonical(d.Name)
	if from, ok := s.byName[name]; ok {
		d.Source, d.Registry = from.Source, from.Registry
		if from.Spec != "" {
			d.Spec = from.Spec
		}
		return
	}
	switch {
	case name == s.self && s.self != "":
		d.Source = FromLocal // "name[extra]" of the project itself
	case d.Source != "" && d.Source != FromRegistry:
	case s.private:
		d.Source, d.Registry = FromPrivate, s.registry()
	case s.further:
		d.Elsewhere, d.Registry = true, s.registry()
	}
}

// addPython takes one requirement of a TOML string.
func (f *file) addPython(table string, n *lint.Node, sources pythonSources) {
	text, ok := n.Str()
	if !ok {
		return
	}
	d, ok := requirement(text)
	if !ok {
		return
	}
	d.Table, d.Direct = table, true
	sources.apply(&d)
	start := max(strings.Index(text, d.Name), 0)
	f.add(n.Sub(start, start+len(d.Name)), d)
}

// addPythonList takes an array of requirements.
func (f *file) addPythonList(table string, n *lint.Node, sources pythonSources) {
	if n == nil {
		return
	}
	for _, e := range n.Elements {
		f.addPython(table, e, sources)
	}
}

// addPythonGroups takes a table of arrays of requirements.
func (f *file) addPythonGroups(table string, n *lint.Node, sources pythonSources) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		f.addPythonList(table+"."+m.Name, m.Value, sources)
	}
}
