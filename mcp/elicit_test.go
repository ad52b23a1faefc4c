package mcp_test

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
	"steelyard/metrics"
)

// asks is a client that can ask a person, over a pair of pipes or HTTP, in an
// era. manual leaves the questions to the test.
func asks(t *testing.T, o mcp.Options, way, revision string, manual bool, person func(*sdk.ElicitParams) *sdk.ElicitResult) *sdk.ClientSession {
	t.Helper()
	var transport sdk.Transport
	if way == "http" {
		srv := httptest.NewServer(mcp.New(o).HTTP())
		t.Cleanup(srv.Close)
		transport = &sdk.StreamableClientTransport{Endpoint: srv.URL}
	} else {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		go func() {
			_ = mcp.New(o).Stdio(context.WithoutCancel(t.Context()), toServer, fromServer)
			_ = fromServer.Close()
		}()
		transport = &sdk.IOTransport{Reader: toClient, Writer: fromClient}
	}
	options := &sdk.ClientOptions{MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: manual}}
	if person != nil {
		options.ElicitationHandler = func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return person(req.Params), nil
		}
	}
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "asking", Version: "1"}, options).Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	if got := cs.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("negotiated %s, want %s", got, revision)
	}
	return cs
}

// TestAPersonIsAskedWhichPilot holds that a client that can ask a person is
// answered with the pilot that the person chose, in both eras, and all others
// with the choices.
func TestAPersonIsAskedWhichPilot(t *testing.T) {
	choose := func(action string, content map[string]any) func(*sdk.ElicitParams) *sdk.ElicitResult {
		return func(*sdk.ElicitParams) *sdk.ElicitResult { return &sdk.ElicitResult{Action: action, Content: content} }
	}
	for _, c := range []struct {
		name, way, revision string
		person              func(*sdk.ElicitParams) *sdk.ElicitResult
		want                string
		isError             bool
	}{
		{"new-http", "http", "2026-07-28", choose("accept", map[string]any{"pilot": "worked-example"}), "Worked example (worked-example)", false},
		{"new-stdio", "stdio", "2026-07-28", choose("accept", map[string]any{"pilot": "worked-example"}), "Worked example (worked-example)", false},
		{"old-stdio", "stdio", "2025-11-25", choose("accept", map[string]any{"pilot": "worked-example"}), "Worked example (worked-example)", false},
		{"new-declined", "stdio", "2026-07-28", choose("decline", nil), "did not choose one", true},
		{"old-declined", "stdio", "2025-11-25", choose("decline", nil), "did not choose one", true},
		{"new-cannot", "http", "2026-07-28", nil, "Which pilot?", true},
		{"old-cannot", "stdio", "2025-11-25", nil, "Which pilot?", true},
		{"old-http-cannot", "http", "2025-11-25", choose("accept", map[string]any{"pilot": "worked-example"}), "Which pilot?", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, log := options()
			cs := asks(t, o, c.way, c.revision, false, c.person)
			for _, tool := range []string{"get_pilot_report", "get_metric_series", "list_pull_requests"} {
				res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool})
				if err != nil {
					t.Fatalf("%v\n%s", err, log)
				}
				want := c.want
				if !c.isError && tool != "get_pilot_report" {
					want = "worked-example"
				}
				if text := textOf(res); res.IsError != c.isError || !strings.Contains(text, want) {
					t.Errorf("%s: isError %v, %q; want %q", tool, res.IsError, text, want)
				}
			}
		})
	}
}

// TestAPersonMayThink holds that a question may take longer than a call.
func TestAPersonMayThink(t *testing.T) {
	o, _ := options()
	o.CallTimeout = 50 * time.Millisecond
	cs := asks(t, o, "stdio", "2025-11-25", false, func(*sdk.ElicitParams) *sdk.ElicitResult {
		time.Sleep(200 * time.Millisecond)
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"pilot": "worked-example"}}
	})
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_pilot_report"})
	if err != nil || res.IsError {
		t.Errorf("%v: %+v", err, res)
	}
}

// TestStateOfAQuestion holds that an answer counts only with the state of its own
// question, and only for a while.
func TestStateOfAQuestion(t *testing.T) {
	o, _ := options()
	now := at(20)
	o.Clock = func() time.Time { return now }
	cs := asks(t, o, "http", "2026-07-28", true, func(*sdk.ElicitParams) *sdk.ElicitResult { return nil })
	ask := func(tool string, arguments map[string]any) *sdk.CallToolResult {
		res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || res.RequestState == "" || len(res.InputRequests) != 1 {
			t.Fatalf("%v: %+v, want a question", err, res)
		}
		return res
	}
	answer := func(state, tool string, arguments map[string]any, pilot string) *sdk.CallToolResult {
		res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{
			Name: tool, Arguments: arguments, RequestState: state,
			InputResponses: sdk.InputResponseMap{"pilot": &sdk.ElicitResult{Action: "accept", Content: map[string]any{"pilot": pilot}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	metric := map[string]any{"metric": "reverts"}
	state := ask("get_pilot_report", metric).RequestState
	if strings.Contains(state, "worked") {
		t.Errorf("the state names a pilot: %q", state)
	}
	if res := answer(state, "get_pilot_report", metric, "worked-example"); res.IsError || !strings.Contains(textOf(res), "worked-example") {
		t.Errorf("the answer was refused: %s", textOf(res))
	}
	other := ask("get_metric_series", metric).RequestState
	for name, res := range map[string]*sdk.CallToolResult{
		"no state":         answer("", "get_pilot_report", metric, "worked-example"),
		"other tool":       answer(other, "get_pilot_report", metric, "worked-example"),
		"other arguments":  answer(state, "get_pilot_report", nil, "worked-example"),
		"changed":          answer("A"+state[1:], "get_pilot_report", metric, "worked-example"),
		"other signature":  answer(state[:len(state)-2]+"AA", "get_pilot_report", metric, "worked-example"),
		"no such pilot":    answer(state, "get_pilot_report", metric, "nope"),
		"nothing but dots": answer(strings.Repeat(".", 2000), "get_pilot_report", metric, "worked-example"),
	} {
		if !res.IsError || !strings.Contains(textOf(res), "agents-weekly, worked-example") {
			t.Errorf("%s: isError %v, %q", name, res.IsError, textOf(res))
		}
	}
	now = now.Add(6 * time.Minute)
	if res := answer(state, "get_pilot_report", metric, "worked-example"); !res.IsError || !strings.Contains(textOf(res), "too old") {
		t.Errorf("an old answer: isError %v, %q", res.IsError, textOf(res))
	}
}

// TestNobodyIsAskedInVain holds that one pilot needs no question.
func TestNobodyIsAskedInVain(t *testing.T) {
	o, _ := options()
	o.Reports = reports{all: []*metrics.Report{workedExample()}}
	cs := asks(t, o, "stdio", "2026-07-28", false, func(*sdk.ElicitParams) *sdk.ElicitResult {
		t.Error("somebody was asked")
		return &sdk.ElicitResult{Action: "cancel"}
	})
	if res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_pilot_report"}); err != nil || res.IsError {
		t.Errorf("%v, %+v", err, res)
	}
}
