package lint

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// ParseJSON reads JSON, with or without comments and trailing commas, into
// nodes with exact places. Which of the two a host accepts is the caller's to
// judge. A document without a value (empty, or comments alone) is nil. The
// error is a [*SyntaxError].
func ParseJSON(src []byte) (*Node, error) {
	if rest, ok := bytes.CutPrefix(src, []byte("\ufeff")); ok {
		src = append([]byte("   "), rest...) // keeps the offsets
	}
	if err := checkJSON(src); err != nil {
		return nil, err
	}
	if emptyJSON(src) {
		return nil, nil
	}
	v, err := hujson.Parse(src)
	if err != nil {
		return nil, jsonError(src, err)
	}
	return jsonNode(&v), nil
}

// checkJSON bounds the nesting before the recursive parser sees it.
func checkJSON(src []byte) error {
	depth := 0
	var err error
	scanJSON(src, func(kind jsonToken, at Span) bool {
		switch kind {
		case jsonOpen:
			depth++
		case jsonClose:
			depth--
		default:
		}
		if depth > maxNesting {
			err = &SyntaxError{at.Start, fmt.Sprintf("more than %d levels deep", maxNesting)}
		}
		return err == nil
	})
	return err
}

func emptyJSON(src []byte) bool {
	end := 0
	empty := true
	scanJSON(src, func(kind jsonToken, at Span) bool {
		comment := kind == jsonLineComment || kind == jsonBlockComment
		empty = comment && len(bytes.TrimSpace(src[end:at.Start])) == 0
		end = at.End
		return empty
	})
	return empty && len(bytes.TrimSpace(src[end:])) == 0
}

// TrailingComma returns the place of the first comma before a closing bracket,
// which plain JSON does not allow.
func TrailingComma(src []byte) (at Span, found bool) {
	var comma Span
	after := false
	scanJSON(src, func(kind jsonToken, token Span) bool {
		switch {
		case kind == jsonLineComment || kind == jsonBlockComment:
		case kind == jsonClose && after:
			at, found = comma, true
		default:
			comma, after = token, src[token.Start] == ','
		}
		return !found
	})
	return at, found
}

// jsonError turns the parser's "hujson: line 3, column 5: …" into an offset.
func jsonError(src []byte, err error) *SyntaxError {
	var line, column int
	text := err.Error()
	if n, _ := fmt.Sscanf(text, "hujson: line %d, column %d:", &line, &column); n != 2 {
		return &SyntaxError{0, "not valid JSON"}
	}
	_, text, _ = strings.Cut(text, ": ")
	_, text, _ = strings.Cut(text, ": ")
	offset := 0
	for range line - 1 {
		offset += bytes.IndexByte(src[offset:], '\n') + 1
	}
	return &SyntaxError{min(offset+column-1, len(src)), text}
}

func jsonNode(v *hujson.Value) *Node {
	n := &Node{At: Span{v.StartOffset, v.EndOffset}, plain: -1}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		for i := range value.Members {
			m := &value.Members[i]
			name := m.Name.Value.(hujson.Literal).String()
			n.Members = append(n.Members, Member{name, Span{m.Name.StartOffset, m.Name.EndOffset}, jsonNode(&m.Value)})
		}
	case *hujson.Array:
		n.Kind = Array
		for i := range value.Elements {
			n.Elements = append(n.Elements, jsonNode(&value.Elements[i]))
		}
	case hujson.Literal:
		if n.Kind = Scalar; value.Kind() == '"' {
			n.Kind = String
		}
		n.Text = value.String()
		if n.Kind == String && n.Text == string(value[1:len(value)-1]) {
			n.plain = v.StartOffset + 1
		}
	}
	return n
}

// jsonToken is what scanJSON tells apart.
type jsonToken int

const (
	jsonString jsonToken = iota
	jsonOpen             // { or [
	jsonClose            // } or ]
	jsonLineComment
	jsonBlockComment
	jsonOther // any other byte that is not white space
)

// scanJSON walks over the tokens of any bytes, valid or not, until yield
// returns false.
func scanJSON(src []byte, yield func(kind jsonToken, at Span) bool) {
	for i := 0; i < len(src); {
		kind, end := jsonOther, i+1
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '"':
			kind, end = jsonString, endOfJSONString(src, i)
		case c == '{' || c == '[':
			kind = jsonOpen
		case c == '}' || c == ']':
			kind = jsonClose
		case bytes.HasPrefix(src[i:], []byte("//")):
			kind, end = jsonLineComment, len(src)
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				end = i + n
			}
			for end > i && src[end-1] == '\r' {
				end--
			}
		case bytes.HasPrefix(src[i:], []byte("/*")):
			kind, end = jsonBlockComment, len(src)
			if n := bytes.Index(src[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
		}
		if !yield(kind, Span{i, end}) {
			return
		}
		i = end
	}
}

// endOfJSONString returns the offset after the string that opens at i; a
// string ends at the latest with its line.
func endOfJSONString(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(src)
}
