package dependencies

import (
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// launchedTable marks what a command fetches and runs.
const launchedTable = "server"

// Launched is the dependency that a command of a file fetches, such as the
// package of an MCP server behind npx. It is false for what no ecosystem here
// knows.
func Launched(f *lint.File, fetch launch.Fetch) (Dependency, bool) {
	d, ok := launched(fetch.Ecosystem, fetch.Package.Value)
	if !ok || d.Name == "" || len(d.Name) > maxNameBytes {
		return Dependency{}, false
	}
	if launch.IsPath(fetch.Package.Value) || launch.IsReference(d.Name) {
		d.Source = FromLocal // a place or a name that only the machine knows
	}
	if d.Source == "" {
		d.Source = FromRegistry
	}
	d.Table, d.Direct = launchedTable, true
	d.Path, d.At = f.Path, fetch.Package.At()
	d.Line, d.Column = f.Position(d.At.Start)
	return d, true
}

func launched(e launch.Ecosystem, pkg string) (Dependency, bool) {
	switch e {
	case launch.NPM:
		return launchedNPM(pkg), true
	case launch.Deno:
		if name, ok := strings.CutPrefix(pkg, "npm:"); ok {
			return launchedNPM(strings.TrimPrefix(name, "/")), true
		}
		return Dependency{}, false
	case launch.PyPI:
		if name, version, ok := strings.Cut(pkg, "@"); ok && !strings.Contains(pkg, "://") && !strings.Contains(version, " ") {
			d, ok := requirement(name)
			d.Spec = version
			if version != "latest" {
				d.Version = version
			}
			return d, ok
		}
		return requirement(pkg)
	case launch.Image:
		return imageReference(pkg), true
	case launch.NuGet, launch.Cargo:
		name, version, _ := strings.Cut(pkg, "@")
		d := Dependency{Ecosystem: NuGet, Name: name, Version: version, Spec: version}
		if e == launch.Cargo {
			d.Ecosystem = Cargo
		}
		return d, true
	case launch.Go:
		return launchedGo(pkg), true
	}
	return Dependency{}, false
}

// launchedNPM reads "name@spec", where the spec may be an address.
func launchedNPM(pkg string) Dependency {
	if name, spec := cutVersion(pkg); !strings.Contains(pkg, ":") && !strings.Contains(name[min(1, len(name)):], "/") || strings.HasPrefix(pkg, "@") {
		return npmSpec(name, spec)
	}
	return npmSpec(pkg, pkg)
}

// launchedGo reads "path/of/a/package@version". Which part of the path is the
// module, only the proxy knows: the usual hosts have three elements, and where
// that is wrong, a module that is not there proves nothing.
func launchedGo(pkg string) Dependency {
	name, version, _ := strings.Cut(pkg, "@")
	d := Dependency{Ecosystem: Go, Name: name, Version: version, Spec: version, Elsewhere: true}
	if version == "latest" {
		d.Version = ""
	}
	if parts := strings.Split(name, "/"); len(parts) > 3 && ownedHost(name) {
		d.ResolvedName = strings.Join(parts[:3], "/")
		if v := parts[3]; len(v) > 1 && v[0] == 'v' && strings.Trim(v[1:], "0123456789") == "" {
			d.ResolvedName += "/" + v
		}
	}
	return d
}
