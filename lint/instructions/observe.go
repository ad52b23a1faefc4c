package instructions

import (
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// The bounds of what is kept of a repository's instructions.
const (
	maxKeptFiles = 2000
	maxKeptBytes = 4 << 20
)

// Observe keeps the instruction files with what they link to and import, so
// that what an assistant reads can be said without the repository. What could
// hold a secret that cannot be starred is left out.
func Observe(p *lint.Pass, inventory *lint.Inventory) {
	k := keeper{pass: p, known: map[string]bool{}}
	for _, f := range p.Files(rules.Instructions) {
		k.keep(f)
	}
	slices.SortFunc(k.texts, func(a, b lint.SeenText) int { return strings.Compare(a.Path, b.Path) })
	inventory.Texts = append(inventory.Texts, k.texts...)
}

// keeper gathers texts.
type keeper struct {
	pass  *lint.Pass
	known map[string]bool
	texts []lint.SeenText
	bytes int
}

func (k *keeper) keep(f *lint.File) {
	if k.known[f.Path] {
		return
	}
	k.known[f.Path] = true
	if f.Link != "" {
		k.add(lint.SeenText{Path: f.Path, Link: f.Link})
		if kind, name := k.pass.Entry(f.Path); kind == lint.Regular {
			k.named(name)
		}
		return
	}
	d := lint.Parsed(f, parse)
	if d.Err != nil {
		return
	}
	text := f.Plain(string(d.source))
	if text == "" && len(d.source) > 0 {
		return
	}
	k.add(lint.SeenText{Path: f.Path, Text: text})
	for _, name := range importClosure(k.pass, d) {
		k.named(name)
	}
}

func (k *keeper) named(name string) {
	if f, ok := k.pass.Named(name); ok && readable(name) {
		k.keep(f)
	}
}

func (k *keeper) add(t lint.SeenText) {
	size := len(t.Path) + len(t.Link) + len(t.Text)
	if len(k.texts) >= maxKeptFiles || k.bytes+size > maxKeptBytes {
		k.pass.Skip(t.Path, "the instructions are more than %d files or %d bytes: the rest is not kept", maxKeptFiles, maxKeptBytes)
		return
	}
	k.bytes += size
	k.texts = append(k.texts, t)
}
