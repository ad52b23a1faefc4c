package lint

import "time"

// PlainNode returns a string that stands in a file's source byte for byte, as
// prose and code do: places in its text are places in the file.
func PlainNode(at Span, text string) *Node {
	return &Node{Kind: String, At: at, Text: text, plain: at.Start}
}

// Today is the day of the run, zero where the caller did not give one.
func (p *Pass) Today() time.Time { return p.tree.today }
