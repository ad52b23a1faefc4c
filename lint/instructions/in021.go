package instructions

import (
	"steelyard/lint"
	"steelyard/rules"
)

// overriddenOrder notes orders that a nearer file, or one for fewer files,
// turns around. That is mostly on purpose, so it is said under strict alone.
var overriddenOrder = lint.Rule{ID: "IN021", Check: checkOverriddenOrder}

func checkOverriddenOrder(p *lint.Pass) {
	if !p.Strict() {
		p.Abstain()
		return
	}
	found := ordersOf(p)
	for _, name := range found.names {
		list := found.topics[name]
		said := map[[2]*Doc]bool{}
		for i := range list {
			for j := range list {
				a, b := &list[j], &list[i]
				key := [2]*Doc{a.doc, b.doc}
				if a.doc == b.doc || said[key] || !a.excludes(&b.Directive) {
					continue
				}
				surface, how := overrides(a.regions, b.regions)
				if how == "" {
					continue
				}
				said[key] = true
				p.ReportRelated(b.doc.File, b.At, []lint.Related{related(a.doc, &a.Directive)},
					"%q overrides %s, %q (%s): %s reads both, and this file is %s",
					quote(b.Text), a.doc.File.Path, quote(a.Text), a.Topic.Title, titleOf(surface), how)
			}
		}
	}
}

// overrides reports whether some surface reads both files, and the second one
// for a part of what the first is for: how says which part.
func overrides(as, bs []region) (surface, how string) {
	for _, a := range as {
		for _, b := range bs {
			switch {
			case a.surface != b.surface || a.globs != nil || a.equal(b) || !under(b.dir, a.dir):
			case a.dir != b.dir && insteadOf(a, b):
			case a.dir != b.dir:
				return a.surface, "nearer to the files"
			default:
				return a.surface, "for fewer files"
			}
		}
	}
	return "", ""
}

// insteadOf reports whether a surface reads the nearest file of a row alone, so
// that the farther one is not read with it.
func insteadOf(a, b region) bool {
	surfaces, err := rules.Surfaces()
	if err != nil || a.far != b.far {
		return false
	}
	for i := range surfaces {
		if surfaces[i].ID == a.surface {
			return surfaces[i].Reads[a.far%len(surfaces[i].Reads)].In == rules.Nearest
		}
	}
	return false
}
