package instructions

import (
	"bytes"

	"steelyard/lint"
)

// blank replaces everything but line ends by spaces.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

var (
	// lineTag is a tag alone on its line, as in "<rules>": many files group
	// their Markdown so, and CommonMark would take all of it for HTML.
	lineTag   = compile(`^[ \t]*</?[A-Za-z][A-Za-z0-9_-]*(\s[^<>]*)?/?>[ \t]*\r?$`)
	fenceLine = compile("^[ \t>]*(?:[-*+] |[0-9]+[.)] )?[ \t]*(`{3,}|~{3,})")
)

// blankMarkup blanks the HTML comments and the tags alone on their line that
// stand outside code fences from an offset on, and returns the places of the
// comments.
func blankMarkup(text []byte, from int) []lint.Span {
	var comments []lint.Span
	var fence []byte
	for offset := from; offset < len(text); {
		end := lineEnd(text, offset)
		body := bytes.TrimRight(text[offset:end], "\r\n")
		mark := fenceLine.re().FindSubmatch(body)
		switch {
		case mark != nil:
			fence = nextFence(fence, mark[1], body)
		case fence != nil:
		case lineTag.re().Match(body):
			blank(body)
		default:
			comments, end = blankComments(comments, text, offset, end)
		}
		offset = end
	}
	return comments
}

// lineEnd returns the offset after the line that i stands on.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(text)
}

func nextFence(open, mark, line []byte) []byte {
	switch {
	case open == nil:
		return mark
	case mark[0] == open[0] && len(mark) >= len(open) && bytes.HasSuffix(bytes.TrimSpace(line), mark):
		return nil
	}
	return open
}

// blankComments blanks the comments that begin in text[from:to] outside inline
// code, and goes on to the end of the line on which the last one ends. A
// comment without an end runs to the end of the file, as on a page.
func blankComments(found []lint.Span, text []byte, from, to int) (comments []lint.Span, end int) {
	for i := from; i < to; {
		switch {
		case text[i] == '`':
			n := 0
			for i+n < to && text[i+n] == '`' {
				n++
			}
			if closing := bytes.Index(text[i+n:to], text[i:i+n]); closing >= 0 {
				n += closing + n
			}
			i += n
		case bytes.HasPrefix(text[i:], []byte("<!--")):
			end := len(text)
			if n := bytes.Index(text[i+4:], []byte("-->")); n >= 0 {
				end = i + 4 + n + 3
			}
			found = append(found, lint.Span{Start: i, End: end})
			blank(text[i:end])
			if i = end; i > to {
				to = lineEnd(text, i)
			}
		default:
			i++
		}
	}
	return found, to
}
