package web

import (
	"bytes"
	"compress/gzip"
	"strings"

	"github.com/labstack/echo/v4"
)

// smallest is the size under which compressing gains nothing.
const smallest = 1400

// keepPlain marks an answer that must not be compressed: one with a secret and
// something that another page may have chosen, which its length would tell
// apart.
const keepPlain = "web.keepPlain"

// packed is body compressed, where the reader takes that and it is a text worth
// it.
func packed(c echo.Context, kind string, body []byte) ([]byte, bool) {
	c.Response().Header().Add("Vary", "Accept-Encoding")
	if len(body) < smallest || c.Get(keepPlain) != nil || !takesGzip(c.Request().Header.Get("Accept-Encoding")) || !isText(kind) {
		return body, false
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return body, false
	}
	if _, err := w.Write(body); err != nil { // a buffer takes everything
		return body, false
	}
	if err := w.Close(); err != nil {
		return body, false
	}
	return b.Bytes(), true
}

// takesGzip reports whether an Accept-Encoding header names gzip and does not
// refuse it.
func takesGzip(header string) bool {
	for one := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) == "gzip" {
			w := strings.ReplaceAll(weight, " ", "")
			return w != "q=0" && w != "q=0.0"
		}
	}
	return false
}

func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "application/json") || strings.HasPrefix(kind, "image/svg+xml")
}
