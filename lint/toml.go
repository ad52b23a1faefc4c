package lint

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// ParseTOML reads TOML into nodes with exact places. BurntSushi/toml decides
// what is valid but keeps no places of values, so a second, smaller reader
// finds them in the text that the first has accepted; the fuzz test holds the
// two to the same values. The error is a [*SyntaxError].
func ParseTOML(src []byte) (*Node, error) {
	if rest, ok := bytes.CutPrefix(src, []byte("\ufeff")); ok {
		src = append([]byte("   "), rest...) // keeps the offsets
	}
	if err := checkTOML(src); err != nil {
		return nil, err
	}
	var values map[string]any
	if _, err := toml.Decode(string(src), &values); err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return nil, &SyntaxError{min(max(parse.Position.Start, 0), len(src)), longWord.ReplaceAllString(parse.Message, "…")}
		}
		return nil, &SyntaxError{0, "not valid TOML"}
	}
	r := &tomlReader{src: src, root: &Node{Kind: Object, At: Span{0, len(src)}, plain: -1}, index: map[*Node]*tomlIndex{}}
	if err := r.document(); err != nil {
		return nil, err
	}
	return r.root, nil
}

// longWord matches what a parser's message may quote from a document. It may be
// a secret.
var longWord = regexp.MustCompile(`\S{16,}`)

// maxTOMLParts bounds the keys, tables and lists of a document: the parser
// takes kilobytes for each.
const maxTOMLParts = 20_000

// checkTOML bounds the nesting of brackets and of dotted keys, and how many
// there are, before the parser sees them.
func checkTOML(src []byte) error {
	depth, dots, parts := 0, 0, 0
	var err error
	scanTOML(src, func(kind tomlToken, at Span) bool {
		switch {
		case kind == tomlOpen, kind == tomlDot, kind == tomlBreak && src[at.Start] == '=':
			parts++
		}
		switch kind {
		case tomlOpen:
			depth++
		case tomlClose:
			depth--
		case tomlDot:
			dots++
		case tomlBreak:
			dots = 0
		default:
		}
		if depth > maxNesting || dots > maxNesting {
			err = &SyntaxError{at.Start, fmt.Sprintf("more than %d levels deep", maxNesting)}
		}
		if err == nil && parts > maxTOMLParts {
			err = &SyntaxError{at.Start, fmt.Sprintf("more than %d keys and tables", maxTOMLParts)}
		}
		return err == nil
	})
	return err
}

// tomlReader builds nodes from a document that is known to be valid.
type tomlReader struct {
	src   []byte
	pos   int
	root  *Node
	index map[*Node]*tomlIndex // of large tables
}

// tomlIndex finds the members of a table by name.
type tomlIndex struct {
	byName map[string]*Node
	known  int // members in byName
}

// child is the member of that name, nil if there is none. A large table is
// indexed: a document of many dotted keys asks it for each.
func (r *tomlReader) child(n *Node, name string) *Node {
	const large = 16
	if len(n.Members) < large {
		return n.Get(name)
	}
	x := r.index[n]
	if x == nil {
		x = &tomlIndex{byName: make(map[string]*Node, len(n.Members))}
		r.index[n] = x
	}
	for ; x.known < len(n.Members); x.known++ {
		m := n.Members[x.known]
		x.byName[m.Name] = m.Value
	}
	return x.byName[name]
}

// document reads headers and key-value pairs into the table they belong to.
func (r *tomlReader) document() error {
	table := r.root
	for {
		r.space(true)
		if r.pos >= len(r.src) {
			return nil
		}
		if r.src[r.pos] != '[' {
			if err := r.pair(table); err != nil {
				return err
			}
			continue
		}
		r.pos++
		array := r.accept('[')
		keys, err := r.key()
		if err != nil {
			return err
		}
		if table = r.open(r.root, keys, array); table == nil || !r.accept(']') || array && !r.accept(']') {
			return r.lost()
		}
	}
}

// tomlKey is one part of a dotted key.
type tomlKey struct {
	name string
	at   Span
}

// open returns the table that a header or a dotted key leads to from n. A name
// that stands for an array of tables means its last table; with array set, the
// last name gets a new one.
func (r *tomlReader) open(n *Node, keys []tomlKey, array bool) *Node {
	for i, k := range keys {
		next := r.child(n, k.name)
		last := i == len(keys)-1
		if next == nil {
			next = &Node{Kind: Object, At: k.at, plain: -1}
			if array && last {
				next.Kind = Array
			}
			n.Members = append(n.Members, Member{k.name, k.at, next})
		}
		if next.Kind == Array && array && last {
			next.Elements = append(next.Elements, &Node{Kind: Object, At: k.at, plain: -1})
		}
		if next.Kind == Array {
			if len(next.Elements) == 0 {
				return nil
			}
			next = next.Elements[len(next.Elements)-1]
		}
		if next.Kind != Object {
			return nil
		}
		n = next
	}
	return n
}

// pair reads "key = value" into a table.
func (r *tomlReader) pair(table *Node) error {
	keys, err := r.key()
	if err != nil {
		return err
	}
	last := keys[len(keys)-1]
	if table = r.open(table, keys[:len(keys)-1], false); table == nil || !r.accept('=') {
		return r.lost()
	}
	value, err := r.value()
	if err != nil {
		return err
	}
	table.Members = append(table.Members, Member{last.name, last.at, value})
	return nil
}

// key reads a bare, quoted or dotted key.
func (r *tomlReader) key() ([]tomlKey, error) {
	var keys []tomlKey
	for {
		r.space(false)
		start := r.pos
		if r.pos < len(r.src) && (r.src[r.pos] == '"' || r.src[r.pos] == '\'') {
			n, err := r.text()
			if err != nil {
				return nil, err
			}
			keys = append(keys, tomlKey{n.Text, n.At})
		} else {
			for r.pos < len(r.src) && !bytes.ContainsRune([]byte(" \t\r\n.=]"), rune(r.src[r.pos])) {
				r.pos++
			}
			keys = append(keys, tomlKey{string(r.src[start:r.pos]), Span{start, r.pos}})
		}
		if r.pos == start {
			return nil, r.lost()
		}
		r.space(false)
		if !r.accept('.') {
			return keys, nil
		}
	}
}

func (r *tomlReader) value() (*Node, error) {
	r.space(false)
	if r.pos >= len(r.src) {
		return nil, r.lost()
	}
	start := r.pos
	switch r.src[r.pos] {
	case '"', '\'':
		return r.text()
	case '[':
		return r.list(&Node{Kind: Array, plain: -1}, ']', func(n *Node) error {
			value, err := r.value()
			n.Elements = append(n.Elements, value)
			return err
		})
	case '{':
		return r.list(&Node{Kind: Object, plain: -1}, '}', r.pair)
	}
	for r.pos < len(r.src) && !bytes.ContainsRune([]byte(",]}#\r\n"), rune(r.src[r.pos])) {
		r.pos++
	}
	text := strings.TrimRight(string(r.src[start:r.pos]), " \t")
	if text == "" {
		return nil, r.lost()
	}
	return &Node{Kind: Scalar, At: Span{start, start + len(text)}, Text: text, plain: start}, nil
}

// list reads what stands between brackets, commas between the entries.
func (r *tomlReader) list(n *Node, closing byte, entry func(*Node) error) (*Node, error) {
	n.At.Start = r.pos
	r.pos++
	for {
		r.space(true)
		if r.accept(closing) {
			n.At.End = r.pos
			return n, nil
		}
		if err := entry(n); err != nil {
			return nil, err
		}
		r.space(true)
		if !r.accept(',') && (r.pos >= len(r.src) || r.src[r.pos] != closing) {
			return nil, r.lost()
		}
	}
}

// text reads a string of any of the four kinds.
func (r *tomlReader) text() (*Node, error) {
	start := r.pos
	end := endOfTOMLString(r.src, start)
	quote := r.src[start]
	marks := 1
	if bytes.HasPrefix(r.src[start:], bytes.Repeat([]byte{quote}, 3)) {
		marks = 3
	}
	if end-start < 2*marks {
		return nil, r.lost()
	}
	r.pos = end
	from := start + marks
	if marks == 3 { // a line break right after the marks does not count
		if bytes.HasPrefix(r.src[from:], []byte("\r\n")) {
			from += 2
		} else if r.src[from] == '\n' {
			from++
		}
	}
	raw := string(r.src[from : end-marks])
	n := &Node{Kind: String, At: Span{start, end}, Text: raw, plain: from}
	if quote == '"' {
		n.Text = unescapeTOML(raw)
	}
	if n.Text != raw {
		n.plain = -1
	}
	return n, nil
}

// space skips white space and, with lines set, line breaks and comments too.
func (r *tomlReader) space(lines bool) {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\t':
			r.pos++
		case lines && (c == '\n' || c == '\r'):
			r.pos++
		case lines && c == '#':
			r.pos = endOfLine(r.src, r.pos)
		default:
			return
		}
	}
}

// accept takes c, after spaces, if it is next.
func (r *tomlReader) accept(c byte) bool {
	r.space(false)
	if r.pos >= len(r.src) || r.src[r.pos] != c {
		return false
	}
	r.pos++
	return true
}

func (r *tomlReader) lost() error {
	return &SyntaxError{min(r.pos, len(r.src)), "not valid TOML"}
}
