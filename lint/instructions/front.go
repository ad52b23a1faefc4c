package instructions

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// Front is a file's front matter.
type Front struct {
	At   lint.Span // with its dashes
	Keys []Key     // in file order
	// Fault says why no program reads it, "" if one does; FaultAt is where.
	Fault   string
	FaultAt lint.Span
}

// Key is one entry of front matter at its top level.
type Key struct {
	Name string
	At   lint.Span // the name's place
	// Values are the text of a scalar, or of each element of a list; ValueAt
	// is where they stand.
	Values  []string
	ValueAt lint.Span
	List    bool
}

// Get returns the last entry of a name.
func (f *Front) Get(name string) (Key, bool) {
	if f == nil {
		return Key{}, false
	}
	for i := len(f.Keys) - 1; i >= 0; i-- {
		if strings.EqualFold(f.Keys[i].Name, name) {
			return f.Keys[i], true
		}
	}
	return Key{}, false
}

// Text returns a scalar entry's value, "" for none.
func (f *Front) Text(name string) string {
	k, ok := f.Get(name)
	if !ok || len(k.Values) == 0 {
		return ""
	}
	return k.Values[0]
}

// Patterns returns the globs of an entry: a list, or one text with commas
// between them, but not inside braces.
func (k Key) Patterns() []string {
	var found []string
	for _, v := range k.Values {
		depth, start := 0, 0
		for i := 0; i <= len(v); i++ {
			switch {
			case i == len(v) || v[i] == ',' && depth == 0:
				if p := strings.Trim(strings.TrimSpace(v[start:i]), `"'`); p != "" {
					found = append(found, p)
				}
				start = i + 1
			case v[i] == '{':
				depth++
			case v[i] == '}':
				depth--
			}
		}
	}
	return found
}

// maxFront bounds front matter.
const maxFront = 64 << 10

var keyLine = compile(`^([A-Za-z][A-Za-z0-9_-]*)[ \t]*:(?:[ \t]+(.*))?$`)

// readFront reads the front matter at the start of a file and returns where
// the text behind it begins.
func readFront(name string, src []byte) (*Front, int) {
	start := 0
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		start = len("\ufeff")
	}
	line, _, _ := bytes.Cut(src[start:], []byte("\n"))
	if string(bytes.TrimRight(line, " \t\r")) != "---" {
		return unopened(src, start)
	}
	open := min(start+len(line)+1, len(src))
	end, body := closing(src, open)
	switch {
	case end < 0:
		return unclosed(src, start, open)
	case !startsWithKey(src, open, end):
		return nil, start // two rulers with text between them
	}
	f := &Front{At: lint.Span{Start: start, End: body}, Keys: looseKeys(src, open, end)}
	if end-open > maxFront {
		f.Fault, f.FaultAt = fmt.Sprintf("it is longer than %d bytes", maxFront), lint.Span{Start: start}
		f.Keys = nil
		return f, body
	}
	if path.Ext(name) != ".mdc" { // Cursor reads its own form, not YAML
		f.checkYAML(src, open, end)
	}
	return f, body
}

// startsWithKey reports whether the first line that is neither empty nor a comment is
// an entry.
func startsWithKey(src []byte, from, to int) bool {
	for i := from; i < to; {
		next := lineEnd(src, i)
		line := bytes.TrimRight(src[i:min(next, to)], " \t\r\n")
		if len(line) > 0 && line[0] != '#' {
			return keyLine.re().Match(line)
		}
		i = next
	}
	return true
}

var knownKey = compile(`^(applyTo|globs|paths|description|alwaysApply|fileMatchPattern)[ \t]*:`)

// unopened tells front matter whose first line of dashes is missing from a file
// without any.
func unopened(src []byte, start int) (*Front, int) {
	const most = 10 // lines
	if !knownKey.re().Match(src[start:]) {
		return nil, start
	}
	for i, lines := start, 0; i < len(src) && lines < most; lines++ {
		next := lineEnd(src, i)
		if string(bytes.TrimRight(src[i:next], " \t\r\n")) == "---" {
			f := &Front{At: lint.Span{Start: start, End: next}, Fault: "it is not opened by a line of three dashes"}
			f.FaultAt = lint.Span{Start: start, End: start}
			return f, next
		}
		i = next
	}
	return nil, start
}

// closing returns where the line of dashes that ends front matter begins and
// ends, -1 for none.
func closing(src []byte, from int) (end, body int) {
	for i := from; i < len(src); {
		next := lineEnd(src, i)
		if string(bytes.TrimRight(src[i:next], " \t\r\n")) == "---" {
			return i, next
		}
		i = next
	}
	return -1, 0
}

// unclosed tells front matter without an end, which no program reads, from a
// file that begins with a ruler.
func unclosed(src []byte, start, open int) (*Front, int) {
	line := bytes.TrimRight(src[open:lineEnd(src, open)], "\r\n")
	if !keyLine.re().Match(line) {
		return nil, start
	}
	f := &Front{At: lint.Span{Start: start, End: open}}
	f.Fault, f.FaultAt = "it is not closed by a line of three dashes", lint.Span{Start: start, End: start + 3}
	return f, open
}

// looseKeys reads "key: value" lines, lists of dashes below a key, lists in
// brackets, and values that go on in indented lines. It reads what strict YAML
// refuses too, such as Cursor's "globs: *.ts".
func looseKeys(src []byte, from, to int) []Key {
	var keys []Key
	for i := from; i < to && i-from < maxFront; {
		next := lineEnd(src, i)
		line := string(bytes.TrimRight(src[i:min(next, to)], "\r\n"))
		if m := keyLine.re().FindStringSubmatchIndex(line); m != nil {
			k := Key{Name: line[m[2]:m[3]], At: lint.Span{Start: i + m[2], End: i + m[3]}}
			k.ValueAt = lint.Span{Start: i + m[1], End: i + m[1]}
			if m[4] >= 0 {
				k.ValueAt.Start = i + m[4]
				k.setValue(strings.TrimSpace(line[m[4]:m[5]]))
			}
			keys = append(keys, k)
		} else if len(keys) > 0 {
			keys[len(keys)-1].more(line, i)
		}
		i = next
	}
	return keys
}

func (k *Key) setValue(value string) {
	value = withoutComment(value)
	inner, ok := strings.CutPrefix(value, "[")
	if !ok {
		if value != "" && value != "|" && value != ">" && value != "|-" && value != ">-" {
			k.Values = []string{unquote(value)}
		}
		return
	}
	k.List = true
	for _, v := range (Key{Values: []string{strings.TrimSuffix(inner, "]")}}).Patterns() {
		k.Values = append(k.Values, unquote(v))
	}
}

// more adds a line that belongs to the entry above it.
func (k *Key) more(line string, at int) {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" || strings.HasPrefix(trimmed, "#") {
		return
	}
	k.ValueAt.End = at + len(line)
	if item, ok := strings.CutPrefix(trimmed, "- "); ok && (k.List || len(k.Values) == 0) {
		k.List = true
		k.Values = append(k.Values, unquote(withoutComment(strings.TrimSpace(item))))
		return
	}
	if strings.HasPrefix(line, " ") && !k.List {
		if len(k.Values) == 0 {
			k.Values = []string{trimmed}
			return
		}
		k.Values[0] += " " + trimmed
	}
}

// withoutComment takes off " # …" behind an unquoted value.
func withoutComment(value string) string {
	if strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
		return value
	}
	if i := strings.Index(value, " #"); i >= 0 {
		return strings.TrimSpace(value[:i])
	}
	return value
}

func unquote(value string) string {
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		return value[1 : len(value)-1]
	}
	return value
}

var yamlLine = compile(`line (\d+): (.*)`)

// checkYAML notes why YAML refuses the text. Decoding into a node expands no
// alias, so that no document grows.
func (f *Front) checkYAML(src []byte, from, to int) {
	if nested(src[from:to]) {
		f.Fault, f.FaultAt = "it nests too deep", lint.Span{Start: from}
		return
	}
	var n yaml.Node
	err := yaml.Unmarshal(src[from:to], &n)
	if err == nil {
		if len(n.Content) > 0 && n.Content[0].Kind != yaml.MappingNode {
			f.Fault, f.FaultAt = "it holds no keys", lint.Span{Start: from}
		}
		return
	}
	f.Fault, f.FaultAt = "YAML does not read it", lint.Span{Start: from}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		f.Fault = "YAML does not read it: " + m[2]
		number, _ := strconv.Atoi(m[1])
		at := from
		for range number - 1 {
			if at < to {
				at = lineEnd(src, at)
			}
		}
		f.FaultAt = lint.Span{Start: min(at, to)}
	}
}

// maxNesting bounds the brackets and indents of front matter.
const maxNesting = 50

func nested(text []byte) bool {
	depth := 0
	for line := range bytes.Lines(text) {
		if indent := len(line) - len(bytes.TrimLeft(line, " -")); indent > 4*maxNesting {
			return true
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			if depth > maxNesting {
				return true
			}
		}
	}
	return false
}
