package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// understood passes on a request whose address says one thing. Half an address
// would choose something else than whoever wrote it meant: a filter that cannot
// be read is not the same as none, and of two with one name neither is the one.
func understood(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		v, err := url.ParseQuery(u.RawQuery)
		if err != nil {
			return unclear("what stands behind the question mark cannot be read")
		}
		if !isPlain(u.Path) {
			return unclear("it holds bytes that are no text")
		}
		if err := plainValues(v); err != nil {
			return err
		}
		for name, values := range v {
			if len(values) > 1 && !strings.HasPrefix(c.Path(), "/pilots/new") && !strings.HasSuffix(c.Path(), "/edit") {
				return unclear("“" + clipped(name) + "” stands in it more than once")
			}
		}
		return next(c)
	}
}

func unclear(why string) error { return echo.NewHTTPError(http.StatusBadRequest, why) }

// plainValues refuses what no person types and no database takes.
func plainValues(v url.Values) error {
	for name, values := range v {
		for _, s := range append([]string{name}, values...) {
			if !isPlain(s) {
				return unclear("“" + clipped(strings.ToValidUTF8(name, "�")) + "” holds bytes that are no text")
			}
		}
	}
	return nil
}

func isPlain(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// chosen is the value of a filter, which must be one of its choices.
func chosen(c echo.Context, name string, all []namedChoice) (string, error) {
	value := c.QueryParam(name)
	for _, n := range all {
		if n.Value == value {
			return value, nil
		}
	}
	if value == "" {
		return "", nil
	}
	return "", unclear("“" + clipped(value) + "” is no choice of “" + name + "”")
}

// choose reads several filters into their places; the first that is none ends
// it.
func choose(c echo.Context, filters ...filter) error {
	for _, f := range filters {
		value, err := chosen(c, f.name, f.all)
		if err != nil {
			return err
		}
		*f.to = value
	}
	return nil
}

// filter is one filter of a list: its name, its choices, and where it goes.
type filter struct {
	name string
	all  []namedChoice
	to   *string
}
