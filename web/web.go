// Package web is the dashboard: server-rendered pages over finished reports
// and stored findings. It computes nothing that a page shows: every number and
// every sentence about one stands in [metrics.Report], and package chart turns
// numbers into SVG.
//
// No page needs a script, none asks another host for anything, and the
// Content-Security-Policy allows neither inline style nor inline script. The
// whole state of a page is in its URL.
//
// The templates are templ files; the generated Go is committed, so that building
// needs no generator. A page is one Go file (what it gathers) and one templ file
// (how it reads).
package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
)

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.1118 generate

// Options is what the dashboard reads from. Reports is required; without
// Findings or Rules the guardrail pages say that there is nothing to show.
type Options struct {
	Reports  metrics.Reports
	Findings lint.FindingStore
	// Overview and Servers are what repositories bring for their assistants,
	// Dependencies what is new in them; nil leaves those parts out.
	Overview     lint.OverviewStore
	Servers      lint.InventoryStore
	Dependencies lint.DependencyStore
	// Decisions keeps what people decide about servers and dependencies; nil
	// leaves the forms out.
	Decisions lint.DecisionStore
	// Rules returns every rule's page, in ID order.
	Rules func() ([]rules.Page, error)
	// Webhook takes a delivery of GitHub and says what to answer; nil leaves
	// [WebhookPath] out. It judges the delivery by its signature.
	Webhook func(ctx context.Context, header http.Header, body []byte) (status int, text string)
	// Editor defines and changes pilots; nil leaves those pages out.
	Editor Editor
	// Pulls lists the pull requests behind a pilot's numbers; nil leaves those
	// pages out. GitHub is the address that links to them begin with; empty:
	// https://github.com.
	Pulls  metrics.PilotPulls
	GitHub string
	// Work says what long work is under way; nil where that is not known.
	Work func(ctx context.Context) (Work, error)
	// Patience is how long a page waits for a report before it shows how far
	// that is; 0: three seconds.
	Patience time.Duration
	// Notes returns the method notes and the manual, by name; nil: there are
	// none.
	Notes func() ([]Note, error)
	// Visitor says who sent a request; nil: whoever has this machine, who may
	// change everything.
	Visitor func(r *http.Request) Visitor
	// Now is the clock by which data counts as stale; nil: none does.
	Now func() time.Time
	// Version is shown at the foot of each page.
	Version string
	// Logger receives one line for each answer that failed; nil discards them.
	Logger *slog.Logger
}

// policy is the Content-Security-Policy of every page: nothing but our own
// style sheet, script and images, and nothing inline.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// dashboard holds what the handlers share.
type dashboard struct {
	Options
	assets *assets
	drawn  album
	// long holds a place for each long file that is being sent.
	long chan struct{}
}

// New returns the dashboard's handler. It serves /, /pilots/…, /data,
// /guardrails, /servers, /dependencies, /docs/…, /static/…, and [WebhookPath] where something takes
// deliveries, and answers 404 for all else.
func New(o Options) (http.Handler, error) {
	if o.Reports == nil {
		return nil, errors.New("web: Options.Reports is required")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Rules == nil {
		o.Rules = func() ([]rules.Page, error) { return nil, nil }
	}
	if o.Notes == nil {
		o.Notes = func() ([]Note, error) { return nil, nil }
	}
	a, err := loadAssets()
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	d := &dashboard{Options: o, assets: a, long: make(chan struct{}, maxLong)}
	e := echo.New()
	e.HTTPErrorHandler = d.fail
	e.Use(harden, d.recoverPanics, understood)
	for path, h := range map[string]echo.HandlerFunc{
		"/":                              d.home,
		"/figures/:file":                 d.homeFigure,
		"/pilots":                        toHome,
		"/pilots/:id":                    d.pilot,
		"/pilots/:id/figures/*":          d.pilotFigure,
		"/pilots/:id/pull-requests":      d.pulls,
		"/pilots/:id/pull-requests.csv":  d.pullsFile(".csv"),
		"/pilots/:id/pull-requests.json": d.pullsFile(".json"),
		"/data":                          d.data,
		"/guardrails":                    d.guardrails,
		"/guardrails/:file":              d.guardFile,
		"/guardrails/matrix/:file":       d.matrixFile,
		"/servers":                       d.servers,
		"/servers.csv":                   d.serversFile(".csv"),
		"/servers.json":                  d.serversFile(".json"),
		"/dependencies":                  d.dependencies,
		"/dependencies.csv":              d.dependenciesFile(".csv"),
		"/dependencies.json":             d.dependenciesFile(".json"),
		"/data/work":                     d.workPart,
		"/docs":                          d.docs,
		"/docs/:name":                    d.note(""),
		"/docs/methods/:name":            d.note(methodFolder),
		"/docs/rules":                    d.ruleIndex,
		"/docs/rules/:id":                d.rulePage,
		"/static/:file":                  d.static,
	} {
		e.GET(path, h)
		e.HEAD(path, h)
	}
	if o.Editor != nil {
		e.GET("/pilots/new", d.newPilot)
		e.GET("/pilots/:id/edit", d.editPilot)
		e.POST("/pilots/new", d.savePilot, d.changing)
		e.POST("/pilots/:id/edit", d.savePilot, d.changing)
	}
	if o.Decisions != nil {
		for path, kind := range map[string]lint.DecisionKind{"/servers/decide": lint.AboutServer, "/dependencies/decide": lint.AboutDependency} {
			e.GET(path, d.decision(kind))
			e.POST(path, d.decide(kind), d.changing)
		}
	}
	if o.Webhook != nil {
		e.POST(WebhookPath, d.webhook)
	}
	return e, nil
}

func toHome(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, "/") }

// harden sets the headers that every answer carries.
func harden(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		setHeaders(c.Response().Header())
		return next(c)
	}
}

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	// Other sites learn nothing; "no-referrer" would take the Origin from our
	// own forms, by which the server knows them.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache")
}

// recoverPanics turns a panic into an error, so that it is logged and answered
// like any other fault.
func (d *dashboard) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if v := recover(); v != nil {
				if v == http.ErrAbortHandler { //nolint:errorlint // the sentinel itself is what net/http panics with
					panic(v)
				}
				err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			}
		}()
		return next(c)
	}
}

// render writes a whole page or nothing: what fails halfway becomes an error
// page, not half a page.
func (d *dashboard) render(c echo.Context, status int, page templ.Component) error {
	b, free := newBuffer()
	defer free()
	if err := page.Render(withVisitor(c.Request().Context(), d.visitor(c)), b); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	if d.visitor(c).FormToken != "" && c.QueryString() != "" {
		c.Set(keepPlain, true)
	}
	return answer(c, status, "text/html; charset=utf-8", b.Bytes())
}

// answer sends a body with an entity tag, or 304 where the reader has it.
func answer(c echo.Context, status int, kind string, body []byte) error {
	sum := sha256.Sum256(body)
	packed := packs(c, kind, body)
	c.Response().Header().Add("Vary", "Accept-Encoding")
	if status == http.StatusOK {
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
		if packed {
			tag = `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `-gz"`
		}
		c.Response().Header().Set("ETag", tag)
		if holds(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	if !packed {
		return c.Blob(status, kind, body)
	}
	b, free := newBuffer()
	defer free()
	if err := pack(b, body); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	c.Response().Header().Set("Content-Encoding", "gzip")
	return c.Blob(status, kind, b.Bytes())
}

// holds reports whether an If-None-Match header names tag.
func holds(header, tag string) bool {
	for t := range strings.SplitSeq(header, ",") {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		if t == tag || t == "*" {
			return true
		}
	}
	return false
}

// shell is what every page is wrapped in.
type shell struct {
	Title string
	// Here is the path of the navigation entry that the page belongs to.
	Here string
	// MadeUp puts a label on the masthead.
	MadeUp  bool
	Version string
	Assets  *assets
	// Embedded is set where the page is a file of its own: the style stands in
	// it and nothing links to the dashboard.
	Embedded bool
	// Closed leaves the navigation out: who looks at the page may go nowhere.
	Closed bool
	// Refresh asks the browser for the page again where no script runs.
	Refresh bool
}

func (d *dashboard) shell(title, here string) shell {
	return shell{Title: title, Here: here, Version: d.Version, Assets: d.assets}
}

type navEntry struct{ Path, Name string }

func (shell) nav() []navEntry {
	return []navEntry{{"/", "Pilots"}, {"/guardrails", "Guardrails"}, {"/servers", "Servers"}, {"/dependencies", "Dependencies"}, {"/data", "Data"}, {"/docs", "Docs"}}
}

// gone reports whether the reader went away, which is nobody's fault.
func gone(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}
