package web

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
)

// longList is a list of n pull requests, of which no page is larger than asked
// for; from the row fail on it can be read no more.
type longList struct {
	n, fail int
	pages   *int
}

func (l longList) PilotPulls(_ context.Context, pilot string, q metrics.PullFilter) (*metrics.PilotPullPage, error) {
	*l.pages++
	page := &metrics.PilotPullPage{Pilot: metrics.Pilot{ID: pilot, Title: pilot}}
	from := 0
	if q.After != (metrics.PullPlace{}) {
		if _, err := fmt.Sscan(q.After.ID, &from); err != nil {
			return nil, err
		}
	}
	if l.fail > 0 && from >= l.fail {
		return nil, errBroken
	}
	for i := from; i < min(l.n, from+q.Limit); i++ {
		page.Rows = append(page.Rows, metrics.PullRow{
			Repository: "=acme/payments", Number: i + 1, Team: "@payments", Opened: at("2026-11-28 17:10").Add(-time.Duration(i) * time.Minute),
		})
	}
	if to := from + q.Limit; to < l.n {
		page.Next = metrics.PullPlace{At: at("2026-11-28 17:10"), ID: fmt.Sprint(to)}
	}
	return page, nil
}

const long = 23_456 // more than a few pages, and no multiple of one

func TestLongListsAreWhole(t *testing.T) {
	for _, n := range []int{0, 1, metrics.MaxPulls, metrics.MaxPulls + 1, long} {
		pages := 0
		srv := newServer(t, Options{Reports: fullReports(), Pulls: longList{n: n, pages: &pages}})
		rows, err := csv.NewReader(strings.NewReader(download(t, srv.URL+"/pilots/payments/pull-requests.csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != n+1 {
			t.Errorf("the CSV of %d pull requests has %d rows", n, len(rows)-1)
		}
		if want := max(1, (n+metrics.MaxPulls-1)/metrics.MaxPulls); pages != want {
			t.Errorf("%d pull requests took %d pages, not %d", n, pages, want)
		}
		for i, r := range rows[1:] {
			if r[0] != "'=acme/payments" || r[1] != fmt.Sprint(i+1) || r[3] != "'@payments" {
				t.Fatalf("row %d: %q", i, r)
			}
		}
		var table metrics.Table
		if err := json.Unmarshal([]byte(download(t, srv.URL+"/pilots/payments/pull-requests.json")), &table); err != nil {
			t.Fatal(err)
		}
		if table.ID != "pull-requests" || table.Rows == nil || len(table.Rows) != n || len(table.Columns) != len(rows[0]) {
			t.Errorf("the JSON of %d pull requests has %d rows and %d columns", n, len(table.Rows), len(table.Columns))
		}
	}
}

func download(t *testing.T, url string) string {
	t.Helper()
	body, err := fetch(t, http.MethodGet, url)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func fetch(t *testing.T, method, url string) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Disposition"), `attachment; filename="payments-pull-requests.`) {
		t.Errorf("%s %s: %s, %q", method, url, res.Status, res.Header.Get("Content-Disposition"))
	}
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// A list that breaks off on the way must not look like a whole one.
func TestLongListThatBreaks(t *testing.T) {
	pages := 0
	srv := newServer(t, Options{Reports: fullReports(), Pulls: longList{n: long, fail: 2 * metrics.MaxPulls, pages: &pages}})
	for _, ext := range []string{".csv", ".json"} {
		body, err := fetch(t, http.MethodGet, srv.URL+"/pilots/payments/pull-requests"+ext)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s of %d bytes ends with %v", ext, len(body), err)
		}
	}
}

// Asking for the header alone reads no more than one page.
func TestHeadOfALongList(t *testing.T) {
	pages := 0
	srv := newServer(t, Options{Reports: fullReports(), Pulls: longList{n: long, pages: &pages}})
	if body, err := fetch(t, http.MethodHead, srv.URL+"/pilots/payments/pull-requests.csv"); err != nil || body != "" || pages != 1 {
		t.Errorf("%q, %v, %d pages", body, err, pages)
	}
}

// manyFindings and manyDependencies are stores whose lists have many pages.
type manyFindings struct{ memoryFindings }

func (manyFindings) Findings(_ context.Context, f lint.FindingFilter) (lint.FindingPage, error) {
	p := lint.FindingPage{Total: 2*storeStep + 7}
	for i := f.Offset; i < min(p.Total, f.Offset+f.Limit); i++ {
		p.Findings = append(p.Findings, lint.StoredFinding{Repository: "acme/ledger", Finding: lint.Finding{Rule: "MC001", Severity: rules.Error, Path: ".mcp.json", Line: i + 1, Message: "@x"}})
	}
	return p, nil
}

type manyDependencies struct{ lint.DependencyStore }

func (manyDependencies) NewDependencies(_ context.Context, f lint.DependencyFilter) (lint.DependencyPage, error) {
	p := lint.DependencyPage{Total: 2*storeStep + 7}
	for i := f.Offset; i < min(p.Total, f.Offset+f.Limit); i++ {
		var d lint.StoredDependency
		d.Line = i + 1
		p.Dependencies = append(p.Dependencies, d)
	}
	return p, nil
}

// Lists of the guardrails are whole in a file, too.
func TestGuardFilesAreWhole(t *testing.T) {
	srv := newServer(t, Options{Reports: fullReports(), Findings: manyFindings{}, Dependencies: manyDependencies{}, Rules: rules.All})
	for path, line := range map[string]int{"/guardrails/findings.csv": 4, "/dependencies.csv": 4} {
		rows, err := csv.NewReader(strings.NewReader(read(t, srv.URL+path))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 2*storeStep+8 || rows[len(rows)-1][line] != fmt.Sprint(2*storeStep+7) {
			t.Errorf("%s has %d rows and ends with %q", path, len(rows), rows[len(rows)-1])
		}
	}
}

// Long files take turns, so that pages are answered meanwhile; short ones need
// none.
func TestLongFilesTakeTurns(t *testing.T) {
	pages := 0
	d := &dashboard{Options: Options{Reports: fullReports()}, long: make(chan struct{}, maxLong)}
	for range maxLong {
		d.long <- struct{}{}
	}
	send := func(n int) error {
		d.Pulls = longList{n: n, pages: &pages}
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/pilots/payments/pull-requests.csv", http.NoBody), httptest.NewRecorder())
		c.SetParamNames("id")
		c.SetParamValues("payments")
		return d.pullsFile(".csv")(c)
	}
	if err := send(10); err != nil {
		t.Errorf("a short file: %v", err)
	}
	if f := faultOf(send(long)); f.Status != http.StatusServiceUnavailable || f.Title != "Not now" {
		t.Errorf("a long file too many: %+v", f)
	}
	<-d.long
	if err := send(long); err != nil || len(d.long) != maxLong-1 {
		t.Errorf("a long file in its turn: %v, and %d places are taken", err, len(d.long))
	}
}
