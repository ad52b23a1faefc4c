package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Note is a page of the manual or a method note, in Markdown.
type Note struct {
	// Name is its path below /docs: "methods/cross-fit-t", "dashboard".
	Name string
	// Title stands above Text, which does not repeat it.
	Title, Text string
}

// methodFolder is what the names of method notes begin with.
const methodFolder = "methods/"

// docsView is the page that leads to all others.
type docsView struct {
	Methods, Manual []Note
	Rules           int
}

func (d *dashboard) docs(c echo.Context) error {
	notes, err := d.Notes()
	if err != nil {
		return fmt.Errorf("read notes: %w", err)
	}
	pages, err := d.Rules()
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	v := docsView{Rules: len(pages)}
	for _, n := range notes {
		if strings.HasPrefix(n.Name, methodFolder) {
			v.Methods = append(v.Methods, n)
		} else {
			v.Manual = append(v.Manual, n)
		}
	}
	return d.render(c, http.StatusOK, docsPage(d.shell("Docs", "/docs"), v))
}

// note shows one page of the manual.
func (d *dashboard) note(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := name + c.Param("name")
		notes, err := d.Notes()
		if err != nil {
			return fmt.Errorf("read notes: %w", err)
		}
		i := slices.IndexFunc(notes, func(n Note) bool { return n.Name == name })
		if i < 0 {
			return echo.ErrNotFound
		}
		body, err := renderNote(notes[i], notes)
		if err != nil {
			return fmt.Errorf("render note %s: %w", name, err)
		}
		return d.render(c, http.StatusOK, notePage(d.shell(notes[i].Title, "/docs"), notes[i], body))
	}
}

// renderNote writes a note as HTML. Links between notes and to rules lead to
// their pages here; what leads into the source code is text alone, because it
// is not here.
func renderNote(n Note, all []Note) (string, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(exampleRenderer{}, 100))),
	)
	source := []byte(n.Text)
	doc := md.Parser().Parse(text.NewReader(source))
	var nowhere []*ast.Link
	err := ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := node.(*ast.Link); ok && entering {
			if to := noteLink(n.Name, string(link.Destination), all); to != "" {
				link.Destination = []byte(to)
			} else {
				nowhere = append(nowhere, link)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	for _, link := range nowhere {
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			link.Parent().InsertBefore(link.Parent(), link, child)
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		return "", err
	}
	// A table may be wider than the page. In code, "<table>" is escaped.
	parts := strings.Split(b.String(), "<table>")
	for i := range parts[1:] {
		parts[i+1] = fmt.Sprintf(`<div class="scroll" role="region" tabindex="0" aria-label="Table %d"><table>`, i+1) + parts[i+1]
	}
	return strings.ReplaceAll(strings.Join(parts, ""), "</table>", "</table></div>"), nil
}

// noteLink is where a link of the note from leads; empty: nowhere here.
func noteLink(from, to string, all []Note) string {
	if external(to) != "" || strings.HasPrefix(to, "#") {
		return to
	}
	file, fragment, _ := strings.Cut(to, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	folder := path.Dir(from)
	if from == strings.TrimSuffix(methodFolder, "/") { // a folder's own page lies in it
		folder = from
	}
	name := strings.TrimSuffix(strings.TrimSuffix(path.Join(folder, file), ".md"), "/README")
	if rule, ok := strings.CutPrefix(name, "rules/"); ok && strings.HasSuffix(file, ".md") {
		return "/docs/rules/" + url.PathEscape(rule)
	}
	if slices.ContainsFunc(all, func(n Note) bool { return n.Name == name }) {
		return "/docs/" + name + fragment
	}
	return ""
}
