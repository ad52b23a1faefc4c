package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"steelyard/lint"
	"steelyard/rules"
)

// TestGuardPagesInABrowser looks at the pages of guardrails, servers and
// dependencies as TestPagesInABrowser does at the others.
func TestGuardPagesInABrowser(t *testing.T) {
	browser, axe := need(t)
	m := someGuards()
	*m.decisions = append(*m.decisions, lint.Decision{
		ID: 2, Kind: lint.AboutDependency, Subject: "npm:react-checkout-helpers", Verdict: lint.Allowed, Reason: "read by the platform team, forty lines", Owner: "platform team", At: guardNow(), Until: at("2027-01-31 00:00"), By: "admin",
	})
	o := guardOptions(m)
	o.Rules = rules.All
	full := newServer(t, o)
	o = guardOptions(memoryGuard{decisions: &[]lint.Decision{}})
	o.Rules, o.Findings = rules.All, memoryFindings{}
	empty := newServer(t, o)
	broken := someGuards()
	broken.err = errBroken
	o = guardOptions(broken)
	o.Rules = rules.All
	failing := newServer(t, o)
	pages := []struct{ name, url string }{
		{"guard-guardrails", full.URL + "/guardrails"},
		{"guard-servers", full.URL + "/servers"},
		{"guard-servers-none", full.URL + "/servers?repository=none"},
		{"guard-dependencies", full.URL + "/dependencies"},
		{"guard-decide", full.URL + "/dependencies/decide?subject=npm:react-checkout-helpers"},
		{"guard-decide-blocked", full.URL + "/dependencies/decide?subject=npm:crossenv"},
		{"guard-decide-server", full.URL + "/servers/decide?subject=package:@acme/browser-server"},
		{"guard-home", full.URL + "/"},
		{"guard-empty-guardrails", empty.URL + "/guardrails"},
		{"guard-empty-servers", empty.URL + "/servers"},
		{"guard-empty-dependencies", empty.URL + "/dependencies"},
		{"guard-failing", failing.URL + "/servers"},
	}
	checkPages(t, openBrowser(t, browser), axe, pages, false)
}

// TestDecidingInABrowser takes the way from the list to the lines to commit.
func TestDecidingInABrowser(t *testing.T) {
	browser, _ := need(t)
	m := someGuards()
	o := guardOptions(m)
	o.Rules = rules.All
	srv := newServer(t, o)
	ctx := openBrowser(t, browser)
	err := chromedp.Do(ctx, chromedp.Navigate(srv.URL+"/dependencies?state=waiting"), chromedp.WaitReady("main"),
		chromedp.Click(`a[href^="/dependencies/decide"]`), chromedp.WaitReady(`textarea[name=reason]`),
		chromedp.SendKeys(`textarea[name=reason]`, "read, forty lines"), chromedp.SendKeys(`input[name=owner]`, "platform team"),
		chromedp.Click(`button.main`), chromedp.WaitReady(`#trail table`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector("main").innerText`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"dependencies:\n  allow:\n    - package: \"npm:react-checkout-helpers\"", "read, forty lines", "platform team"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if len(*m.decisions) != 2 {
		t.Errorf("%d decisions", len(*m.decisions))
	}
}
