package instructions

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/text"

	"steelyard/lint"
)

// Text is a run of a file's text without the marks of the blocks around it
// (quote signs, list indents): line ends are single spaces, and every byte
// knows its place in the file.
type Text struct {
	S  string
	at []int32 // the offset of each byte of S
}

// Span is the place of S[from:to] in the file.
func (t Text) Span(from, to int) lint.Span {
	if len(t.at) == 0 {
		return lint.Span{}
	}
	from = min(max(from, 0), len(t.at)-1)
	last := min(max(to-1, from), len(t.at)-1)
	return lint.Span{Start: int(t.at[from]), End: int(t.at[last]) + 1}
}

// Cut is S[from:to] as a text of its own.
func (t Text) Cut(from, to int) Text { return Text{t.S[from:to], t.at[from:to]} }

// beside is a text with another behind it, a space between them.
func (t Text) beside(o Text) Text {
	at := slices.Clone(t.at)
	return Text{t.S + " " + o.S, append(append(at, o.at[:min(1, len(o.at))]...), o.at...)}
}

// join makes one text of a block's lines.
func join(src []byte, lines *text.Segments) Text {
	var b strings.Builder
	var at []int32
	for i := range lines.Len() {
		segment := lines.At(i)
		line := bytes.TrimRight(segment.Value(src), "\r\n")
		if segment.Padding > 0 {
			line = line[min(segment.Padding, len(line)):]
		}
		if i > 0 {
			b.WriteByte(' ')
			at = append(at, int32(max(segment.Start-1, 0)))
		}
		b.Write(line)
		for j := range line {
			at = append(at, int32(segment.Start+j))
		}
	}
	return Text{b.String(), at}
}

// Code is a code span of a text: the text between the backticks.
type Code struct {
	Text     string
	From, To int // in the text, without the backticks
}

// Link is a link or an image of a text.
type Link struct {
	Label    string
	Dest     string
	From, To int // the destination's place in the text
	Open     int // the place of the label's bracket
}

// inline finds code spans and links. It reads left to right once, so that no
// input takes longer than its length.
func inline(s string) (codes []Code, links []Link) {
	var open []int // brackets that may begin a label
	runs := closingRuns(s)
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			i += 2
		case '`':
			n := run(s, i, '`')
			end, ok := runs.after(i+n, n)
			if !ok {
				i += n
				continue
			}
			from, to := trimCode(s, i+n, end)
			codes = append(codes, Code{s[from:to], from, to})
			i = end + n
		case '[':
			const most = 32 // nested deeper, it is no link that anyone reads
			if len(open) < most {
				open = append(open, i)
			}
			i++
		case ']':
			i++
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if i < len(s) && s[i] == '(' {
				if from, to, end, ok := destination(s, i+1); ok {
					links = append(links, Link{s[start+1 : i-1], s[from:to], from, to, start})
					i = end
				}
			}
		default:
			i++
		}
	}
	return codes, links
}

// trimCode takes off the one space that a code span may have on both sides.
func trimCode(s string, from, to int) (int, int) {
	if to-from > 2 && s[from] == ' ' && s[to-1] == ' ' {
		return from + 1, to - 1
	}
	return from, to
}

// run counts how often c stands at i.
func run(s string, i int, c byte) int {
	n := 0
	for i+n < len(s) && s[i+n] == c {
		n++
	}
	return n
}

// backtickRuns are the places of the runs of backticks in a text, by length.
type backtickRuns map[int][]int

func closingRuns(s string) backtickRuns {
	runs := backtickRuns{}
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		n := run(s, i, '`')
		runs[n] = append(runs[n], i)
		i += n
	}
	return runs
}

// after returns the first run of n backticks at or after i, and forgets those
// before it.
func (r backtickRuns) after(i, n int) (int, bool) {
	for len(r[n]) > 0 && r[n][0] < i {
		r[n] = r[n][1:]
	}
	if len(r[n]) == 0 {
		return 0, false
	}
	return r[n][0], true
}

// maxDest bounds a link's destination.
const maxDest = 2048

// destination reads a link's destination, from after its bracket to the
// closing one.
func destination(s string, i int) (from, to, end int, ok bool) {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i < len(s) && s[i] == '<' {
		n := strings.IndexByte(s[i:min(len(s), i+maxDest)], '>')
		if n < 0 {
			return 0, 0, 0, false
		}
		from, to = i+1, i+n
		i += n + 1
	} else {
		from = i
		for depth := 0; i < len(s) && i-from < maxDest && s[i] != ' '; i++ {
			if s[i] == '(' {
				depth++
			}
			if s[i] == ')' {
				if depth == 0 {
					break
				}
				depth--
			}
		}
		to = i
	}
	n := strings.IndexByte(s[i:min(len(s), i+maxDest)], ')')
	if n < 0 {
		return 0, 0, 0, false
	}
	return from, to, i + n + 1, true
}

// sentences cuts a text after ".", "!" and "?" before a space and something
// that may begin a sentence, never inside code, links or brackets. The ranges
// cover the whole text.
func sentences(s string, codes []Code, links []Link) [][2]int {
	inside := make([]bool, len(s)+1)
	for _, c := range codes {
		fill(inside, c.From-1, c.To+1)
	}
	for _, l := range links {
		fill(inside, l.Open, l.To)
	}
	var found [][2]int
	start, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case inside[i]:
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth = max(depth-1, 0)
		case depth == 0 && ends(s, i):
			found = append(found, [2]int{start, i + 1})
			start = i + 1
		}
	}
	if strings.TrimSpace(s[start:]) != "" || len(found) == 0 {
		found = append(found, [2]int{start, len(s)})
	}
	return found
}

func fill(marks []bool, from, to int) {
	for i := max(from, 0); i < min(to, len(marks)); i++ {
		marks[i] = true
	}
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp"}

func ends(s string, i int) bool {
	if strings.HasPrefix(s[i:], "。") || strings.HasPrefix(s[i:], ";") && i+1 < len(s) && s[i+1] == ' ' {
		return true
	}
	if s[i] != '.' && s[i] != '!' && s[i] != '?' || i+2 >= len(s) || s[i+1] != ' ' {
		return false
	}
	for _, a := range abbreviations {
		if i >= len(a) && strings.EqualFold(s[i-len(a):i], a) {
			return false
		}
	}
	next := s[i+2]
	return next < 'a' || next > 'z'
}

func trimmed(s string) string { return strings.TrimSpace(s) }
