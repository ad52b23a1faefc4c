package instructions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
)

// Import is an "@path" in the text of a file that supports it.
type Import struct {
	Path string // as written, without the @
	At   lint.Span
}

// importForm is an @ at the start of a word with something like a path behind
// it: a file with an extension, or a path with a slash.
var importForm = compile(`(^|[\s(*_-])@((?:~/|\.{0,2}/)?[\pL\pN_.](?:[\pL\pN_./-]|\\ )*)`)

// importing reports whether assistants follow imports in a file of this name.
func importing(name string) bool {
	switch path.Base(name) {
	case "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md":
		return true
	}
	return strings.Contains(name, ".claude/rules/")
}

// imports returns a document's imports, outside of code.
func (d *Doc) imports() []Import {
	var found []Import
	for i := range d.Statements {
		s := &d.Statements[i]
		text := []byte(s.S)
		for _, c := range s.Codes {
			blank(text[c.From:c.To])
		}
		for _, m := range importForm.re().FindAllSubmatchIndex(text, -1) {
			from, to := m[4], m[5]
			written := strings.TrimRight(string(text[from:to]), ".,:;")
			name := strings.ReplaceAll(written, `\ `, " ")
			if plausibleImport(name) && !s.Bad {
				found = append(found, Import{name, s.Span(from-1, from+len(written))})
			}
		}
	}
	return found
}

// plausibleImport tells a path from a handle, a package and an address.
func plausibleImport(name string) bool {
	ext := path.Ext(name)
	if ext == "" || ext == "." {
		return strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	}
	return sourceExts.MatchString(ext) && !strings.HasPrefix(name, "~") && !placeholderPath(name) && !strings.HasSuffix(path.Base(name), ".js")
}

// maxHops is how deep Claude Code follows imports.
const maxHops = 5

// importClosure returns the paths that a document imports, directly or through
// others, in reading order.
func importClosure(p *lint.Pass, d *Doc) []string {
	var found []string
	var follow func(d *Doc, depth int)
	follow = func(d *Doc, depth int) {
		for _, i := range d.imports() {
			e, real := p.Entry(path.Join(path.Dir(d.File.Path), i.Path))
			if e != lint.Regular || slices.Contains(found, real) || depth >= maxHops {
				continue
			}
			found = append(found, real)
			if f, ok := p.Named(real); ok && readable(real) {
				if next := lint.Parsed(f, parse); next.Err == nil {
					follow(next, depth+1)
				}
			}
		}
	}
	follow(d, 0)
	return found
}
