package instructions

import (
	"path"
	"strings"
	"unicode"

	"steelyard/lint"
)

// mention is a path that a statement names.
type mention struct {
	path   string // relative, cleaned, without a trailing slash
	folder bool   // written with a trailing slash or called a folder
	link   bool   // the destination of a link
	at     lint.Span
	from   int // its place in the statement
	to     int
	s      *Statement
}

// mentions returns the paths that a statement names in code and in links.
// Words of prose are none: "and/or" is no path.
func (s *Statement) mentions() []mention {
	var found []mention
	for _, c := range s.Codes {
		if m, ok := asPath(c.Text); ok && !insideLink(s, c) {
			m.at, m.from, m.to, m.s = s.Span(c.From, c.To), c.From, c.To, s
			m.folder = m.folder || folderWord.MatchString(s.S[c.To:])
			found = append(found, m)
		}
	}
	for _, l := range s.Links {
		dest := strings.TrimPrefix(l.Dest, "mdc:")
		m, ok := asLink(dest)
		if !ok {
			continue
		}
		if !strings.Contains(m.path, "/") && path.Ext(m.path) == "" {
			continue // the name of something, not a file
		}
		m.link, m.at, m.from, m.to, m.s = true, s.Span(l.From, l.To), l.From, l.To, s
		found = append(found, m)
	}
	return found
}

// insideLink reports whether a code span is the label of a link, whose
// destination says where it lies.
func insideLink(s *Statement, c Code) bool {
	for _, l := range s.Links {
		if l.Open < c.From && c.To < l.From {
			return true
		}
	}
	return false
}

var (
	lineSuffix  = compile(`(:\d+([-:,]\d+)*|#L\d+(-L?\d+)?|#[\w-]*|::[\w:]+(\(\))?)$`)
	pathChars   = compile(`^[\pL\pN._/@+~\[\]()%=-]+$`)
	hostSegment = compile(`^[\w-]+(\.[\w-]+)*\.(com|org|net|io|dev|sh|rs|ai|app|co|cloud|gov|edu|example|test|local|internal|me|so|xyz|page|site|tech|build|run|live)(:\d+)?$`)
)

// asPath reads a code span as a relative path.
func asPath(code string) (mention, bool) {
	code = strings.TrimSpace(code)
	code = lineSuffix.re().ReplaceAllString(code, "")
	if !strings.Contains(code, "/") || !pathChars.MatchString(code) || placeholderPath(code) {
		return mention{}, false
	}
	if strings.ContainsAny(code[:1], "/@~-+%=(") || strings.Contains(code, "//") {
		return mention{}, false
	}
	first, _, _ := strings.Cut(code, "/")
	if hostSegment.MatchString(first) || strings.Contains(first, "@") {
		return mention{}, false
	}
	clean := path.Clean(code)
	if clean == "." || clean == ".." {
		return mention{}, false
	}
	return mention{path: clean, folder: strings.HasSuffix(code, "/")}, true
}

// asLink reads a link's destination as a relative path.
func asLink(dest string) (mention, bool) {
	if i := strings.IndexAny(dest, "#?"); i >= 0 {
		dest = dest[:i]
	}
	if dest == "" || strings.Contains(dest, ":") || strings.HasPrefix(dest, "/") || strings.HasPrefix(dest, "@") {
		return mention{}, false
	}
	dest = strings.ReplaceAll(dest, "%20", " ")
	if placeholderPath(dest) || !pathChars.MatchString(strings.ReplaceAll(dest, " ", "_")) {
		return mention{}, false
	}
	clean := path.Clean(dest)
	if clean == "." || clean == ".." {
		return mention{}, false
	}
	return mention{path: clean, folder: strings.HasSuffix(dest, "/")}, true
}

// placeholderWords stand in a path for a name of the reader's own.
var placeholderWords = compile(`(?i)(^|[-_.])(x{2,}|y{2,}|n{2,}|yyyy|mm|dd|foo|bar|baz|qux|example|examplename|your|my|some|name|slug|id|placeholder|sample|feature-?name|component-?name|path|to|version|lang|locale|module-?name|package-?name|new|foobar|acme|todo|domain|entity|resource|topic|ticket|abc|hash|uuid|timestamp|date|other|another|custom|hello|feature|test-?name|snake_case|kebab-case|camelcase|pascalcase|something|whatever|thing|n|x|y)($|[-_.])`)

var camelPlaceholder = compile(`^(My|Your|Some|Example|Sample|New|Foo|Bar)([A-Z]|$)|[a-z](Name|Template|Example)(\.|$)|^(Feature|Component|Module|Entity|Resource|Domain|Widget|Service|Page|Model|Foo|Bar)(\.|$)`)

// caseWords are ways to write a name, for which a name so written stands.
var caseWords = map[string]bool{
	"snake_case": true, "kebab-case": true, "camelCase": true, "PascalCase": true, "UPPER_CASE": true, "lower_case": true, "UPPER_SNAKE_CASE": true,
}

var upperPlaceholder = compile(`^[A-Z][A-Z0-9_-]*$`)

// upperNames are real names in capitals.
var upperNames = map[string]bool{
	"AGENTS": true, "CLAUDE": true, "README": true, "LICENSE": true, "CODEOWNERS": true, "Makefile": true, "BUILD": true,
	"GEMINI": true, "CHANGELOG": true, "CONTRIBUTING": true, "SECURITY": true, "TODO": true, "VERSION": true, "WORKSPACE": true,
	"MODULE": true, "NOTICE": true, "AUTHORS": true, "SKILL": true,
}

// placeholderPath reports whether a segment of a path stands for the reader's
// own name: "path/to", "MyComponent", "YYYY-MM", "…".
func placeholderPath(name string) bool {
	if strings.Contains(name, "...") || strings.Contains(name, "…") {
		return true
	}
	for _, s := range strings.Split(name, "/") {
		if strings.ContainsAny(s, "[]()") {
			return true
		}
		if s == "" || s == "." || s == ".." || s[0] == '.' {
			continue
		}
		stem := strings.TrimSuffix(s, path.Ext(s))
		switch {
		case caseWords[stem]:
			return true
		case placeholderWords.MatchString(stem) && !knownPart(s):
			return true
		case camelPlaceholder.MatchString(s):
			return true
		case path.Ext(s) == "" && upperPlaceholder.MatchString(s) && len(s) > 1 && !upperNames[s]:
			return true
		case strings.IndexFunc(s, unicode.IsControl) >= 0:
			return true
		}
	}
	return false
}

// knownPart holds words that are placeholders on their own but common parts of
// real names.
func knownPart(s string) bool {
	stem := strings.ToLower(strings.TrimSuffix(s, path.Ext(s)))
	for _, w := range strings.FieldsFunc(stem, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		switch w {
		case "foo", "bar", "baz", "xx", "xxx", "yyyy", "nn", "nnn", "your", "my", "placeholder", "example", "name", "slug", "some", "foobar", "acme":
			return false
		}
	}
	return strings.ContainsAny(stem, "-_.")
}
