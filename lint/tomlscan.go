package lint

import (
	"bytes"
	"strconv"
	"strings"
)

// tomlToken is what scanTOML tells apart.
type tomlToken int

const (
	tomlString tomlToken = iota
	tomlComment
	tomlOpen  // [ or {
	tomlClose // ] or }
	tomlDot
	tomlBreak // = , or a line break: a dotted key ends here
	tomlOther
)

// scanTOML walks over the tokens of any bytes, valid or not, until yield
// returns false.
func scanTOML(src []byte, yield func(kind tomlToken, at Span) bool) {
	for i := 0; i < len(src); {
		kind, end := tomlOther, i+1
		switch src[i] {
		case ' ', '\t', '\r':
			i++
			continue
		case '"', '\'':
			kind, end = tomlString, endOfTOMLString(src, i)
		case '#':
			kind, end = tomlComment, endOfLine(src, i)
		case '[', '{':
			kind = tomlOpen
		case ']', '}':
			kind = tomlClose
		case '.':
			kind = tomlDot
		case '=', ',', '\n':
			kind = tomlBreak
		}
		if !yield(kind, Span{i, end}) {
			return
		}
		i = end
	}
}

// endOfLine returns the offset of the line's end, before its break.
func endOfLine(src []byte, i int) int {
	end := len(src)
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		end = i + n
	}
	for end > i && src[end-1] == '\r' {
		end--
	}
	return end
}

// endOfTOMLString returns the offset after the string that opens at i. A
// string of one line ends at the latest with it; one of several lines may hold
// one or two quotes before its three closing ones.
func endOfTOMLString(src []byte, i int) int {
	quote := src[i]
	triple := bytes.Repeat([]byte{quote}, 3)
	multi := bytes.HasPrefix(src[i:], triple)
	if !multi && bytes.HasPrefix(src[i:], triple[:2]) {
		return i + 2
	}
	if i++; multi {
		i += 2
	}
	for ; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == '\n' && !multi:
			return i
		case multi && bytes.HasPrefix(src[i:], triple):
			i += 3
			for extra := 0; extra < 2 && i < len(src) && src[i] == quote; extra++ {
				i++
			}
			return i
		case src[i] == quote && !multi:
			return i + 1
		}
	}
	return len(src)
}

// unescapeTOML resolves the escapes of a basic string.
func unescapeTOML(raw string) string {
	if !strings.Contains(raw, `\`) && !strings.Contains(raw, "\r") {
		return raw
	}
	simple := map[byte]string{
		'b': "\b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r", 'e': "\x1b", '"': `"`, '\\': `\`,
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		if text, ok := simple[raw[i]]; ok {
			b.WriteString(text)
		} else if n := digits[raw[i]]; n > 0 && i+n < len(raw) {
			code, _ := strconv.ParseUint(raw[i+1:i+1+n], 16, 32)
			b.WriteRune(rune(code))
			i += n
		} else { // a line break and the white space after it
			for i+1 < len(raw) && strings.ContainsRune(" \t\r\n", rune(raw[i+1])) {
				i++
			}
		}
	}
	return b.String()
}
