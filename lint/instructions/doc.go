package instructions

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
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
	// there (any more, or yet), Sample that it is an example.
	Bad, Gone, Sample bool
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
	if strings.Contains(name, "/hooks/") {
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

var containerMark = regexp.MustCompile(`^[ \t]*(>|[-+*][ \t]|[0-9]{1,9}[.)][ \t])`)

// deep reports whether a line opens more lists and quotes than are read, or is
// indented deeper than they could be: the block parser is recursive.
func deep(src []byte) bool {
	for line := range bytes.Lines(src) {
		for n := 0; ; n++ {
			mark := containerMark.Find(line)
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

// context is what stands above a block.
type context struct {
	lead   string
	bad    bool
	quoted bool
	depth  int
}

// reader turns blocks into statements and fences.
type reader struct {
	doc     *Doc
	src     []byte
	section []heading
	current *Section // of section
	bytes   int      // of statements read so far
}

type heading struct {
	level int
	text  string
}

// judge makes the current section of the open headings.
func (r *reader) judge() {
	c := &Section{}
	for _, h := range r.section {
		low := folded(h.text)
		c.Names = append(c.Names, h.text)
		c.Bad = c.Bad || badHeading(h.text)
		c.Gone = c.Gone || goneCue.MatchString(low)
		c.Sample = c.Sample || sampleSection.MatchString(low)
	}
	r.current = c
}

func (r *reader) children(n ast.Node, c context) {
	if c.depth > 2*maxContainers {
		return
	}
	c.depth++
	lead := "" // the last sentence before a list or a code block
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch block := child.(type) {
		case *ast.Heading:
			lead = r.heading(block)
		case *ast.Paragraph, *ast.TextBlock:
			lead = r.paragraph(child, c)
		case *ast.FencedCodeBlock:
			r.fence(child, string(block.Language(r.src)), first(lead, c.lead), c)
		case *ast.CodeBlock:
			r.fence(child, "", first(lead, c.lead), c)
		case *ast.Blockquote:
			inner := c
			inner.quoted = true
			r.children(child, inner)
		case *ast.List:
			r.list(child, lead, c)
		case *extast.Table:
			r.table(child, c)
		default:
			r.children(child, c)
		}
	}
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

func (r *reader) list(list ast.Node, lead string, c context) {
	inner := c
	if lead != "" {
		inner.lead = lead
		inner.bad = c.bad || badLead(lead)
	}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		r.children(item, inner)
	}
}

func (r *reader) table(table ast.Node, c context) {
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []Text
		whole := ""
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := join(r.src, cell.Lines())
			cells = append(cells, text)
			whole += text.S + " | "
		}
		for _, text := range cells {
			r.statements(text, whole, Statement{Table: true, Quoted: c.quoted, Bad: c.bad})
		}
	}
}

func (r *reader) heading(h *ast.Heading) string {
	text := join(r.src, h.Lines())
	for len(r.section) > 0 && r.section[len(r.section)-1].level >= h.Level {
		r.section = r.section[:len(r.section)-1]
	}
	r.statements(text, text.S, Statement{Heading: true})
	r.section = append(r.section, heading{h.Level, tail(text.S)})
	r.judge()
	return ""
}

// paragraph adds a paragraph's sentences and returns the last one.
func (r *reader) paragraph(n ast.Node, c context) string {
	text := join(r.src, n.Lines())
	r.statements(text, text.S, Statement{Lead: c.lead, Quoted: c.quoted, Bad: c.bad})
	if len(r.doc.Statements) == 0 {
		return ""
	}
	return tail(r.doc.Statements[len(r.doc.Statements)-1].S)
}

// tail is the end of a text that introduces something: what is said far before
// it does not.
func tail(s string) string {
	const most = 300
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-most:], "")
}

// statements adds the sentences of one text; like holds what they share.
func (r *reader) statements(text Text, whole string, like Statement) {
	if strings.TrimSpace(text.S) == "" {
		return
	}
	if len(text.S) > maxBlock || len(r.doc.Statements) >= maxStatements {
		r.doc.partial = true
		return
	}
	codes, links := inline(text.S)
	codes, links = codes[:min(len(codes), maxSpans)], links[:min(len(links), maxSpans)]
	bad := r.current.Bad || crossed(whole)
	for _, part := range sentences(text.S, codes, links) {
		s := like
		s.Text, s.Whole, s.Section = text.Cut(part[0], part[1]), whole, r.current
		s.Block = text.Span(0, 1).Start
		s.Bad = s.Bad || bad
		for _, code := range codes {
			if part[0] <= code.From && code.To <= part[1] {
				s.Codes = append(s.Codes, Code{code.Text, code.From - part[0], code.To - part[0]})
			}
		}
		for _, l := range links {
			if part[0] <= l.From && l.To <= part[1] {
				s.Links = append(s.Links, Link{l.Label, l.Dest, l.From - part[0], l.To - part[0], max(l.Open-part[0], 0)})
			}
		}
		r.doc.Statements = append(r.doc.Statements, s)
	}
}

func (r *reader) fence(n ast.Node, lang, lead string, c context) {
	f := Fence{Lang: strings.ToLower(lang), Section: r.current, Lead: lead}
	whole := c.bad || r.current.Bad || badLead(lead)
	bad := whole
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		line := strings.TrimRight(string(r.src[segment.Start:segment.Stop]), "\r\n")
		switch {
		case badComment(line):
			bad = true
		case goodComment(line):
			bad = whole
		}
		f.Lines = append(f.Lines, Line{line, segment.Start, bad || crossed(line)})
	}
	r.doc.Fences = append(r.doc.Fences, f)
}
