package web

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"steelyard/rules"
)

var shots = flag.String("shots", "", "write a screenshot of each page in each form to `DIR`")

// requireBrowser turns a missing browser or checker from a skip into a failure.
const requireBrowser = "STEELYARD_REQUIRE_BROWSER"

// need returns the browser and the accessibility checker, or says what is
// missing and where it comes from.
func need(t *testing.T) (browser, axe string) {
	t.Helper()
	if testing.Short() {
		t.Skip("pages are opened in a browser without -short")
	}
	missing := func(what string) {
		t.Helper()
		if os.Getenv(requireBrowser) == "1" {
			t.Fatal(what)
		}
		t.Skip(what)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			browser = p
			break
		}
	}
	if browser == "" {
		missing("no Chromium on this machine: apt-get install chromium")
	}
	b, err := os.ReadFile(filepath.Join("e2e", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		missing("no axe-core: npm ci in web/e2e")
	}
	return browser, string(b)
}

// openBrowser starts a headless browser with a profile of its own.
func openBrowser(t *testing.T, path string) context.Context {
	t.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	alloc, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(alloc)
	t.Cleanup(closeTab)
	return ctx
}

// watched collects what a page asked for and complained about.
type watched struct {
	sync.Mutex
	requests, complaints []string
}

func (w *watched) take() (requests, complaints []string) {
	w.Lock()
	defer w.Unlock()
	requests, complaints = w.requests, w.complaints
	w.requests, w.complaints = nil, nil
	return requests, complaints
}

// TestPagesInABrowser looks at every page at two widths, light and dark: no
// accessibility violation, nothing on the console, nothing wider than the
// window, no request to another host.
func TestPagesInABrowser(t *testing.T) {
	browser, axe := need(t)
	full := newServer(t, fullOptions())
	empty := newServer(t, Options{Reports: memoryReports{}, Findings: memoryFindings{}, Rules: rules.All})
	slow := fullOptions()
	slow.Reports, slow.Patience = slowReports{fullReports(), make(chan struct{})}, time.Millisecond
	computing := newServer(t, slow)
	broken := newServer(t, Options{Reports: memoryReports{err: errBroken}})
	pages := []struct{ name, url string }{
		{"home", full.URL + "/"},
		{"pilot-small", full.URL + "/pilots/payments"},
		{"pilot-small-reverts", full.URL + "/pilots/payments?metric=reverts"},
		{"pilot-large", full.URL + "/pilots/editor"},
		{"pilot-large-disagree", full.URL + "/pilots/editor?metric=lines_added"},
		{"pilot-refused", full.URL + "/pilots/refused"},
		{"pilot-hostile", full.URL + "/pilots/hostile"},
		{"pilot-failed", full.URL + "/pilots/broken"},
		{"data", full.URL + "/data"},
		{"guardrails", full.URL + "/guardrails"},
		{"guardrails-one-rule", full.URL + "/guardrails?rule=MC002"},
		{"rules", full.URL + "/docs/rules"},
		{"rule", full.URL + "/docs/rules/MC002"},
		{"new", full.URL + "/pilots/new"},
		{"new-looking", full.URL + "/pilots/new?sent=1&title=Ledger+tries+it&treated.unit=ledger&treated.start=2026-08-03&outcome.open_to_merge=primary"},
		{"new-unfinished", full.URL + "/pilots/new?sent=1&title=Ledger&treated.unit=ledger&treated.start=3.8.2026&outcome.size=primary"},
		{"edit", full.URL + "/pilots/payments/edit"},
		{"edit-panel", full.URL + "/pilots/editor/edit"},
		{"pulls", full.URL + "/pilots/payments/pull-requests"},
		{"pulls-nothing", full.URL + "/pilots/payments/pull-requests?team=payments&state=open&from=2030-01-01"},
		{"pulls-none", full.URL + "/pilots/editor/pull-requests"},
		{"work", full.URL + "/data/work"},
		{"docs", full.URL + "/docs"},
		{"note", full.URL + "/docs/methods/cross-fit-t"},
		{"not-found", full.URL + "/nowhere"},
		{"empty-home", empty.URL + "/"},
		{"empty-data", empty.URL + "/data"},
		{"empty-guardrails", empty.URL + "/guardrails"},
		{"computing", computing.URL + "/pilots/payments"},
		{"failure", broken.URL + "/"},
		{"report-file", reportFile(t)},
	}
	checkPages(t, openBrowser(t, browser), axe, pages, false)
}

// reportFile writes a report as a file and returns its address.
func reportFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	w, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := RenderReportHTML(w, smallPilot()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// checkPages looks at pages; whole says that no label may be shortened, which
// hostile names are.
func checkPages(t *testing.T, ctx context.Context, axe string, pages []struct{ name, url string }, whole bool) {
	t.Helper()
	w := &watched{}
	err := chromedp.Listen(ctx, func(ev any) {
		if r, ok := ev.(*network.EventRequestWillBeSent); ok {
			w.Lock()
			w.requests = append(w.requests, r.Request.URL)
			w.Unlock()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	})); err != nil {
		t.Fatal(err)
	}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			w.Lock()
			w.complaints = append(w.complaints, m.String())
			w.Unlock()
		}
	}()
	for _, p := range pages {
		for _, wide := range []int64{390, 1280} {
			t.Run(fmt.Sprintf("%s-%d", p.name, wide), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
				defer cancel()
				checkPage(t, ctx, w, p.url, wide, whole)
				if whole && strings.Contains(p.url, "?metric=") && *shots == "" {
					return // its kind of page is seen to; what differs are the labels
				}
				for _, scheme := range []string{"light", "dark"} {
					checkScheme(t, ctx, axe, fmt.Sprintf("%s-%d-%s", p.name, wide, scheme), scheme)
				}
				if wide == 390 && strings.HasPrefix(p.url, "http") {
					checkWithoutScripts(t, ctx, p.url)
				}
			})
		}
	}
}

// labelFaults lists the labels of shown figures that stand outside their
// figure, on each other or on the line of no change, and those that are cut
// where that is a fault.
const labelFaults = `(cutIsFault=>{
	const out=[];
	for (const svg of document.querySelectorAll('svg.fig')) {
		const box=svg.getBoundingClientRect();
		if (box.width===0) continue;
		const seen=[];
		for (const t of svg.querySelectorAll('text')) {
			const r=t.getBoundingClientRect();
			if (r.left<box.left-3 || r.right>box.right+3 || r.top<box.top-3 || r.bottom>box.bottom+3) out.push(svg.id+' outside: '+t.textContent);
			for (const [s,q] of seen) {
				const w=Math.min(r.right,q.right)-Math.max(r.left,q.left), h=Math.min(r.bottom,q.bottom)-Math.max(r.top,q.top);
				if (w>2 && h>5) out.push('overlap: '+s+' | '+t.textContent);
			}
			seen.push([t.textContent,r]);
		}
	}
	for (const svg of document.querySelectorAll('svg.fig, svg.strip')) {
		for (const t of svg.querySelectorAll('text')) {
			const r=t.getBoundingClientRect();
			if (r.width===0) continue;
			if (t.textContent.includes('…') && cutIsFault) out.push(svg.id+' cut: '+t.textContent);
			for (const l of svg.querySelectorAll('line.zero')) {
				const q=l.getBoundingClientRect();
				if (q.width<2 && q.left>r.left+1 && q.left<r.right-1 && Math.min(r.bottom,q.bottom)-Math.max(r.top,q.top)>3) out.push('on the line of no change: '+t.textContent);
			}
		}
	}
	return out.slice(0,12).join('\n');
})`

// checkPage opens a page and looks at everything but its colours.
func checkPage(t *testing.T, ctx context.Context, w *watched, url string, wide int64, whole bool) {
	t.Helper()
	w.take()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(chromedp.Do(ctx, chromedp.EmulateViewport(wide, 900), chromedp.Navigate(url), chromedp.WaitReady("main")))
	over, err := chromedp.Run(ctx, chromedp.Evaluate[string](overflow))
	must(err)
	if over != "" {
		t.Errorf("page is wider than the window: %s", over)
	}
	labels, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf("%s(%t)", labelFaults, whole)))
	must(err)
	if labels != "" {
		t.Errorf("labels of figures: %s", labels)
	}
	focus, err := chromedp.Run(ctx, chromedp.Evaluate[string](focusFaults))
	must(err)
	if focus != "" {
		t.Errorf("keyboard: %s", focus)
	}
	requests, complaints := w.take()
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	for _, r := range requests {
		if !strings.HasPrefix(r, scheme+"://"+host+"/") && !strings.HasPrefix(r, "data:") {
			t.Errorf("page asks for %s", r)
		}
	}
	for _, c := range complaints {
		// The browser logs the status of a page that is meant to fail.
		if !strings.Contains(c, "the server responded with a status of") {
			t.Errorf("console: %s", c)
		}
	}
}

// overflow opens all that can be opened and says what is wider than the
// window.
const overflow = `(()=>{
	const open=[...document.querySelectorAll('details')].map(d=>[d,d.open]);
	open.forEach(([d])=>d.open=true);
	const w=document.documentElement.clientWidth, over=document.documentElement.scrollWidth-w;
	const what=over<=0 ? '' : over+' pixels\n'+[...document.querySelectorAll('main *')]
		.filter(e=>e.getBoundingClientRect().right>w+1 && !e.closest('.scroll')).slice(0,4).map(e=>e.outerHTML.slice(0,160)).join('\n');
	open.forEach(([d,o])=>d.open=o);
	return what;
})()`

// checkScheme looks at the open page in light or dark.
func checkScheme(t *testing.T, ctx context.Context, axe, name, scheme string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	must(err)
	if *shots != "" {
		shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		must(err)
		must(os.MkdirAll(*shots, 0o755))
		must(os.WriteFile(filepath.Join(*shots, name+".png"), shot, 0o644))
	}
	// The checker is injected by the debugger, past the policy of the page. Dark
	// differs from light in its colours alone.
	only := `{}`
	if scheme == "dark" {
		only = `{runOnly: ['color-contrast']}`
	} else {
		must(chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](axe+";void 0")))
	}
	must(chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void]("document.querySelectorAll('details').forEach(d=>d.open=true);void 0")))
	violations, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`axe.run(`+only+`).then(r=>{document.querySelectorAll('details').forEach(d=>d.open=false);
			return r.violations.map(v=>v.id+": "+v.help+"\n"+v.nodes.slice(0,3).map(n=>"  "+n.html.slice(0,200)+"\n    "+(n.any[0]?n.any[0].message:"")).join("\n")).join("\n")})`, chromedp.EvalAwaitPromise))
	must(err)
	if violations != "" {
		t.Errorf("axe, %s: %s", scheme, violations)
	}
}

// checkWithoutScripts opens a page in a browser that runs none: it says the
// same, with times in UTC.
func checkWithoutScripts(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	set := func(off bool) {
		t.Helper()
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			t.Fatal(err)
		}
	}
	text := func() string {
		t.Helper()
		s, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector('main').innerText.replace(/,? \d\d:\d\d UTC/g, '').replace(/Reference .*/, '')`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	with := text()
	set(true)
	defer set(false)
	if err := chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitReady("main")); err != nil {
		t.Fatal(err)
	}
	if without := text(); without != with {
		t.Errorf("without scripts the page says something else:\n%.800s\n--- with them:\n%.800s", without, with)
	}
}

// TestReadersZone shows times where the reader is, with UTC on hover.
func TestReadersZone(t *testing.T) {
	browser, _ := need(t)
	w := walker{t: t, ctx: openBrowser(t, browser)}
	_, err := chromedp.Call(w.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
	w.must(err)
	w.open(newServer(t, fullOptions()).URL + "/data")
	got := w.eval(`(t=>t.textContent+' | '+t.title)(document.querySelector('#github time[datetime="2026-11-29T05:50:00Z"]'))`)
	if !strings.Contains(got, "2026, 14:50") || !strings.HasSuffix(got, "| 29 Nov 2026, 05:50 UTC") {
		t.Errorf("a moment reads %q", got)
	}
}

// TestWorkIsFollowed sees a job end on an open page.
func TestWorkIsFollowed(t *testing.T) {
	browser, _ := need(t)
	w := walker{t: t, ctx: openBrowser(t, browser)}
	var asked atomic.Int32
	o := fullOptions()
	o.Work = func(context.Context) (Work, error) {
		if n := asked.Add(1); n < 3 {
			return Work{Tasks: []Task{{Name: "Read all of acme/ledger", State: TaskRunning, Phase: "pull requests", Done: int(n) * 100, Total: 900}}}, nil
		}
		return Work{}, nil
	}
	w.open(newServer(t, o).URL + "/data")
	w.shows("#work", "100 of 900")
	w.until("#work", "Nothing is under way")
}

// TestReportPrints makes a PDF of a report file and of a page.
func TestReportPrints(t *testing.T) {
	browser, _ := need(t)
	ctx := openBrowser(t, browser)
	srv := newServer(t, Options{Reports: fullReports(), Rules: rules.All})
	for name, url := range map[string]string{"file": reportFile(t), "page": srv.URL + "/pilots/payments"} {
		if err := chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitReady("main")); err != nil {
			t.Fatal(err)
		}
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
		if err != nil {
			t.Fatal(err)
		}
		if len(pdf) < 10_000 || string(pdf[:5]) != "%PDF-" {
			t.Errorf("%s: PDF of %d bytes: %s", name, len(pdf), base64.StdEncoding.EncodeToString(pdf[:min(20, len(pdf))]))
		}
		if *shots != "" {
			if err := os.WriteFile(filepath.Join(*shots, "print-"+name+".pdf"), pdf, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func newServer(t *testing.T, o Options) *httptest.Server {
	t.Helper()
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
