package registry

import (
	"slices"
	"strings"

	"steelyard/lint/dependencies"
)

// holdable reports whether a registry could hold a name and version. Others
// are not asked about: part of them would be taken for something else in an
// address, and the answer be one about another package.
func holdable(q dependencies.Query) bool {
	if strings.ContainsAny(q.Name, "?#%\\&;\"<>") || strings.ContainsFunc(q.Name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	elements := strings.Split(q.Name, "/")
	if slices.ContainsFunc(elements, func(s string) bool { return s == "" || s == "." || s == ".." }) {
		return false
	}
	switch q.Ecosystem {
	case dependencies.NPM:
		return len(elements) == 1 || len(elements) == 2 && len(elements[0]) > 1 && elements[0][0] == '@'
	case dependencies.PyPI, dependencies.Cargo, dependencies.RubyGems, dependencies.NuGet:
		return len(elements) == 1 && isPlain(q.Name)
	case dependencies.Docker:
		return !strings.ContainsAny(q.Version, "/?#%\\ ")
	}
	return true
}

// isPlain takes the letters, digits and marks that these registries allow.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
