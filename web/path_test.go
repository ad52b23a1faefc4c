package web

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestNewUsersPath goes from an empty installation to the CSV of the pull
// requests behind a verdict, in a browser, with scripts and without.
func TestNewUsersPath(t *testing.T) {
	browser, _ := need(t)
	program := buildProgram(t)
	for _, scripts := range []bool{true, false} {
		t.Run(fmt.Sprintf("scripts-%t", scripts), func(t *testing.T) {
			w := walker{t: t, ctx: openBrowser(t, browser)}
			if !scripts {
				_, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
				w.must(err)
			}
			db := "sqlite:" + t.TempDir() + "/new.db"
			base := serveOn(t, program, db)
			w.open(base + "/")
			w.shows("h1", "No pilot yet.")
			w.shows("main", "steelyard import pull-requests FILE.csv")

			run(t, program, "import", "pull-requests", "../internal/demo/data/worked_example.csv", "--db", db)
			w.open(base + "/")
			w.follow("Define a pilot in the browser")
			w.define(scripts)
			w.click("button.main")
			w.until("h1", "Cannot say yet.")
			if at := w.eval("location.pathname"); at != "/pilots/payments-tries-it" {
				t.Errorf("the verdict stands at %s", at)
			}
			w.shows("h1", "Open to merge fell by 33")
			w.follow("The pull requests behind it")
			w.until("h1", "behind the numbers")
			w.eval(`document.querySelector('select[name="state"]').value = 'reverted'`)
			w.eval(`document.querySelector('select[name="side"]').value = 'pilot'`)
			w.click(".filter button")
			w.until("h1", "pull requests")
			w.shows("table.pulls", "reverted")
			checkExport(t, read(t, w.eval(`[...document.querySelectorAll('.pager a')].find(a=>a.textContent.startsWith('CSV')).href`)))
		})
	}
}

// checkExport holds the CSV: the reverted ones of the pilot, and nobody's name.
func checkExport(t *testing.T, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 5 {
		t.Fatalf("the file has %d rows", len(rows))
	}
	for _, r := range rows[1:] {
		if r[3] != "pilot" || r[5] != "reverted" || r[11] == "" {
			t.Errorf("row %q", r)
		}
	}
	if strings.Contains(strings.Join(rows[0], " "), "author") {
		t.Errorf("the file has an author: %q", rows[0])
	}
}

// walker does in a browser what a person does.
type walker struct {
	t   *testing.T
	ctx context.Context
}

func (w walker) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w walker) open(url string) {
	w.t.Helper()
	w.must(chromedp.Do(w.ctx, chromedp.Navigate(url), chromedp.WaitReady("main")))
}

// eval works through the debugger, also where the page may run no script.
func (w walker) eval(expression string) string {
	w.t.Helper()
	s, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("String("+expression+")"))
	w.must(err)
	return s
}

func (w walker) text(selector string) string {
	w.t.Helper()
	return w.eval(fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

func (w walker) shows(selector, part string) {
	w.t.Helper()
	if got := w.text(selector); !strings.Contains(got, part) {
		w.t.Fatalf("%s does not say %q: %.400s", selector, part, got)
	}
}

// until waits for a text.
func (w walker) until(selector, part string) {
	w.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(w.text(selector), part) {
		if time.Now().After(deadline) {
			w.t.Fatalf("%s never says %q: %.400s", selector, part, w.text(selector))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// click presses what a person would press.
func (w walker) click(selector string) {
	w.t.Helper()
	old := w.eval("performance.timeOrigin")
	w.must(chromedp.Do(w.ctx, chromedp.Click(selector)))
	w.arrive(old)
}

// follow goes where a link with this text leads.
func (w walker) follow(text string) {
	w.t.Helper()
	old := w.eval("performance.timeOrigin")
	url := w.eval(fmt.Sprintf("[...document.querySelectorAll('a')].find(a=>a.textContent.trim()===%q)?.href", text))
	if url == "undefined" {
		w.t.Fatalf("no link says %q: %.600s", text, w.text("main"))
	}
	w.must(chromedp.Do(w.ctx, chromedp.Navigate(url), chromedp.WaitReady("main")))
	w.arrive(old)
}

// arrive waits for another page than the one that began at old.
func (w walker) arrive(old string) {
	w.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for w.eval("document.readyState === 'complete' ? performance.timeOrigin : "+old) == old {
		if time.Now().After(deadline) {
			w.t.Fatal("no other page came")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// define fills the form in as the worked example has it; with scripts, what it
// could see appears meanwhile, without, a button asks for it.
func (w walker) define(scripts bool) {
	w.t.Helper()
	w.shows("#preview", "Name a team and its first day")
	for name, value := range map[string]string{
		"title": "Payments tries it", "subject": "Payments", "treated.unit": "pilot", "treated.start": "2025-05-19",
		"before.from": "2025-01-13", "before.to": "2025-05-19", "after.from": "2025-06-02", "after.to": "2025-10-06",
		"left_out.from": "2025-05-19", "left_out.to": "2025-06-02", "left_out.reason": "ramp-up",
	} {
		w.eval(fmt.Sprintf("document.querySelector('[name=%q]').value = %q", name, value))
	}
	if scripts {
		w.eval(`document.querySelector('[name="title"]').dispatchEvent(new Event('input', {bubbles: true}))`)
	} else {
		w.click(".send button:not(.main)")
	}
	w.until("#preview", "8 cases out of 10")
	w.shows("#preview", "moved alike")
	if at := w.eval("location.search"); !strings.Contains(at, "treated.start=2025-05-19") {
		w.t.Errorf("the address does not hold what was typed: %s", at)
	}
	if got := w.eval("document.querySelector('[name=\"treated.unit\"]').value"); got != "pilot" {
		w.t.Errorf("the form lost what was typed: %q", got)
	}
}
