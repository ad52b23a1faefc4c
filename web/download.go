package web

import (
	"bytes"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// pilotFigure serves the numbers or the picture of one figure:
// /pilots/ID/figures/TABLE.csv, .json or .svg.
func (d *dashboard) pilotFigure(c echo.Context) error {
	r, err := d.Reports.Report(c.Request().Context(), c.Param("id"))
	if err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	file := c.Param("*")
	ext := path.Ext(file)
	id := strings.TrimSuffix(file, ext)
	if ext == ".svg" {
		dr, ok := drawingOf(r, id)
		if !ok {
			return echo.ErrNotFound
		}
		c.Response().Header().Set("Content-Disposition", attachment(r.Definition.Pilot.ID+"-"+strings.ReplaceAll(id, "/", "-")+ext))
		return d.sendSVG(c, dr.draw(chart.Head{ID: "figure", Title: dr.finding, Desc: dr.desc}, chart.Wide))
	}
	t, ok := r.Table(id)
	if !ok {
		return echo.ErrNotFound
	}
	return sendTable(c, r.Definition.Pilot.ID+"-"+strings.ReplaceAll(id, "/", "-"), ext, t)
}

// What downloads are.
const (
	csvKind  = "text/csv; charset=utf-8"
	jsonKind = "application/json; charset=utf-8"
)

// sendTable writes a table as CSV or JSON, under a name that a download keeps.
func sendTable(c echo.Context, name, ext string, t metrics.Table) error {
	var b bytes.Buffer
	var kind string
	var err error
	switch ext {
	case ".csv":
		kind, err = csvKind, t.WriteCSV(&b)
	case ".json":
		kind, err = jsonKind, t.WriteJSON(&b)
	default:
		return echo.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("write table %q: %w", t.ID, err)
	}
	c.Response().Header().Set("Content-Disposition", attachment(name+ext))
	return answer(c, http.StatusOK, kind, b.Bytes())
}

// attachment is a header that makes a browser keep an answer under a name.
func attachment(name string) string { return fmt.Sprintf("attachment; filename=%q", name) }

// sendSVG writes a figure as a file of its own. Its style stands in it, and
// the policy of this one answer names that style by its hash.
func (d *dashboard) sendSVG(c echo.Context, svg string) error {
	c.Response().Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src "+d.assets.FigureHash+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return answer(c, http.StatusOK, "image/svg+xml", []byte(standalone(svg, d.assets.FigureCSS)))
}

// margin is the room around a figure in a file of its own, in pixels.
const margin = 24

// size matches the measures at the start of a figure.
var size = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)" width="[0-9.]+" height="[0-9.]+"`)

// standalone puts the style, a margin and a ground into a figure.
func standalone(svg, css string) string {
	head, rest, found := strings.Cut(svg, "</desc>")
	m := size.FindStringSubmatch(head)
	if !found || m == nil {
		return svg
	}
	w, errW := strconv.ParseFloat(m[1], 64)
	h, errH := strconv.ParseFloat(m[2], 64)
	if errW != nil || errH != nil {
		return svg
	}
	w, h = w+2*margin, h+2*margin
	head = strings.Replace(head, m[0], fmt.Sprintf(`viewBox="-%d -%d %g %g" width="%g" height="%g"`, margin, margin, w, h, w, h), 1)
	ground := fmt.Sprintf(`<rect class="ground" x="-%d" y="-%d" width="%g" height="%g"/>`, margin, margin, w, h)
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + head + "</desc><style>" + css + "</style>" + ground + rest + "\n"
}
