package admin_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"steelyard/internal/admin"
)

// serve serves the port and returns its address and what ends it.
func serve(t *testing.T, o admin.Options) (url string, stop func()) {
	t.Helper()
	ln, err := admin.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- admin.Serve(ctx, ln, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String(), cancel
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestPort(t *testing.T) {
	var trouble error
	m := admin.NewMeters(admin.Sources{
		Version: "v1.2.3",
		Tasks: func(context.Context) ([]admin.Tasks, error) {
			return []admin.Tasks{{Kind: "update", State: "waiting", Number: 7}}, nil
		},
		DatabaseBytes: func(context.Context) (int64, error) { return 0, errors.New("gone") },
		Reports:       func() (uint64, uint64) { return 41, 2 },
		GitHub: func() admin.GitHub {
			return admin.GitHub{Requests: 12, NotModified: 3, Waited: 90 * time.Second, Allowances: []admin.Allowance{
				{Resource: "graphql", Known: true, Limit: 5000, Remaining: 4990, Reset: time.Unix(1_800_000_000, 0), Spent: 10},
				{Resource: "rest"},
			}}
		},
	})
	url, _ := serve(t, admin.Options{Ready: func(context.Context) error { return trouble }, Meters: m})
	if status, text := get(t, url+"/healthz"); status != http.StatusOK || text != "ok\n" {
		t.Errorf("/healthz: %d %q", status, text)
	}
	if status, text := get(t, url+"/readyz"); status != http.StatusOK || text != "ready\n" {
		t.Errorf("/readyz: %d %q", status, text)
	}
	trouble = errors.New("the database cannot be reached")
	if status, text := get(t, url+"/readyz"); status != http.StatusServiceUnavailable || text != "not ready: the database cannot be reached\n" {
		t.Errorf("/readyz: %d %q", status, text)
	}
	m.JobEnded("update", "done", 3*time.Second)
	face := m.Requests("dashboard", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	face.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("BREW", "/acme/payments", nil))
	status, text := get(t, url+"/metrics")
	for _, want := range []string{
		`steelyard_build_info{version="v1.2.3"} 1`,
		`steelyard_tasks{kind="update",state="waiting"} 7`,
		`steelyard_source_up{source="database"} 0`, `steelyard_source_up{source="tasks"} 1`,
		`steelyard_reports_total{how="kept"} 41`,
		`steelyard_github_requests_total 12`, `steelyard_github_waited_seconds_total 90`,
		`steelyard_github_limit{resource="graphql"} 5000`, `steelyard_github_reset_timestamp_seconds{resource="graphql"} 1.8e+09`,
		`steelyard_github_spent_total{resource="rest"} 0`,
		`steelyard_task_runs_total{kind="update",state="done"} 1`, `steelyard_task_seconds_bucket{kind="update",le="5"} 1`,
		`steelyard_http_requests_total{code="418",face="dashboard",method="other"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if status != http.StatusOK || strings.Contains(text, "acme") || strings.Contains(text, "steelyard_database_bytes ") || strings.Contains(text, `steelyard_github_limit{resource="rest"}`) {
		t.Errorf("/metrics: %d\n%s", status, text)
	}
	if status, _ := get(t, url+"/"); status != http.StatusNotFound {
		t.Errorf("/: %d", status)
	}
}

// TestNotReadyWhenTold holds that a program that is told to end says so before
// it is gone.
func TestNotReadyWhenTold(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	h := admin.Handler(ctx, admin.Options{Ready: func(context.Context) error { return nil }, Meters: admin.NewMeters(admin.Sources{})})
	stop()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if rec.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", rec.Code)
	}
}

// TestRebinding holds that a page under a foreign name cannot read a port on
// loopback.
func TestRebinding(t *testing.T) {
	url, _ := serve(t, admin.Options{Ready: func(context.Context) error { return nil }, Meters: admin.NewMeters(admin.Sources{})})
	for host, want := range map[string]int{"evil.example": http.StatusForbidden, "localhost": http.StatusOK, "[::1]:9": http.StatusOK, "127.0.0.2:80": http.StatusOK} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, res.StatusCode, want)
		}
	}
}

func TestListenInUse(t *testing.T) {
	ln, err := admin.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, err := admin.Listen(ln.Addr().String()); !errors.Is(err, admin.ErrInUse) {
		t.Errorf("error is %v", err)
	}
}
