package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWebhook holds that a delivery reaches whoever takes it, whole and with
// its headers, and that there is no such address where nobody does.
func TestWebhook(t *testing.T) {
	var got string
	options := Options{Reports: memoryReports{}, Webhook: func(_ context.Context, h http.Header, body []byte) (int, string) {
		got = h.Get("X-GitHub-Delivery") + " " + string(body)
		return http.StatusAccepted, "taken"
	}}
	send := func(o Options, method, body string) *httptest.ResponseRecorder {
		h, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequest(method, WebhookPath, strings.NewReader(body))
		req.Header.Set("X-GitHub-Delivery", "d1")
		rec := httptest.NewRecorder()
		req.Body = http.MaxBytesReader(rec, req.Body, 100)
		h.ServeHTTP(rec, req)
		return rec
	}
	if rec := send(options, http.MethodPost, `{"a":1}`); rec.Code != http.StatusAccepted || rec.Body.String() != "taken\n" || got != `d1 {"a":1}` {
		t.Errorf("%d %q, taken %q", rec.Code, rec.Body, got)
	}
	if rec := send(options, http.MethodPost, strings.Repeat("x", 101)); rec.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("too large: %d %q", rec.Code, rec.Body)
	}
	if rec := send(options, http.MethodGet, ""); rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", rec.Code)
	}
	options.Webhook = nil
	if rec := send(options, http.MethodPost, "{}"); rec.Code != http.StatusNotFound {
		t.Errorf("without a secret: %d", rec.Code)
	}
}
