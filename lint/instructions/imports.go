package instructions

import (
	"path"
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

// maxImported bounds how many files are followed from one document: a real one
// imports some ten, and a hostile tree makes every file import every other.
const maxImported = 1000

// importedFiles are the files that a document imports itself, in its order.
type importedFiles []string

// imported resolves a document's imports once a run.
func (d *Doc) imported(p *lint.Pass) importedFiles {
	return lint.Parsed(d.File, func(*lint.File) importedFiles {
		var found importedFiles
		seen := map[string]bool{}
		for _, i := range d.imports() {
			e, real := p.Entry(path.Join(path.Dir(d.File.Path), i.Path))
			if e == lint.Regular && !seen[real] {
				seen[real] = true
				found = append(found, real)
			}
		}
		return found
	})
}

// importedDoc reads a file that is imported, nil where it is no text to read.
func importedDoc(p *lint.Pass, name string) *Doc {
	f, ok := p.Named(name)
	if !ok || !readable(name) {
		return nil
	}
	if d := lint.Parsed(f, parse); d.Err == nil {
		return d
	}
	return nil
}

// importClosure returns the paths that a document imports, directly or through
// others, in reading order.
func importClosure(p *lint.Pass, d *Doc) []string {
	var found []string
	seen := map[string]bool{}
	var follow func(d *Doc, depth int)
	follow = func(d *Doc, depth int) {
		if depth >= maxHops {
			return
		}
		for _, name := range d.imported(p) {
			if seen[name] || len(found) >= maxImported {
				continue
			}
			seen[name] = true
			found = append(found, name)
			if next := importedDoc(p, name); next != nil {
				follow(next, depth+1)
			}
		}
	}
	follow(d, 0)
	return found
}

// importers returns the files from which imports lead to a document, of those
// that it imports itself, directly or through others. Every file is looked at
// once, however many import it.
func importers(p *lint.Pass, d *Doc) map[string]bool {
	by := map[string][]string{} // who imports a file
	level, seen := []*Doc{d}, map[string]bool{d.File.Path: true}
	for range maxHops + 1 {
		var next []*Doc
		for _, from := range level {
			for _, to := range from.imported(p) {
				by[to] = append(by[to], from.File.Path)
				if seen[to] || len(seen) >= maxImported {
					continue
				}
				seen[to] = true
				if read := importedDoc(p, to); read != nil {
					next = append(next, read)
				}
			}
		}
		level = next
	}
	back := map[string]bool{}
	for queue := []string{d.File.Path}; len(queue) > 0; queue = queue[1:] {
		for _, from := range by[queue[0]] {
			if !back[from] {
				back[from] = true
				queue = append(queue, from)
			}
		}
	}
	return back
}
