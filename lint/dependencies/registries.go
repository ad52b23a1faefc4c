package dependencies

import (
	"slices"
	"strings"
)

// withoutSecrets takes out of an address what may be one: the user with the
// password, and the values of a query.
func withoutSecrets(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	address, fragment, marked := strings.Cut(rest, "#")
	address, query, asks := strings.Cut(address, "?")
	authority, path, slash := strings.Cut(address, "/")
	if user, _, ok := strings.Cut(authority, ":"); ok && !strings.Contains(authority, "@") && strings.Contains(path, "@") && !isPort(authority[len(user)+1:]) {
		// A password with a slash in it.
		authority, path, slash = strings.Cut(address[strings.LastIndexByte(address, '@')+1:], "/")
	}
	out := scheme + "://" + authority[strings.LastIndexByte(authority, '@')+1:]
	if slash {
		out += "/" + path
	}
	if asks && query != "" {
		out += "?…"
	}
	if marked {
		out += "#" + fragment
	}
	return out
}

func isPort(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// registryKey is the form in which addresses of registries are compared.
func registryKey(address string) string {
	address = strings.TrimPrefix(strings.TrimSpace(address), "sparse+")
	return strings.Join(strings.Fields(strings.TrimRight(withoutSecrets(address), "/")), "%20")
}

// names notes that a tree, or its user, names a registry that is not asked
// anyway, and returns the address in the form of [Dependency.Registry].
func (r *reading) names(e Ecosystem, address string) string {
	key := registryKey(address)
	if key != "" {
		r.registries[string(e)+" "+key] = true
	}
	return key
}

// markFirstPrivate marks the entries of a registry that the change itself
// brings in. Where an entry does not say which, any that the base used counts.
func markFirstPrivate(base Tree, lists ...[]Entry) {
	if base.Files == 0 {
		return // with nothing to compare with, no registry is news
	}
	used, private := map[Ecosystem]bool{}, map[Ecosystem]bool{}
	for _, d := range base.Dependencies {
		used[d.Ecosystem] = true
		private[d.Ecosystem] = private[d.Ecosystem] || d.Source == FromPrivate
	}
	for _, list := range lists {
		for i, e := range list {
			switch {
			case e.Ecosystem == Go: // the user's own settings decide
			case e.Source != FromPrivate && (e.Source != FromRegistry || !e.Elsewhere):
			case e.Registry != "":
				list[i].FirstPrivate = slices.ContainsFunc(strings.Fields(e.Registry), func(address string) bool {
					return !base.registries[string(e.Ecosystem)+" "+address]
				})
			case e.Source == FromPrivate:
				list[i].FirstPrivate = used[e.Ecosystem] && !private[e.Ecosystem]
			}
		}
	}
}
