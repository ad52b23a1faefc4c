package launch

import (
	"path"

	"steelyard/lint"
)

// lockfiles are the files that pin what a package.json names.
var lockfiles = []string{"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

// Installed reports whether the launcher runs an installed copy of a package
// without a version: a package.json beside the file or above it names the
// package, and a lockfile pins it.
func Installed(p *lint.Pass, f *lint.File, pkg Fetch) bool {
	if pkg.Local == "" || pkg.Fault != noVersion {
		return false
	}
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if manifest, ok := p.Named(path.Join(dir, "package.json")); ok && names(manifest, pkg.Local) {
			return locked(p, dir)
		}
		if dir == "." {
			return false
		}
	}
}

// locked reports whether a lockfile lies in a folder or above it.
func locked(p *lint.Pass, dir string) bool {
	for up := dir; ; up = path.Dir(up) {
		for _, lock := range lockfiles {
			if _, ok := p.Named(path.Join(up, lock)); ok {
				return true
			}
		}
		if up == "." {
			return false
		}
	}
}

// commandOf are packages by the command that they bring, where the two have
// different names: npx looks for the command among what is installed first. The
// names are those of "bin" in each package's own package.json.
var commandOf = map[string]string{
	"babel":           "@babel/cli",
	"biome":           "@biomejs/biome",
	"cap":             "@capacitor/cli",
	"changeset":       "@changesets/cli",
	"commitlint":      "@commitlint/cli",
	"graphql-codegen": "@graphql-codegen/cli",
	"mcp-inspector":   "@modelcontextprotocol/inspector",
	"nest":            "@nestjs/cli",
	"ng":              "@angular/cli",
	"playwright":      "@playwright/test",
	"redocly":         "@redocly/cli",
	"sentry-cli":      "@sentry/cli",
	"stryker":         "@stryker-mutator/core",
	"swc":             "@swc/cli",
	"tailwindcss":     "@tailwindcss/cli",
	"tauri":           "@tauri-apps/cli",
	"tsc":             "typescript",
}

// packageJSON is a parsed package.json, nil if it could not be read.
type packageJSON struct{ root *lint.Node }

// names reports whether a package.json depends on a package, or on one that
// brings a command of this name. One whose content cannot be read names nothing.
func names(manifest *lint.File, name string) bool {
	parsed := lint.Parsed(manifest, func(f *lint.File) packageJSON {
		src, err := f.Bytes()
		if err != nil {
			return packageJSON{}
		}
		root, err := lint.ParseJSON(src)
		if err != nil {
			return packageJSON{}
		}
		return packageJSON{root}
	})
	for _, group := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		for _, one := range []string{name, commandOf[name]} {
			if one != "" && parsed.root.Get(group, one) != nil {
				return true
			}
		}
	}
	return false
}
