package lint

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreList is a folder's ignore file and those above it, nearest first. The
// nil list ignores nothing.
type ignoreList struct {
	prefix   string // the folder with a slash, "" for the root
	patterns []ignorePattern
	above    *ignoreList
}

// ignorePattern is one line of a .gitignore, as gitignore(5) describes it.
type ignorePattern struct {
	glob       string
	negated    bool   // "!": takes an earlier match back
	folderOnly bool   // trailing "/"
	anchored   bool   // a "/" before the end: relative to the file's folder
	start, end string // plain text that a match begins and ends with
	plain      bool   // nothing but those two: start, or start*end of a name
}

func (l *ignoreList) with(dir, text string) *ignoreList {
	list := &ignoreList{above: l}
	if dir != "." {
		list.prefix = dir + "/"
	}
	for line := range strings.Lines(text) {
		if p, ok := parseIgnore(line); ok {
			list.patterns = append(list.patterns, p)
		}
	}
	return list
}

// braces are plain characters in an ignore file.
var braces = strings.NewReplacer("{", `\{`, "}", `\}`)

func parseIgnore(line string) (ignorePattern, bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = strings.TrimSuffix(line, " ")
	}
	if line == "" || strings.HasPrefix(line, "#") {
		return ignorePattern{}, false
	}
	var p ignorePattern
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.folderOnly = strings.CutSuffix(line, "/")
	p.anchored = strings.Contains(line, "/")
	p.glob = braces.Replace(strings.TrimPrefix(line, "/"))
	if strings.HasSuffix(p.glob, "/**") {
		p.glob += "/*" // what is inside, not the folder itself
	}
	p.ends()
	return p, p.glob != "" && doublestar.ValidatePattern(p.glob)
}

// ignored reports whether a path is ignored. The nearest file with a pattern
// for it decides, and in it the last such pattern.
func (l *ignoreList) ignored(full string, folder bool) bool {
	for ; l != nil; l = l.above {
		rel := strings.TrimPrefix(full, l.prefix)
		base := rel[strings.LastIndexByte(rel, '/')+1:]
		for i := len(l.patterns) - 1; i >= 0; i-- {
			p := &l.patterns[i]
			if (folder || !p.folderOnly) && p.match(rel, base) {
				return !p.negated
			}
		}
	}
	return false
}

// ends takes the plain text around the wildcards: for most paths a look at it
// is enough to say no.
func (p *ignorePattern) ends() {
	const wildcards = `*?[\`
	first := strings.IndexAny(p.glob, wildcards)
	if first < 0 {
		p.start, p.plain = p.glob, true
		return
	}
	p.start = p.glob[:first]
	if strings.ContainsRune(p.glob, '\\') || strings.Contains(p.glob, "**") {
		// An escape is no plain text, and "/**" matches nothing as well.
		p.start = p.start[:strings.LastIndexByte(p.start, '/')+1]
		p.start = strings.TrimSuffix(p.start, "/")
		return
	}
	last := strings.LastIndexAny(p.glob, wildcards+"]")
	p.end = p.glob[last+1:]
	p.plain = !p.anchored && first == last && p.glob[first] == '*'
}

func (p *ignorePattern) match(rel, base string) bool {
	subject := base
	if p.anchored {
		subject = rel
	}
	switch {
	case !strings.HasPrefix(subject, p.start) || !strings.HasSuffix(subject, p.end):
		return false
	case p.plain && p.start == p.glob:
		return subject == p.glob
	case p.plain:
		return len(subject) >= len(p.start)+len(p.end)
	}
	return doublestar.MatchUnvalidated(p.glob, subject)
}
