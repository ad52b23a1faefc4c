package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
	"steelyard/mcp/auth"
	"steelyard/metrics"
)

// serviceTokens makes a file of service tokens, one for each list of scopes,
// and returns the resource that takes them and their texts.
func serviceTokens(t *testing.T, clock func() time.Time, scopes ...[]string) (*auth.Resource, []string) {
	t.Helper()
	var secrets []string
	var lines strings.Builder
	for i, some := range scopes {
		secret, line := auth.NewToken(fmt.Sprintf("machine-%d", i), some, clock().AddDate(0, 1, 0))
		secrets = append(secrets, secret)
		fmt.Fprintln(&lines, line)
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := auth.New(auth.Options{URL: "https://steelyard.example.com/mcp", TokensFile: path, Scopes: mcp.Scopes(), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	return r, secrets
}

// TestEveryToolHasAScope holds that nothing that the server offers is left to
// any token, and that each thing needs one scope alone.
func TestEveryToolHasAScope(t *testing.T) {
	o, _ := options()
	cs := connect(t, o)
	var offered []string // method, and what it is asked for
	for tool, err := range cs.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		offered = append(offered, "tools/call "+tool.Name)
	}
	has := cs.InitializeResult().Capabilities
	if has.Prompts != nil {
		for p, err := range cs.Prompts(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			offered = append(offered, "prompts/get "+p.Name)
		}
	}
	if has.Resources != nil {
		for r, err := range cs.ResourceTemplates(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			offered = append(offered, "resources/read "+r.URITemplate)
		}
		for r, err := range cs.Resources(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			offered = append(offered, "resources/read "+r.URI)
		}
	}
	o.Authorization, _ = serviceTokens(t, time.Now, mcp.Scopes())
	for _, one := range offered {
		method, name, _ := strings.Cut(one, " ")
		if needed := mcp.ScopesFor(o, method, name); len(needed) != 1 || !slices.Contains(mcp.Scopes(), needed[0]) {
			t.Errorf("%s needs %q, want one scope: mcp/http_scopes.go says which", one, needed)
		}
	}
	if len(offered) < 4 {
		t.Errorf("only %q is offered", offered)
	}
}

// TestScopes holds that each token does what its scopes say, in both eras, and
// that what it does not allow looks the same whether or not it is there.
func TestScopes(t *testing.T) {
	o, log := options()
	var tokens []string
	o.Authorization, tokens = serviceTokens(t, time.Now, []string{mcp.ScopePilots}, []string{mcp.ScopeFindings})
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	pilots, findings := tokens[0], tokens[1]
	for _, c := range []struct {
		name, token, params string
		want                int
	}{
		{"pilots", pilots, `{"name":"list_pilots"}`, 200},
		{"pilots-report", pilots, `{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`, 200},
		{"findings", findings, `{"name":"list_findings"}`, 200},
		{"findings-rule", findings, `{"name":"explain_rule","arguments":{"rule":"MC001"}}`, 200},
		{"no-such-tool", findings, `{"name":"delete_everything"}`, 200},
		{"other-scope", findings, `{"name":"list_pilots"}`, 403},
		{"other-scope-report", findings, `{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`, 403},
		{"reader-of-text", findings, `{"name":"list_findings","NAME":"list_pilots"}`, 403}, // the stricter reading counts
	} {
		status, _, body := sendToken(t, srv.URL, c.token, c.params)
		if status != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, status, body, c.want)
		}
	}
	there := answerOf(t, srv.URL, findings, `{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`)
	if not := answerOf(t, srv.URL, findings, `{"name":"get_pilot_report","arguments":{"pilot":"nope"}}`); there != not {
		t.Errorf("a pilot that is there and one that is not differ:\n%s\n%s", there, not)
	}
	if !strings.Contains(log.String(), `"who":"token machine-0"`) || !strings.Contains(log.String(), `"why":"insufficient_scope","who":"token machine-1"`) {
		t.Errorf("the audit log does not say who:\n%s", log)
	}
}

func answerOf(t *testing.T, at, token, params string) string {
	t.Helper()
	status, header, body := sendToken(t, at, token, params)
	return fmt.Sprint(status, header.Get("WWW-Authenticate"), body)
}

// TestTwoReadings holds that a request which two readers understand in two ways
// gets no more than the stricter one, should the door be the one deceived.
func TestTwoReadings(t *testing.T) {
	o, _ := options()
	var tokens []string
	o.Authorization, tokens = serviceTokens(t, time.Now, []string{mcp.ScopeFindings})
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	for _, params := range []string{
		`{"name":"list_pilots","Name":"list_findings"}`, `{"Name":"list_findings","name":"list_pilots"}`,
		`{"name":"list_findings","name":"list_pilots"}`, `{"name":"list_pilots","name":"list_findings"}`,
		`{"name":"list_pilots","nAme":"list_findings"}`, `{"n\u0061me":"list_pilots","name":"list_findings"}`,
	} {
		if _, _, body := sendToken(t, srv.URL, tokens[0], params); strings.Contains(body, "worked-example") {
			t.Errorf("%s shows pilots to a token for findings: %s", params, body)
		}
	}
}

// TestRateLimit holds that one identity that calls too often is told when to go
// on, and that the others do not notice.
func TestRateLimit(t *testing.T) {
	clock := &movable{}
	o, log := options()
	var tokens []string
	o.Authorization, tokens = serviceTokens(t, time.Now, mcp.Scopes(), mcp.Scopes())
	fixed := time.Now()
	o.Clock = func() time.Time { return fixed.Add(clock.by()) }
	o.CallsPerMinute = 120 // two a second, twelve at once
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	const params = `{"name":"list_pilots"}`
	for i := range 12 {
		if status, _, body := sendToken(t, srv.URL, tokens[0], params); status != 200 {
			t.Fatalf("call %d: %d %s", i, status, body)
		}
	}
	status, header, body := sendToken(t, srv.URL, tokens[0], params)
	want := `{"error":{"code":-32029,"message":"too many calls; wait 1 s, then go on more slowly"},"id":1,"jsonrpc":"2.0"}`
	if status != http.StatusTooManyRequests || header.Get("Retry-After") != "1" || body != want {
		t.Errorf("%d Retry-After %q %s", status, header.Get("Retry-After"), body)
	}
	if status, _, body := sendToken(t, srv.URL, tokens[1], params); status != 200 {
		t.Errorf("another identity: %d %s", status, body)
	}
	clock.move(time.Second)
	for i, want := range []int{200, 200, 429} {
		if status, _, _ := sendToken(t, srv.URL, tokens[0], params); status != want {
			t.Errorf("call %d a second later: %d, want %d", i, status, want)
		}
	}
	if !strings.Contains(log.String(), `"why":"rate_limit","who":"token machine-0"`) {
		t.Errorf("the log does not say so:\n%s", log)
	}
}

// TestProgress holds that a client which gave a token hears that a long call is
// alive, and one that gave none hears nothing.
func TestProgress(t *testing.T) {
	o, _ := options()
	o.Reports = slowReports{reports{all: workedExamples()}, 1500 * time.Millisecond}
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	heard := make(chan *sdk.ProgressNotificationParams, 16)
	client := sdk.NewClient(&sdk.Implementation{Name: "patient", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { heard <- r.Params },
	})
	cs, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cs.Close() }()
	quiet := &sdk.CallToolParams{Name: "get_pilot_report", Arguments: map[string]any{"pilot": "worked-example"}}
	if _, err := cs.CallTool(t.Context(), quiet); err != nil {
		t.Fatal(err)
	}
	if len(heard) > 0 {
		t.Error("a client without a token hears of progress")
	}
	asking := *quiet
	asking.SetProgressToken("p1")
	if _, err := cs.CallTool(t.Context(), &asking); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-heard:
		if p.Progress < 1 || p.Total != 15 || p.ProgressToken != "p1" || p.Message == "" {
			t.Errorf("%+v", p)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was heard of a long call")
	}
}

// slowReports takes its time.
type slowReports struct {
	reports
	pause time.Duration
}

func (s slowReports) Report(ctx context.Context, id string) (*metrics.Report, error) {
	select {
	case <-time.After(s.pause):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.reports.Report(ctx, id)
}

func workedExamples() []*metrics.Report { return []*metrics.Report{workedExample()} }
