package web

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/rules"
	"steelyard/web/chart"
)

var errBroken = errors.New("database file /var/lib/secret.db is locked")

// fullReports holds a pilot of each kind.
func fullReports() memoryReports {
	return memoryReports{
		reports: []*metrics.Report{largePilot(), hostilePilot(), smallPilot(), refusedPilot()},
		failed:  []metrics.Summary{{ID: "broken", Title: "A pilot without data", Error: "The pilot has no panel yet: import one with steelyard import panel."}},
	}
}

func fullHandler(t *testing.T) http.Handler {
	t.Helper()
	h, err := New(fullOptions())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(t *testing.T, h http.Handler, url string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, url, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestDownloadsHaveNames holds that each kind of file is kept under a name of
// its own, and that a figure does not touch the edge of its file.
func TestDownloadsHaveNames(t *testing.T) {
	h := fullHandler(t)
	for url, name := range map[string]string{
		"/pilots/payments/figures/trend/open_to_merge.csv":  "payments-trend-open_to_merge.csv",
		"/pilots/payments/figures/trend/open_to_merge.json": "payments-trend-open_to_merge.json",
		"/pilots/payments/figures/trend/open_to_merge.svg":  "payments-trend-open_to_merge.svg",
		"/figures/pilots.json":                              "pilots.json",
	} {
		if got, want := get(t, h, url).Header().Get("Content-Disposition"), `attachment; filename="`+name+`"`; got != want {
			t.Errorf("%s: Content-Disposition is %q, want %q", url, got, want)
		}
	}
	body := get(t, h, "/pilots/payments/figures/trend/open_to_merge.svg").Body.String()
	if !strings.Contains(body, `viewBox="-24 -24 882 474" width="882" height="474"`) {
		t.Errorf("no margin: %.200s", body)
	}
}

// TestMethodIsExplainedOnce has the reasons for a method in a fact already.
func TestMethodIsExplainedOnce(t *testing.T) {
	r := smallPilot()
	r.Computed[1].Text += " " + strings.Join(r.Design.Why, " ")
	body := get(t, handlerOf(t, r), "/pilots/payments").Body.String()
	for _, why := range r.Design.Why {
		if n := strings.Count(body, why); n != 1 {
			t.Errorf("%q stands %d times on the page", why, n)
		}
	}
	if body = get(t, handlerOf(t, smallPilot()), "/pilots/payments").Body.String(); !strings.Contains(body, "Why this method") {
		t.Error("where no fact gives the reasons they are missing")
	}
}

func handlerOf(t *testing.T, reports ...*metrics.Report) http.Handler {
	t.Helper()
	h, err := New(Options{Reports: memoryReports{reports: reports}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestRulesWithoutFindings holds that they share one place below the table.
func TestRulesWithoutFindings(t *testing.T) {
	body := get(t, fullHandler(t), "/guardrails").Body.String()
	table, rest, found := strings.Cut(body, "Looked for and not found")
	if !found || strings.Contains(table, "SP004") || !strings.Contains(rest, "SP004") {
		t.Error("rules without a finding are not listed apart")
	}
}

// TestDataIsSaidOnce puts two pilots on one file, and what was left out for one
// reason together.
func TestDataIsSaidOnce(t *testing.T) {
	set := metrics.DataSet{
		Title: "One", Pilot: "one", Level: metrics.LevelPanel, Units: 9, Periods: 78, First: "2023-06-26", Last: "2026-08-17",
		Import: &metrics.Import{File: "panel.csv", SHA256: strings.Repeat("ab", 32), Rows: 10},
		LeftOut: []metrics.LeftOut{
			{Count: 3, What: "rows of Commits", Reason: "the value is missing"},
			{Count: 3, What: "rows of Lines", Reason: "the value is missing"},
			{Count: 4, What: "rows of Size", Reason: "the value is missing"},
			{Count: 5, What: "rows", Reason: "twice"},
			{Count: 12, What: "rows of 1,272 repositories (imputation) of Commits", Reason: "one row"},
			{Count: 7, What: "rows of 7 repositories (imputation) of Lines", Reason: "one row"},
			{Count: 2, What: "units of Commits", Reason: "one row"},
			{Count: 2, What: "units of Lines", Reason: "one row"},
		},
	}
	other := set
	other.Title, other.Pilot = "Two", "two"
	v := dataView{DataHealth: &metrics.DataHealth{DataSets: []metrics.DataSet{set, other}}}
	groups := v.groups()
	if len(groups) != 1 || len(groups[0].Sets) != 2 {
		t.Fatalf("groups %+v", groups)
	}
	hashes := 0
	for _, f := range groups[0].Facts {
		hashes += strings.Count(f.Code, "SHA-256")
	}
	if hashes != 1 {
		t.Errorf("the hash stands %d times", hashes)
	}
	want := []leftOutGroup{
		{"the value is missing", []leftOutLine{{"3 to 4", "rows: Commits 3, Lines 3, Size 4"}}},
		{"twice", []leftOutLine{{"5", "rows"}}},
		{"one row", []leftOutLine{{"7 to 12", "rows of repositories (imputation): Commits 12, Lines 7"}, {"2", "units, each for Commits and Lines"}}},
	}
	if diff := cmp.Diff(want, byReason(set.LeftOut)); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// TestSparkHoldsTheWindows draws the gap of the windows with the start, not of
// all the data before them.
func TestSparkHoldsTheWindows(t *testing.T) {
	r := smallPilot()
	m := r.Metrics[0].Trend
	early := make([]metrics.TrendPoint, 80)
	for i := range early {
		early[i] = metrics.TrendPoint{Pilot: f(1), Comparison: f(1), LeftOut: "before the window"}
	}
	before, _ := windowGaps(m)
	all := *m
	all.Points, all.StartIndex = slices.Concat(early, m.Points), m.StartIndex+80
	gaps, began := windowGaps(&all)
	if len(gaps) != len(before) || began <= 0 || began >= len(gaps) {
		t.Errorf("%d gaps (%d without the early ones), start at %d", len(gaps), len(before), began)
	}
	body := get(t, handlerOf(t, r), "/").Body.String()
	if !strings.Contains(body, "Gap over time, start marked") {
		t.Error("the start is not marked")
	}
}

// TestRefusedSaysItsReasonOnce has a report without any number: no figure, no
// empty table, and the reason stands once.
func TestRefusedSaysItsReasonOnce(t *testing.T) {
	h := fullHandler(t)
	var file bytes.Buffer
	if err := RenderReportHTML(&file, refusedPilot()); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"page": get(t, h, "/pilots/refused").Body.String(), "file": file.String()} {
		if n := strings.Count(body, whyRefused); n != 1 {
			t.Errorf("%s: the reason stands %d times", name, n)
		}
		for _, bad := range []string{"<figure", "Methods compared", "Three numbers", "In detail", "the verdict says why", "How far it carries"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s: %q stands on it", name, bad)
			}
		}
	}
	if body := get(t, handlerOf(t, refusedPilot()), "/").Body.String(); !strings.Contains(body, "nothing to draw yet") || strings.Contains(body, `class="spark"`) {
		t.Error("the first page draws a gap that does not exist")
	}
}

// TestMetricWithoutNumbers has one metric among others that was not measured.
func TestMetricWithoutNumbers(t *testing.T) {
	const why = "Not measured: the import has no first_review column."
	r := smallPilot()
	refuse(&r.Metrics[1], why)
	body := get(t, handlerOf(t, r), "/pilots/payments?metric=time_to_first_review").Body.String()
	for _, bad := range []string{"Methods compared", "Nothing that was looked for", "Before the start</dt>", "What it could have seen"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q stands on the page", bad)
		}
	}
	if !strings.Contains(body, "There is no number") || !strings.Contains(body, "Three numbers") {
		t.Error("the page does not say that there is no number, or lacks the others'")
	}
	d, _ := drawingOf(r, "three-numbers")
	if svg := d.draw(chart.Head{}, chart.Wide); strings.Contains(svg, "Time to first review") || !strings.Contains(svg, "Open to merge") {
		t.Error("the figure has an empty row")
	}
}

// TestDisagreementIsNoNumber holds what the first page shows of a pilot whose
// methods disagree.
func TestDisagreementIsNoNumber(t *testing.T) {
	r := smallPilot()
	r.Metrics[0].Disagree = true
	h := handlerOf(t, r)
	body := get(t, h, "/").Body.String()
	for _, want := range []string{">methods disagree<", `class="diamond other"`, "it is not the answer", "Not taken as the answer, because the methods disagree"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(body, `class="value"`) {
		t.Error("the number is presented as the answer")
	}
	if body = get(t, h, "/figures/pilots.csv").Body.String(); !strings.Contains(body, "methods disagree") {
		t.Error("the table does not say it")
	}
	if body = get(t, handlerOf(t, smallPilot()), "/").Body.String(); strings.Contains(body, "it is not the answer") {
		t.Error("the grey number is explained where there is none")
	}
}

// TestDataExtent says how much data there is and how much of it is used.
func TestDataExtent(t *testing.T) {
	for want, s := range map[string]metrics.DataSet{
		"9 repositories, 165 weeks, 78 used, from 26 Jun 2023 to 23 Aug 2026": {Units: 9, Periods: 165, Used: 78, First: "2023-06-26", Last: "2026-08-23", UnitNoun: "repository", PeriodNoun: "week"},
		"1,380 units, 20 periods, all used, from Jan 2024 to Aug 2025":        {Units: 1380, Periods: 20, Used: 20, First: "2024-01", Last: "2025-08"},
	} {
		if got := dataExtent(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNewNeedsReports(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("no error without Reports")
	}
}

func TestPages(t *testing.T) {
	h := fullHandler(t)
	for _, c := range []struct {
		url    string
		status int
		holds  []string
	}{
		{"/", 200, []string{"Of five pilots", "Cannot say yet.", "−17 points", "Reverts 3 → 7", "could not be made", "Two errors need a person", "acme/checkout-web"}},
		{"/pilots/payments", 200, []string{"Made-up numbers", "Cannot say yet.", "The design is small", "What would change this verdict", "How was this computed", "steelyard report payments --as-of 2026-11-29 --seed 20260803", "after the start: comparison", `href="/pilots/payments/figures/trend/open_to_merge.csv"`}},
		{"/pilots/payments?metric=reverts", 200, []string{"How far it carries: Reverts within 30 days", "Few events", "rose for the pilot only"}},
		{"/pilots/refused", 200, []string{"There is no comparison", "How was this computed"}},
		{"/pilots/editor", 200, []string{"Improved, at a cost.", "38,112 repository-months used", "121 repositories left out: they have fewer than two months before adoption", "Months from the start", "methods disagree", "Grey: the methods disagree", "CC BY 4.0", `href="https://example.org/panel"`}},
		{"/pilots/broken", 200, []string{"could not be made", "The pilot has no panel yet"}},
		{"/pilots/none", 404, []string{"There is nothing here"}},
		{"/pilots/payments?metric=none", 404, []string{"There is nothing here"}},
		{"/data", 200, []string{"Not everything is here:", "3 repositories need a look", "GitHub has refused the token since 26 November", "31 of 2,959 (1.0\u202f%)", "Read all of acme/checkout-web", "311 of 9,120 pull requests", "GitHub allows 4,180 of 5,000", "2,959 pull requests", "2 teams counted together", "pulls.csv.gz", "8 repositories, 20 months, all used, from Jan 2024 to Aug 2025", "51 rows stand twice", "the column commits", "No row has a first review.", "5 columns that metrics use", "their author had no team yet"}},
		{"/guardrails", 200, []string{"3 findings", "MC002 mcp-unpinned-server", "acme/ledger", ".vscode/mcp.json:4:3"}},
		{"/guardrails?rule=CO001", 200, []string{"Only rule CO001", "1 finding, worst first"}},
		{"/guardrails?rule=none", 200, []string{"No finding matches"}},
		{"/guardrails?page=9999999999999999999999", 200, nil},
		{"/docs/rules", 200, []string{"MC002 mcp-unpinned-server"}},
		{"/docs/rules/MC002", 200, []string{"mcp-unpinned-server", "<figcaption>.mcp.json</figcaption>", "How to fix"}},
		{"/docs/rules/mcp-unpinned-server", 200, []string{"MC002"}},
		{"/docs/rules/XX999", 404, nil},
		{"/pilots", 301, nil},
		{"/docs", 200, []string{"Cross-fit t", "/docs/methods/cross-fit-t", "The dashboard"}},
		{"/docs/dashboard", 200, []string{`href="/docs/methods/cross-fit-t#how"`, `href="/docs/rules/MC002"`, ", a file and", `href="https://example.org/"`}},
		{"/docs/methods/cross-fit-t", 200, []string{`<h2 id="how">How</h2>`, `href="/docs/methods"`, "mean(τ) ± t · sd"}},
		{"/docs/methods", 200, []string{`href="/docs/methods/cross-fit-t"`, `aria-label="Table 1"><table>`}},
		{"/docs/methods/none", 404, nil},
		{"/data/work", 200, []string{"One job runs, one waits and one failed", "bad credentials"}},
		{"/pilots/new", 200, []string{"Define a pilot.", "Name a team and its first day", `value="checkout"`}},
		{"/pilots/new?sent=1&title=Ledger+tries+it&treated.unit=ledger&treated.start=2026-08-03&outcome.open_to_merge=primary", 200, []string{"31 points or more", "moved alike", `value="ledger-tries-it"`}},
		{"/pilots/new?sent=1&title=X&treated.unit=ledger&treated.start=3.8.2026&outcome.size=primary", 200, []string{"“3.8.2026” is not a day", `type="text" value="3.8.2026"`}},
		{"/pilots/payments/edit", 200, []string{"Change Payments", "ramp-up", "Who saved it", "changed comparison and left out"}},
		{"/pilots/editor/edit", 200, []string{"come with the imported table", "its report says what it can see"}},
		{"/pilots/none/edit", 404, nil},
		{"/pilots/payments/pull-requests", 200, []string{"50 pull requests on this page", "https://github.com/acme/payments/pull/899", "1 team is not listed", "reverted", "not looked for", "Older"}},
		{"/pilots/payments/pull-requests?state=reverted", 200, []string{"24 pull requests"}},
		{"/pilots/payments/pull-requests?state=gone", 400, []string{"State is none of: "}},
		{"/pilots/payments/pull-requests?side=treated", 400, []string{"Side is none of: pilot, comparison"}},
		{"/pilots/payments/pull-requests?after=x", 400, nil},
		{"/pilots/payments/pull-requests?from=x", 400, nil},
		{"/pilots/payments/pull-requests?team=x", 404, nil},
		{"/pilots/payments/pull-requests.csv", 200, []string{"repository,number,url,team,side", "acme/payments,781,"}},
		{"/pilots/payments/pull-requests.json?team=payments", 200, []string{`"pull-requests"`}},
		{"/pilots/editor/pull-requests", 200, []string{"There are none to list."}},
		{"/pilots/none/pull-requests", 404, nil},
		{"/pilots/payments/figures/spread/open_to_merge.svg", 200, []string{"half by 18"}},
		{"/pilots/payments/figures/bounds/open_to_merge.svg", 200, nil},
		{"/pilots/payments/figures/marks.svg", 200, nil},
		{"/pilots/payments/figures/felt.svg", 200, nil},
		{"/pilots/payments/figures/cost.csv", 200, []string{"EUR"}},
		{"/pilots/payments/figures/cost.svg", 404, nil},
		{"/figures/pilots.csv", 200, []string{"pilot,verdict,metric,unit,estimate"}},
		{"/figures/pilots.json", 200, []string{`"payments"`}},
		{"/figures/pilots.svg", 404, nil},
		{"/figures/other.csv", 404, nil},
		{"/pilots/payments/figures/three-numbers.csv", 200, []string{"metric,measure"}},
		{"/pilots/payments/figures/three-numbers.json", 200, []string{`"three-numbers"`}},
		{"/pilots/payments/figures/three-numbers.svg", 200, []string{"<svg xmlns", "<style>", "−17 points"}},
		{"/pilots/payments/figures/event-study/open_to_merge.svg", 200, []string{"<svg"}},
		{"/pilots/payments/figures/trend/none.csv", 404, nil},
		{"/pilots/payments/figures/trend/none.svg", 404, nil},
		{"/pilots/payments/figures/three-numbers.exe", 404, nil},
		{"/pilots/payments/figures/../../../etc/passwd", 404, nil},
		{"/static/../web.go", 404, nil},
		{"/static/style.css", 404, nil},
		{"/nowhere", 404, []string{"There is nothing here"}},
	} {
		t.Run(strings.Trim(strings.NewReplacer("/", "-", "?", "-").Replace(c.url), "-"), func(t *testing.T) {
			w := get(t, h, c.url)
			if w.Code != c.status {
				t.Fatalf("GET %s: status %d, want %d", c.url, w.Code, c.status)
			}
			for _, s := range c.holds {
				if !strings.Contains(w.Body.String(), s) && !strings.Contains(w.Body.String(), strings.ReplaceAll(s, "'", "&#39;")) {
					t.Errorf("GET %s: %q is missing", c.url, s)
				}
			}
			checkHeaders(t, w)
		})
	}
}

func checkHeaders(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	csp := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src 'none'; style-src ") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("Content-Security-Policy: %q", csp)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if w.Header().Get("Cache-Control") == "" {
		t.Error("no Cache-Control")
	}
	body := ownScript.ReplaceAllString(w.Body.String(), "")
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		for _, bad := range []string{"<script", " style=", " onclick=", " onload=", "<style"} {
			if strings.Contains(body, bad) {
				t.Errorf("page holds %s", bad)
			}
		}
	}
}

func TestPagesOnlyRead(t *testing.T) {
	h := fullHandler(t)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/pilots/payments", strings.NewReader("x")))
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, w.Code)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/pilots/payments", nil))
	if w.Code != http.StatusOK {
		t.Errorf("HEAD: status %d", w.Code)
	}
}

func TestCaching(t *testing.T) {
	h := fullHandler(t)
	style := regexp.MustCompile(`href="(/static/style\.[0-9a-f]+\.css)"`).FindStringSubmatch(get(t, h, "/").Body.String())
	if style == nil {
		t.Fatal("page links to no style sheet")
	}
	for url, cache := range map[string]string{style[1]: "public, max-age=31536000, immutable", "/pilots/payments": "private, no-cache"} {
		w := get(t, h, url)
		if got := w.Header().Get("Cache-Control"); got != cache {
			t.Errorf("%s: Cache-Control %q, want %q", url, got, cache)
		}
		tag := w.Header().Get("ETag")
		if tag == "" {
			t.Fatalf("%s has no ETag", url)
		}
		again := get(t, h, url, "If-None-Match", `"other", W/`+tag)
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: status %d with its own tag", url, again.Code)
		}
		if get(t, h, url, "If-None-Match", `"other"`).Code != http.StatusOK {
			t.Errorf("%s: not sent for another tag", url)
		}
	}
}

// TestFailuresKeepTheirReasons answers an error without anything of it, and
// logs it under the reference that the page names.
func TestFailuresKeepTheirReasons(t *testing.T) {
	var log bytes.Buffer
	h, err := New(Options{Reports: memoryReports{err: errBroken}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"/", "/pilots/payments", "/data", "/figures/pilots.csv", "/pilots/payments/figures/three-numbers.csv"} {
		log.Reset()
		w := get(t, h, url)
		if w.Code != http.StatusInternalServerError {
			t.Errorf("%s: status %d", url, w.Code)
		}
		if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "locked") {
			t.Errorf("%s: the page shows the error", url)
		}
		ref := regexp.MustCompile(`Reference <code>([0-9a-f]{10})</code>`).FindStringSubmatch(w.Body.String())
		if ref == nil || !strings.Contains(log.String(), ref[1]) || !strings.Contains(log.String(), "secret.db is locked") {
			t.Errorf("%s: reference %v, log %q", url, ref, log.String())
		}
		if w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the failure may be kept by a cache", url)
		}
	}
}

// TestNoReportSaysWhy shows what the data lacks, and nothing of any other error.
func TestNoReportSaysWhy(t *testing.T) {
	h, err := New(Options{Reports: memoryReports{err: &metrics.BuildError{Err: errors.New("measure \"payments\": no row; import it again")}}})
	if err != nil {
		t.Fatal(err)
	}
	w := get(t, h, "/pilots/payments")
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "no row; import it again") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestPanicIsAFailure(t *testing.T) {
	var log bytes.Buffer
	h, err := New(Options{
		Reports: fullReports(), Rules: func() ([]rules.Page, error) { panic("/var/lib/secret.db") },
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	w := get(t, h, "/docs/rules")
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "handler_test.go") {
		t.Errorf("the log does not say where: %s", log.String())
	}
}

// ownScript is the one script of a page, a file of our own.
var ownScript = regexp.MustCompile(`<script src="/static/app\.[0-9a-f]{12}\.js" defer></script>`)

// TestTextIsNeverMarkup shows a pilot all of whose texts are hostile.
func TestTextIsNeverMarkup(t *testing.T) {
	h := fullHandler(t)
	for _, url := range []string{"/", "/pilots/hostile", "/data", "/pilots/hostile/figures/three-numbers.svg", "/pilots/hostile/figures/trend/open_to_merge.svg"} {
		body := ownScript.ReplaceAllString(get(t, h, url).Body.String(), "")
		if strings.Contains(body, "<script") || strings.Contains(body, `href="javascript:`) {
			t.Errorf("%s: text became markup", url)
		}
		if !strings.Contains(body, "&lt;script&gt;") {
			t.Errorf("%s: the text is gone", url)
		}
	}
}

func TestMarkdownIsSafe(t *testing.T) {
	got, err := markdown("# T\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) <b onclick=x>y</b>\n\n```json \"><img src=x onerror=y>\n</code><script>\n```\n\n![i](http://other.example/i.png)")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "javascript:", "onclick", "<img src=x"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q in %s", bad, got)
		}
	}
}

func TestEmptyStates(t *testing.T) {
	for name, o := range map[string]Options{
		"nothing-stored":  {Reports: memoryReports{}, Findings: memoryFindings{}},
		"nothing-offered": {Reports: memoryReports{}},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			for url, want := range map[string]string{"/": "steelyard import panel FILE.csv", "/data": "No data yet.", "/guardrails": "steelyard scan PATH", "/docs/rules": "0 rules."} {
				w := get(t, h, url)
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
					t.Errorf("%s: status %d, %q missing", url, w.Code, want)
				}
			}
		})
	}
}

var link = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestLinksResolve follows every link of every page to the end.
func TestLinksResolve(t *testing.T) {
	h := fullHandler(t)
	seen := map[string]bool{}
	todo := []string{"/"}
	for len(todo) > 0 {
		url := todo[0]
		todo = todo[1:]
		if seen[url] {
			continue
		}
		seen[url] = true
		w := get(t, h, url)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", url, w.Code)
			continue
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		body := w.Body.String()
		for _, m := range link.FindAllStringSubmatch(body, -1) {
			to := strings.ReplaceAll(m[1], "&amp;", "&")
			path, anchor, _ := strings.Cut(to, "#")
			switch {
			case path == "" && !strings.Contains(body, `id="`+anchor+`"`):
				t.Errorf("%s: no place named %q", url, anchor)
			case strings.HasPrefix(path, "/"):
				todo = append(todo, path)
			case path != "" && !strings.HasPrefix(path, "https://"):
				t.Errorf("%s: link to %q", url, to)
			}
		}
		checkIDs(t, url, body)
	}
	if len(seen) < 60 {
		t.Errorf("only %d addresses found", len(seen))
	}
}

func checkIDs(t *testing.T, url, body string) {
	t.Helper()
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if ids[m[1]] {
			t.Errorf("%s: id %q stands twice", url, m[1])
		}
		ids[m[1]] = true
	}
}

// TestSVGFiles are well-formed and styled by what their policy names.
func TestSVGFiles(t *testing.T) {
	h := fullHandler(t)
	for _, id := range []string{"three-numbers", "trend/open_to_merge", "event-study/open_to_merge", "methods/open_to_merge", "placebo/open_to_merge"} {
		w := get(t, h, "/pilots/payments/figures/"+id+".svg")
		d := xml.NewDecoder(w.Body)
		body := w.Body.String()
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
		}
		if strings.Contains(body, "var(--") || strings.Contains(body, "light-dark") {
			t.Errorf("%s: style needs what a drawing program does not know", id)
		}
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "style-src 'sha256-") {
			t.Errorf("%s: policy does not name the style", id)
		}
	}
}

func TestReportFileStandsAlone(t *testing.T) {
	var b bytes.Buffer
	if err := RenderReportHTML(&b, smallPilot()); err != nil {
		t.Fatal(err)
	}
	body := b.String()
	for _, bad := range []string{`href="/`, `src="`, "<script", "@import", "url(", "var(--"} {
		if strings.Contains(body, bad) {
			t.Errorf("file holds %s", bad)
		}
	}
	for _, want := range []string{"Cannot say yet.", "−17 points", "Reverts within 30 days", "steelyard report payments", "<style>"} {
		if !strings.Contains(body, want) {
			t.Errorf("file lacks %q", want)
		}
	}
	checkIDs(t, "file", body)
	var again bytes.Buffer
	if err := RenderReportHTML(&again, smallPilot()); err != nil {
		t.Fatal(err)
	}
	if again.String() != body {
		t.Error("the same report gives another file")
	}
}

func TestHomeHeadline(t *testing.T) {
	v := func(values ...metrics.VerdictValue) (out []metrics.Summary) {
		for _, x := range values {
			s := metrics.Summary{Verdict: metrics.Verdict{Value: x}}
			if x == "" {
				s.Error = "no data"
			}
			out = append(out, s)
		}
		return out
	}
	for _, c := range []struct {
		in   []metrics.Summary
		want string
	}{
		{nil, "No pilot yet. Steelyard weighs an AI-assistance pilot against teams that went without it; it needs data, and a definition."},
		{v("improved"), "One pilot: improved."},
		{v("cannot_say_yet", "cannot_say_yet", "cannot_say_yet"), "None of the three pilots can be judged yet."},
		{v("improved", "improved"), "Both pilots improved."},
		{v("improved", "cannot_say_yet", "improved", ""), "Of four pilots, two improved, one cannot be judged yet and one could not be computed."},
		{v("no_clear_change", "no_clear_change", "rose"), "Of three pilots, one rose, two show no clear change."},
	} {
		bold, rest := homeHeadline(c.in)
		if got := strings.TrimSpace(bold + " " + rest); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
