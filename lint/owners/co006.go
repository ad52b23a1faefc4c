package owners

import (
	"fmt"
	"path"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// unmatched reports patterns that give no file an owner: a misspelt path, a
// wrong letter case, a folder that moved away.
var unmatched = lint.Rule{ID: "CO006", Check: checkUnmatched}

func checkUnmatched(p *lint.Pass) {
	c := read(p)
	for i := range c.Lines {
		line := &c.Lines[i]
		if line.pattern.file == "" && line.pattern.inside == "" {
			p.Reportf(c.File, line.At, "%q matches no file", line.Glob)
			continue
		}
		if c.work > maxWork {
			p.Skip(c.File.Path, "it has too many lines for this many files: patterns that match nothing were not all looked for")
			return
		}
		c.checkLine(p, line)
	}
}

func (c *Codeowners) checkLine(p *lint.Pass, line *Line) {
	folded := foldedMatch(p, line)
	if folded == "" && !p.Strict() && !governed(line.Glob) {
		return
	}
	if hidden(p, line.Glob) || c.matchesAny(p, line) {
		return
	}
	hint := ""
	if folded != "" {
		hint = fmt.Sprintf("; GitHub tells capitals from small letters, and there is %q", folded)
	}
	p.Reportf(c.File, line.At, "%q matches no file%s", line.Glob, hint)
}

// matchesAny looks for a file that a pattern matches.
func (c *Codeowners) matchesAny(p *lint.Pass, line *Line) bool {
	found := false
	p.EachPath(func(name string) bool {
		c.work++
		if line.pattern.mayMatch(name) {
			c.work += globWork
			found = line.pattern.matchGlobs(name)
		}
		return !found && c.work <= maxWork
	})
	return found || c.work > maxWork
}

// plainPath is a pattern without wildcards as a path, and whether it is one
// from the root.
func plainPath(glob string) (name string, anchored, ok bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(glob, "/**"), "/*"), "/")
	anchored = strings.Contains(name, "/")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "**/"), "/")
	return name, anchored && !strings.HasPrefix(glob, "**/"), name != "" && !strings.ContainsAny(name, `*?\`)
}

// foldedMatch returns a path that a pattern from the root would match if letter
// case did not matter, "" for none.
func foldedMatch(p *lint.Pass, line *Line) string {
	name, anchored, ok := plainPath(line.Glob)
	if !ok || !anchored {
		return ""
	}
	if kind, _ := p.Entry(name); kind != lint.Absent {
		return ""
	}
	if found := p.Folded(name); len(found) > 0 {
		return found[0]
	}
	return ""
}

// hidden reports whether what a pattern names is not in the walk: ignored,
// vendored, in a submodule or behind a link.
func hidden(p *lint.Pass, glob string) bool {
	name, anchored, ok := plainPath(glob)
	if !ok {
		literal, _ := literalPart(strings.TrimPrefix(glob, "/"))
		name, anchored = strings.TrimSuffix(literal, "/"), strings.HasPrefix(glob, "/")
	}
	if name == "" {
		return false
	}
	if kind, _ := p.Entry(name); anchored && kind != lint.Absent {
		// It is there; that the walk did not list it is no fault of the pattern.
		return ok || kind == lint.Beyond || kind == lint.Folder && len(p.Names(name)) == 0
	}
	return p.Ignored(name)
}

// governed reports whether a pattern is meant for files that steer assistants.
func governed(glob string) bool {
	name, _, _ := plainPath(glob)
	rows, err := rules.GovernedFiles()
	if err != nil {
		return false // the table's own test holds it to nil
	}
	base := path.Base(name)
	for _, row := range rows {
		if row.Shared {
			continue
		}
		if last := path.Base(row.Path); last == base && !strings.ContainsAny(last, "*?[{") && !common[last] {
			return true
		}
		for segment := range strings.SplitSeq(row.Path, "/") {
			if strings.HasPrefix(segment, ".") && !common[segment] && segment != path.Base(row.Path) && strings.Contains("/"+name+"/", "/"+segment+"/") {
				return true
			}
		}
	}
	for _, folder := range []string{".github/instructions", ".github/prompts", ".github/agents", ".github/chatmodes", ".github/hooks"} {
		if strings.Contains(name, folder) {
			return true
		}
	}
	return false
}

// common are names in the table that other files have as well.
var common = map[string]bool{
	".github": true, ".vscode": true, ".*": true, "settings.json": true, "config.toml": true, "plugin.json": true, "hooks.json": true,
	"config.json": true, "cli.json": true, ".rules": true, ".zed": true,
}
