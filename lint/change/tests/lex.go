package tests

import "strings"

// maxTokens bounds a file's tokens; what stands beyond them is not read.
const maxTokens = 400_000

// lexer cuts a file into tokens in one pass. It knows no more of a language
// than where comments and strings begin and end.
type lexer struct {
	source
	pos       int
	line      int32
	lineStart int
	fresh     bool // no token on this line yet
	heredocs  []heredoc
}

// cut returns a file's tokens with its brackets paired.
func cut(content string, lang language) *source {
	if lang != golang { // whose parser counts the mark of the encoding
		content = strings.TrimPrefix(content, "\ufeff")
	}
	l := &lexer{source: source{text: content, lang: lang}, line: 1, fresh: true}
	l.tokens = make([]token, 0, len(content)/5)
	for l.pos < len(l.text) && len(l.tokens) < maxTokens {
		l.next()
	}
	l.pair()
	return &l.source
}

func (l *lexer) next() {
	c := l.text[l.pos]
	switch {
	case c == '\n':
		l.newline()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		l.pos++
	case l.comment():
	case c >= '0' && c <= '9':
		l.number()
	case l.stringToken():
	case isWordByte(c):
		l.word()
	default:
		l.mark()
	}
}

func (l *lexer) newline() {
	l.pos++
	l.line++
	l.lineStart = l.pos
	l.fresh = true
	for _, h := range l.heredocs {
		l.skipHeredoc(h)
	}
	l.heredocs = nil
	if l.lang == ruby && strings.HasPrefix(l.text[l.pos:], "=begin") {
		l.skipTo("\n=end")
	}
}

// emit adds the token from here to end and counts the lines in it.
func (l *lexer) emit(k kind, end int) {
	end = min(end, len(l.text))
	l.tokens = append(l.tokens, token{
		kind: k, first: l.fresh, off: int32(l.pos), end: int32(end),
		line: l.line, col: int32(l.pos - l.lineStart), mate: -1,
	})
	l.fresh = false
	l.advance(end)
}

func (l *lexer) advance(end int) {
	skipped := l.text[l.pos:end]
	if n := strings.Count(skipped, "\n"); n > 0 {
		l.line += int32(n)
		l.lineStart = l.pos + strings.LastIndexByte(skipped, '\n') + 1
	}
	l.pos = end
}

// comment skips one and reports whether there was one.
func (l *lexer) comment() bool {
	rest := l.text[l.pos:]
	switch {
	case l.lang == python || l.lang == ruby:
		if rest[0] != '#' {
			return false
		}
		l.skipLine()
	case strings.HasPrefix(rest, "//"):
		l.skipLine()
	case strings.HasPrefix(rest, "/*"):
		l.blockComment()
	case l.lang == csharp && rest[0] == '#' && l.fresh:
		from := l.pos
		l.skipLine()
		l.directives = append(l.directives, directive{strings.TrimSpace(l.text[from+1 : l.pos]), len(l.tokens)})
	case l.lang == javascript && strings.HasPrefix(rest, "#!") && l.pos == 0:
		l.skipLine() // the line for the shell
	default:
		return false
	}
	return true
}

func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.text[l.pos:], '\n'); n >= 0 {
		l.pos += n
	} else {
		l.pos = len(l.text)
	}
}

func (l *lexer) skipTo(end string) {
	if n := strings.Index(l.text[l.pos:], end); n >= 0 {
		l.advance(l.pos + n + len(end))
	} else {
		l.advance(len(l.text))
	}
}

// blockComment skips a comment; Rust's and Kotlin's may hold others.
func (l *lexer) blockComment() {
	if l.lang != rust && l.lang != kotlin {
		l.advance(l.pos + 2)
		l.skipTo("*/")
		return
	}
	depth, i := 1, l.pos+2
	for i < len(l.text) && depth > 0 {
		switch {
		case strings.HasPrefix(l.text[i:], "/*"):
			depth, i = depth+1, i+2
		case strings.HasPrefix(l.text[i:], "*/"):
			depth, i = depth-1, i+2
		default:
			i++
		}
	}
	l.advance(i)
}

func (l *lexer) number() {
	i := l.pos + 1
	for i < len(l.text) {
		c := l.text[i]
		switch {
		case isWordByte(c):
		case c == '.' && i+1 < len(l.text) && l.text[i+1] >= '0' && l.text[i+1] <= '9':
		case (c == '-' || c == '+') && (l.text[i-1] == 'e' || l.text[i-1] == 'E') && !strings.HasPrefix(l.text[l.pos:], "0x"):
		default:
			l.emit(number, i)
			return
		}
		i++
	}
	l.emit(number, i)
}

func (l *lexer) word() {
	i := l.pos + 1
	for i < len(l.text) && isWordByte(l.text[i]) {
		i++
	}
	if l.lang == ruby && i < len(l.text) && (l.text[i] == '?' || l.text[i] == '!') && (i+1 >= len(l.text) || l.text[i+1] != '=') {
		i++ // empty?, save!
	}
	l.emit(word, i)
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// marks are the operators of more than one byte that matter, longest first.
var marks = []string{
	"===", "!==", "...", "..=", "<=>", "&&=", "||=", "**=", "==", "!=", "<=", ">=", "=>", "->", "&&", "||", "::", "?.", "??", ":=", "=~", "!~", "+=", "-=",
}

func (l *lexer) mark() {
	rest := l.text[l.pos:]
	for _, m := range marks {
		if m[0] == rest[0] && strings.HasPrefix(rest, m) {
			l.emit(mark, l.pos+len(m))
			return
		}
	}
	l.emit(mark, l.pos+1)
}
