package launch

import "strings"

// Command is one command of a shell script.
type Command struct {
	Words []Text
	Piped bool // its output goes to the next command
}

// Split splits a text as a shell would: ; & | and line breaks end a
// command, quotes group, a backslash keeps the next character. Words keep
// their place where they stand whole in the text.
func Split(t Text) []Command {
	commands := []Command{{}}
	last := func() *Command { return &commands[len(commands)-1] }
	add := func(word Text) { last().Words = append(last().Words, word) }
	s := t.Value
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.IndexByte(" \t\r", c) >= 0:
			i++
		case strings.IndexByte("\n;&|", c) >= 0:
			if len(last().Words) > 0 {
				last().Piped = c == '|' && !strings.HasPrefix(s[i:], "||")
				commands = append(commands, Command{})
			}
			i++
		default:
			end, plain := endOfWord(s, i)
			switch word := t.Cut(i, end); {
			case plain:
				add(word)
			case end-i >= 2 && s[i] == s[end-1] && !strings.ContainsAny(s[i+1:end-1], `"'\`):
				add(t.Cut(i+1, end-1)) // quoted as a whole
			default:
				word.Value = unquote(word.Value)
				word.from = -1 // no longer lines up with the source
				add(word)
			}
			i = end
		}
	}
	if len(last().Words) == 0 {
		commands = commands[:len(commands)-1]
	}
	return commands
}

// endOfWord returns the offset after the word at i, and whether it has no
// quotes or escapes.
func endOfWord(s string, i int) (end int, plain bool) {
	plain = true
	var quote byte
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote, plain = c, false
		case c == '\\' && i+1 < len(s):
			i++
			plain = false
		case strings.IndexByte(" \t\r\n;&|", c) >= 0:
			return i, plain
		}
	}
	return i, plain
}

// unquote takes the quotes and backslashes off a word.
func unquote(s string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
