package owners

import (
	"crypto/sha256"
	"encoding/hex"
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
	if above, ok := lint.Given[Above](p); ok && above.Owners != nil {
		c = above.Owners
	}
	for _, f := range p.Files() {
		seen := lint.SeenFile{Path: f.Path, Kinds: []string{}, Readers: []string{}, Owners: []string{}, Digest: digest(f)}
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

// digest is of a file's content, shortened: it tells whether a file changed, and
// is too short to tell what stands in it.
func digest(f *lint.File) string {
	text, err := f.Bytes()
	if err != nil {
		return ""
	}
	const enough = 8
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:enough])
}
