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
	negated    bool // "!": takes an earlier match back
	folderOnly bool // trailing "/"
	anchored   bool // a "/" before the end: relative to the file's folder
	literal    bool // no wildcard
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
	p.literal = !strings.ContainsAny(p.glob, `*?[\`)
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

func (p *ignorePattern) match(rel, base string) bool {
	subject := base
	if p.anchored {
		subject = rel
	}
	if p.literal {
		return subject == p.glob
	}
	return doublestar.MatchUnvalidated(p.glob, subject)
}
