package dependencies

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// npmScopes are the registries that the settings of npm, Yarn and Bun name, by
// scope; "" is the default one. The settings nearest to a manifest count; the
// user's own come last.
type npmScopes map[string]string

func (s npmScopes) add(scope, address string) {
	if _, nearer := s[scope]; !nearer && address != "" {
		s[scope] = address
	}
}

func (f *file) npmScopes() npmScopes {
	scopes := npmScopes{}
	for _, text := range f.tree.upward(f.path, ".npmrc") {
		scopes.npmrc(string(text), true)
	}
	for _, text := range f.tree.upward(f.path, ".yarnrc.yml") {
		scopes.berry(text)
	}
	for _, text := range f.tree.upward(f.path, ".yarnrc") {
		scopes.classic(string(text))
	}
	for _, text := range f.tree.upward(f.path, "bunfig.toml") {
		scopes.bun(text)
	}
	for _, address := range scopes {
		f.tree.namesNPM(address)
	}
	scopes.npmrc(f.tree.options.UserNPMRC, false) // where its default is, is asked
	return scopes
}

// userScopes notes the registries of the user's own settings: they are no
// news.
func (r *reading) userScopes() {
	scopes := npmScopes{}
	scopes.npmrc(r.options.UserNPMRC, false)
	for _, address := range scopes {
		r.namesNPM(address)
	}
}

func (r *reading) namesNPM(address string) {
	if !r.public(NPM, address) {
		r.names(NPM, address)
	}
}

// npmrc reads "registry=…" and "@scope:registry=…".
func (s npmScopes) npmrc(text string, withDefault bool) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if key = strings.TrimSpace(key); !ok || strings.HasPrefix(key, "#") || strings.HasPrefix(key, ";") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if scope, ok := strings.CutSuffix(key, ":registry"); ok {
			s.add(scope, value)
		} else if key == "registry" && withDefault {
			s.add("", value)
		}
	}
}

// berry reads npmRegistryServer and npmScopes of a .yarnrc.yml.
func (s npmScopes) berry(text []byte) {
	root, err := parseYAML(text)
	if err != nil || root == nil {
		return // settings that cannot be read name nothing
	}
	if n := child(root, "npmRegistryServer"); n != nil {
		s.add("", n.Value)
	}
	list := child(root, "npmScopes")
	if list == nil || list.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(list.Content); i += 2 {
		if n := child(list.Content[i+1], "npmRegistryServer"); n != nil {
			s.add("@"+strings.TrimPrefix(list.Content[i].Value, "@"), n.Value)
		}
	}
}

// classic reads lines such as: "@scope:registry" "https://…"
func (s npmScopes) classic(text string) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		key, value = strings.Trim(key, `"`), strings.Trim(strings.TrimSpace(value), `"`)
		if scope, scoped := strings.CutSuffix(key, ":registry"); ok && scoped {
			s.add(scope, value)
		} else if ok && key == "registry" {
			s.add("", value)
		}
	}
}

// bun reads install.registry and install.scopes of a bunfig.toml.
func (s npmScopes) bun(text []byte) {
	root, err := lint.ParseTOML(text)
	if err != nil {
		return // settings that cannot be read name nothing
	}
	address := func(n *lint.Node) string {
		if text, ok := n.Str(); ok {
			return text
		}
		text, _ := n.Get("url").Str()
		return text
	}
	s.add("", address(root.Get("install", "registry")))
	if list := root.Get("install", "scopes"); list != nil {
		for _, m := range list.Members {
			s.add("@"+strings.TrimPrefix(m.Name, "@"), address(m.Value))
		}
	}
}

// apply marks what a registry of the repository's own serves.
func (s npmScopes) apply(r *reading, d *Dependency) {
	if d.Source != "" && d.Source != FromRegistry {
		return
	}
	scope, _, scoped := strings.Cut(d.Asked(), "/")
	address, ok := s[scope]
	if !scoped || !ok {
		address, ok = s[""]
	}
	if ok && address != "" && !r.public(NPM, address) {
		d.Source, d.Registry = FromPrivate, registryKey(address)
	}
}
