package instructions

import (
	"path"
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
		back := importers(p, d)
		for _, i := range d.imports() {
			checkImport(p, d, i, back)
		}
	}
}

// checkImport looks at one import; back are the files that lead to the document
// again.
func checkImport(p *lint.Pass, d *Doc, i Import, back map[string]bool) {
	full := path.Join(path.Dir(d.File.Path), i.Path)
	switch e, real := p.Entry(full); e {
	case lint.Absent:
		if !p.Ignored(full) && !strings.Contains(full, ".local.") {
			p.Reportf(d.File, i.At, "import %q does not resolve: there is no %q", "@"+i.Path, full)
		}
	case lint.Folder:
		p.Reportf(d.File, i.At, "import %q is a folder; an import names a file", "@"+i.Path)
	case lint.Regular:
		switch {
		case real == d.File.Path:
			p.Reportf(d.File, i.At, "import %q leads back here through itself", "@"+i.Path)
		case back[real]:
			p.Reportf(d.File, i.At, "import %q leads back here through %s", "@"+i.Path, real)
		}
	case lint.Beyond: // what lies there is not known
	}
}
