package mcp

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one tool: what it is called, what it takes and how it answers.
type tool[In, Out any] struct {
	name, title string
	// open says that the tool asks others than this product's data.
	open bool
	// description says when to use the tool and what it will not tell.
	description string
	// tighten narrows the properties of the input schema.
	tighten func(map[string]*jsonschema.Schema)
	// describe shortens the properties of the output schema; may be nil.
	describe func(map[string]*jsonschema.Schema)
	// help lists the valid choices, for an answer to bad arguments.
	help func(context.Context) string
	// pilot is the argument that names a pilot, for tools that can ask a person
	// which one is meant; nil for the others.
	pilot func(*In) *string
	// answer makes the structured content. A [UserError] reaches the model.
	answer func(context.Context, In) (Out, error)
	// text says all of it in words, for clients that show nothing else.
	text func(Out) string
}

// add registers t. Every tool is read-only, changes nothing when repeated and,
// unless it is open, stays inside this product's data.
func add[In, Out any](s *Server, t tool[In, Out]) {
	no := false
	def := &sdk.Tool{
		Name:        t.name,
		Title:       t.title,
		Description: t.description,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint:    true,
			IdempotentHint:  true,
			DestructiveHint: &no,
			OpenWorldHint:   &t.open,
		},
		InputSchema:  inputSchema[In](t.tighten),
		OutputSchema: outputSchema[Out](t.describe),
	}
	s.tools[t.name] = registered{input: def.InputSchema.(*jsonschema.Schema), help: t.help}
	sdk.AddTool(s.sdk, def, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		if t.pilot != nil {
			if ask, err := s.askPilot(ctx, t.name, req, t.pilot(&in)); ask != nil || err != nil {
				return ask, *new(Out), err
			}
		}
		out, err := t.answer(ctx, in)
		if err != nil {
			return nil, out, err
		}
		clean(&out)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: t.text(out)}}}, out, nil
	})
}
