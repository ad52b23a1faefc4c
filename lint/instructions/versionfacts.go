package instructions

import (
	"path"
	"strings"

	"steelyard/lint"
)

// fact is what the repository says of a version.
type fact struct {
	set    span
	text   string // as it is written
	file   *lint.File
	at     lint.Span
	least  bool // it is what is needed at least, not what one has
	pinned bool // a version file, not a manifest
}

// factReader returns what the files of one folder say of a toolchain. known is
// false where a file that would say it cannot be read.
type factReader func(p *lint.Pass, dir string) (facts []fact, known bool)

// versionFile reads the first line of a file such as .nvmrc.
func versionFile(p *lint.Pass, name string) []fact {
	f, ok := p.Named(name)
	if !ok {
		return nil
	}
	src, err := f.Bytes()
	if err != nil {
		return nil
	}
	line, _, _ := strings.Cut(string(src), "\n")
	text := strings.TrimSpace(line)
	v, ok := parseVersion(strings.TrimPrefix(strings.TrimPrefix(text, "v"), "ruby-"))
	if !ok {
		return nil
	}
	return []fact{{
		set: span{{v, v.next(len(v))}}, text: text, file: f, pinned: true,
		at: lint.Span{Start: 0, End: len(text)},
	}}
}

// toolVersions reads a tool's line of .tool-versions and mise.toml.
func toolVersions(p *lint.Pass, dir string, tool *expression) []fact {
	var found []fact
	for _, name := range []string{".tool-versions", "mise.toml", ".mise.toml"} {
		found = append(found, matchFact(p, path.Join(dir, name), tool, false, true)...)
	}
	return found
}

// toolForm matches a tool's line, by any of its names.
func toolForm(names string) *expression {
	return compile(`(?m)^"?(?:` + names + `)"?(?:\s+|\s*=\s*")(?:[a-z]+-)?(\d+(?:\.\d+){0,2})\b`)
}

var (
	nodeTool   = toolForm("nodejs|node")
	goTool     = toolForm("golang|go")
	pythonTool = toolForm("python")
	javaTool   = toolForm("java")
	rubyTool   = toolForm("ruby")
	phpTool    = toolForm("php")
)

// matchFact reads a version where an expression's first group stands, the
// first match alone.
func matchFact(p *lint.Pass, name string, form *expression, least, pinned bool) []fact {
	f, at, text := firstGroup(p, name, form)
	if f == nil {
		return nil
	}
	v, ok := parseVersion(text)
	if !ok {
		return nil
	}
	set := span{{v, v.next(len(v))}}
	if least {
		set[0].high = nil
	}
	return []fact{{set: set, text: text, file: f, at: at, least: least, pinned: pinned}}
}

// rangeFact reads a version range from a JSON value.
func rangeFact(f *lint.File, n *lint.Node) []fact {
	text, ok := n.Str()
	if !ok {
		return nil
	}
	set, ok := parseRange(text)
	if !ok {
		return nil
	}
	return []fact{{set: set, text: text, file: f, at: n.At, least: true}}
}

func nodeFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := append(versionFile(p, path.Join(dir, ".nvmrc")), versionFile(p, path.Join(dir, ".node-version"))...)
	found = append(found, toolVersions(p, dir, nodeTool)...)
	m, ok := readPackageJSON(p, path.Join(dir, "package.json"))
	if !ok || m.root == nil {
		return found, !ok
	}
	found = append(found, rangeFact(m.file, m.root.Get("engines", "node"))...)
	return append(found, rangeFact(m.file, m.root.Get("volta", "node"))...), true
}

// managerFacts reads packageManager, and engines of that name.
func managerFacts(name string) factReader {
	return func(p *lint.Pass, dir string) ([]fact, bool) {
		m, ok := readPackageJSON(p, path.Join(dir, "package.json"))
		if !ok || m.root == nil {
			return nil, !ok
		}
		var found []fact
		if text, ok := m.root.Get("packageManager").Str(); ok {
			if rest, ok := strings.CutPrefix(text, name+"@"); ok {
				rest, _, _ = strings.Cut(rest, "+")
				if v, ok := parseVersion(rest); ok {
					at := m.root.Get("packageManager").At
					found = append(found, fact{set: span{{v, v.next(len(v))}}, text: rest, file: m.file, at: at, pinned: true})
				}
			}
		}
		return append(found, rangeFact(m.file, m.root.Get("engines", name))...), true
	}
}

var goDirective = compile(`(?m)^go (\d+\.\d+(?:\.\d+)?)\s*$`)

func goFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := matchFact(p, path.Join(dir, "go.mod"), goDirective, true, false)
	found = append(found, matchFact(p, path.Join(dir, "go.work"), goDirective, true, false)...)
	return append(found, toolVersions(p, dir, goTool)...), true
}

var (
	requiresPython = compile(`(?m)^requires-python\s*=\s*["']([^"']+)["']`)
	poetryPython   = compile(`(?m)^python\s*=\s*["']([^"']+)["']`)
)

func pythonFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := versionFile(p, path.Join(dir, ".python-version"))
	found = append(found, toolVersions(p, dir, pythonTool)...)
	for _, form := range []*expression{requiresPython, poetryPython} {
		found = append(found, rangeMatch(p, path.Join(dir, "pyproject.toml"), form)...)
	}
	return found, true
}

// firstGroup is what an expression's first group matches in a file, the first
// match alone, and where; the file is nil where there is none.
func firstGroup(p *lint.Pass, name string, form *expression) (f *lint.File, at lint.Span, text string) {
	f, ok := p.Named(name)
	if !ok {
		return nil, at, ""
	}
	src, err := f.Bytes()
	if err != nil {
		return nil, at, ""
	}
	m := form.re().FindSubmatchIndex(src)
	if m == nil {
		return nil, at, ""
	}
	text = strings.TrimRight(string(src[m[2]:m[3]]), " \t\r")
	return f, lint.Span{Start: m[2], End: m[2] + len(text)}, text
}

// rangeMatch is matchFact for a version range.
func rangeMatch(p *lint.Pass, name string, form *expression) []fact {
	f, at, text := firstGroup(p, name, form)
	if f == nil {
		return nil
	}
	set, ok := parseRange(text)
	if !ok {
		return nil
	}
	return []fact{{set: set, text: text, file: f, at: at, least: true}}
}

var (
	mavenJava  = compile(`<(?:jdk\.version|java\.version|maven\.compiler\.release|maven\.compiler\.source|jdk\.release|release\.version\.java)>\s*(\d+)(?:\.\d+)*\s*</`)
	gradleJava = compile(`(?:JavaLanguageVersion\.of\(|jvmToolchain\(|JavaVersion\.VERSION_)(\d+)`)
)

func javaFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := matchFact(p, path.Join(dir, "pom.xml"), mavenJava, true, false)
	for _, name := range []string{"build.gradle", "build.gradle.kts"} {
		found = append(found, matchFact(p, path.Join(dir, name), gradleJava, true, false)...)
	}
	found = append(found, versionFile(p, path.Join(dir, ".java-version"))...)
	return append(found, toolVersions(p, dir, javaTool)...), true
}

var globalJSON = compile(`"version"\s*:\s*"(\d+\.\d+)`)

func dotnetFacts(p *lint.Pass, dir string) ([]fact, bool) {
	return matchFact(p, path.Join(dir, "global.json"), globalJSON, true, false), true
}

var (
	rustVersion = compile(`(?m)^rust-version\s*=\s*"(\d+\.\d+(?:\.\d+)?)"`)
	rustChannel = compile(`(?m)^(?:channel\s*=\s*")?(\d+\.\d+(?:\.\d+)?)"?\s*$`)
)

func rustFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := matchFact(p, path.Join(dir, "Cargo.toml"), rustVersion, true, false)
	for _, name := range []string{"rust-toolchain.toml", "rust-toolchain"} {
		found = append(found, matchFact(p, path.Join(dir, name), rustChannel, false, true)...)
	}
	return found, true
}

var gemfileRuby = compile(`(?m)^\s*ruby\s+["']([^"']+)["']`)

func rubyFacts(p *lint.Pass, dir string) ([]fact, bool) {
	found := versionFile(p, path.Join(dir, ".ruby-version"))
	found = append(found, toolVersions(p, dir, rubyTool)...)
	return append(found, rangeMatch(p, path.Join(dir, "Gemfile"), gemfileRuby)...), true
}

func phpFacts(p *lint.Pass, dir string) ([]fact, bool) {
	root, f := composerJSON(p, dir)
	return append(rangeFact(f, root.Get("require", "php")), toolVersions(p, dir, phpTool)...), f == nil || root != nil
}
