package instructions

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"steelyard/lint"
	"steelyard/rules"
)

// Doc is one instruction or task file as its rules read it.
type Doc struct {
	File *lint.File
	// Front is the front matter, nil where there is none.
	Front *Front
	// Statements are the sentences of paragraphs, list items, table cells and
	// headings in file order; Fences the code blocks.
	Statements []Statement
	Fences     []Fence
	// Comments are the HTML comments outside code.
	Comments []lint.Span
	// Err is why the file cannot be read; the rest is empty then.
	Err error

	source []byte
	// partial is set where a bound kept some of the text from being read.
	partial bool
}

// Statement is one sentence.
type Statement struct {
	Text
	Codes []Code
	Links []Link
	// Section is the headings above it.
	Section *Section
	// Lead is the sentence that introduces the list it stands in, or the item
	// above a nested one. It is empty elsewhere.
	Lead string
	// Whole is the text of the paragraph, item or row around it, Block its
	// place in the file.
	Whole   string
	Block   int
	Heading bool
	Quoted  bool
	Table   bool
	// Bad is set among examples of what not to do: under such a heading or
	// lead, or behind a cross.
	Bad bool

	cues *cues // see judged
}

// Section is the headings above a statement.
type Section struct {
	Names []string // the outermost first
	// Bad says that what stands below is not to be done, Gone that it is not
	// there (any more, or yet), Sample that it is an example, Foreign that it
	// is measured by the files of another project.
	Bad, Gone, Sample, Foreign bool
}

// Fence is a code block.
type Fence struct {
	Lang    string // first word of the info string, lower case
	Lines   []Line
	Section *Section
	Lead    string // the sentence before it
}

// Line is one line of a code block.
type Line struct {
	Text string
	At   int // its offset in the file
	// Bad is set where a comment, the lead or the heading calls the code an
	// example of what not to do.
	Bad bool
}

// Span is the place of Text[from:to].
func (l Line) Span(from, to int) lint.Span { return lint.Span{Start: l.At + from, End: l.At + to} }

// ErrTooDeep says that a file nests lists or quotes deeper than is read.
var ErrTooDeep = errors.New("nested too deep")

// docs reads every file of these kinds that holds text for an assistant; links
// are left out, their target is read where it stands.
func docs(p *lint.Pass, kinds ...rules.Kind) []*Doc {
	var all []*Doc
	for _, f := range p.Files(kinds...) {
		if f.Link != "" || !readable(f.Path) {
			continue
		}
		if d := lint.Parsed(f, parse); d.Err == nil && len(bytes.TrimSpace(d.source)) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// readable reports whether a governed path is text to read, not a script or a
// table beside it, and not the description of Cline's hooks.
func readable(name string) bool {
	if strings.Contains("/"+strings.ToLower(name), "/.clinerules/hooks/") {
		return false
	}
	switch strings.ToLower(path.Ext(strings.TrimPrefix(path.Base(name), "."))) {
	case ".md", ".mdc", ".markdown", ".txt", "":
		return true
	}
	return false
}

func parse(f *lint.File) *Doc {
	d := &Doc{File: f}
	src, err := f.Bytes()
	if err != nil {
		d.Err = err
		return d
	}
	d.source = src
	if deep(src) {
		d.Err = fmt.Errorf("lists and quotes: %w", ErrTooDeep)
		return d
	}
	var body int
	d.Front, body = readFront(f.Path, src)
	d.readBody(src, body)
	return d
}

// maxContainers bounds the lists and quotes that one line may stand in.
const maxContainers = 40

var containerMark = compile(`^[ \t]*(>|[-+*][ \t]|[0-9]{1,9}[.)][ \t])`)

// deep reports whether a line opens more lists and quotes than are read, or is
// indented deeper than they could be: the block parser is recursive.
func deep(src []byte) bool {
	for line := range bytes.Lines(src) {
		for n := 0; ; n++ {
			mark := containerMark.re().Find(line)
			if mark == nil {
				break
			}
			if n == maxContainers {
				return true
			}
			line = line[len(mark):]
		}
	}
	return false
}

// The bounds of one file. No text that people read comes near them.
const (
	maxBody       = 256 << 10 // bytes of text whose blocks are parsed
	maxBlock      = 8 << 10   // bytes of one paragraph
	maxStatements = 5_000
	maxSpans      = 100 // code spans, and links, of one paragraph
)

// blocks parses the blocks of Markdown alone. Spans and links are found by
// inline, which keeps exact places and needs linear time.
func blocks(src []byte) ast.Node {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
	)
	return p.Parse(text.NewReader(src))
}

func (d *Doc) readBody(src []byte, body int) {
	plain := bytes.Clone(src)
	if len(plain) > maxBody {
		plain = plain[:max(lastLine(plain[:maxBody]), min(body, len(plain)))]
		d.partial = true
	}
	blank(plain[:body])
	d.Comments = blankMarkup(plain, body)
	r := &reader{doc: d, src: plain, current: &Section{}}
	r.children(blocks(plain), context{})
}

// lastLine returns the offset after the last whole line.
func lastLine(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }
