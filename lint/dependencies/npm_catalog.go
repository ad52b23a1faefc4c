package dependencies

import (
	"path"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// catalog is one named table of versions that manifests below its folder refer
// to as "catalog:" or "catalog:name".
type catalog struct {
	dir     string
	name    string
	entries map[string]Dependency
}

// catalogTable marks entries of a catalog. They bring in nothing until a
// manifest refers to them.
const catalogTable = "catalog"

// readPnpmWorkspace reads the catalogs and overrides of a pnpm-workspace.yaml.
func readPnpmWorkspace(f *file) error {
	root, err := parseYAML(f.src)
	if err != nil || root == nil {
		return err
	}
	if list := child(root, "packages"); list != nil {
		var globs []string
		for _, e := range list.Content {
			globs = append(globs, e.Value)
		}
		f.workspace(globs)
	}
	scopes := f.npmScopes()
	f.catalogMembers("default", f.yamlNode(child(root, "catalog")), scopes)
	if named := child(root, "catalogs"); named != nil && named.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(named.Content); i += 2 {
			f.catalogMembers(named.Content[i].Value, f.yamlNode(named.Content[i+1]), scopes)
		}
	}
	f.overrides("pnpm.overrides", f.yamlNode(child(root, "overrides")), scopes)
	return nil
}

// yamlNode turns a mapping of strings into the form the JSON reader uses.
func (f *file) yamlNode(n *yaml.Node) *lint.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	out := &lint.Node{Kind: lint.Object}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := f.yamlSpan(key)
		kind := lint.Scalar
		if value.Kind == yaml.ScalarNode {
			kind = lint.String
		}
		out.Members = append(out.Members, lint.Member{Name: key.Value, At: at, Value: &lint.Node{Kind: kind, At: f.yamlSpan(value), Text: value.Value}})
	}
	return out
}

func (f *file) yamlSpan(n *yaml.Node) lint.Span {
	start := f.offset(n.Line, n.Column)
	return lint.Span{Start: start, End: min(start+len(n.Value), len(f.src))}
}

// offset is the place of a 1-based line and column, which YAML counts in
// characters.
func (f *file) offset(line, column int) int {
	f.position(0)
	if line < 1 || line > len(f.lines) {
		return 0
	}
	at, from := f.lines[line-1], 1
	if f.yaml.line == line && f.yaml.column <= column { // go on from the place before
		at, from = f.yaml.offset, f.yaml.column
	}
	for ; from < column && at < len(f.src) && f.src[at] != '\n'; from++ {
		_, size := utf8.DecodeRune(f.src[at:])
		at += size
	}
	f.yaml.line, f.yaml.column, f.yaml.offset = line, from, at
	return at
}

// yamlPlace is a place of a YAML document, with its offset.
type yamlPlace struct{ line, column, offset int }

// maxCatalogs bounds the named catalogs of a tree.
const maxCatalogs = 1000

func (f *file) catalogMembers(name string, n *lint.Node, scopes npmScopes) {
	if n == nil {
		return
	}
	c := catalog{dir: path.Dir(f.path), name: name, entries: map[string]Dependency{}}
	for _, m := range n.Members {
		if spec, ok := m.Value.Str(); ok {
			c.entries[m.Name] = npmSpec(m.Name, spec)
			f.addNPM(catalogTable, m.Name, m.At, m.Value, scopes)
		}
	}
	if len(f.tree.catalogs) < maxCatalogs {
		f.tree.catalogs = append(f.tree.catalogs, c)
	}
}

// catalogued finds what "catalog:" or "catalog:name" means for a manifest: the
// nearest catalog above it.
func (r *reading) catalogued(d Dependency) (Dependency, bool) {
	name := strings.TrimSpace(strings.TrimPrefix(d.Spec, "catalog:"))
	if name == "" {
		name = "default"
	}
	best := -1
	for i, c := range r.catalogs {
		below := c.dir == "." || d.Path == c.dir || strings.HasPrefix(d.Path, c.dir+"/")
		if _, holds := c.entries[d.Name]; below && holds && c.name == name && (best < 0 || len(c.dir) > len(r.catalogs[best].dir)) {
			best = i
		}
	}
	if best < 0 {
		return Dependency{}, false
	}
	return r.catalogs[best].entries[d.Name], true
}
