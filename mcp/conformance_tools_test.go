package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
)

// The tools, resources and prompts that the official conformance suite calls by
// name. What each must do is written in the suite's scenarios.

// tiny are the smallest files of their kinds.
var tiny = map[string]string{
	"image/png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
	"audio/wav": "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=",
}

func tinyFile(kind string) []byte {
	data, err := base64.StdEncoding.DecodeString(tiny[kind])
	if err != nil {
		panic(err) // a mistake in the table above
	}
	return data
}

func said(content ...sdk.Content) *sdk.CallToolResult { return &sdk.CallToolResult{Content: content} }

func words(format string, args ...any) *sdk.TextContent {
	return &sdk.TextContent{Text: fmt.Sprintf(format, args...)}
}

func embedded(uri, text string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
}

// toolHandler is a fixture's handler: it takes any arguments.
type toolHandler func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)

func addFixture(s *sdk.Server, name string, schema any, h toolHandler) {
	tool := &sdk.Tool{Name: name, Description: "Fixture of the conformance suite: " + name}
	if schema != nil {
		tool.InputSchema = schema
	}
	sdk.AddTool(s, tool, func(ctx context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
		res, err := h(ctx, req)
		return res, nil, err
	})
}

// addConformance adds all fixtures.
func addConformance(s *sdk.Server) {
	image, audio := &sdk.ImageContent{Data: tinyFile("image/png"), MIMEType: "image/png"}, &sdk.AudioContent{Data: tinyFile("audio/wav"), MIMEType: "audio/wav"}
	for name, content := range map[string][]sdk.Content{
		"test_simple_text":            {words("This is a simple text response for testing.")},
		"test_image_content":          {image},
		"test_audio_content":          {audio},
		"test_embedded_resource":      {embedded("test://embedded-resource", "This is an embedded resource content.")},
		"test_multiple_content_types": {words("Multiple content types test:"), image, embedded("test://mixed-content-resource", `{"test":"data","value":123}`)},
		"test_streaming_elicitation":  {words("nothing is asked while a call runs")},
	} {
		addFixture(s, name, nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said(content...), nil })
	}
	addFixture(s, "test_error_handling", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, &mcp.UserError{Text: "This tool intentionally returns an error for testing"}
	})
	addTelling(s)
	addSchemas(s)
	addAsking(s)
	addRounds(s)
	addConformanceResources(s)
	addConformancePrompts(s)
}

// addTelling adds tools that tell something while they run.
func addTelling(s *sdk.Server) {
	logs := func(texts ...string) toolHandler {
		return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for _, text := range texts {
				if err := req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: text}); err != nil { //nolint:staticcheck // what the suite wants to see
					return nil, err
				}
				time.Sleep(10 * time.Millisecond)
			}
			return said(words("logged")), nil
		}
	}
	addFixture(s, "test_tool_with_logging", nil, logs("Tool execution started", "Tool processing data", "Tool execution completed"))
	addFixture(s, "test_logging_tool", nil, logs("a line for those who asked for it"))
	addFixture(s, "test_tool_with_progress", nil, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		token := req.Params.GetProgressToken()
		for _, percent := range []float64{0, 50, 100} {
			if err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: percent, Total: 100}); err != nil {
				return nil, err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return said(words("%v", token)), nil
	})
	addFixture(s, "test_reconnection", nil, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if req.Extra != nil && req.Extra.CloseSSEStream != nil {
			req.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
		}
		return said(words("the stream was closed on the way")), nil
	})
	addFixture(s, "test_trigger_tool_change", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		addFixture(s, "test_tool_that_comes_later", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return said(words("here")), nil
		})
		return said(words("the list of tools changed")), nil
	})
	addFixture(s, "test_trigger_prompt_change", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddPrompt(&sdk.Prompt{Name: "test_prompt_that_comes_later", Description: "A prompt that was not there at first"}, saying(words("here")))
		return said(words("the list of prompts changed")), nil
	})
}

// addSchemas adds tools whose input schemas the suite looks at.
func addSchemas(s *sdk.Server) {
	echo := func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return said(words("called with %s", req.Params.Arguments)), nil
	}
	addFixture(s, "json_schema_2020_12_tool", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {
			"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}
		},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]}, "else": {"required": ["email"]},
		"additionalProperties": false
	}`), echo)
	addFixture(s, "test_x_mcp_header", json.RawMessage(`{"type": "object", "properties": {
		"region": {"type": "string", "description": "stands in a header, too", "x-mcp-header": "Region"},
		"level": {"type": "integer", "description": "stands in no header"}
	}}`), echo)
	addFixture(s, "test_missing_capability", nil, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if has := req.ClientCapabilities(); has != nil && has.Sampling != nil { //nolint:staticcheck // what the suite wants to see
			return said(words("the client can sample")), nil
		}
		return nil, &jsonrpc.Error{
			Code: sdk.CodeMissingRequiredClientCapabilities, Message: "this needs sampling",
			Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}
	})
}
