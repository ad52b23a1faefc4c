package tests

import "strings"

// stringToken emits a string, character, symbol or regular expression and
// reports whether one begins here. A string that its line does not close is
// no string where strings cannot span lines: JSX text has apostrophes.
func (l *lexer) stringToken() bool {
	end := 0
	switch l.lang {
	case javascript:
		end = l.scriptString()
	case python:
		end = l.pythonString()
	case ruby:
		end = l.rubyString()
	case rust:
		end = l.rustString()
	case csharp:
		end = l.sharpString()
	case golang:
		end = l.simpleString("`", "")
	case java, kotlin:
		end = l.simpleString("", `"""`)
	case groovy:
		end = l.groovyString()
	}
	if end <= l.pos {
		return false
	}
	l.emit(text, end)
	return true
}

// simpleString is a language with quoted strings, one kind of raw ones between
// single bytes and one between three quotes.
func (l *lexer) simpleString(raw, long string) int {
	switch c := l.text[l.pos]; {
	case long != "" && strings.HasPrefix(l.text[l.pos:], long):
		return l.until(l.pos+len(long), long)
	case raw != "" && c == raw[0]:
		return l.until(l.pos+1, raw)
	case c == '"' || c == '\'':
		return l.quoted(l.pos, false)
	case c == '`' && l.lang == kotlin:
		return l.quoted(l.pos, false)
	}
	return 0
}

// until is the place behind the next end from i on, or the end of the file.
func (l *lexer) until(i int, end string) int {
	if n := strings.Index(l.text[i:], end); n >= 0 {
		return i + n + len(end)
	}
	return len(l.text)
}

// quoted is the place behind a string with escapes that begins at i, 0 where it
// does not close (within its line, unless lines are allowed).
func (l *lexer) quoted(i int, lines bool) int {
	quote := l.text[i]
	for i++; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\':
			i++
		case c == quote:
			return i + 1
		case c == '\n' && !lines:
			return 0
		}
	}
	return 0
}

func (l *lexer) scriptString() int {
	switch l.text[l.pos] {
	case '"', '\'':
		return l.quoted(l.pos, false)
	case '`':
		return l.template(l.pos, 0)
	case '/':
		if l.regexMayBegin() {
			return l.regex(l.pos)
		}
	}
	return 0
}

// template is the place behind a template literal, whose ${} may hold others.
func (l *lexer) template(i, depth int) int {
	for i++; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\':
			i++
		case l.text[i] == '`':
			return i + 1
		case strings.HasPrefix(l.text[i:], "${") && depth < 8:
			i = l.placeholder(i+2, depth) - 1
		}
	}
	return len(l.text)
}

func (l *lexer) placeholder(i, depth int) int {
	braces := 1
	for ; i < len(l.text); i++ {
		switch l.text[i] {
		case '{':
			braces++
		case '}':
			if braces--; braces == 0 {
				return i + 1
			}
		case '`':
			i = l.template(i, depth+1) - 1
		case '"', '\'':
			if end := l.quoted(i, false); end > 0 {
				i = end - 1
			}
		}
	}
	return len(l.text)
}

// regexMayBegin tells a regular expression from a division by what is before.
func (l *lexer) regexMayBegin() bool {
	n := len(l.tokens) - 1
	if n < 0 {
		return true
	}
	switch v := l.at(n); l.token(n).kind {
	case mark:
		return v != ")" && v != "]" && v != "}" && (v != "<" || l.lang == ruby)
	case word:
		switch v {
		case "return", "typeof", "case", "in", "of", "and", "or", "if", "unless", "when", "not", "elsif", "puts", "match", "assert_match", "refute_match":
			return true
		}
		// In Ruby, a space before and none behind begins one.
		return l.lang == ruby && l.pos > 0 && l.text[l.pos-1] == ' ' && l.pos+1 < len(l.text) && l.text[l.pos+1] != ' ' && l.text[l.pos+1] != '='
	}
	return false
}

func (l *lexer) regex(i int) int {
	class := false
	for i++; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '\n':
			return 0
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			for i++; i < len(l.text) && isWordByte(l.text[i]); i++ {
			}
			return i
		}
	}
	return 0
}

// prefixed is how many letters of a string's prefix stand here, -1 where no
// string follows.
func (l *lexer) prefixed(letters string) int {
	for n := 0; n <= 3 && l.pos+n < len(l.text); n++ {
		c := l.text[l.pos+n]
		if c == '"' || c == '\'' {
			return n
		}
		if !strings.ContainsRune(letters, rune(c)) {
			return -1
		}
	}
	return -1
}

func (l *lexer) pythonString() int {
	n := l.prefixed("rRbBuUfFtT")
	if n < 0 {
		return 0
	}
	i := l.pos + n
	for _, long := range []string{`"""`, `'''`} {
		if strings.HasPrefix(l.text[i:], long) {
			return l.untilEscaped(i+3, long)
		}
	}
	return l.quoted(i, false)
}

func (l *lexer) untilEscaped(i int, end string) int {
	for ; i < len(l.text); i++ {
		if l.text[i] == '\\' {
			i++
		} else if strings.HasPrefix(l.text[i:], end) {
			return i + len(end)
		}
	}
	return len(l.text)
}

func (l *lexer) rustString() int {
	rest := l.text[l.pos:]
	if rest[0] == '\'' {
		return l.rustChar()
	}
	body := strings.TrimLeft(rest, "bc")
	if len(rest)-len(body) > 1 {
		return 0
	}
	if raw, ok := strings.CutPrefix(body, "r"); ok {
		hashes := len(raw) - len(strings.TrimLeft(raw, "#"))
		if hashes < len(raw) && hashes < 32 && raw[hashes] == '"' {
			return l.until(len(l.text)-len(raw)+hashes+1, `"`+strings.Repeat("#", hashes))
		}
		return 0
	}
	if strings.HasPrefix(body, `"`) {
		return l.quoted(len(l.text)-len(body), true)
	}
	return 0
}

// rustChar tells a character from a lifetime.
func (l *lexer) rustChar() int {
	rest := l.text[l.pos+1:]
	if strings.HasPrefix(rest, `\`) {
		return l.quoted(l.pos, false)
	}
	for n := range min(len(rest), 5) {
		if rest[n] == '\'' && n > 0 {
			if n == 1 || rest[0] >= 0x80 {
				return l.pos + n + 2
			}
			return 0
		}
	}
	return 0
}

func (l *lexer) sharpString() int {
	n := 0
	for l.pos+n < len(l.text) && n < 4 && (l.text[l.pos+n] == '$' || l.text[l.pos+n] == '@') {
		n++
	}
	i := l.pos + n
	if i >= len(l.text) || l.text[i] != '"' && (n > 0 || l.text[i] != '\'') {
		return 0
	}
	quotes := len(l.text[i:]) - len(strings.TrimLeft(l.text[i:], `"`))
	switch {
	case strings.Contains(l.text[l.pos:i], "@"):
		return l.verbatim(i + 1) // three quotes are one in it
	case quotes >= 3 && quotes < 16:
		return l.until(i+quotes, strings.Repeat(`"`, quotes))
	}
	return l.quoted(i, false)
}

// verbatim is the place behind a string in which two quotes stand for one.
func (l *lexer) verbatim(i int) int {
	for ; i < len(l.text); i++ {
		if l.text[i] != '"' {
			continue
		}
		if i+1 < len(l.text) && l.text[i+1] == '"' {
			i++
			continue
		}
		return i + 1
	}
	return len(l.text)
}
