package web

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// fault is what an error page says.
type fault struct {
	Status int
	// Title and Text say what happened and what to do; neither holds anything
	// of the error itself, but for one that speaks of a pilot's data.
	Title, Text string
	// Reference is logged beside the error.
	Reference string
}

// fail is the one place where an error becomes an answer: its page for the
// reader, its text with a reference for the log.
func (d *dashboard) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	// Where nothing is written an answer is an empty 200, which would say that
	// all went well.
	if gone(c.Request().Context(), err) {
		c.Response().WriteHeader(http.StatusServiceUnavailable)
		return
	}
	c.Response().Header().Del("ETag")
	c.Response().Header().Set("Cache-Control", "no-store")
	f := faultOf(err)
	if f.Status >= http.StatusInternalServerError && f.Status != http.StatusServiceUnavailable {
		f.Reference = reference()
		d.Logger.Error("answer failed", "reference", f.Reference, "method", c.Request().Method,
			"path", c.Request().URL.Path, "error", err)
	}
	if rerr := d.render(c, f.Status, faultPage(d.shell(f.Title, ""), f)); rerr != nil {
		if !gone(c.Request().Context(), rerr) {
			d.Logger.Error("error page failed", "reference", f.Reference, "error", rerr)
		}
		if !c.Response().Committed {
			c.Response().WriteHeader(f.Status)
		}
	}
}

func faultOf(err error) fault {
	var he *echo.HTTPError
	var build *metrics.BuildError
	switch {
	case errors.As(err, &build):
		return fault{Status: http.StatusUnprocessableEntity, Title: "There is no report on this pilot", Text: "It says: " + build.Error() + "."}
	case errors.Is(err, metrics.ErrNotFound):
		return fault{Status: http.StatusNotFound, Title: "There is nothing here", Text: "No pilot, figure or rule has this name. It may have been renamed, or the link is incomplete."}
	case errors.As(err, &he) && he.Code == http.StatusMethodNotAllowed:
		return fault{Status: he.Code, Title: "This page can only be read", Text: "Nothing can be sent to this address."}
	case errors.As(err, &he) && he.Code == http.StatusForbidden:
		return fault{Status: he.Code, Title: "This is not for you to change", Text: capital(sentence(fmt.Sprint(he.Message)))}
	case errors.As(err, &he) && he.Code == http.StatusBadRequest:
		return fault{Status: he.Code, Title: "This address says something that cannot be", Text: capital(sentence(fmt.Sprint(he.Message)))}
	case errors.As(err, &he) && (he.Code == http.StatusUnsupportedMediaType || he.Code == http.StatusRequestEntityTooLarge):
		return fault{Status: he.Code, Title: "This cannot be taken", Text: capital(sentence(fmt.Sprint(he.Message)))}
	case errors.As(err, &he) && he.Code == http.StatusServiceUnavailable:
		return fault{Status: he.Code, Title: "Not now", Text: capital(sentence(fmt.Sprint(he.Message)))}
	case errors.As(err, &he) && he.Code < http.StatusInternalServerError:
		return fault{Status: http.StatusNotFound, Title: "There is nothing here", Text: "No page has this address. It may have been renamed, or the link is incomplete."}
	}
	return fault{Status: http.StatusInternalServerError, Title: "This page could not be made", Text: "The fault is ours, not yours. Whoever runs this server finds the cause in its log under the reference below. Nothing that is stored was changed."}
}

// reference is a short random name for one failure.
func reference() string {
	b := make([]byte, 5)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
