package launch

import "steelyard/lint"

// Text is a string of a document, or a part of one, with its place.
type Text struct {
	Value string
	Node  *lint.Node
	from  int // where Value starts in the node's text, -1 if it does not stand there as it is
}

// TextOf returns the whole text of a node.
func TextOf(n *lint.Node) Text { return Text{n.Text, n, 0} }

// At is the place of the whole text, without quotes where that can be told.
func (t Text) At() lint.Span { return t.Sub(0, len(t.Value)) }

// Sub is the place of Value[from:to].
func (t Text) Sub(from, to int) lint.Span {
	if t.from < 0 {
		return t.Node.At
	}
	return t.Node.Sub(t.from+from, t.from+to)
}

// Cut is the part Value[from:to] as a text of its own.
func (t Text) Cut(from, to int) Text {
	cut := Text{t.Value[from:to], t.Node, -1}
	if t.from >= 0 {
		cut.from = t.from + from
	}
	return cut
}
