package instructions

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

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
		c.Foreign = c.Foreign || foreignSection.MatchString(low)
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

// paragraph adds a paragraph's sentences and returns the last one, "" for a
// paragraph of imports: it introduces nothing.
func (r *reader) paragraph(n ast.Node, c context) string {
	text := join(r.src, n.Lines())
	r.statements(text, text.S, Statement{Lead: c.lead, Quoted: c.quoted, Bad: c.bad})
	if len(r.doc.Statements) == 0 || onlyImports.MatchString(text.S) {
		return ""
	}
	return tail(r.doc.Statements[len(r.doc.Statements)-1].S)
}

var onlyImports = compile(`^\s*(@\S+\s*)+$`)

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
