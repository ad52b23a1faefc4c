package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/internal/demo"
	"steelyard/mcp"
	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/web"
)

// demoFaces is the bundled data with the dashboard and the MCP server over it.
func demoFaces(t *testing.T) (metrics.Reports, http.Handler, *mcp.Server) {
	t.Helper()
	db, err := migrations.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "demo.db"), migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	now := func() time.Time { return time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC) }
	st := store.New(db, now)
	if _, err := ingest.Load(t.Context(), st, demo.Files(), "pilots.yaml", now()); err != nil {
		t.Fatal(err)
	}
	reports := metrics.NewReporter(st)
	o := web.Options{Reports: reports}
	pageSources{db: db, store: st, reports: reports, now: now}.fill(&o)
	pages, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return reports, pages, mcp.New(mcp.Options{Reports: reports})
}

func page(t *testing.T, h http.Handler, url string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d", url, w.Code)
	}
	return w.Body.String()
}

// TestFacesAgree walks every pilot's pages, its report as JSON and the answer
// of the MCP tool: a number that one of them shows is the report's, drawn,
// written, or in a table.
func TestFacesAgree(t *testing.T) {
	reports, pages, tools := demoFaces(t)
	all, err := reports.Summaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(s.ID, func(t *testing.T) {
			r, err := reports.Report(t.Context(), s.ID)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := metrics.WriteJSON(&text, r); err != nil {
				t.Fatal(err)
			}
			known := numbersOf(t, text.Bytes())
			for _, table := range r.Tables() { // what stands under a figure is written from the report's own values
				for _, row := range table.Rows {
					for _, c := range row {
						known.say(c.Text)
						known.say(fmt.Sprint(c.Value))
					}
				}
			}
			for _, m := range r.Metrics {
				checkPageNumbers(t, page(t, pages, "/pilots/"+s.ID+"?metric="+m.Outcome.ID), known)
			}
			checkToolNumbers(t, tools, s.ID, known)
		})
	}
}

// shown are the numbers that a report holds: exactly, and as they are written.
type shown struct {
	exact   map[float64]bool
	written map[string]bool
}

var figureOfSpeech = regexp.MustCompile(`[0-9]+(?:[,.][0-9]+)*`)

func (s shown) say(text string) {
	for _, n := range figureOfSpeech.FindAllString(text, -1) {
		s.written[n] = true
	}
}

func numbersOf(t *testing.T, text []byte) shown {
	t.Helper()
	s := shown{exact: map[float64]bool{0: true, 1: true}, written: map[string]bool{}}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case string:
			s.say(v)
		case json.Number:
			f, err := v.Float64()
			if err != nil {
				t.Fatal(err)
			}
			s.exact[f] = true
			s.say(metrics.FormatNumber(f))
			s.say(v.String())
			if n := int(f); float64(n) == f {
				s.say(metrics.FormatCount(n))
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	walk(v)
	return s
}

var (
	markValue = regexp.MustCompile(`data-(?:v|low|high)="([^"]+)"`)
	drawing   = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
	mainPart  = regexp.MustCompile(`(?s)<main.*</main>`)
	times     = regexp.MustCompile(`(?s)<time.*?</time>`)
)

func checkPageNumbers(t *testing.T, body string, known shown) {
	t.Helper()
	body = mainPart.FindString(body)
	drawn := 0
	for _, m := range markValue.FindAllStringSubmatch(body, -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		drawn++
		if !known.exact[v] {
			t.Errorf("a figure draws %s, which the report does not hold", m[1])
		}
	}
	if drawn < 10 {
		t.Errorf("only %d marks are drawn", drawn)
	}
	// Axes have round numbers of their own, and times of an import are no
	// numbers of a report.
	words := html.UnescapeString(tag.ReplaceAllString(times.ReplaceAllString(drawing.ReplaceAllString(body, " "), " "), " "))
	words = strings.ReplaceAll(words, "SHA-256", "")
	written := 0
	for _, n := range figureOfSpeech.FindAllString(words, -1) {
		written++
		if !known.written[n] {
			at := strings.Index(words, n)
			t.Errorf("the page says %s, which the report does not: …%s…", n, strings.Join(strings.Fields(words[max(0, at-60):min(len(words), at+60)]), " "))
		}
	}
	if written < 60 {
		t.Errorf("only %d numbers are written", written)
	}
}

// checkToolNumbers holds what an assistant is told against the report.
func checkToolNumbers(t *testing.T, server *mcp.Server, pilot string, known shown) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	h := httptest.NewServer(server.HTTP())
	defer h.Close()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: h.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	answer, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "get_pilot_report", Arguments: map[string]any{"pilot": pilot}})
	if err != nil || answer.IsError {
		t.Fatalf("the tool answers %+v, %v", answer, err)
	}
	text, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	told := numbersOf(t, text)
	if len(told.exact) < 10 {
		t.Errorf("the tool tells %d numbers: %s", len(told.exact), text)
	}
	for v := range told.exact {
		if !known.exact[v] {
			t.Errorf("the tool says %v, which the report does not hold", v)
		}
	}
}
