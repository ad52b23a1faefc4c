package instructions

import (
	"strings"

	"steelyard/lint"
)

// command is one simple command that a file tells to run.
type command struct {
	words []word
	dir   string // the folder of a `cd` before it, "" for none
	moved bool   // some `cd` stands before it in its block
	at    lint.Span
	// s is the statement around it, nil in a code block; fence the block.
	s     *Statement
	code  Code // the span of s it stands in
	fence *Fence
}

// word is one word of a command, quotes taken off.
type word struct {
	text string
	from int // its place in the line
	to   int
}

// shellLangs are info strings of code blocks that hold commands.
var shellLangs = map[string]bool{
	"": true, "bash": true, "sh": true, "shell": true, "zsh": true, "console": true, "shell-session": true, "shellsession": true,
	"terminal": true, "fish": true, "powershell": true, "pwsh": true, "ps1": true, "cmd": true, "bat": true, "batch": true, "text": true, "txt": true,
}

// commands returns the commands of code blocks and code spans that are not
// examples of what not to do.
func (d *Doc) commands() []command {
	return lint.Parsed(d.File, func(*lint.File) parsedCommands { return d.findCommands() })
}

// parsedCommands is cached by file.
type parsedCommands []command

// maxCommands bounds the commands of one file.
const maxCommands = 5000

func (d *Doc) findCommands() []command {
	var found []command
	for i := range d.Statements {
		s := &d.Statements[i]
		if s.Bad || len(found) > maxCommands {
			continue
		}
		for _, c := range s.Codes {
			for _, cmd := range splitCommands(c.Text) {
				cmd.s, cmd.code = s, c
				cmd.place(func(from, to int) lint.Span { return s.Span(c.From+from, c.From+to) })
				found = append(found, cmd)
			}
		}
	}
	for i := range d.Fences {
		f := &d.Fences[i]
		if !shellLangs[f.Lang] && !taskLangs[f.Lang] || len(found) > maxCommands {
			continue
		}
		found = append(found, f.commands()...)
	}
	return found
}

// taskLangs are code blocks in which only a value after "command:" or "run:"
// is one to run.
var taskLangs = map[string]bool{"yaml": true, "yml": true}

func (f *Fence) commands() []command {
	var found []command
	dir, moved := "", false
	for _, line := range f.Lines {
		text, shift := line.Text, 0
		if m := taskLine.re().FindStringSubmatchIndex(text); m != nil {
			text, shift = text[m[2]:], m[2]
		} else if taskLangs[f.Lang] {
			continue
		}
		cmds := splitCommands(text)
		for _, cmd := range cmds {
			if cmd.is("cd") && len(cmd.words) > 1 {
				// After "cd DIR && COMMAND" a shell stays there, and many who
				// write a list of such lines mean each from where they began.
				if dir, moved = joinDir(dir, cmd.words[1].text), true; len(cmds) > 1 {
					dir = ""
				}
				continue
			}
			if line.Bad {
				continue
			}
			cmd.fence, cmd.moved = f, cmd.moved || moved
			if moved && cmd.dir == "" {
				cmd.dir = dir
			}
			cmd.place(func(from, to int) lint.Span { return line.Span(shift+from, shift+to) })
			found = append(found, cmd)
		}
	}
	return found
}

// taskLine is a line of a task list that says what to run.
var taskLine = compile(`^\s*-?\s*(?:command|run|cmd):\s+["']?(\S.*)$`)

func joinDir(dir, next string) string {
	if dir == "" {
		return next
	}
	return dir + "/" + next
}

func (c *command) is(name string) bool { return len(c.words) > 0 && c.words[0].text == name }

// place sets where the command's words stand in the file.
func (c *command) place(span func(from, to int) lint.Span) {
	c.at = span(c.words[0].from, c.words[len(c.words)-1].to)
}

// maxCommand bounds the line that is split into words.
const maxCommand = 4096

// splitCommands splits a line at &&, ||, ; and | into simple commands, with
// prompts, comments, environment assignments and redirections taken off. A
// `cd DIR &&` gives its folder to those behind it.
func splitCommands(line string) []command {
	if len(line) > maxCommand {
		return nil
	}
	var found []command
	var current []word
	dir, moved := "", false
	flush := func() {
		words := withoutPrefix(current)
		current = nil
		switch {
		case len(words) == 0:
		case words[0].text == "cd" && len(words) > 1 && len(found) > 0:
			dir, moved = joinDir(dir, words[1].text), true
		case words[0].text == "cd" && len(words) > 1:
			dir, moved = joinDir(dir, words[1].text), true
			found = append(found, command{words: words})
		default:
			found = append(found, command{words: words, dir: dir, moved: moved})
		}
	}
	for _, w := range shellWords(line) {
		switch w.text {
		case "&&", "||", ";", "|", "&":
			flush()
		default:
			current = append(current, w)
		}
	}
	flush()
	return found
}

var (
	prompt     = compile(`^(\$|%|>|❯|➜|PS>?|#)$`)
	assignment = compile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// withoutPrefix takes off a prompt, "sudo", "time", "env" and assignments.
func withoutPrefix(words []word) []word {
	for len(words) > 0 {
		w := words[0].text
		if !prompt.MatchString(w) && !assignment.MatchString(w) && w != "sudo" && w != "time" && w != "env" && w != "cross-env" && w != "exec" && w != "then" && w != "do" && w != "!" {
			break
		}
		words = words[1:]
	}
	return words
}

// shellWords splits a line into words and operators. A comment ends it.
func shellWords(line string) []word {
	var words []word
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ' || c == '\t':
			i++
		case c == '#' && len(words) > 0 && (line[i-1] == ' ' || line[i-1] == '\t'):
			return words
		case c == '#' && len(words) == 0 && i+1 < len(line) && line[i+1] != ' ':
			return words
		case c == '#' && len(words) == 0:
			return nil // a comment, or root's prompt, which few write
		case strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "||"):
			words = append(words, word{line[i : i+2], i, i + 2})
			i += 2
		case c == ';' || c == '|' || c == '&':
			words = append(words, word{line[i : i+1], i, i + 1})
			i++
		default:
			end, text := shellWord(line, i)
			words = append(words, word{text, i, end})
			i = end
		}
	}
	return words
}

// shellWord reads one word from i on.
func shellWord(line string, i int) (end int, text string) {
	var b strings.Builder
	quote := byte(0)
	for ; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '"' || c == '\'':
			quote = c
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case c == ' ' || c == '\t' || c == ';' || c == '|' || c == '&' || c == '`':
			if c == '`' {
				i++
			}
			return max(i, 1), b.String()
		default:
			b.WriteByte(c)
		}
	}
	return i, b.String()
}
