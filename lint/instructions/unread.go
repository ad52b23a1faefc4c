package instructions

import (
	"bytes"
	"strings"

	"steelyard/lint"
)

// maxUnreadSentence bounds one sentence of what was not read as Markdown.
const maxUnreadSentence = 2000

// unreadSentences calls look with each sentence of what a bound kept from being
// read as Markdown, and with its place: nothing is to be said unseen by making a
// text long.
func (d *Doc) unreadSentences(look func(sentence string, at lint.Span)) {
	if !d.partial {
		return
	}
	read := map[int]bool{} // lines, by their first byte
	for i := range d.Statements {
		at := d.Statements[i].whole()
		for start := lastLine(d.source[:at.Start]); start < at.End; {
			read[start] = true
			end := bytes.IndexByte(d.source[start:], '\n')
			if end < 0 {
				break
			}
			start += end + 1
		}
	}
	from, offset := 0, 0
	for line := range bytes.Lines(d.source) {
		if read[offset] || len(bytes.TrimSpace(line)) == 0 {
			d.eachSentence(from, offset, look)
			from = offset + len(line)
		}
		offset += len(line)
	}
	d.eachSentence(from, offset, look)
}

// eachSentence cuts a part of the source into sentences, in which a break of a
// line is a space.
func (d *Doc) eachSentence(from, end int, look func(string, lint.Span)) {
	for start := from; start < end; {
		stop := start
		for stop < end && stop-start < maxUnreadSentence {
			c := d.source[stop]
			stop++
			if (c == '.' || c == '!' || c == '?') && (stop == end || d.source[stop] == ' ' || d.source[stop] == '\n') {
				break
			}
		}
		if text := strings.Join(strings.Fields(string(d.source[start:stop])), " "); text != "" {
			look(text, lint.Span{Start: start, End: stop})
		}
		start = stop
	}
}
