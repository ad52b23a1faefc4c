package instructions

import (
	"fmt"

	"steelyard/lint"
	"steelyard/rules"
)

// selfContradiction reports two orders of one file that cannot both be
// followed.
var selfContradiction = lint.Rule{ID: "IN001", Check: checkSelfContradiction}

func checkSelfContradiction(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		list := directives(d)
		said := map[string]bool{} // one finding a topic
		for i := range list {
			for j := range list[:i] {
				a, b := &list[j], &list[i]
				if !a.excludes(b) || said[a.Topic.Name] {
					continue
				}
				said[a.Topic.Name] = true
				line, _ := d.File.Position(a.At.Start)
				p.ReportRelated(d.File, b.At, []lint.Related{related(d, a)}, "%q contradicts line %d, %q (%s)", quote(b.Text), line, quote(a.Text), a.Topic.Title)
			}
		}
		checkBans(p, d)
	}
}

// related is the place of a directive, for a finding about another one.
func related(d *Doc, a *Directive) lint.Related {
	line, column := d.File.Position(a.At.Start)
	return lint.Related{Path: d.File.Path, Line: line, Column: column, Message: fmt.Sprintf("says %q", quote(a.Text))}
}

// quote shortens a sentence for a message.
func quote(s string) string {
	const most = 80
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
