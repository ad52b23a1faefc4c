package web

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// letter stands for a file in the matrix.
func letter(name string) string {
	base := path.Base(name)
	switch {
	case base == "copilot-instructions.md":
		return "I"
	case strings.HasSuffix(base, ".instructions.md"):
		return "P"
	case strings.HasSuffix(base, ".mdc"), base == ".cursorrules":
		return "R"
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(base, "."))
	return strings.ToUpper(string(first))
}

// legend says what the letters stand for: the most frequent names of each.
func (m matrix) legend() string {
	names := map[string][]string{}
	for _, r := range m.rows {
		for _, c := range r.cells {
			for _, f := range c.files {
				l, name := letter(f.Path), legendName(f.Path)
				if !slices.Contains(names[l], name) {
					names[l] = append(names[l], name)
				}
			}
		}
	}
	var parts []string
	for _, l := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[l])
		shown := names[l]
		if len(shown) > 2 {
			shown = append(slices.Clone(shown[:2]), "others")
		}
		parts = append(parts, l+" is "+strings.Join(shown, " or "))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Letters: " + strings.Join(parts, ", ") + "."
}

// legendName is a file's name without what differs from file to file.
func legendName(name string) string {
	base := path.Base(name)
	switch {
	case base == "copilot-instructions.md":
		return base
	case strings.HasSuffix(base, ".instructions.md"):
		return "*.instructions.md"
	case strings.HasSuffix(base, ".mdc"):
		return "*.mdc"
	}
	return base
}
