package lint

import (
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// FuzzIgnorePattern holds the short ways of a pattern to the whole one.
func FuzzIgnorePattern(f *testing.F) {
	for _, line := range []string{
		"*.log", "build/", "/dist", "packages/*/x-*.tgz", "**/a/*", "/**/.b/*", "a/**", "x?y", "[ab]*", `\!a`, "*", "a*b", "pr-body-*.md", "a/**/b", "{a,b}", "*]",
	} {
		for _, path := range []string{"a", "a/b", "x.log", "packages/p/x-1.tgz", "ab", "aXb", "pr-body-1.md", "!a", "]", "a/x/b"} {
			f.Add(line, path)
		}
	}
	f.Fuzz(func(t *testing.T, line, path string) {
		p, ok := parseIgnore(line)
		if !ok || path == "" || len(line)+len(path) > 200 || !utf8.ValidString(line+path) {
			// Of bytes that are no text the whole pattern takes any for any other.
			return
		}
		if !utf8.ValidString(line) || !utf8.ValidString(path) {
			return // to the matcher all such bytes are alike; git compares them, as the short ways do
		}
		base := path
		for i, c := range path {
			if c == '/' {
				base = path[i+1:]
			}
		}
		subject := base
		if p.anchored {
			subject = path
		}
		if got, want := p.match(path, base), doublestar.MatchUnvalidated(p.glob, subject); got != want {
			t.Errorf("%q on %q: %v, the whole pattern says %v", line, path, got, want)
		}
	})
}
