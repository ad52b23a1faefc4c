package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
)

// smallest is the size under which compressing gains nothing.
const smallest = 1400

// keepPlain marks an answer that must not be compressed: one with a secret and
// something that another page may have chosen, which its length would tell
// apart.
const keepPlain = "web.keepPlain"

// packs reports whether an answer is compressed: where the reader takes that and
// it is a text worth it.
func packs(c echo.Context, kind string, body []byte) bool {
	return len(body) >= smallest && c.Get(keepPlain) == nil && isText(kind) && takesGzip(c.Request().Header.Get("Accept-Encoding"))
}

// packers keep their memory, of which a new one takes near a megabyte.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for another level alone
	return w
}}

// buffers hold an answer until it is sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxBuffer is the size beyond which a buffer is not kept.
const maxBuffer = 4 << 20

// newBuffer is an empty buffer; free takes it back, and what it held with it.
func newBuffer() (b *bytes.Buffer, free func()) {
	b, _ = buffers.Get().(*bytes.Buffer)
	return b, func() {
		if b.Cap() <= maxBuffer {
			b.Reset()
			buffers.Put(b)
		}
	}
}

// pack writes body compressed to b.
func pack(b *bytes.Buffer, body []byte) error {
	w, _ := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(b)
	_, err := w.Write(body)
	return errors.Join(err, w.Close())
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
