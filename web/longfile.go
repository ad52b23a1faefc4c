package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// tablePages returns a table's next rows, and whether there are more.
type tablePages func() (rows [][]metrics.Cell, more bool, err error)

// sendLong sends a table of any length. One of a single page is an answer like
// any other; a longer one is sent while it is read, so that no more than one
// page is in memory.
func (d *dashboard) sendLong(c echo.Context, name, ext string, t metrics.Table, next tablePages) error {
	rows, more, err := next()
	if err != nil {
		return err
	}
	if !more {
		t.Rows = append([][]metrics.Cell{}, rows...)
		return sendTable(c, name, ext, t)
	}
	select {
	case d.long <- struct{}{}:
		defer func() { <-d.long }()
	default:
		c.Response().Header().Set("Retry-After", "10")
		return echo.NewHTTPError(http.StatusServiceUnavailable, "too many long files are being sent; try again in a moment")
	}
	h := c.Response().Header()
	out := t.CSVWriter(c.Response())
	switch ext {
	case ".csv":
		h.Set(echo.HeaderContentType, csvKind)
	case ".json":
		h.Set(echo.HeaderContentType, jsonKind)
		out = t.JSONWriter(c.Response())
	default:
		return echo.ErrNotFound
	}
	h.Set(echo.HeaderContentDisposition, attachment(name+ext))
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	if err := stream(c, out, rows, next); err != nil {
		if !gone(c.Request().Context(), err) {
			d.Logger.Error("file ends early", "path", c.Request().URL.Path, "error", err)
		}
		// A file that ends early must not pass for a whole one.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// maxLong is how many long files are sent at once: each reads the database as
// fast as it can, and pages are to be answered meanwhile.
const maxLong = 4

// pageTime is how long a reader may take for one page of a long file.
const pageTime = time.Minute

// stream writes rows and all that come after them.
func stream(c echo.Context, out metrics.TableWriter, rows [][]metrics.Cell, next tablePages) error {
	deadline := http.NewResponseController(c.Response())
	for more := true; ; {
		// A connection that takes no deadline is one of a test.
		_ = deadline.SetWriteDeadline(time.Now().Add(pageTime))
		for _, r := range rows {
			if err := out.Row(r); err != nil {
				return err
			}
		}
		if !more {
			return out.Close()
		}
		var err error
		if rows, more, err = next(); err != nil {
			return err
		}
	}
}
