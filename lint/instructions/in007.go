package instructions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// brokenImport reports imports that lead nowhere or in a circle.
var brokenImport = lint.Rule{ID: "IN007", Check: checkBrokenImport}

func checkBrokenImport(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		if !importing(d.File.Path) {
			continue
		}
		for _, i := range d.imports() {
			checkImport(p, d, i)
		}
	}
}

func checkImport(p *lint.Pass, d *Doc, i Import) {
	full := path.Join(path.Dir(d.File.Path), i.Path)
	switch e, real := p.Entry(full); e {
	case lint.Absent:
		if !p.Ignored(full) && !strings.Contains(full, ".local.") {
			p.Reportf(d.File, i.At, "import %q does not resolve: there is no %q", "@"+i.Path, full)
		}
	case lint.Folder:
		p.Reportf(d.File, i.At, "import %q is a folder; an import names a file", "@"+i.Path)
	case lint.Regular:
		if loop := loopBack(p, d, real); loop != "" {
			p.Reportf(d.File, i.At, "import %q leads back here through %s", "@"+i.Path, loop)
		}
	case lint.Beyond: // what lies there is not known
	}
}

// loopBack returns the file through which an imported one imports the document
// again, "" if it does not.
func loopBack(p *lint.Pass, d *Doc, name string) string {
	if name == d.File.Path {
		return "itself"
	}
	f, ok := p.Named(name)
	if !ok || !readable(name) {
		return ""
	}
	next := lint.Parsed(f, parse)
	if next.Err == nil && slices.Contains(importClosure(p, next), d.File.Path) {
		return name
	}
	return ""
}
