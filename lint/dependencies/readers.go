package dependencies

import (
	"path"
	"strings"
)

// reader reads one kind of manifest or lockfile. An error means that the rest
// of the file was not understood; what was found before it stands.
type reader struct {
	matches func(name string) bool
	locked  bool
	read    func(*file) error
}

// allReaders returns the readers in the order in which they are tried.
func allReaders() []reader {
	return []reader{
		{matches: named("package.json"), read: readPackageJSON},
		{matches: named("pnpm-workspace.yaml", "pnpm-workspace.yml"), read: readPnpmWorkspace},
		{matches: named("package-lock.json", "npm-shrinkwrap.json"), locked: true, read: readPackageLock},
		{matches: named("yarn.lock"), locked: true, read: readYarnLock},
		{matches: named("pnpm-lock.yaml"), locked: true, read: readPnpmLock},
		{matches: named("pyproject.toml"), read: readPyproject},
		{matches: named("setup.cfg"), read: readSetupCfg},
		{matches: named("Pipfile"), read: readPipfile},
		{matches: isRequirements, read: readRequirements},
		{matches: named("poetry.lock", "uv.lock", "pdm.lock"), locked: true, read: readPythonLock},
		{matches: named("go.mod"), read: readGoMod},
		{matches: named("go.sum"), locked: true, read: readGoSum},
		{matches: named("Cargo.toml"), read: readCargo},
		{matches: named("Cargo.lock"), locked: true, read: readCargoLock},
		{matches: isGemfile, read: readGemfile},
		{matches: named("Gemfile.lock", "gems.locked"), locked: true, read: readGemfileLock},
		{matches: named("pom.xml"), read: readPOM},
		{matches: isMSBuild, read: readMSBuild},
		{matches: named("packages.config"), read: readPackagesConfig},
		{matches: named("packages.lock.json"), locked: true, read: readNuGetLock},
		{matches: isWorkflow, read: readWorkflow},
		{matches: isDockerfile, read: readDockerfile},
	}
}

// readerOf returns the reader of a path, nil for none.
func (r *reading) readerOf(name string) *reader {
	for i := range r.readers {
		if r.readers[i].matches(name) {
			return &r.readers[i]
		}
	}
	return nil
}

// IsManifest reports whether a path is a manifest or lockfile that Read reads.
func IsManifest(name string) bool {
	r := reading{readers: allReaders()}
	return r.readerOf(name) != nil
}

func named(names ...string) func(string) bool {
	return func(full string) bool {
		base := path.Base(full)
		for _, n := range names {
			if base == n {
				return true
			}
		}
		return false
	}
}

func isGemfile(full string) bool {
	base := path.Base(full)
	return base == "Gemfile" || base == "gems.rb" || strings.HasSuffix(base, ".gemspec")
}

func isMSBuild(full string) bool {
	base := path.Base(full)
	switch path.Ext(base) {
	case ".csproj", ".fsproj", ".vbproj":
		return true
	}
	return base == "Directory.Packages.props" || base == "Directory.Build.props" || base == "Directory.Build.targets"
}

// isWorkflow takes workflows and the steps of composite actions.
func isWorkflow(full string) bool {
	dir, base := path.Split(full)
	yaml := strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")
	return yaml && (strings.HasSuffix("/"+dir, "/.github/workflows/") || base == "action.yml" || base == "action.yaml")
}

func isDockerfile(full string) bool {
	base := path.Base(full)
	return base == "Dockerfile" || base == "Containerfile" || strings.HasPrefix(base, "Dockerfile.") ||
		strings.HasPrefix(base, "Containerfile.") || strings.HasSuffix(base, ".Dockerfile") || strings.HasSuffix(base, ".dockerfile")
}
