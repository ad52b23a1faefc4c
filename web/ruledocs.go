package web

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// ruleIndex lists every rule.
func (d *dashboard) ruleIndex(c echo.Context) error {
	pages, err := d.Rules()
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	return d.render(c, http.StatusOK, ruleIndexPage(d.shell("Rules", "/docs"), pages))
}

// rulePage shows one rule, by its id or its name.
func (d *dashboard) rulePage(c echo.Context) error {
	pages, err := d.Rules()
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	id := c.Param("id")
	for _, p := range pages {
		if !strings.EqualFold(p.ID, id) && p.Name != id {
			continue
		}
		body, err := markdown(p.Markdown + "\n" + p.Accepting())
		if err != nil {
			return fmt.Errorf("render rule %s: %w", p.ID, err)
		}
		return d.render(c, http.StatusOK, ruleDocPage(d.shell(p.ID+" "+p.Name, "/docs"), p, body))
	}
	return echo.ErrNotFound
}

// markdown renders text as HTML. Raw HTML in it is left out and links other
// than to the web are emptied: goldmark does both unless told not to.
func markdown(text string) (string, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(exampleRenderer{}, 100))),
	)
	var b bytes.Buffer
	if err := md.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return b.String(), nil
}

// exampleRenderer writes fenced code with the path that a rule's example has
// after its language ("json .mcp.json") as a caption.
type exampleRenderer struct{}

func (exampleRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, renderExample)
}

func renderExample(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	block := n.(*ast.FencedCodeBlock)
	if !entering {
		return ast.WalkContinue, nil
	}
	caption := ""
	if block.Info != nil {
		_, caption, _ = strings.Cut(strings.TrimSpace(string(block.Info.Value(source))), " ")
	}
	var text strings.Builder
	text.WriteString(`<figure class="example">`)
	if caption != "" {
		text.WriteString("<figcaption>" + html.EscapeString(caption) + "</figcaption>")
	}
	text.WriteString(`<pre tabindex="0"><code>`)
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		text.WriteString(html.EscapeString(string(line.Value(source))))
	}
	text.WriteString("</code></pre></figure>\n")
	if _, err := w.WriteString(text.String()); err != nil {
		return ast.WalkStop, err
	}
	return ast.WalkSkipChildren, nil
}
