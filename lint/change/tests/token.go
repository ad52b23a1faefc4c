package tests

import "strings"

// kind is the kind of a token.
type kind uint8

const (
	word kind = iota
	number
	text // a string, a character, a regular expression or a symbol
	mark // an operator or a bracket, one to three bytes
)

// token is a piece of a file that is neither white space nor comment.
type token struct {
	kind  kind
	first bool // first on its line
	off   int32
	end   int32
	line  int32 // 1-based
	col   int32 // 0-based, in bytes; a tab counts as one
	mate  int32 // the other bracket of a pair, -1 without one
	up    int32 // the innermost bracket that is open here, -1 outside of all
}

// source is a file cut into tokens.
type source struct {
	text   string
	lang   language
	tokens []token
	blocks map[int]span // extents of indented blocks that were asked for
	// directives are the lines for a preprocessor.
	directives []directive
}

// token is token i; outside of the file it is one without text, at its end. What
// goes by the tokens around one may leave the file anywhere, so nothing reads
// them in another way.
func (s *source) token(i int) token {
	if i < 0 || i >= len(s.tokens) {
		end := int32(len(s.text))
		return token{kind: mark, off: end, end: end, mate: -1, up: -1}
	}
	return s.tokens[i]
}

// at is the text of token i, "" outside of the file.
func (s *source) at(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.text[s.tokens[i].off:s.tokens[i].end]
}

func (s *source) is(i int, want string) bool { return s.at(i) == want }

func (s *source) kind(i int) kind {
	if i < 0 || i >= len(s.tokens) {
		return mark
	}
	return s.tokens[i].kind
}

func (s *source) isWord(i int) bool { return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == word }

// close is the index of the bracket that closes the one at i, or -1.
func (s *source) close(i int) int {
	if i < 0 || i >= len(s.tokens) || int(s.tokens[i].mate) <= i {
		return -1
	}
	return int(s.tokens[i].mate)
}

// line is the line of token i; past the end it is the last one.
func (s *source) line(i int) int {
	if len(s.tokens) == 0 {
		return 1
	}
	return int(s.tokens[min(max(i, 0), len(s.tokens)-1)].line)
}

// offset is where token i begins, the end of the file past the last one.
func (s *source) offset(i int) int {
	if i >= len(s.tokens) {
		return len(s.text)
	}
	return int(s.tokens[max(i, 0)].off)
}

// join writes tokens with single spaces, so that layout does not matter. A
// comma before a closing bracket is layout too.
func (s *source) join(r span) string {
	var b strings.Builder
	for i := r.from; i < r.to; i++ {
		if s.is(i, ",") && (i+1 >= r.to || closes(s.at(i+1))) || s.is(i, ";") && i+1 >= r.to {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.value(i))
	}
	return b.String()
}

// value is a token's text with a string's quotes made one kind.
func (s *source) value(i int) string {
	v := s.at(i)
	if s.kind(i) == text && len(v) >= 2 && v[0] == '\'' && v[len(v)-1] == '\'' && !strings.Contains(v, `"`) {
		return `"` + v[1:len(v)-1] + `"`
	}
	return v
}

func closes(v string) bool { return v == ")" || v == "]" || v == "}" }
func opens(v string) bool  { return v == "(" || v == "[" || v == "{" }

// span is a half-open range of tokens.
type span struct{ from, to int }

func (r span) has(i int) bool { return i >= r.from && i < r.to }
func (r span) len() int       { return r.to - r.from }

// arguments cuts the inside of a bracket pair at its own commas.
func (s *source) arguments(open int) []span {
	end := s.close(open)
	if end < 0 {
		return nil
	}
	var args []span
	from := open + 1
	for i := from; i <= end; i++ {
		if i == end || s.is(i, ",") {
			if i > from {
				args = append(args, span{from, i})
			}
			from = i + 1
			continue
		}
		if c := s.close(i); c > i && opens(s.at(i)) {
			i = min(c, end-1)
		}
	}
	return args
}

// pair links brackets. One that has no partner stays alone, and a bracket that
// closes another kind closes what is open inside as well.
func (s *source) pair() {
	var open []int
	for i := range s.tokens {
		t := &s.tokens[i]
		t.mate, t.up = -1, -1
		if n := len(open); n > 0 {
			t.up = int32(open[n-1])
		}
		if t.kind != mark {
			continue
		}
		switch v := s.at(i); {
		case opens(v):
			open = append(open, i)
		case closes(v):
			for n := len(open) - 1; n >= 0 && n >= len(open)-8; n-- {
				if matching(s.at(open[n]), v) {
					s.tokens[open[n]].mate, t.mate = int32(i), int32(open[n])
					open = open[:n]
					break
				}
			}
		}
	}
}

func matching(open, end string) bool {
	return open == "(" && end == ")" || open == "[" && end == "]" || open == "{" && end == "}"
}

// maxStatement bounds how far a statement is followed either way, in tokens.
const maxStatement = 1000

// statement returns where the statement around token i begins and ends, at
// separators of its own depth. Where lines end statements, a line that begins
// outside of brackets ends one.
func (s *source) statement(i int, within span) span {
	within = span{max(within.from, i-maxStatement), min(within.to, i+maxStatement)}
	from := i
	for from > within.from {
		p := from - 1
		v := s.at(p)
		if s.kind(p) == mark && closes(v) && int(s.tokens[p].mate) >= within.from && int(s.tokens[p].mate) < p && v != "}" {
			from = int(s.tokens[p].mate)
			continue
		}
		if s.kind(p) == mark && (v == ";" || v == "{" || v == "}" || v == "(" || v == "[" || v == "=>") {
			break
		}
		if s.lang.indented() && s.tokens[from].first && s.kind(p) != mark {
			break
		}
		if (s.lang == kotlin || s.lang == javascript) && s.tokens[from].first && !s.goesOn(from) {
			break
		}
		from--
	}
	to := i
	for to < within.to {
		v := s.at(to)
		if s.kind(to) == mark {
			if v == ";" || closes(v) {
				break
			}
			if c := s.close(to); c >= 0 && c < within.to {
				to = c + 1
				continue
			}
		}
		if to > i && s.tokens[to].first && !s.goesOn(to) {
			break
		}
		to++
	}
	return span{from, to}
}

// goesOn reports whether a line that begins at i continues the statement of
// the line before.
func (s *source) goesOn(i int) bool {
	v, before := s.at(i), s.at(i-1)
	if strings.HasPrefix(v, ".") || v == "?." || v == "&&" || v == "||" || v == "?" || v == ":" || v == "+" {
		return true
	}
	switch before {
	case ".", ",", "=", "==", "===", "!=", "&&", "||", "+", "(", "?.", "=>", "!", "\\":
		return true
	}
	return false
}
