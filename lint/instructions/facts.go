package instructions

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// manifest is a file that names what can be run: scripts, targets, recipes.
type manifest struct {
	file  *lint.File
	names map[string]bool
	// patterns are names with a wildcard, as in make's "lint-%".
	patterns []*regexp.Regexp
	// open is set where not all names are known: an unreadable or empty file,
	// an include from elsewhere, a name made of a variable.
	open bool
}

func (m *manifest) has(name string) bool {
	return m.open || m.names[name] || slices.ContainsFunc(m.patterns, func(p *regexp.Regexp) bool { return p.MatchString(name) })
}

// packageJSON is a package.json as far as rules read it.
type packageJSON struct {
	root *lint.Node
	manifest
}

func readPackageJSON(p *lint.Pass, name string) (*packageJSON, bool) {
	f, ok := p.Named(name)
	if !ok {
		return nil, false
	}
	return lint.Parsed(f, func(f *lint.File) *packageJSON {
		m := &packageJSON{manifest: manifest{file: f, names: map[string]bool{}}}
		src, err := f.Bytes()
		if err == nil {
			m.root, err = lint.ParseJSON(src)
		}
		if err != nil || m.root == nil || m.root.Kind != lint.Object {
			m.root, m.open = nil, true
			return m
		}
		if scripts := m.root.Get("scripts"); scripts != nil {
			for _, s := range scripts.Members {
				m.names[s.Name] = true
			}
		}
		return m
	}), true
}

// maxManifests bounds how many manifests of a tree are looked at for one kind.
const maxManifests = 2000

// everywhere returns the paths of a tree's files of a name, without those among
// templates and test data.
func everywhere(p *lint.Pass, name string) []string {
	all := p.Ending(name)
	return all[:min(len(all), maxManifests)]
}

// justfile reads the recipes and aliases of a justfile.
type justfile struct{ manifest }

// justRecipe matches a recipe's head. Its parameters may have defaults, which
// may be quoted and hold colons: "gen *args='a:b':".
var justRecipe = compile("^@?([A-Za-z_][A-Za-z0-9_-]*)(?:\\s+(?:'[^']*'|\"[^\"]*\"|`[^`]*`|[^:'\"`])*)?\\s*:(?:[^=]|$)")

func readJustfile(p *lint.Pass, dir string) (*manifest, bool) {
	for _, name := range []string{"justfile", "Justfile", ".justfile"} {
		f, ok := p.Named(path.Join(dir, name))
		if !ok {
			continue
		}
		j := lint.Parsed(f, func(f *lint.File) *justfile {
			m := &justfile{manifest{file: f, names: map[string]bool{}}}
			src, err := f.Bytes()
			m.open = err != nil || len(strings.TrimSpace(string(src))) == 0
			for line := range strings.Lines(string(src)) {
				fields := strings.Fields(line)
				switch {
				case len(fields) > 1 && (fields[0] == "import" || fields[0] == "import?" || fields[0] == "mod" || fields[0] == "mod?"):
					m.open = true
				case len(fields) > 1 && fields[0] == "alias":
					m.names[fields[1]] = true
				default:
					if r := justRecipe.FindStringSubmatch(line); r != nil {
						m.names[r[1]] = true
					}
				}
			}
			return m
		})
		return &j.manifest, true
	}
	return nil, false
}

// maxYAML bounds the YAML that is parsed.
const maxYAML = 256 << 10

// yamlValue returns the value of a mapping's key, nil if there is none.
func yamlValue(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// taskfile reads the tasks of a Taskfile.
type taskfile struct{ manifest }

func readTaskfile(p *lint.Pass, dir string) (*manifest, bool) {
	for _, name := range []string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"} {
		f, ok := p.Named(path.Join(dir, name))
		if !ok {
			continue
		}
		t := lint.Parsed(f, func(f *lint.File) *taskfile {
			m := &taskfile{manifest{file: f, names: map[string]bool{}}}
			src, err := f.Bytes()
			var doc yaml.Node // decoding into a map compares every two keys
			if err != nil || len(src) > maxYAML || nested(src) || yaml.Unmarshal(src, &doc) != nil || len(doc.Content) == 0 {
				m.open = true
				return m
			}
			tasks := yamlValue(doc.Content[0], "tasks")
			m.open = tasks == nil || yamlValue(doc.Content[0], "includes") != nil
			for i := 0; tasks != nil && i+1 < len(tasks.Content); i += 2 {
				name := tasks.Content[i].Value
				if strings.Contains(name, "*") {
					m.wildcard(strings.ReplaceAll(name, "*", "%"))
				}
				m.names[name] = true
			}
			return m
		})
		return &t.manifest, true
	}
	return nil, false
}

// composer is a composer.json: its scripts and what it depends on.
type composer struct {
	manifest
	root *lint.Node
}

func readComposerJSON(p *lint.Pass, dir string) (*composer, bool) {
	f, ok := p.Named(path.Join(dir, "composer.json"))
	if !ok {
		return nil, false
	}
	return lint.Parsed(f, func(f *lint.File) *composer {
		m := &composer{manifest: manifest{file: f, names: map[string]bool{}}}
		src, err := f.Bytes()
		if err == nil {
			m.root, err = lint.ParseJSON(src)
		}
		m.open = err != nil || m.root == nil
		if scripts := m.root.Get("scripts"); scripts != nil {
			for _, s := range scripts.Members {
				m.names[s.Name] = true
			}
		}
		return m
	}), true
}

func readComposer(p *lint.Pass, dir string) (*manifest, bool) {
	c, ok := readComposerJSON(p, dir)
	if !ok {
		return nil, false
	}
	return &c.manifest, true
}

// composerJSON returns a composer.json's content and file, nil without.
func composerJSON(p *lint.Pass, dir string) (*lint.Node, *lint.File) {
	c, ok := readComposerJSON(p, dir)
	if !ok {
		return nil, nil
	}
	return c.root, c.file
}

// denoFile reads the tasks of a deno.json.
type denoFile struct{ manifest }

func readDeno(p *lint.Pass, dir string) (*manifest, bool) {
	for _, name := range []string{"deno.json", "deno.jsonc"} {
		f, ok := p.Named(path.Join(dir, name))
		if !ok {
			continue
		}
		c := lint.Parsed(f, func(f *lint.File) *denoFile {
			m := &denoFile{manifest{file: f, names: map[string]bool{}}}
			src, err := f.Bytes()
			if err != nil {
				m.open = true
				return m
			}
			root, err := lint.ParseJSON(src)
			m.open = err != nil || root == nil
			if tasks := root.Get("tasks"); tasks != nil {
				for _, s := range tasks.Members {
					m.names[s.Name] = true
				}
			}
			return m
		})
		return &c.manifest, true
	}
	return nil, false
}
