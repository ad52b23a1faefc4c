package web

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

// slowReports are not there until they are made; whoever asks waits, as long
// as they want to.
type slowReports struct {
	metrics.Reports
	made chan struct{}
}

func (s slowReports) wait(ctx context.Context) error {
	select {
	case <-s.made:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s slowReports) Report(ctx context.Context, id string) (*metrics.Report, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Reports.Report(ctx, id)
}

func (s slowReports) Summaries(ctx context.Context) ([]metrics.Summary, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Reports.Summaries(ctx)
}

func (s slowReports) Computing(context.Context) (metrics.Progress, error) {
	select {
	case <-s.made:
		return metrics.Progress{Done: 3, Total: 3}, nil
	default:
		return metrics.Progress{Done: 1, Total: 3, Running: []metrics.Computation{{Pilot: "payments", Done: 2, Total: 5}, {Pilot: "editor"}}}, nil
	}
}

// A page whose report is still computed says how far that is, asks again, and
// is the report as soon as that is there.
func TestProgressOfReports(t *testing.T) {
	s := slowReports{fullReports(), make(chan struct{})}
	o := fullOptions()
	o.Reports, o.Patience = s, time.Millisecond
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"/", "/pilots/payments?metric=reverts"} {
		w := get(t, h, page)
		if w.Code != http.StatusAccepted || w.Header().Get("ETag") != "" {
			t.Errorf("%s answers %d", page, w.Code)
		}
		for _, want := range []string{
			"Being computed.", "1 of 3 reports is there", "Compute the report on payments", "2 of 5 metrics measured", `<progress max="100" value="40"`,
			"reading the data", `data-poll="` + page + `"`, `<noscript><meta http-equiv="refresh"`,
		} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %q is missing", page, want)
			}
		}
		checkHeaders(t, w)
	}
	if body := get(t, h, "/data").Body.String(); !strings.Contains(body, "Compute the report on payments") {
		t.Error("data health does not show that reports are computed")
	}
	close(s.made)
	for page, want := range map[string]string{"/": "Payments merges a third faster", "/pilots/payments": "How was this computed"} {
		if w := get(t, h, page); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s answers %d when its report is there", page, w.Code)
		}
	}
}

// A reader who goes away is not told of progress, and nothing else is late.
func TestOnlyWaitingIsLate(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	for name, c := range map[string]struct {
		ctx  context.Context
		ask  func(context.Context) (int, error)
		late bool
	}{
		"done":    {t.Context(), func(context.Context) (int, error) { return 1, nil }, false},
		"broken":  {t.Context(), func(context.Context) (int, error) { return 0, errBroken }, false},
		"waiting": {t.Context(), func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }, true},
		"gone":    {gone, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }, false},
		"its-own": {t.Context(), func(context.Context) (int, error) { return 0, context.DeadlineExceeded }, false},
	} {
		patience := time.Millisecond
		if name == "its-own" {
			patience = time.Hour
		}
		if _, late, _ := soon(c.ctx, patience, c.ask); late != c.late {
			t.Errorf("%s: late is %t", name, late)
		}
	}
}

// In a browser the report takes the place of its progress by itself.
func TestReportAppearsWhenComputed(t *testing.T) {
	browser, _ := need(t)
	s := slowReports{fullReports(), make(chan struct{})}
	o := fullOptions()
	o.Reports, o.Patience = s, 50*time.Millisecond
	w := walker{t: t, ctx: openBrowser(t, browser)}
	w.open(newServer(t, o).URL + "/pilots/payments?metric=reverts")
	w.shows("h1", "Being computed.")
	close(s.made)
	w.until("h1", "Cannot say yet.")
	if at := w.eval("location.pathname + location.search"); at != "/pilots/payments?metric=reverts" {
		t.Errorf("the report stands at %s", at)
	}
}

// Where the server is gone, what a design could see says that it is of what was
// typed before.
func TestLookingAheadWithoutServer(t *testing.T) {
	browser, _ := need(t)
	srv := newServer(t, fullOptions())
	w := walker{t: t, ctx: openBrowser(t, browser)}
	w.open(srv.URL + "/pilots/new")
	if strings.Contains(w.text("#preview"), "does not answer") {
		t.Error("it says so before anything is wrong")
	}
	srv.Close()
	w.eval(`document.querySelector('[name="title"]').value = 'Ledger'`)
	w.eval(`document.querySelector('[name="title"]').dispatchEvent(new Event('input', {bubbles: true}))`)
	w.until("#preview", "The server does not answer")
}
