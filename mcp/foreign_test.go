package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/mcp"
	"steelyard/metrics"
)

// fixtureServer makes the test's own binary the fixtures' server over stdio,
// for a client in another process.
const fixtureServer = "STEELYARD_TEST_MCP_FIXTURE"

func TestMain(m *testing.M) {
	if os.Getenv(fixtureServer) == "" {
		os.Exit(m.Run())
	}
	o, _ := options()
	if err := mcp.New(o).Stdio(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// foreignCall is one tool call for the foreign client.
type foreignCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// foreignAnswer is what the foreign client prints.
type foreignAnswer struct {
	Revision     string
	Server       struct{ Name, Version string }
	Instructions string
	Tools        []struct{ Name string }
	Results      []foreignResult
	// What was asked for beside calls.
	Read               []struct{ URI, MimeType, Text string }
	Got                []string
	Completed          [][]string
	Templates, Prompts []string
}

// foreignAsks is everything that the foreign client is to do.
type foreignAsks struct {
	Calls       []foreignCall   `json:"calls"`
	Resources   []string        `json:"resources"`
	Prompts     []foreignPrompt `json:"prompts"`
	Completions []any           `json:"completions"`
}

type foreignPrompt struct {
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments"`
}

type foreignResult struct {
	IsError           bool
	Content           []struct{ Type, Text string }
	StructuredContent json.RawMessage
}

func (r foreignResult) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// needNode skips the test where Node or the client's packages are absent, or
// fails it where they are required.
func needNode(t *testing.T) {
	t.Helper()
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat("foreign/node_modules"); err != nil {
		missing = "mcp/foreign/node_modules is absent; make test installs it (npm ci --ignore-scripts in mcp/foreign)"
	}
	switch {
	case missing == "":
	case os.Getenv("STEELYARD_REQUIRE_NODE") == "1":
		t.Fatal(missing)
	default:
		t.Skip(missing)
	}
}

// foreign runs the foreign client with the SDK and the way to the server.
func foreign(t *testing.T, calls []foreignCall, env []string, sdk string, way ...string) foreignAnswer {
	t.Helper()
	return foreignAsking(t, foreignAsks{Calls: calls, Resources: []string{}, Prompts: []foreignPrompt{}, Completions: []any{}}, env, sdk, way...)
}

// foreignAsking runs the foreign client with more than calls.
func foreignAsking(t *testing.T, asks foreignAsks, env []string, sdk string, way ...string) foreignAnswer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	in, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, "node", append([]string{"foreign/client.mjs", sdk}, way...)...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr, cmd.Env = bytes.NewReader(in), &stderr, append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node client.mjs %s %v: %v\n%s", sdk, way, err, &stderr)
	}
	var answer foreignAnswer
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("client.mjs printed %q: %v", out, err)
	}
	if len(answer.Results) != len(asks.Calls) {
		t.Fatalf("%d results of %d calls", len(answer.Results), len(asks.Calls))
	}
	return answer
}

// revisions are what each SDK must negotiate.
var revisions = map[string]string{"v1": "2025-11-25", "v2": "2026-07-28"}

// TestForeignClient lists and calls every tool with the TypeScript SDKs, over
// stdio and HTTP, in both eras, and compares with what the Go client gets and
// with the report itself.
func TestForeignClient(t *testing.T) {
	needNode(t)
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	asks := foreignAsks{Calls: everyCall(), Completions: []any{
		map[string]any{"ref": map[string]any{"type": "ref/resource", "uri": "steelyard://pilots/{id}/report"}, "argument": map[string]any{"name": "id", "value": "w"}},
		map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": "resolve_contradictions"}, "argument": map[string]any{"name": "repository", "value": "acme/s"}},
	}}
	asks.Resources = append(asks.Resources, slices.Sorted(maps.Keys(everyResource))...)
	for _, name := range slices.Sorted(maps.Keys(everyPrompt)) {
		asks.Prompts = append(asks.Prompts, foreignPrompt{name, everyPrompt[name]})
	}
	calls := asks.Calls
	cs := connect(t, o)
	for sdk, revision := range revisions {
		for transport, way := range map[string][]string{"stdio": {"stdio", self}, "http": {"http", srv.URL}} {
			t.Run(sdk+"-"+transport, func(t *testing.T) {
				answer := foreignAsking(t, asks, []string{fixtureServer + "=1"}, sdk, way...)
				if answer.Revision != revision || answer.Server.Name != "steelyard" || len(answer.Tools) != 10 {
					t.Errorf("revision %q, server %+v, %d tools", answer.Revision, answer.Server, len(answer.Tools))
				}
				for i, c := range calls {
					own := call(t, cs, c.Name, c.Arguments)
					got := answer.Results[i]
					if got.IsError != own.IsError || got.text() != textOf(own) {
						t.Errorf("%s: the foreign client reads %q, the Go client %q", c.Name, got.text(), textOf(own))
					}
					if !got.IsError {
						sameJSON(t, c.Name, structured(t, own), got.StructuredContent)
					}
				}
				agrees(t, workedExample(), answer.Results[1])
				readsEverything(t, asks, answer)
			})
		}
	}
}

// readsEverything holds what the foreign client got beside tools.
func readsEverything(t *testing.T, asks foreignAsks, answer foreignAnswer) {
	t.Helper()
	if len(answer.Read) != len(asks.Resources) || len(answer.Templates) != len(everyResource) || len(answer.Prompts) != len(everyPrompt) || len(answer.Got) != len(asks.Prompts) {
		t.Fatalf("read %d resources, %q, got %d prompts of %q", len(answer.Read), answer.Templates, len(answer.Got), answer.Prompts)
	}
	for i, r := range answer.Read {
		if r.URI != asks.Resources[i] || !strings.Contains(r.Text, everyResource[r.URI]) {
			t.Errorf("%s: %+v", asks.Resources[i], r)
		}
	}
	for i, text := range answer.Got {
		if len(text) < 200 {
			t.Errorf("%s: %q", asks.Prompts[i].Name, text)
		}
	}
	want := [][]string{{"worked-example", "agents-weekly"}, {"acme/shop"}}
	if diff := cmp.Diff(want, answer.Completed); diff != "" {
		t.Errorf("completions (-want +got):\n%s", diff)
	}
}

// sameJSON compares two documents by value.
func sameJSON(t *testing.T, name string, want, got []byte) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%s: structured content %q: %v", name, got, err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("%s: structured content differs (-Go +foreign):\n%s", name, diff)
	}
}

// agrees holds that an answer of get_pilot_report has the numbers and the
// words of the report.
func agrees(t *testing.T, r *metrics.Report, got foreignResult) {
	t.Helper()
	type numbers struct {
		Estimate, Low, High, P *float64
		Text                   string
	}
	type change struct {
		Before, After, Change *float64
	}
	var out struct {
		Pilot   string
		Verdict struct{ Value, Word, Sentence string }
		Metrics []struct {
			ID                string
			Difference        numbers
			Pilot, Comparison change
		}
		Shortened []string
	}
	if err := json.Unmarshal(got.StructuredContent, &out); err != nil {
		t.Fatalf("structured content %q: %v", got.StructuredContent, err)
	}
	v := r.Verdict
	if out.Pilot != r.Definition.Pilot.ID || out.Verdict.Value != string(v.Value) || out.Verdict.Word != v.Word || out.Verdict.Sentence != v.Sentence {
		t.Errorf("verdict %+v of %q, want %q %q", out.Verdict, out.Pilot, v.Value, v.Sentence)
	}
	if len(out.Metrics) == 0 || len(out.Metrics) < len(r.Metrics) && len(out.Shortened) == 0 {
		t.Errorf("%d of %d metrics, shortened %q", len(out.Metrics), len(r.Metrics), out.Shortened)
	}
	for _, m := range out.Metrics {
		for _, want := range r.Metrics {
			if want.Outcome.ID != m.ID {
				continue
			}
			d, h := m.Difference, want.Headline
			for what, pair := range map[string][2]*float64{
				"estimate": {d.Estimate, h.Estimate}, "low": {d.Low, h.Low}, "high": {d.High, h.High}, "p": {d.P, h.P},
				"pilot before": {m.Pilot.Before, want.Pilot.Before}, "pilot after": {m.Pilot.After, want.Pilot.After}, "pilot change": {m.Pilot.Change, want.Pilot.Value},
				"comparison before": {m.Comparison.Before, want.Comparison.Before}, "comparison after": {m.Comparison.After, want.Comparison.After}, "comparison change": {m.Comparison.Change, want.Comparison.Value},
			} {
				if !sameNumber(pair[0], pair[1]) {
					t.Errorf("%s: %s is %v, the report says %v", m.ID, what, show(pair[0]), show(pair[1]))
				}
			}
			if d.Text != h.Text {
				t.Errorf("%s: %q, the report says %q", m.ID, d.Text, h.Text)
			}
		}
	}
	if text := got.text(); !strings.Contains(text, strings.TrimSuffix(r.Metrics[0].Headline.Text, ".")) {
		t.Errorf("the text does not hold %q:\n%s", r.Metrics[0].Headline.Text, text)
	}
}

func sameNumber(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b || math.IsNaN(*a) && math.IsNaN(*b)
}

func show(f *float64) any {
	if f == nil {
		return "absent"
	}
	return *f
}
