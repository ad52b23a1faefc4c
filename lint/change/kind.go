package change

import (
	"path"
	"regexp"
	"strings"
)

// Kind says what a changed file counts as.
type Kind string

// The kinds of files.
const (
	Code      Kind = "code"
	Test      Kind = "test"
	Docs      Kind = "docs"
	Generated Kind = "generated" // by a program, or somebody else's
	Lockfile  Kind = "lockfile"
)

// lockfiles are the names of files that package managers write.
var lockfiles = map[string]bool{
	"package-lock.json": true, "npm-shrinkwrap.json": true, "yarn.lock": true, "pnpm-lock.yaml": true, "bun.lock": true, "bun.lockb": true,
	"deno.lock": true, "go.sum": true, "go.work.sum": true, "Cargo.lock": true, "poetry.lock": true, "uv.lock": true, "pdm.lock": true,
	"Pipfile.lock": true, "pylock.toml": true, "Gemfile.lock": true, "composer.lock": true, "packages.lock.json": true, "mix.lock": true,
	"pubspec.lock": true, "Podfile.lock": true, "Package.resolved": true, "flake.lock": true, "gradle.lockfile": true, ".terraform.lock.hcl": true,
}

var (
	testFolder  = regexp.MustCompile(`(?i)(^|/)(tests?|__tests__|__snapshots__|__mocks__|specs?|testdata|fixtures?|e2e|cypress)/`)
	testName    = regexp.MustCompile(`(_test\.(go|py|rb|exs?|dart|cc|cpp)|[._-](test|spec|cy)\.[cm]?[jt]sx?|_spec\.rb|(Tests?|Spec|IT)\.(java|kt|cs|scala|swift|groovy))$|^(test_|conftest).*\.py$`)
	docsFolder  = regexp.MustCompile(`(?i)(^|/)docs?/`)
	docsName    = regexp.MustCompile(`(?i)\.(md|mdx|markdown|rst|adoc|txt)$|^(licen[cs]e|notice|authors|changelog|changes|contributing)$`)
	madeName    = regexp.MustCompile(`(\.pb\.go|_pb2?\.(js|ts|py|rb)|_pb2_grpc\.py|\.pb\.(cc|h)|_templ\.go|_gen\.go|\.gen\.(go|ts)|\.g\.(dart|cs)|\.designer\.cs|\.min\.(js|css)|\.(js|css)\.map|\.snap)$`)
	madeFolder  = regexp.MustCompile(`(^|/)(vendor|node_modules|third_party|bower_components|__generated__)/`)
	madeHeading = regexp.MustCompile(`(?m)^\W*Code generated .* DO NOT EDIT\b|(?m)^\W*@generated\b|(?im)^\W*(this file (is|was)|) ?(auto-?generated|automatically generated)\b`)
	plainTexts  = regexp.MustCompile(`(?i)(^|/)(requirements[^/]*|constraints[^/]*|robots|cmakelists)\.txt$`)
)

// KindOf tells what a file counts as, by its path and the beginning of its
// text. made are the globs that .gitattributes marks as generated.
func KindOf(name string, text []byte, made []string) Kind {
	const heading = 2048
	base := path.Base(name)
	switch {
	case lockfiles[base]:
		return Lockfile
	case madeFolder.MatchString(name), madeName.MatchString(base), anyMatch(made, name),
		madeHeading.Match(text[:min(len(text), heading)]):
		return Generated
	case testFolder.MatchString(name), testName.MatchString(base):
		return Test
	case docsName.MatchString(base) && !plainTexts.MatchString(name), docsFolder.MatchString(name):
		return Docs
	}
	return Code
}

// MarkedGenerated reads the patterns that a .gitattributes file in the root
// marks linguist-generated.
//
// Source: GitHub's manual, "Customizing how changed files appear on GitHub".
func MarkedGenerated(text []byte) []string {
	const most = 1000
	var globs []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(fields[0], "#") || strings.HasPrefix(fields[0], `"`) || len(globs) >= most || !matchable(fields[0]) {
			continue
		}
		for _, attribute := range fields[1:] {
			if attribute == "linguist-generated" || attribute == "linguist-generated=true" {
				globs = append(globs, attributeGlob(fields[0])...)
			}
		}
	}
	return globs
}

// attributeGlob is a pattern of .gitattributes as globs: one without a slash
// matches a name at any depth.
func attributeGlob(pattern string) []string {
	if rest, ok := strings.CutPrefix(pattern, "/"); ok {
		return []string{rest}
	}
	if strings.Contains(pattern, "/") {
		return []string{pattern}
	}
	return []string{"**/" + pattern}
}
