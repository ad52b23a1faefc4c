package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

const (
	// maxYAMLNodes bounds the values of a document once its aliases are
	// replaced by what they stand for: a few lines can stand for billions.
	maxYAMLNodes = 20_000
	// maxYAMLBytes bounds a document: the parser takes many times its size.
	maxYAMLBytes = 1 << 20
)

// ParseYAML reads the first document of a YAML file into nodes with exact
// places. Aliases are replaced by what they stand for; a merge key stays a
// member of that name. A document without a value is nil. The error is a
// [*SyntaxError].
func ParseYAML(src []byte) (*Node, error) {
	if len(src) > maxYAMLBytes {
		return nil, &SyntaxError{0, fmt.Sprintf("more than %d bytes", maxYAMLBytes)}
	}
	if err := checkYAML(src); err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(src, &document); err != nil {
		return nil, yamlError(src, err)
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, nil
	}
	r := &yamlReader{src: src, lines: lineStarts(src)}
	root := r.node(document.Content[0], 0)
	if r.fault != nil {
		return nil, r.fault
	}
	if root.Kind == Scalar && root.Text == "" {
		return nil, nil
	}
	return root, nil
}

// ParseFrontMatter reads the YAML between the --- lines at the start of a
// Markdown file, with places in the whole file. It is nil where there is none.
func ParseFrontMatter(src []byte) (*Node, error) {
	end := frontMatter(src)
	if end == 0 {
		return nil, nil
	}
	return ParseYAML(src[:end])
}

// checkYAML bounds the nesting of brackets and of block lists, which the parser
// follows by recursion.
func checkYAML(src []byte) error {
	const most = 4 * maxNesting // a bracket inside a text counts, too
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > most {
			return &SyntaxError{i, fmt.Sprintf("more than %d levels deep", maxNesting)}
		}
	}
	offset := 0
	for line := range bytes.Lines(src) {
		if n := bytes.Count(line, []byte("- ")); n > most && len(bytes.Trim(line, "- \r\n")) < len(line)/2 {
			return &SyntaxError{offset, fmt.Sprintf("more than %d levels deep", maxNesting)}
		}
		offset += len(line)
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?line (\d+): (.*)$`)

// yamlError turns the parser's "yaml: line 3: …" into an offset.
func yamlError(src []byte, err error) *SyntaxError {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	offset := 0
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		starts := lineStarts(src)
		offset = starts[min(max(line-1, 0), len(starts)-1)]
		text = m[2]
	}
	return &SyntaxError{offset, longWord.ReplaceAllString(text, "…")}
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// yamlReader turns the parser's nodes into ours.
type yamlReader struct {
	src   []byte
	lines []int
	count int
	fault *SyntaxError
}

func (r *yamlReader) node(y *yaml.Node, depth int) *Node {
	at := r.place(y)
	n := &Node{Kind: Scalar, At: at, plain: -1}
	r.count++
	switch {
	case r.fault != nil:
		return n
	case depth > maxNesting:
		r.fault = &SyntaxError{at.Start, fmt.Sprintf("more than %d levels deep", maxNesting)}
		return n
	case r.count > maxYAMLNodes:
		r.fault = &SyntaxError{at.Start, fmt.Sprintf("more than %d values", maxYAMLNodes)}
		return n
	}
	switch y.Kind {
	case yaml.AliasNode:
		n = r.node(y.Alias, depth+1)
	case yaml.MappingNode:
		n.Kind = Object
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := y.Content[i]
			n.Members = append(n.Members, Member{key.Value, r.place(key), r.node(y.Content[i+1], depth+1)})
		}
		n.At.End = endOf(n)
	case yaml.SequenceNode:
		n.Kind = Array
		for _, e := range y.Content {
			n.Elements = append(n.Elements, r.node(e, depth+1))
		}
		n.At.End = endOf(n)
	default:
		r.scalar(n, y)
	}
	return n
}

func (r *yamlReader) scalar(n *Node, y *yaml.Node) {
	n.Text = y.Value
	if y.Tag == "!!str" {
		n.Kind = String
	}
	from := n.At.Start
	if y.Style == yaml.DoubleQuotedStyle || y.Style == yaml.SingleQuotedStyle {
		from++
	}
	if bytes.HasPrefix(r.src[min(from, len(r.src)):], []byte(y.Value)) && !strings.Contains(y.Value, "\n") {
		n.plain = from
	}
}

// endOf is where the last part of a list or table ends; without parts it is
// its own start.
func endOf(n *Node) int {
	end := n.At.End
	for _, m := range n.Members {
		end = max(end, m.At.End, m.Value.At.End)
	}
	for _, e := range n.Elements {
		end = max(end, e.At.End)
	}
	return end
}

// place is where a node stands: a scalar of one line as a whole, of any other
// the place where it starts.
func (r *yamlReader) place(y *yaml.Node) Span {
	start := r.offset(y.Line, y.Column)
	rest := r.src[start:]
	end := start
	switch {
	case y.Kind != yaml.ScalarNode:
	case y.Style == yaml.DoubleQuotedStyle:
		end += quotedYAML(rest, '"')
	case y.Style == yaml.SingleQuotedStyle:
		end += quotedYAML(rest, '\'')
	case bytes.HasPrefix(rest, []byte(y.Value)):
		end += len(y.Value)
	default:
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		end += len(bytes.TrimRight(line, " \t\r"))
	}
	return Span{start, end}
}

// offset turns the parser's line and column, which counts characters from 1,
// into an offset.
func (r *yamlReader) offset(line, column int) int {
	if line < 1 || line > len(r.lines) {
		return len(r.src)
	}
	at := r.lines[line-1]
	if at == 0 && bytes.HasPrefix(r.src, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	for ; column > 1 && at < len(r.src) && r.src[at] != '\n'; column-- {
		_, size := utf8.DecodeRune(r.src[at:])
		at += size
	}
	return at
}

// quotedYAML is the length of the quoted text at the start of src.
func quotedYAML(src []byte, quote byte) int {
	for i := 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] != quote:
		case quote == '\'' && i+1 < len(src) && src[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(src)
}
