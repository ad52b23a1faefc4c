package owners

import (
	"slices"

	"steelyard/lint"
	"steelyard/rules"
)

// Observe lists the governed files with those who own and those who read them.
func Observe(p *lint.Pass, inventory *lint.Inventory) {
	surfaces, err := rules.Surfaces()
	if err != nil {
		surfaces = nil // the table's own test holds the error to nil
	}
	c := read(p)
	for _, f := range p.Files() {
		seen := lint.SeenFile{Path: f.Path, Kinds: []string{}, Readers: []string{}, Owners: []string{}}
		for _, kind := range []rules.Kind{rules.Instructions, rules.Tasks, rules.MCP, rules.Permissions, rules.Ownership, rules.Review} {
			if !f.Is(kind) {
				continue
			}
			seen.Kinds = append(seen.Kinds, string(kind))
			if host := f.Host(kind); host != "" && !slices.Contains(seen.Readers, host) {
				seen.Readers = append(seen.Readers, host)
			}
		}
		for _, s := range surfaces {
			if s.MayRead(f.Path) {
				seen.Readers = append(seen.Readers, s.ID)
			}
		}
		if line, ok := c.Decides(f.Path); ok && line != nil {
			seen.Owners, seen.Line = append(seen.Owners, line.Owners...), line.Number
		}
		inventory.Files = append(inventory.Files, seen)
	}
}
