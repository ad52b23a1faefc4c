package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// maxWeight is what a page may weigh on the wire, with its style and script.
const maxWeight = 150_000

func TestPagesAreLight(t *testing.T) {
	h := fullHandler(t)
	shared := 0
	home := get(t, h, "/").Body.String()
	for _, m := range link.FindAllStringSubmatch(home, -1) {
		if strings.HasPrefix(m[1], "/static/") {
			shared += get(t, h, m[1], "Accept-Encoding", "gzip").Body.Len()
		}
	}
	for _, url := range []string{"/", "/pilots/payments", "/pilots/editor", "/pilots/payments/pull-requests", "/pilots/new", "/data", "/guardrails", "/docs/rules"} {
		w := get(t, h, url, "Accept-Encoding", "br, gzip;q=0.8")
		if n := w.Body.Len() + shared; n > maxWeight {
			t.Errorf("%s weighs %d bytes", url, n)
		}
		if w.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(w.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: headers %v", url, w.Header())
			continue
		}
		plain := get(t, h, url)
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil || string(b) != plain.Body.String() {
			t.Errorf("%s: compressed it is another page: %v", url, err)
		}
		tag := w.Header().Get("ETag")
		if tag == plain.Header().Get("ETag") {
			t.Errorf("%s: both forms have the tag %s", url, tag)
		}
		if again := get(t, h, url, "Accept-Encoding", "gzip", "If-None-Match", tag); again.Code != http.StatusNotModified {
			t.Errorf("%s: known, and still answered with %d", url, again.Code)
		}
	}
}

// TestSecretsAreNotCompressed beside what another page may have chosen.
func TestSecretsAreNotCompressed(t *testing.T) {
	o := fullOptions()
	o.Visitor = func(*http.Request) Visitor { return Visitor{Name: "an admin", MayChange: true, FormToken: "secret"} }
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"/pilots/new?title=guess": "", "/pilots/new": "gzip", "/": "gzip"} {
		if got := get(t, h, url, "Accept-Encoding", "gzip").Header().Get("Content-Encoding"); got != want {
			t.Errorf("%s: Content-Encoding %q, want %q", url, got, want)
		}
	}
	for header, want := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "": false, "xgzip": false} {
		if takesGzip(header) != want {
			t.Errorf("takesGzip(%q) is not %v", header, want)
		}
	}
}
