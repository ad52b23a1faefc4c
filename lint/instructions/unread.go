package instructions

import (
	"bytes"
	"strings"

	"steelyard/lint"
)

// maxUnreadSentence bounds one sentence of what was not read as Markdown.
const maxUnreadSentence = 2000

// overlap is how much of a sentence that is cut is looked at with its next part
// again: an order could stand across the cut.
const overlap = 500

// unreadSentences calls look with each sentence of what a bound kept from being
// read as Markdown, and with its place; look reports whether it found something: nothing is to be said unseen by making a
// text long, or by a paragraph or a cell beside what is read.
func (d *Doc) unreadSentences(look func(sentence string, at lint.Span) bool) {
	if !d.partial {
		return
	}
	from := 0
	for i := range d.Statements {
		at := d.Statements[i].whole()
		d.unreadIn(from, at.Start, look)
		from = max(from, at.End)
	}
	d.unreadIn(from, len(d.source), look)
}

// unreadIn looks at a part of the source, in which an empty line ends a sentence.
func (d *Doc) unreadIn(from, end int, look func(string, lint.Span) bool) {
	if from >= end {
		return
	}
	offset := from
	for line := range bytes.Lines(d.source[from:end]) {
		if offset += len(line); len(bytes.TrimSpace(line)) == 0 {
			d.eachSentence(from, offset, look)
			from = offset
		}
	}
	d.eachSentence(from, end, look)
}

// eachSentence cuts a part of the source into sentences, in which a break of a
// line is a space.
func (d *Doc) eachSentence(from, end int, look func(string, lint.Span) bool) {
	for start := from; start < end; {
		stop, whole := start, false
		for stop < end && stop-start < maxUnreadSentence && !whole {
			c := d.source[stop]
			stop++
			whole = (c == '.' || c == '!' || c == '?') && (stop == end || d.source[stop] == ' ' || d.source[stop] == '\n')
		}
		found := false
		if text := strings.Join(strings.Fields(strings.ToValidUTF8(string(d.source[start:stop]), "")), " "); text != "" {
			found = look(text, lint.Span{Start: start, End: stop})
		}
		if start = stop; !whole && !found && stop < end {
			start -= overlap
		}
	}
}
