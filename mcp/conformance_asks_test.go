package mcp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/mcp"
)

// form is the schema of one question with one field.
func form(field, kind string) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field}}
}

func question(message, field, kind string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Message: message, RequestedSchema: form(field, kind)}
}

func sampling(text string) *sdk.CreateMessageParams { //nolint:staticcheck // what the suite wants to see
	return &sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{{Role: "user", Content: words("%s", text)}}, MaxTokens: 100} //nolint:staticcheck // as above
}

// addAsking adds tools that ask the client in the way of the older revisions,
// which needs a session.
func addAsking(s *sdk.Server) {
	ask := func(p *sdk.ElicitParams) toolHandler {
		return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			answer, err := req.Session.Elicit(ctx, p)
			if err != nil {
				return nil, err
			}
			return said(words("action=%s, content=%v", answer.Action, answer.Content)), nil
		}
	}
	addFixture(s, "test_elicitation", nil, ask(question("Who is it?", "username", "string")))
	addFixture(s, "test_elicitation_sep1034_defaults", nil, ask(question("With defaults", "name", "string")))
	addFixture(s, "test_elicitation_sep1330_enums", nil, ask(question("With choices", "choice", "string")))
	addFixture(s, "test_sampling", nil, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, err := req.Session.CreateMessage(ctx, sampling("hello")) //nolint:staticcheck // what the suite wants to see
		if err != nil {
			return nil, err
		}
		return said(words("%v", answer.Content)), nil
	})
}

// accepted is what a person answered to a question.
func accepted(r sdk.InputResponseMap, key string) map[string]any {
	if answer, ok := r[key].(*sdk.ElicitResult); ok && answer != nil && answer.Action == "accept" {
		return answer.Content
	}
	return nil
}

func answerText(r sdk.InputResponseMap, key, field string) string {
	text, _ := accepted(r, key)[field].(string)
	return text
}

// sampled is the text that a client's model answered.
func sampled(r sdk.InputResponseMap, key string) (string, bool) {
	answer, ok := r[key].(*sdk.CreateMessageWithToolsResult) //nolint:staticcheck // what the suite wants to see
	if !ok || answer == nil {
		return "", false
	}
	for _, c := range answer.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			return text.Text, true
		}
	}
	return "", true
}

func roots(r sdk.InputResponseMap) (n int, ok bool) {
	answer, ok := r["client_roots"].(*sdk.ListRootsResult) //nolint:staticcheck // what the suite wants to see
	if !ok || answer == nil {
		return 0, false
	}
	return len(answer.Roots), true
}

func needs(state string, inputs sdk.InputRequestMap) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{InputRequests: inputs, RequestState: state}, nil
}

// addRounds adds tools that ask in the way of 2026-07-28: with a result that
// says what is missing.
func addRounds(s *sdk.Server) {
	askRoots := &sdk.ListRootsParams{} //nolint:staticcheck // what the suite wants to see
	name := question("What is your name?", "name", "string")
	confirm := question("Please confirm", "ok", "boolean")
	add := func(name string, h func(*sdk.CallToolRequest, sdk.InputResponseMap) (*sdk.CallToolResult, error)) {
		addFixture(s, "test_input_required_result_"+name, nil, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return h(req, req.Params.InputResponses)
		})
	}
	add("elicitation", func(_ *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		if who := answerText(r, "user_name", "name"); who != "" {
			return said(words("Hello, %s!", who)), nil
		}
		return needs("", sdk.InputRequestMap{"user_name": name})
	})
	add("sampling", func(_ *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		if text, ok := sampled(r, "capital_question"); ok {
			return said(words("%s", text)), nil
		}
		return needs("", sdk.InputRequestMap{"capital_question": sampling("What is the capital of France?")})
	})
	add("list_roots", func(_ *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		if n, ok := roots(r); ok {
			return said(words("%d roots", n)), nil
		}
		return needs("", sdk.InputRequestMap{"client_roots": askRoots})
	})
	add("multiple_inputs", func(_ *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		greeting, greeted := sampled(r, "greeting")
		n, rooted := roots(r)
		if who := answerText(r, "user_name", "name"); who != "" && greeted && rooted {
			return said(words("%s %s, %d roots", greeting, who, n)), nil
		}
		return needs("all", sdk.InputRequestMap{"user_name": name, "greeting": sampling("Greet"), "client_roots": askRoots})
	})
	add("multi_round", func(req *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		state := req.Params.RequestState
		switch who := answerText(r, "step1", "name"); {
		case strings.HasPrefix(state, "second:"):
			return said(words("%s likes %s", strings.TrimPrefix(state, "second:"), answerText(r, "step2", "color"))), nil
		case state == "first":
			return needs("second:"+who, sdk.InputRequestMap{"step2": question("Step 2: What is your favorite color?", "color", "string")})
		}
		return needs("first", sdk.InputRequestMap{"step1": question("Step 1: What is your name?", "name", "string")})
	})
	stateful := func(req *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		const state = "a-state-of-this-server"
		if given := req.Params.RequestState; given != "" && given != state {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the state is not one that this server gave out"}
		}
		if req.Params.RequestState != "" && accepted(r, "confirm") != nil {
			return said(words("state-ok")), nil
		}
		return needs(state, sdk.InputRequestMap{"confirm": confirm})
	}
	add("request_state", stateful)
	add("tampered_state", stateful)
	add("capabilities", func(req *sdk.CallToolRequest, r sdk.InputResponseMap) (*sdk.CallToolResult, error) {
		if len(r) > 0 {
			return said(words("answered")), nil
		}
		inputs, has := sdk.InputRequestMap{}, req.ClientCapabilities()
		if has != nil && has.Elicitation != nil {
			inputs["user_name"] = name
		}
		if has != nil && has.Sampling != nil { //nolint:staticcheck // what the suite wants to see
			inputs["greeting"] = sampling("Greet")
		}
		if len(inputs) == 0 {
			return said(words("the client cannot be asked")), nil
		}
		return needs("", inputs)
	})
}

func addConformanceResources(s *sdk.Server) {
	read := func(kind, text string, blob []byte) sdk.ResourceHandler {
		return func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			body := strings.ReplaceAll(text, "URI", req.Params.URI)
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: kind, Text: body, Blob: blob}}}, nil
		}
	}
	for uri, h := range map[string]sdk.ResourceHandler{
		"test://static-text":      read("text/plain", "This is the content of the static text resource.", nil),
		"test://static-binary":    read("image/png", "", tinyFile("image/png")),
		"test://watched-resource": read("text/plain", "Watched", nil),
	} {
		s.AddResource(&sdk.Resource{URI: uri, Name: strings.TrimPrefix(uri, "test://"), Description: "Fixture of the conformance suite"}, h)
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "template", Description: "Fixture of the conformance suite", MIMEType: "application/json", URITemplate: "test://template/{id}/data"},
		func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			text := fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: text}}}, nil
		})
}

// saying is a prompt of one message for each content.
func saying(content ...sdk.Content) sdk.PromptHandler {
	return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		res := &sdk.GetPromptResult{Description: "Fixture of the conformance suite"}
		for _, c := range content {
			switch c := c.(type) {
			case *sdk.TextContent:
				text := c.Text
				for name, value := range req.Params.Arguments {
					text = strings.ReplaceAll(text, "{"+name+"}", value)
				}
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: words("%s", text)})
			case *sdk.EmbeddedResource:
				uri := req.Params.Arguments["resourceUri"]
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: embedded(uri, c.Resource.Text)})
			default:
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: c})
			}
		}
		return res, nil
	}
}

func addConformancePrompts(s *sdk.Server) {
	add := func(name string, arguments []string, h sdk.PromptHandler) {
		p := &sdk.Prompt{Name: name, Description: "Fixture of the conformance suite"}
		for _, a := range slices.Sorted(slices.Values(arguments)) {
			p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a, Description: "An argument", Required: true})
		}
		s.AddPrompt(p, h)
	}
	add("test_simple_prompt", nil, saying(words("This is a simple prompt for testing.")))
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, saying(words("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")))
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, saying(embedded("", "Embedded resource content for testing."), words("Please process the embedded resource above.")))
	add("test_prompt_with_image", nil, saying(&sdk.ImageContent{Data: tinyFile("image/png"), MIMEType: "image/png"}, words("Please analyze the image above.")))
	add("test_input_required_result_prompt", nil, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		if what := answerText(req.Params.InputResponses, "user_context", "context"); what != "" {
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: words("Context: %s", what)}}}, nil
		}
		return &sdk.GetPromptResult{InputRequests: sdk.InputRequestMap{"user_context": question("Please provide context for the prompt", "context", "string")}}, nil
	})
}

// conformanceOptions are the options of an SDK server with everything that the
// suite looks for.
func conformanceOptions() *sdk.ServerOptions {
	nothing := func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}, nil
	}
	return &sdk.ServerOptions{
		CompletionHandler:  nothing,
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.TTLMs, c.CacheScope = 60_000, "private"
		},
	}
}

// fixtureTools is the conformance suite's server behind everything of ours
// that stands before a tool.
func fixtureTools(o mcp.Options) *mcp.Server {
	return mcp.NewFixtures(o, conformanceOptions(), addConformance)
}
