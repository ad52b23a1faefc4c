package web

import (
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
		ctx, id := c.Request().Context(), c.Param("id")
		return d.sendLong(c, id+"-pull-requests", ext, pullsTable(), func() (rows [][]metrics.Cell, more bool, err error) {
			page, err := d.Pulls.PilotPulls(ctx, id, f)
			if err != nil {
				return nil, false, listFault(err)
			}
			for _, r := range page.Rows {
				rows = append(rows, d.pullCells(r, page.Side(r.Team)))
			}
			f.After = page.Next
			return rows, page.Next != (metrics.PullPlace{}), nil
		})
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
