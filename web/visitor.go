package web

import (
	"errors"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"
)

// Visitor is who looks at a page. On a loopback address without sign-in it is
// whoever has the machine.
type Visitor struct {
	// Name is what the audit trail says: "this machine", or who signed in.
	Name string
	// MayChange is true for those who may define pilots and take decisions.
	MayChange bool
	// FormToken is the value of the field [FormTokenField] of every form that
	// changes something; empty: there is none. Whoever sets it checks it before
	// the request comes here.
	FormToken string
	// SignOut is where the form that ends the session is sent; empty: nobody
	// signed in.
	SignOut string
}

// FormTokenField is the name of the hidden field with [Visitor.FormToken].
const FormTokenField = "token"

// here is the visitor where nothing says who it is.
const here = "this machine"

// visitor is who sent the request.
func (d *dashboard) visitor(c echo.Context) Visitor {
	if d.Visitor == nil {
		return Visitor{Name: here, MayChange: true}
	}
	return d.Visitor(c.Request())
}

// maxForm bounds the body of a form.
const maxForm = 1 << 20

// changing passes on what a form of our own pages sent, by somebody who may
// change things. The server refuses other origins already; this holds where it
// is not in front.
func (d *dashboard) changing(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		switch r.Header.Get("Sec-Fetch-Site") {
		case "", "same-origin", "none":
		default:
			return echo.NewHTTPError(http.StatusForbidden, "the request comes from another site")
		}
		if !d.visitor(c).MayChange {
			return echo.NewHTTPError(http.StatusForbidden, "only an admin may change this")
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxForm)
		if err := readForm(r); err != nil {
			return err
		}
		return next(c)
	}
}

// readForm reads what a form of our own pages sent; [http.Request.PostForm] has
// it afterwards.
func readForm(r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEApplicationForm {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType, "only a form of these pages can be sent here")
	}
	var large *http.MaxBytesError
	switch err := r.ParseForm(); {
	case errors.As(err, &large):
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge, "the form is larger than 1 MiB")
	case err != nil:
		return echo.NewHTTPError(http.StatusBadRequest, "the form cannot be read")
	}
	return plainValues(r.PostForm)
}
