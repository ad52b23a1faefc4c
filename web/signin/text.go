package signin

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is a name as a page may show it: without characters that hide or
// reorder, and not long.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(bound(s, maxName))
}

// bound cuts a text to at most n bytes, between characters.
func bound(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// maxTo bounds the address that somebody wanted to go to: the cookie that
// carries it must stay under the 4 KB that browsers keep.
const maxTo = 1500

// within is where to go after sign-in: a path of our own pages, never another
// host. What is anything else leads to the start.
func within(to string) string {
	if len(to) > maxTo || strings.ContainsFunc(to, func(r rune) bool { return r == '\\' || unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "/"
	}
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || u.User != nil ||
		!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
		return "/"
	}
	clean := path.Clean(u.Path)
	if strings.HasPrefix(clean, Path) || strings.HasPrefix(clean, "//") {
		return "/"
	}
	// EscapedPath may begin with // where the path had an empty first step.
	out := (&url.URL{Path: clean, RawQuery: u.RawQuery}).String()
	if !strings.HasPrefix(out, "/") || strings.HasPrefix(out, "//") {
		return "/"
	}
	return out
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}
