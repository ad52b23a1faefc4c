package lint

// NodeKind is what a value of a document is.
type NodeKind int

// The kinds of values. TOML's dates and times are Scalar, as are numbers,
// booleans and null.
const (
	Object NodeKind = iota + 1
	Array
	String
	Scalar
)

// Node is one value of a JSON or TOML document, with its place in the source.
type Node struct {
	Kind NodeKind
	// At is the value's place, quotes and brackets included. A TOML table's
	// place is that of the header or key that opened it.
	At Span
	// Text is a string's meaning, escapes resolved, or a scalar's source text.
	Text string
	// Members are an object's, in source order, duplicates kept.
	Members []Member
	// Elements are an array's.
	Elements []*Node

	plain int // offset of Text in the source where it stands there byte for byte, else -1
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	At    Span // the name's place
	Value *Node
}

// Key returns the name as a node of its own.
func (m Member) Key() *Node {
	return &Node{Kind: String, At: m.At, Text: m.Name, plain: -1}
}

// Get follows names down through objects and returns the value, nil if there
// is none. Of duplicate names the last counts, as in every host's reader.
func (n *Node) Get(names ...string) *Node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		var found *Node
		for i := range n.Members {
			if n.Members[i].Name == name {
				found = n.Members[i].Value
			}
		}
		n = found
	}
	return n
}

// All is [Node.Get] with every duplicate, in source order.
func (n *Node) All(names ...string) []*Node {
	if n == nil {
		return nil
	}
	if len(names) == 0 {
		return []*Node{n}
	}
	var found []*Node
	for _, m := range n.Members {
		if m.Name == names[0] {
			found = append(found, m.Value.All(names[1:]...)...)
		}
	}
	return found
}

// Str returns the text of a string, and whether the node is one.
func (n *Node) Str() (string, bool) {
	if n == nil || n.Kind != String {
		return "", false
	}
	return n.Text, true
}

// Sub returns the place of Text[from:to] in the source, or the whole value's
// where escapes keep the two from lining up.
func (n *Node) Sub(from, to int) Span {
	if n.plain < 0 || from < 0 || to > len(n.Text) {
		return n.At
	}
	return Span{n.plain + from, n.plain + to}
}

// SyntaxError says why a document cannot be read, and where.
type SyntaxError struct {
	Offset  int
	Message string // lower case, shows nothing of the document but a character
}

func (e *SyntaxError) Error() string { return e.Message }

// maxNesting bounds how deep a document's values may nest.
const maxNesting = 100

// Is reports whether the node is this string.
func (n *Node) Is(text string) bool {
	return n != nil && n.Kind == String && n.Text == text
}
