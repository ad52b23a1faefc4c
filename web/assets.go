package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

//go:embed static
var staticFiles embed.FS

// assets are the files of /static, named by their content, and the flat forms
// of the style that travel inside files.
type assets struct {
	byName map[string]asset
	// Style, Script and Icon are the addresses to link to.
	Style, Script, Icon string
	// FigureCSS is the style of a figure without variables or dark colours,
	// for SVG files; FigureHash is its source expression for a policy.
	FigureCSS, FigureHash string
	// ReportCSS is the same for a whole page.
	ReportCSS string
}

type asset struct {
	kind string
	body []byte
}

func loadAssets() (*assets, error) {
	text := map[string]string{}
	for _, name := range []string{"tokens.css", "figure.css", "page.css", "icon.svg", "app.js"} {
		b, err := staticFiles.ReadFile("static/" + name)
		if err != nil {
			return nil, err
		}
		text[name] = string(b)
	}
	a := &assets{byName: map[string]asset{}}
	a.Style = a.add("style", "css", "text/css; charset=utf-8", text["tokens.css"]+text["figure.css"]+text["page.css"])
	a.Script = a.add("app", "js", "text/javascript; charset=utf-8", text["app.js"])
	a.Icon = a.add("icon", "svg", "image/svg+xml", text["icon.svg"])
	var err error
	if a.FigureCSS, err = flatten(text["tokens.css"], text["figure.css"]+".ground { fill: var(--bg); }\n"); err != nil {
		return nil, err
	}
	if a.ReportCSS, err = flatten(text["tokens.css"], text["figure.css"]+text["page.css"]); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(a.FigureCSS))
	a.FigureHash = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return a, nil
}

// add stores a file under a name with its hash and returns its address.
func (a *assets) add(name, ext, kind, body string) string {
	sum := sha256.Sum256([]byte(body))
	file := name + "." + hex.EncodeToString(sum[:6]) + "." + ext
	a.byName[file] = asset{kind, []byte(body)}
	return "/static/" + file
}

var (
	tokenLine = regexp.MustCompile(`(--[a-z]+):\s*([^;]+);`)
	lightDark = regexp.MustCompile(`^light-dark\(([^,]+),`)
	variable  = regexp.MustCompile(`var\((--[a-z]+)\)`)
	comment   = regexp.MustCompile(`(?s)/\*.*?\*/\n?`)
)

// flatten replaces the variables of css by the light values of tokens: mail
// readers and drawing programs know neither variables nor light-dark().
func flatten(tokens, css string) (string, error) {
	values := map[string]string{}
	for _, m := range tokenLine.FindAllStringSubmatch(tokens, -1) {
		v := m[2]
		if l := lightDark.FindStringSubmatch(v); l != nil {
			v = l[1]
		}
		values[m[1]] = v
	}
	var missing []string
	css = variable.ReplaceAllStringFunc(css, func(s string) string {
		name := variable.FindStringSubmatch(s)[1]
		v, ok := values[name]
		if !ok {
			missing = append(missing, name)
		}
		return v
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("style uses unknown tokens: %s", strings.Join(missing, ", "))
	}
	return comment.ReplaceAllString(css, ""), nil
}

// static serves a file by its hashed name; such a name never changes meaning.
func (d *dashboard) static(c echo.Context) error {
	f, ok := d.assets.byName[c.Param("file")]
	if !ok {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return answer(c, http.StatusOK, f.kind, f.body)
}
