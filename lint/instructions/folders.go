package instructions

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// checkFolders reports the folders that commands change into, or name by a
// flag, and that are not there.
func checkFolders(p *lint.Pass, d *Doc) {
	for i := range d.Statements {
		s := &d.Statements[i]
		if s.Bad {
			continue
		}
		for _, c := range s.Codes {
			for _, w := range commandFolders(c.Text) {
				checkFolder(p, d, s, w, c.From)
			}
		}
	}
	for i := range d.Fences {
		d.Fences[i].checkFolders(p, d)
	}
}

// makesFolders matches a line of a block after which folders may be there that
// the repository does not have.
var makesFolders = compile(`\b(clone|create|init|new|mkdir|scaffold|degit|checkout|worktree|unzip|tar|generate|prebuild|add)\b`)

func (f *Fence) checkFolders(p *lint.Pass, d *Doc) {
	if !shellLangs[f.Lang] {
		return
	}
	for _, line := range f.Lines {
		if line.Bad {
			continue
		}
		for _, w := range commandFolders(line.Text) {
			checkFolder(p, d, f.statement(line), w, 0)
		}
		if strings.Contains(line.Text, "cd ") || makesFolders.MatchString(line.Text) {
			return // from here on the shell may be anywhere
		}
	}
}

// statement is a line of a block as a sentence of its own.
func (f *Fence) statement(l Line) *Statement {
	s := &Statement{Section: f.Section, Lead: f.Lead, Whole: l.Text}
	s.S = l.Text
	for i := range len(l.Text) {
		s.at = append(s.at, int32(l.At+i))
	}
	return s
}

func checkFolder(p *lint.Pass, d *Doc, s *Statement, w word, from int) {
	if w.to-w.from != len(w.text) {
		return // quoted: its place is not known to the byte
	}
	m, ok := asPath(w.text)
	if !ok {
		return
	}
	m.folder, m.s = true, s
	m.from, m.to = from+w.from, from+w.to
	m.at = s.Span(m.from, m.to)
	if m.anchored(p, d) {
		checkMention(p, d, m, nil)
	}
}

// commandFolders returns the folder that a command line changes into first, or
// that a package manager and make are told by a flag.
func commandFolders(line string) []word {
	for _, cmd := range splitCommands(line) {
		if cmd.is("cd") && len(cmd.words) > 1 {
			return cmd.words[1:2]
		}
		if cmd.dir != "" {
			return nil
		}
		for i, w := range cmd.words {
			flag, value, joined := strings.Cut(w.text, "=")
			if !slices.Contains([]string{"--dir", "--prefix", "--cwd", "-C", "--directory"}, flag) || !slices.ContainsFunc(cmd.words[:i], takesFolder) {
				continue
			}
			if joined {
				return []word{{value, w.to - len(value), w.to}}
			}
			if i+1 < len(cmd.words) {
				return cmd.words[i+1 : i+2]
			}
		}
	}
	return nil
}

// takesFolder reports whether a program runs in the folder of such a flag.
func takesFolder(w word) bool {
	switch w.text {
	case "npm", "pnpm", "yarn", "bun", "make", "gmake", "git":
		return true
	}
	return false
}
