package dependencies

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// npmTables are the tables of a package.json whose members are dependencies.
var npmTables = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

// readPackageJSON reads the tables of a package.json, its overrides of three
// package managers and the catalogs that Bun keeps there.
func readPackageJSON(f *file) error {
	root, err := lint.ParseJSON(f.src)
	if err != nil || root == nil || root.Kind != lint.Object {
		return err
	}
	if name, ok := root.Get("name").Str(); ok {
		f.tree.member(NPM, name)
		f.tree.folder(name, path.Dir(f.path))
	}
	for _, at := range [][]string{{"workspaces"}, {"workspaces", "packages"}} {
		f.workspace(texts(root.Get(at...)))
	}
	scopes := f.npmScopes()
	for _, table := range npmTables {
		for _, n := range root.All(table) {
			for _, m := range n.Members {
				f.addNPM(table, m.Name, m.At, m.Value, scopes)
			}
		}
	}
	f.bundled(root, scopes)
	f.overrides("overrides", root.Get("overrides"), scopes)
	f.overrides("pnpm.overrides", root.Get("pnpm", "overrides"), scopes)
	f.overrides("resolutions", root.Get("resolutions"), scopes)
	for _, at := range [][]string{{"catalog"}, {"workspaces", "catalog"}} {
		f.catalogMembers("default", root.Get(at...), scopes)
	}
	for _, at := range [][]string{{"catalogs"}, {"workspaces", "catalogs"}} {
		if n := root.Get(at...); n != nil {
			for _, m := range n.Members {
				f.catalogMembers(m.Name, m.Value, scopes)
			}
		}
	}
	return nil
}

func (f *file) addNPM(table, name string, at lint.Span, value *lint.Node, scopes npmScopes) {
	spec, ok := value.Str()
	if !ok {
		return
	}
	d := npmSpec(name, spec)
	d.Table, d.Direct = table, true
	scopes.apply(f.tree, &d)
	f.add(at, d)
}

// bundled takes the names that are bundled without standing in another table.
func (f *file) bundled(root *lint.Node, scopes npmScopes) {
	for _, table := range []string{"bundledDependencies", "bundleDependencies"} {
		list := root.Get(table)
		if list == nil {
			continue
		}
		for _, e := range list.Elements {
			name, ok := e.Str()
			declared := slices.ContainsFunc(f.deps, func(d Dependency) bool { return d.Name == name })
			if !ok || declared {
				continue
			}
			d := Dependency{Ecosystem: NPM, Name: name, Table: table, Direct: true}
			scopes.apply(f.tree, &d)
			f.add(e.At, d)
		}
	}
}

// overrides reads npm's nested overrides, pnpm's "parent>child" and Yarn's
// "parent/child". A value "$name" repeats a direct dependency.
func (f *file) overrides(table string, n *lint.Node, scopes npmScopes) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		name := overridden(table, m.Name)
		if m.Value.Kind == lint.Object {
			if own, ok := m.Value.Get(".").Str(); ok && !strings.HasPrefix(own, "$") {
				f.addNPM(table, name, m.At, m.Value.Get("."), scopes)
			}
			inner := *m.Value
			inner.Members = slices.DeleteFunc(slices.Clone(inner.Members), func(m lint.Member) bool { return m.Name == "." })
			f.overrides(table, &inner, scopes)
			continue
		}
		if spec, ok := m.Value.Str(); ok && !strings.HasPrefix(spec, "$") && spec != "-" {
			f.addNPM(table, name, m.At, m.Value, scopes)
		}
	}
}

// pnpmArrow is the ">" between parent and child, which is no part of a range.
var pnpmArrow = regexp.MustCompile(`[^ |@]>`)

// overridden is the package that the key of an override means.
func overridden(table, key string) string {
	switch table {
	case "pnpm.overrides":
		if at := pnpmArrow.FindAllStringIndex(key, -1); len(at) > 0 {
			key = key[at[len(at)-1][1]:]
		}
	case "resolutions":
		parts := strings.Split(strings.TrimPrefix(key, "**/"), "/")
		last := len(parts) - 1
		if last > 0 && strings.HasPrefix(parts[last-1], "@") {
			key = parts[last-1] + "/" + parts[last]
		} else {
			key = parts[last]
		}
	}
	name, _ := cutVersion(key)
	return name
}

// cutVersion splits "@scope/name@version" at the "@" that is not the scope's.
func cutVersion(s string) (name, version string) {
	if i := strings.IndexByte(s[min(1, len(s)):], '@'); i >= 0 {
		return s[:i+1], s[i+2:]
	}
	return s, ""
}

var (
	npmExact    = regexp.MustCompile(`^[=v]*([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?)$`)
	npmHosted   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_.-]+(#.*)?$`)
	npmGitForms = []string{"git+", "git:", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "ssh:"}
	npmPaths    = []string{"workspace:", "link:", "file:", "portal:", "./", "../", "~/", "/", "exec:"}
)

// npmSpec reads the right side of a dependency.
func npmSpec(name, spec string) Dependency {
	d := Dependency{Ecosystem: NPM, Name: name, Spec: spec}
	starts := func(forms []string) bool {
		return slices.ContainsFunc(forms, func(form string) bool { return strings.HasPrefix(spec, form) })
	}
	switch s := strings.TrimSpace(spec); {
	case starts(npmPaths):
		d.Source = FromLocal
	case strings.HasPrefix(s, "npm:"):
		real, version := cutVersion(strings.TrimPrefix(s, "npm:"))
		if npmExact.MatchString(real) || strings.ContainsAny(real[:min(1, len(real))], "^~><=*0123456789") && !strings.Contains(real, "/") && version == "" {
			real, version = name, real // Yarn writes "npm:^1.0.0" too
		}
		d.ResolvedName, d.Version = real, exactNPM(version)
	case strings.HasPrefix(s, "patch:"):
		real, version := cutVersion(strings.TrimPrefix(s, "patch:"))
		version, _, _ = strings.Cut(strings.NewReplacer("%3A", ":", "%3a", ":").Replace(version), "#")
		d.ResolvedName, d.Version = real, exactNPM(strings.TrimPrefix(version, "npm:"))
	case strings.HasPrefix(s, "jsr:"):
		d.Source = FromPrivate // another registry, with another name there
	case starts(npmGitForms):
		d.Source = FromGit
	case strings.HasPrefix(s, "http:"), strings.HasPrefix(s, "https:"):
		d.Source = FromURL
		if address, _, _ := strings.Cut(s, "#"); strings.HasSuffix(address, ".git") {
			d.Source = FromGit
		}
	case npmHosted.MatchString(s):
		d.Source = FromGit
	default:
		d.Version = exactNPM(s)
	}
	return d
}

func exactNPM(s string) string {
	if m := npmExact.FindStringSubmatch(strings.TrimSpace(s)); m != nil {
		return m[1]
	}
	return ""
}
