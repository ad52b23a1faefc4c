package mcp_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	foreignclient "github.com/mark3labs/mcp-go/client"
	foreignmcp "github.com/mark3labs/mcp-go/mcp"

	"steelyard/mcp"
)

// TestForeignGoClient goes through everything the server offers with a client
// that shares no code with the SDK it is built on, over stdio and HTTP.
func TestForeignGoClient(t *testing.T) {
	o, _ := options()
	srv := httptest.NewServer(mcp.New(o).HTTP())
	defer srv.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*foreignclient.Client, error){
		"http": func() (*foreignclient.Client, error) { return foreignclient.NewStreamableHttpClient(srv.URL) },
		"stdio": func() (*foreignclient.Client, error) {
			return foreignclient.NewStdioMCPClient(self, append(os.Environ(), fixtureServer+"=1"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if name == "http" {
				if err := c.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			hello, err := c.Initialize(t.Context(), foreignmcp.InitializeRequest{Params: foreignmcp.InitializeParams{
				ProtocolVersion: foreignmcp.LATEST_PROTOCOL_VERSION, ClientInfo: foreignmcp.Implementation{Name: "foreign-go", Version: "1"},
			}})
			if err != nil || hello.ServerInfo.Name != "steelyard" {
				t.Fatalf("initialize: %+v, %v", hello, err)
			}
			t.Logf("revision %s", hello.ProtocolVersion)
			goThrough(t.Context(), t, c)
		})
	}
}

// everyCall has one call for each tool.
func everyCall() []foreignCall {
	return []foreignCall{
		{"list_pilots", map[string]any{}},
		{"get_pilot_report", map[string]any{"pilot": "worked-example"}},
		{"get_metric_series", map[string]any{"pilot": "worked-example", "points": 104}},
		{"list_pull_requests", map[string]any{"pilot": "worked-example", "limit": 2}},
		{"get_data_health", map[string]any{}},
		{"list_findings", map[string]any{"limit": "1"}},
		{"explain_rule", map[string]any{"rule": "MC001"}},
		{"list_mcp_servers", map[string]any{"problem": "unapproved"}},
		{"get_effective_instructions", map[string]any{"repository": "acme/shop", "surface": "codex", "file": "main.go"}},
		{"check_dependency", map[string]any{"package": "npm:gone"}},
		{"get_pilot_report", map[string]any{"pilot": "nope"}},
	}
}

// everyResource, everyPrompt and everyCompletion are what a foreign client reads
// and asks for, with a part of the answer.
var (
	everyResource = map[string]string{
		"steelyard://pilots/worked-example/report":      "# Worked example",
		"steelyard://pilots/worked-example/report.json": `"worked-example"`,
		"steelyard://rules/MC001":                       "How to fix",
		"steelyard://methods/poisson":                   "# Poisson",
	}
	everyPrompt = map[string]map[string]string{
		"review_pilot":           {"pilot": "worked-example"},
		"resolve_contradictions": {"repository": "acme/shop"},
		"write_guidelines":       {},
	}
)

func goThrough(ctx context.Context, t *testing.T, c *foreignclient.Client) {
	t.Helper()
	tools, err := c.ListTools(ctx, foreignmcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, one := range everyCall() {
		called[one.Name] = true
		res, err := c.CallTool(ctx, foreignmcp.CallToolRequest{Params: foreignmcp.CallToolParams{Name: one.Name, Arguments: one.Arguments}})
		if err != nil {
			t.Errorf("%s: %v", one.Name, err)
			continue
		}
		text, ok := res.Content[0].(foreignmcp.TextContent)
		structured, _ := json.Marshal(res.StructuredContent)
		if !ok || text.Text == "" || res.IsError != (one.Arguments["pilot"] == "nope") || !res.IsError && len(structured) < 20 {
			t.Errorf("%s: error %v, %q, %s", one.Name, res.IsError, text.Text, structured)
		}
	}
	for _, tool := range tools.Tools {
		if !called[tool.Name] {
			t.Errorf("%s was not called", tool.Name)
		}
	}
	templates, err := c.ListResourceTemplates(ctx, foreignmcp.ListResourceTemplatesRequest{})
	if err != nil || len(templates.ResourceTemplates) != len(everyResource) {
		t.Errorf("templates: %+v, %v", templates, err)
	}
	for uri, want := range everyResource {
		res, err := c.ReadResource(ctx, foreignmcp.ReadResourceRequest{Params: foreignmcp.ReadResourceParams{URI: uri}})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if text, ok := res.Contents[0].(foreignmcp.TextResourceContents); !ok || !strings.Contains(text.Text, want) {
			t.Errorf("%s: %+v", uri, res)
		}
	}
	prompts, err := c.ListPrompts(ctx, foreignmcp.ListPromptsRequest{})
	if err != nil || len(prompts.Prompts) != len(everyPrompt) {
		t.Errorf("prompts: %+v, %v", prompts, err)
	}
	for name, arguments := range everyPrompt {
		res, err := c.GetPrompt(ctx, foreignmcp.GetPromptRequest{Params: foreignmcp.GetPromptParams{Name: name, Arguments: arguments}})
		if err != nil || len(res.Messages) != 1 {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	for ref, want := range map[any][]string{
		foreignmcp.ResourceReference{Type: "ref/resource", URI: "steelyard://rules/{id}"}: {"MC001", "MC002"},
		foreignmcp.PromptReference{Type: "ref/prompt", Name: "review_pilot"}:              {"agents-weekly", "worked-example"},
	} {
		name := "id"
		if _, ok := ref.(foreignmcp.PromptReference); ok {
			name = "pilot"
		}
		res, err := c.Complete(ctx, foreignmcp.CompleteRequest{Params: foreignmcp.CompleteParams{Ref: ref, Argument: foreignmcp.CompleteArgument{Name: name}}})
		if err != nil || !slices.Equal(res.Completion.Values, want) {
			t.Errorf("completion of %+v: %+v, %v", ref, res, err)
		}
	}
}
