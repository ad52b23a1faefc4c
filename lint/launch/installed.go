package launch

import (
	"path"
	"slices"

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

// locked reports whether a lockfile pins what the package.json of a folder
// names: one in the folder, or one above it of a workspace that has the folder
// as a member. A lockfile above that knows nothing of the folder pins nothing
// there.
func locked(p *lint.Pass, dir string) bool {
	for up := dir; ; up = path.Dir(up) {
		if hasLockfile(p, up) {
			return up == dir || member(p, up, dir)
		}
		if up == "." {
			return false
		}
	}
}

func hasLockfile(p *lint.Pass, dir string) bool {
	return slices.ContainsFunc(lockfiles, func(name string) bool {
		_, ok := p.Named(path.Join(dir, name))
		return ok
	})
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

// document is a parsed JSON or YAML file, nil if it could not be read.
type document struct{ root *lint.Node }

// manifestOf parses a file; one that cannot be read is empty.
func manifestOf(f *lint.File, parse func([]byte) (*lint.Node, error)) document {
	return lint.Parsed(f, func(f *lint.File) document {
		src, err := f.Bytes()
		if err != nil {
			return document{}
		}
		root, err := parse(src)
		if err != nil {
			return document{}
		}
		return document{root}
	})
}

// names reports whether a package.json depends on a package, or on one that
// brings a command of this name. One whose content cannot be read names nothing.
func names(manifest *lint.File, name string) bool {
	parsed := manifestOf(manifest, lint.ParseJSON)
	for _, group := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		for _, one := range []string{name, commandOf[name]} {
			if one != "" && parsed.root.Get(group, one) != nil {
				return true
			}
		}
	}
	return false
}
