package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"steelyard/metrics"
)

// An address that says two things, or nothing that can be read, is not taken
// for one that says less.
func TestAddressesAreUnderstoodOrRefused(t *testing.T) {
	h := fullHandler(t)
	for address, status := range map[string]int{
		"/pilots/payments/pull-requests?team=%zz":                  400,
		"/pilots/payments/pull-requests.csv?team=%zz":              400,
		"/pilots/payments/pull-requests?team=a;state=open":         400,
		"/pilots/payments/pull-requests?state=open&state=merged":   400,
		"/pilots/payments/pull-requests.csv?state=open&state=open": 400,
		"/pilots/payments/pull-requests?team=%00":                  400,
		"/pilots/payments/pull-requests?team=%ff":                  400,
		"/pilots/payments/pull-requests?to=0001-01-01":             400,
		"/pilots/payments/pull-requests?from=1969-12-31":           400,
		"/pilots/payments/pull-requests?from=1970-01-01":           200,
		"/pilots/payments/pull-requests?%3Cscript%3E=1":            200,
		"/pilots/payments/pull-requests?%3Cscript%3E=%ff":          400,
		"/pilots/%00":                                                         400,
		"/pilots/%ff":                                                         400,
		"/pilots/payments/figures/%00.csv":                                    400,
		"/docs/rules/%00":                                                     400,
		"/guardrails?repository=%00":                                          400,
		"/guardrails?severity=fatal":                                          400,
		"/guardrails/findings.csv?severity=fatal":                             400,
		"/guardrails/findings.csv?severity=error":                             200,
		"/guardrails?page=1000000":                                            404,
		"/guardrails?page=-1":                                                 200,
		"/guardrails?page=99999999999999999999":                               200,
		"/servers?approval=perhaps":                                           400,
		"/servers?pin=x":                                                      400,
		"/servers?secrets=%3Cscript%3E":                                       400,
		"/dependencies?state=x":                                               400,
		"/dependencies?judgement=x":                                           400,
		"/dependencies?ecosystem=x":                                           400,
		"/pilots/new?comparison=search&comparison=ledger&sent=1":              200,
		"/pilots/payments/edit?left_out.from=x&left_out.from=y":               200,
		"/pilots/new?title=%00":                                               400,
		"/pilots/" + strings.Repeat("a", 60_000):                              404,
		"/servers?repository=" + strings.Repeat("a", 60_000):                  200,
		"/pilots/payments/pull-requests?after=" + strings.Repeat("A", 60_000): 400,
	} {
		r := httptest.NewRequest(http.MethodGet, address, http.NoBody)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%.80s answers %d, not %d", address, w.Code, status)
		}
		if strings.Contains(w.Body.String(), "<script>") {
			t.Errorf("%.80s: markup of the address", address)
		}
		checkHeaders(t, w)
	}
}

// A form is one of our pages', of a size that a person fills in, and text.
func TestFormsAreUnderstoodOrRefused(t *testing.T) {
	o := fullOptions()
	o.Editor = memoryEditor{func(metrics.Pilot, metrics.Edit) error {
		t.Error("it was saved")
		return nil
	}}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	const form = "application/x-www-form-urlencoded"
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"json":       {"application/json", `{"title":"x"}`, 415},
		"text":       {"text/plain", typed().Encode(), 415},
		"parts":      {"multipart/form-data; boundary=b", "--b\r\n\r\n--b--\r\n", 415},
		"no-kind":    {"", typed().Encode(), 415},
		"bad-escape": {form, "title=%zz", 400},
		"large":      {form, "title=" + strings.Repeat("a", maxForm), 413},
		"nul":        {form, typedWith("title", "a\x00b"), 400},
		"no-utf-8":   {form, typedWith("description", "\xff"), 400},
		"many":       {form, strings.Repeat("a=1&", 50_000), 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/pilots/new", strings.NewReader(c.body))
			if c.kind != "" {
				r.Header.Set("Content-Type", c.kind)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("answers %d, not %d", w.Code, c.status)
			}
			checkHeaders(t, w)
		})
	}
}

// A form that stops coming is not answered as if all went well, also where the
// connection is given up and no page can be made for it.
func TestFormThatStops(t *testing.T) {
	h := fullHandler(t)
	ctx, stop := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/pilots/new", stopping{stop})
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest {
		t.Errorf("answers %d", w.Code)
	}
	// Nor is a page of which nobody waits for the end.
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/pilots/payments", http.NoBody))
	if w.Code == http.StatusOK {
		t.Errorf("an empty page answers %d", w.Code)
	}
}

// stopping is a body that breaks off, and its request with it.
type stopping struct{ stop context.CancelFunc }

func (s stopping) Read([]byte) (int, error) {
	s.stop()
	return 0, os.ErrDeadlineExceeded
}

func typedWith(name, value string) string {
	form := url.Values{}
	for k, v := range typed() {
		form[k] = v
	}
	form.Set(name, value)
	return form.Encode()
}
