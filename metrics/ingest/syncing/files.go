package syncing

import (
	"path"
	"strings"

	"steelyard/internal/github"
	"steelyard/metrics"
)

// Names by which files are told that nobody wrote by hand, in lower case. They
// follow the conventions of the tools that make the files, and GitHub's own
// list of what it hides in a diff (linguist: generated, vendored).
var (
	lockfiles = set("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb",
		"deno.lock", "gemfile.lock", "gems.locked", "cargo.lock", "go.sum", "go.work.sum", "poetry.lock", "pipfile.lock", "uv.lock", "pdm.lock",
		"composer.lock", "mix.lock", "rebar.lock", "pubspec.lock", "podfile.lock", "cartfile.resolved", "package.resolved",
		"packages.lock.json", "project.assets.json", "paket.lock", "gradle.lockfile", "buildscript-gradle.lockfile", "flake.lock",
		".terraform.lock.hcl", "conan.lock", "manifest.toml.lock", "chart.lock", "pixi.lock", "conda-lock.yml")
	vendorFolders = set("vendor", "node_modules", "third_party", "third-party", "thirdparty", "bower_components", "godeps",
		"jspm_packages", "carthage", "pods", ".yarn")
	generatedFolders = set("dist", "__snapshots__", "__generated__", "generated", ".generated")
	generatedEnds    = []string{
		".pb.go", ".pb.gw.go", "_grpc.pb.go", "_pb2.py", "_pb2_grpc.py", "_pb2.pyi", ".pb.cc", ".pb.h", ".pb.swift",
		"_pb.js", "_pb.d.ts", "_pb.rb", ".g.dart", ".freezed.dart", ".min.js", ".min.css", ".js.map", ".css.map", ".snap",
		"_generated.go", ".generated.go", ".gen.go", "_gen.go", ".generated.ts", ".gen.ts", ".generated.cs", ".g.cs", ".designer.cs",
		"_string.go", "_easyjson.go", "bindata.go", ".pbxproj", ".xcworkspacedata",
	}
	generatedStarts = []string{"zz_generated", "mock_"}
)

func set(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// madeBy says what kind of file nobody writes a path is; empty where somebody
// does. A lockfile is one wherever it stands.
func madeBy(name string) metrics.MadeKind {
	name = strings.ToLower(name)
	base := path.Base(name)
	if lockfiles[base] {
		return metrics.MadeLock
	}
	kind := metrics.MadeKind("")
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		switch {
		case vendorFolders[folder]:
			return metrics.MadeVendored
		case generatedFolders[folder]:
			kind = metrics.MadeGenerated
		}
	}
	for _, end := range generatedEnds {
		if strings.HasSuffix(base, end) {
			kind = metrics.MadeGenerated
		}
	}
	for _, start := range generatedStarts {
		if strings.HasPrefix(base, start) && strings.HasSuffix(base, ".go") {
			kind = metrics.MadeGenerated
		}
	}
	return kind
}

// madeLines adds up the lines of files that nobody wrote, by kind; nil where
// there are none.
func madeLines(files []github.File) map[metrics.MadeKind]metrics.Lines {
	var out map[metrics.MadeKind]metrics.Lines
	for _, f := range files {
		kind := madeBy(f.Path)
		if kind == "" {
			continue
		}
		if out == nil {
			out = map[metrics.MadeKind]metrics.Lines{}
		}
		l := out[kind]
		l.Additions += f.Additions
		l.Deletions += f.Deletions
		out[kind] = l
	}
	return out
}
