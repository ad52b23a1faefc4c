package instructions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// missingPath reports paths that are named as if they were there, and are not.
var missingPath = lint.Rule{ID: "IN006", Check: checkMissingPath}

func checkMissingPath(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		for i := range d.Statements {
			s := &d.Statements[i]
			if s.Bad {
				continue
			}
			named := s.mentions()
			for _, m := range named {
				checkMention(p, d, m, named)
			}
		}
		checkFolders(p, d)
	}
}

func checkMention(p *lint.Pass, d *Doc, m mention, others []mention) {
	if m.made() || m.personal(p, d) || there(p, d, m) != lint.Absent || ignored(p, d, m) {
		return
	}
	near := parentThere(p, d, m)
	if !m.claimed(p, d) || m.excused(p, d, near, others) {
		return
	}
	if m.imported(p) || m.ofNamedRepository(p) {
		return
	}
	p.Reportf(d.File, m.at, "path %q does not exist%s", m.path, instead(p, d, m))
}

// there says what stands at the mentioned path, from any folder that it may
// start from. A path that ends another one of the tree counts as there, unless
// the file's own folder holds the path's first part.
func there(p *lint.Pass, d *Doc, m mention) lint.Entry {
	inside := false
	for _, base := range bases(d.File.Path) {
		full := path.Join(base, m.path)
		if outside(full) {
			continue
		}
		inside = true
		if e, _ := p.Entry(full); e != lint.Absent {
			return e
		}
		if !m.folder && sourceThere(p, full) {
			return lint.Regular
		}
	}
	switch {
	case !inside, m.beside(p, d):
		return lint.Beyond // a sibling of the repository
	case strings.HasPrefix(m.path, ".."):
		return lint.Absent
	case sharedSkill(p, m.path):
		return lint.Regular
	}
	if first, inner, ok := strings.Cut(m.path, "/"); ok && firstSegment(inner) == first {
		// "name/name/src" names the repository first.
		if e, _ := p.Entry(inner); e != lint.Absent {
			return e
		}
	}
	scope := home(d.File.Path)
	if e, _ := p.Entry(path.Join(scope, firstSegment(m.path))); e == lint.Absent || scope == "." {
		scope = "."
	}
	for _, name := range append(typedNames(m.path), m.path) {
		if slices.ContainsFunc(p.Ending(name), func(found string) bool { return under(found, scope) }) {
			return lint.Regular
		}
	}
	return lint.Absent
}

// sharedSkill reports whether a path in one assistant's skills folder exists
// in another's: skills are kept once and linked or copied to the others.
func sharedSkill(p *lint.Pass, name string) bool {
	i := strings.Index(name, "skills/")
	return i >= 0 && strings.HasPrefix(name, ".") && len(p.Ending(name[i:])) > 0
}

func firstSegment(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

// sourceThere reports whether an import of this name finds a file: it may
// leave the extension out, and TypeScript's says .js for what is .ts.
func sourceThere(p *lint.Pass, full string) bool {
	if path.Ext(full) == "" {
		stem := path.Base(full) + "."
		return slices.ContainsFunc(p.Names(path.Dir(full)), func(n string) bool { return strings.HasPrefix(n, stem) })
	}
	return slices.ContainsFunc(typedNames(full), func(name string) bool {
		e, _ := p.Entry(name)
		return e != lint.Absent
	})
}

// typedNames are the TypeScript files that an import of a JavaScript file may
// mean, none for other files.
func typedNames(name string) []string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	switch ext {
	case ".js":
		return []string{stem + ".ts", stem + ".tsx", stem + ".jsx", stem + ".d.ts"}
	case ".jsx":
		return []string{stem + ".tsx"}
	case ".mjs":
		return []string{stem + ".mts", stem + ".ts"}
	case ".cjs":
		return []string{stem + ".cts", stem + ".ts"}
	}
	return nil
}

// ignored reports whether an ignore file hides the path.
func ignored(p *lint.Pass, d *Doc, m mention) bool {
	name := m.path
	if m.folder {
		name += "/"
	}
	for _, base := range bases(d.File.Path) {
		full := name
		if base != "." {
			full = base + "/" + name
		}
		if p.Ignored(strings.TrimPrefix(full, "./")) {
			return true
		}
	}
	return false
}

// parentThere reports whether the folder that should hold the path exists.
func parentThere(p *lint.Pass, d *Doc, m mention) bool {
	dir := path.Dir(m.path)
	if dir == "." {
		return false
	}
	return there(p, d, mention{path: dir, folder: true}) == lint.Folder
}

// madeNames are folders and files that builds, tools and people make on their
// own machines.
var madeNames = compile(`(?i)^(dist|build|out|output|outputs|target|coverage|node_modules|vendor|__pycache__|\.venv|venv|env|\.env(\..*)?|tmp|temp|logs?|\.cache|cache|\.next|\.nuxt|\.turbo|\.output|\.git|bin|obj|artifacts?|reports?|results?|site-packages|generated|gen|__generated__|\.tox|\.?worktrees?|test-results|playwright-report|htmlcov|downloads|uploads|.*\.log|.*\.local\.(json|md|ya?ml|toml)|.*\.(sqlite3?|db|pid|sock|tmp|bak|exe|dll|so|dylib|jar|whl|tgz|zip|gz|pem|key|tsbuildinfo))$`)

// made reports whether the path is of a kind that is not kept in a repository.
func (m *mention) made() bool {
	for _, s := range strings.Split(m.path, "/") {
		if madeNames.MatchString(s) {
			return true
		}
	}
	return strings.HasPrefix(m.path, ".git/")
}

// personal reports whether the path lies in a tool's own folder that the
// repository does not have, or is a tool's settings: each person makes those.
func (m *mention) personal(p *lint.Pass, d *Doc) bool {
	first := firstSegment(m.path)
	if len(first) < 2 || first[0] != '.' || first == ".." {
		return false
	}
	if settingsName.MatchString(path.Base(m.path)) {
		return true
	}
	return !slices.ContainsFunc(bases(d.File.Path), func(base string) bool {
		e, _ := p.Entry(path.Join(base, first))
		return e != lint.Absent
	})
}

var settingsName = compile(`^(settings|mcp|config|hooks)\.(json|jsonc|toml|ya?ml)$`)

// sourceExts are extensions that make words with a slash between them a path.
var sourceExts = compile(`(?i)\.(md|mdx|mdc|rst|adoc|txt|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|tsx?|jsx?|mjs|cjs|mts|cts|vue|svelte|astro|py|pyi|ipynb|go|mod|rs|java|kts?|scala|rb|rake|erb|php|cs|csproj|sln|slnx|fs|fsproj|vb|cpp|cc|cxx|c|h|hpp|m|mm|swift|dart|ex|exs|erl|hs|ml|lua|r|jl|sql|prisma|graphql|gql|proto|sh|bash|zsh|fish|ps1|psm1|bat|cmd|html?|css|s[ac]ss|less|xml|tf|tfvars|bicep|bicepparam|dockerfile|lock|mk|bazel|bzl|gradle|properties|feature|snap|csv|tsv|svg|png|jpg|gif|ico|sol|zig|nix|tape)$`)

var folderWord = compile("^`?(\\]\\([^)]*\\))?\\s*(directory|directories|folder|folders)\\b")

// claimed reports whether the words can only mean a path of this repository:
// it begins with a folder that is there, ends like a source file, is the
// destination of a link, or is called a folder.
func (m *mention) claimed(p *lint.Pass, d *Doc) bool {
	if m.link || m.folder && folderWord.MatchString(m.s.S[m.to:]) {
		return true
	}
	if !strings.Contains(m.path, "/") {
		return false
	}
	if sourceExts.MatchString(m.path) {
		return true
	}
	first := firstSegment(m.path)
	if first == ".." {
		return m.folder
	}
	anchored := m.anchored(p, d)
	deep := strings.Count(m.path, "/") > 1
	return anchored && (m.folder || deep) || m.folder && (usualFolder[first] || deep && m.anchoredDeep(p))
}

// usualFolder are first folders that hardly anything but a path begins with.
var usualFolder = map[string]bool{
	"src": true, "lib": true, "app": true, "apps": true, "packages": true, "docs": true, "tests": true, "internal": true, "cmd": true,
	"pkg": true, "scripts": true, "crates": true, "services": true, "components": true, ".github": true,
}

// anchoredDeep reports whether at least two of the path's first folders stand
// together somewhere in the tree.
func (m *mention) anchoredDeep(p *lint.Pass) bool {
	segments := strings.Split(m.path, "/")
	return len(p.Ending(strings.Join(segments[:2], "/"))) > 0
}

// excused reports whether the sentence says, one way or another, that the path
// need not be there.
func (m *mention) excused(p *lint.Pass, d *Doc, near bool, others []mention) bool {
	s, c := m.s, m.s.judged()
	if c.gone || c.optional || c.elsewhere || c.makes || s.Section.Gone {
		return true
	}
	if c.word && !m.folder && !m.link && !sourceExts.MatchString(m.path) {
		return true
	}
	sure := near && strings.Count(m.path, "/") > 2 // nobody makes up so much that is there
	if (c.sample || s.Section.Sample) && !sure {
		return true
	}
	before := s.before(m.from)
	switch {
	case m.eitherOf(p, d, others), m.foreign(p, d), toBeMade(d)[m.path] && !sure:
		return true
	case negatedCue.MatchString(before), productCue.MatchString(before), placedCue.MatchString(before):
		return true
	case createCue.MatchString(before) && !m.placeFor(before), arrow.MatchString(s.S[m.to:]):
		return true
	case exampleCue.MatchString(before):
		return !m.amongReal(p, d, others)
	}
	return false
}

// arrow leads from a path to what it became.
var arrow = compile("^`?\\s*(→|➜|➡|->|=>|-->)")

var placeWord = compile("\\b(in|inside|under|within|from)\\s+(the\\s+)?[\\[`*]*$")

// placeFor reports whether the path is the folder where something is to be
// made, which is there already.
func (m *mention) placeFor(before string) bool { return m.folder && placeWord.MatchString(before) }

// makesIt stands before the very thing that is to be made.
var makesIt = compile("\\b(create[sd]?|creating|mkdir( -p)?|scaffold(ed|s)?)\\s+((a|an|the|new)\\s+)*[`*\\[]*$")

// pathsToMake are the paths that a text tells to make.
type pathsToMake map[string]bool

// toBeMade returns those of a document: what is to be made by one sentence is
// not missing in the next.
func toBeMade(d *Doc) pathsToMake {
	return lint.Parsed(d.File, func(*lint.File) pathsToMake {
		made := pathsToMake{}
		for i := range d.Statements {
			for _, m := range d.Statements[i].mentions() {
				if makesIt.MatchString(m.s.before(m.from)) {
					made[m.path] = true
				}
			}
		}
		return made
	})
}

var (
	portBehind = compile("^`?\\s+(port|equivalent|counterpart)\\b")
	portBefore = compile("\\b(port(s|ed)?|translation|equivalent|counterpart)\\s+(of|from)\\s+[^.,;:()]*$")
)

// foreign reports whether the path is that of a file of another project: what
// stands here is a port of it, or it is of a test suite to conform to, under no
// folder of this repository.
func (m *mention) foreign(p *lint.Pass, d *Doc) bool {
	if portBehind.MatchString(m.s.S[m.to:]) || portBefore.MatchString(m.s.before(m.from)) {
		return true
	}
	return m.s.Section.Foreign && !m.anchored(p, d)
}

// anchored reports whether the path begins with a folder that is there.
func (m *mention) anchored(p *lint.Pass, d *Doc) bool {
	first := firstSegment(m.path)
	return slices.ContainsFunc(bases(d.File.Path), func(base string) bool {
		e, _ := p.Entry(path.Join(base, first))
		return e == lint.Folder
	})
}

var orBetween = compile("^[`)*_]*\\s+or\\s+[`(*_]*$")

// eitherOf reports whether the path is one of two files, "`main.py` or
// `index.js`", of which the other is there.
func (m *mention) eitherOf(p *lint.Pass, d *Doc, others []mention) bool {
	return !m.folder && slices.ContainsFunc(others, func(o mention) bool {
		first, last := o, *m
		if m.from < o.from {
			first, last = *m, o
		}
		return first.to < last.from && orBetween.MatchString(m.s.S[first.to:last.from]) && there(p, d, o) != lint.Absent
	})
}

// amongReal reports whether the sentence names another path beside this one
// that is there: a list of examples that are meant to be real.
func (m *mention) amongReal(p *lint.Pass, d *Doc, others []mention) bool {
	return slices.ContainsFunc(others, func(o mention) bool {
		return o.path != m.path && path.Dir(o.path) == path.Dir(m.path) && there(p, d, o) == lint.Regular
	})
}
