package tests

import "strings"

// heredoc is a text whose lines begin below the line that names it.
type heredoc struct {
	end    string
	indent bool // the end may be indented
}

func (l *lexer) rubyString() int {
	rest := l.text[l.pos:]
	switch c := rest[0]; {
	case c == '"' || c == '\'' || c == '`':
		return l.quoted(l.pos, true)
	case c == '/' && l.regexMayBegin():
		return l.regex(l.pos)
	case c == '<' && strings.HasPrefix(rest, "<<"):
		return l.heredocName()
	case c == '%' && l.percentMayBegin():
		return l.percent()
	case c == ':':
		return l.symbol()
	case c == '?' && len(rest) > 2 && isWordByte(rest[1]) && !isWordByte(rest[2]) && l.regexMayBegin():
		return l.pos + 2
	}
	return 0
}

// symbol is :name or :"name"; :: and a ternary's colon are none.
func (l *lexer) symbol() int {
	rest := l.text[l.pos+1:]
	if rest == "" || l.pos > 0 && (l.text[l.pos-1] == ':' || isWordByte(l.text[l.pos-1])) {
		return 0
	}
	if rest[0] == '"' {
		return l.quoted(l.pos+1, false)
	}
	n := 0
	for n < len(rest) && isWordByte(rest[n]) {
		n++
	}
	if n == 0 {
		return 0
	}
	if n < len(rest) && (rest[n] == '?' || rest[n] == '!') {
		n++
	}
	return l.pos + 1 + n
}

// heredocName reads <<~NAME and remembers that its lines follow.
func (l *lexer) heredocName() int {
	i := l.pos + 2
	h := heredoc{}
	if i < len(l.text) && (l.text[i] == '~' || l.text[i] == '-') {
		h.indent = true
		i++
	}
	quote := byte(0)
	if i < len(l.text) && (l.text[i] == '"' || l.text[i] == '\'') {
		quote = l.text[i]
		i++
	}
	from := i
	for i < len(l.text) && isWordByte(l.text[i]) {
		i++
	}
	if h.end = l.text[from:i]; h.end == "" || h.end[0] < 'A' || h.end[0] > 'Z' || len(l.heredocs) >= 8 {
		return 0
	}
	if quote != 0 {
		if i >= len(l.text) || l.text[i] != quote {
			return 0
		}
		i++
	}
	l.heredocs = append(l.heredocs, h)
	return i
}

func (l *lexer) skipHeredoc(h heredoc) {
	for l.pos < len(l.text) {
		line, _, found := strings.Cut(l.text[l.pos:], "\n")
		end := strings.TrimRight(line, "\r")
		if h.indent {
			end = strings.TrimSpace(end)
		}
		next := l.pos + len(line)
		if found {
			next++
		}
		l.advance(next)
		if end == h.end {
			return
		}
	}
}

func (l *lexer) percentMayBegin() bool {
	n := len(l.tokens) - 1
	return n < 0 || l.token(n).kind == mark && !closes(l.at(n)) || l.token(n).first && l.fresh || l.fresh ||
		l.token(n).kind == word && l.pos > 0 && l.text[l.pos-1] == ' '
}

// percent is %w[a b], %q(…), %(…) and their like.
func (l *lexer) percent() int {
	i := l.pos + 1
	if i < len(l.text) && strings.ContainsRune("wWiIqQrxs", rune(l.text[i])) {
		i++
	}
	if i >= len(l.text) {
		return 0
	}
	open := l.text[i]
	end, ok := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>', '|': '|', '!': '!', '/': '/'}[open]
	if !ok {
		return 0
	}
	depth := 1
	for i++; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		case open:
			depth++
		}
	}
	return 0
}
