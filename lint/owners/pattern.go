package owners

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pattern is one CODEOWNERS pattern as GitHub matches it: like gitignore, but
// a last segment of * stays in its folder, and there are no brackets and no
// negation. It is kept as globs rather than compiled, because a hostile file
// holds hundreds of thousands of them; the fuzz test holds it to
// hmarr/codeowners.
type pattern struct {
	file   string // matches the path itself, "" if it matches folders alone
	inside string // matches what lies below, "" for a last segment of *
	// literal is a part that every matching path holds, start whether it must
	// stand at its start. Both rule most paths out at once.
	literal string
	start   bool
}

// newPattern reads a pattern; fault is why GitHub skips it.
func newPattern(text string) (p pattern, fault string) {
	switch {
	case text == "":
		return pattern{}, "is empty"
	case text[0] == '!':
		return pattern{}, "is a negation, which CODEOWNERS does not know"
	case strings.ContainsAny(text, "[]"):
		return pattern{}, "has brackets, which CODEOWNERS does not know"
	case text[0] == '#' || strings.HasPrefix(text, `\#`):
		return pattern{}, "begins with #, which CODEOWNERS cannot escape"
	case strings.Contains(text, "***"):
		return pattern{}, "has three stars in a row"
	case oddBackslash(text):
		return pattern{}, "ends with a backslash that escapes nothing"
	}
	glob, folder := strings.CutSuffix(text, "/")
	anchored := strings.Contains(glob, "/")
	glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(glob, "/"))
	switch {
	case glob == "":
		return pattern{}, "" // "/" alone matches nothing
	case !anchored && glob != "**":
		glob = "**/" + glob
	}
	p.literal, p.start = literalPart(glob)
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	switch {
	case glob == "**" && folder:
		p.inside = "**/*/*" // everything but the root's files
	case base == "**":
		p.inside = glob + "/*"
	case folder:
		p.inside = glob + "/**/*"
	case base == "*":
		p.file = glob
	default:
		p.file, p.inside = glob, glob+"/**/*"
	}
	return p, ""
}

// literalPart returns the text before the first wildcard, or else the longest
// text between two.
func literalPart(glob string) (literal string, start bool) {
	parts := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune(`*?\`, r) })
	if len(parts) == 0 {
		return "", false
	}
	if strings.HasPrefix(glob, parts[0]) {
		return strings.TrimSuffix(parts[0], "/"), true
	}
	for _, part := range parts {
		if part = strings.Trim(part, "/"); len(part) > len(literal) {
			literal = part
		}
	}
	return literal, false
}

// oddBackslash reports a backslash at the end, which escapes nothing.
func oddBackslash(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// mayMatch is false for most paths that do not match, and cheap.
func (p *pattern) mayMatch(path string) bool {
	if p.start {
		return strings.HasPrefix(path, p.literal)
	}
	return strings.Contains(path, p.literal)
}

func (p *pattern) match(path string) bool {
	return p.mayMatch(path) && p.matchGlobs(path)
}

func (p *pattern) matchGlobs(path string) bool {
	return p.file != "" && doublestar.MatchUnvalidated(p.file, path) ||
		p.inside != "" && doublestar.MatchUnvalidated(p.inside, path)
}
