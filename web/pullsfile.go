package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// pullsFile serves the whole list as CSV or JSON: everything that the filter
// chooses, however much that is, and as the page has it nobody's name.
func (d *dashboard) pullsFile(ext string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if d.Pulls == nil {
			return echo.ErrNotFound
		}
		f, err := readPullsQuery(c.QueryParams()).filter()
		if err != nil {
			return err
		}
		f.Limit = metrics.MaxPulls
		page, err := d.Pulls.PilotPulls(c.Request().Context(), c.Param("id"), f)
		if err != nil {
			return listFault(err)
		}
		t, name := pullsTable(), page.Pilot.ID+"-pull-requests"
		if page.Next == (metrics.PullPlace{}) {
			t.Rows = [][]metrics.Cell{}
			for _, r := range page.Rows {
				t.Rows = append(t.Rows, d.pullCells(r, page.Side(r.Team)))
			}
			return sendTable(c, name, ext, t)
		}
		return d.streamPulls(c, name, ext, t, f, page)
	}
}

// pageTime is how long a reader may take for one page of a long file.
const pageTime = time.Minute

// streamPulls sends a list of many pages while it is read, so that no more than
// one page is in memory. A fault on the way cuts the connection: a file that
// ends early must not pass for a whole one.
func (d *dashboard) streamPulls(c echo.Context, name, ext string, t metrics.Table, f metrics.PullFilter, page *metrics.PilotPullPage) error {
	kind := "text/csv; charset=utf-8"
	if ext == ".json" {
		kind = "application/json; charset=utf-8"
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, kind)
	h.Set(echo.HeaderContentDisposition, attachment(name+ext))
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	if err := d.writePulls(c, ext, t, f, page); err != nil {
		if !gone(c.Request().Context(), err) {
			d.Logger.Error("file ends early", "path", c.Request().URL.Path, "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (d *dashboard) writePulls(c echo.Context, ext string, t metrics.Table, f metrics.PullFilter, page *metrics.PilotPullPage) error {
	out := t.CSVWriter(c.Response())
	if ext == ".json" {
		out = t.JSONWriter(c.Response())
	}
	deadline := http.NewResponseController(c.Response())
	for {
		// A connection that takes no deadline is one of a test.
		_ = deadline.SetWriteDeadline(time.Now().Add(pageTime))
		for _, r := range page.Rows {
			if err := out.Row(d.pullCells(r, page.Side(r.Team))); err != nil {
				return err
			}
		}
		if page.Next == (metrics.PullPlace{}) {
			return out.Close()
		}
		f.After = page.Next
		var err error
		if page, err = d.Pulls.PilotPulls(c.Request().Context(), page.Pilot.ID, f); err != nil {
			return fmt.Errorf("list pull requests: %w", err)
		}
	}
}

// pullsTable is the list as numbers, without its rows. Times are RFC 3339.
func pullsTable() metrics.Table {
	t := metrics.Table{ID: "pull-requests", Title: "Pull requests behind the numbers"}
	for _, name := range []string{
		"repository", "number", "url", "team", "side", "state", "opened", "ready", "first_review", "merged", "closed", "reverted_at",
		"additions", "deletions", "signal", "looked_for_signals",
	} {
		t.Columns = append(t.Columns, metrics.Column{
			Name: name, Title: strings.ReplaceAll(name, "_", " "), Numeric: name == "number" || name == "additions" || name == "deletions",
		})
	}
	return t
}

func (d *dashboard) pullCells(r metrics.PullRow, side metrics.PullSide) []metrics.Cell {
	text := func(s string) metrics.Cell { return metrics.Cell{Value: s, Text: s} }
	moment := func(t time.Time) metrics.Cell {
		if t.IsZero() {
			return metrics.Cell{Text: "–"}
		}
		return text(machine(t))
	}
	lines := func(n int) metrics.Cell {
		if n < 0 {
			return metrics.Cell{Text: "–"}
		}
		return metrics.Cell{Value: n, Text: metrics.FormatCount(n)}
	}
	link := ""
	if r.OnGitHub {
		link = d.pullURL(r.Repository, r.Number)
	}
	return []metrics.Cell{
		text(r.Repository),
		{Value: r.Number, Text: strconv.Itoa(r.Number)},
		text(link), text(r.Team), text(string(side)), text(string(r.State())),
		moment(r.Opened), moment(r.Ready), moment(r.FirstReview), moment(r.Merged), moment(r.Closed), moment(r.RevertedAt),
		lines(r.Additions), lines(r.Deletions), text(r.Signal),
		{Value: r.Looked, Text: strconv.FormatBool(r.Looked)},
	}
}
