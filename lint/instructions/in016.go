package instructions

import (
	"steelyard/lint"
	"steelyard/rules"
)

// noCommands notes a repository whose instructions name no command at all,
// though it has some.
var noCommands = lint.Rule{ID: "IN016", Check: checkNoCommands}

func checkNoCommands(p *lint.Pass) {
	var root *Doc
	for _, d := range docs(p, rules.Instructions) {
		if home(d.File.Path) != "." {
			continue
		}
		if root == nil && rootFile[d.File.Path] {
			root = d
		}
		if namesCommand(d) {
			return
		}
	}
	if root == nil || len(root.imports()) > 0 || len(root.Statements) < 3 || pointsElsewhere(root) {
		return
	}
	if what := runnable(p); what != "" {
		p.ReportFile(root.File, nil, "no file at the root says how to build or test; there is a %s", what)
	}
}

// rootFile are the files in which an assistant looks first.
var rootFile = map[string]bool{
	"AGENTS.md": true, "CLAUDE.md": true, ".claude/CLAUDE.md": true, "GEMINI.md": true, ".github/copilot-instructions.md": true,
	".cursorrules": true, ".windsurfrules": true, "WARP.md": true, ".junie/guidelines.md": true,
}

func namesCommand(d *Doc) bool {
	for _, c := range d.commands() {
		if len(c.words) > 1 && (knownProgram(c.words[0].text) || buildPrograms[c.words[0].text]) {
			return true
		}
	}
	return false
}

// pointsElsewhere reports whether a file sends the reader to another document.
func pointsElsewhere(d *Doc) bool {
	for i := range d.Statements {
		if len(d.Statements[i].Links) > 0 || len(d.Statements[i].mentions()) > 0 {
			return true
		}
	}
	return false
}

// buildPrograms build and test, beside those that bans know.
var buildPrograms = map[string]bool{
	"just": true, "task": true, "bazel": true, "nx": true, "turbo": true, "cmake": true, "ninja": true, "meson": true, "tox": true, "nox": true,
	"hatch": true, "pdm": true, "rake": true, "swift": true, "xcodebuild": true, "sbt": true, "mix": true, "flutter": true, "dart": true,
	"./gradlew": true, "./mvnw": true, "zig": true, "stack": true, "cabal": true, "phpunit": true, "pixi": true, "mise": true, "lake": true,
}

// runnable returns the manifest at the root that has something to run, "" for
// none.
func runnable(p *lint.Pass) string {
	if m, ok := readPackageJSON(p, "package.json"); ok && (m.names["test"] || m.names["build"]) {
		return "package.json with scripts"
	}
	if m, ok := readMakefile(p, "."); ok && m.file != nil && (m.names["test"] || m.names["build"]) {
		return "makefile"
	}
	for _, name := range []string{"go.mod", "Cargo.toml"} {
		if _, ok := p.Named(name); ok {
			return name
		}
	}
	return ""
}
