package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is how many values the protocol allows in one answer.
const maxCompletions = 100

// complete answers what a template's variable or a prompt's argument may be: the
// values that begin with what was typed, then those that hold it.
func (s *Server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values, err := s.completions(ctx, req.Params)
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(req.Params.Argument.Value)
	var begins, holds []string
	for _, v := range values {
		switch lower := strings.ToLower(v); {
		case strings.HasPrefix(lower, typed):
			begins = append(begins, line(v, 200))
		case strings.Contains(lower, typed):
			holds = append(holds, line(v, 200))
		}
	}
	found := slices.Concat([]string{}, begins, holds)
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
		Values: found[:min(len(found), maxCompletions)], Total: len(found), HasMore: len(found) > maxCompletions,
	}}, nil
}

// completions are all values of what is asked for, none where nobody knows any.
func (s *Server) completions(ctx context.Context, p *sdk.CompleteParams) ([]string, error) {
	for _, r := range s.resources() {
		if p.Ref.URI == r.template && "{"+p.Argument.Name+"}" == variableOf(r.template) {
			return r.names(ctx)
		}
	}
	for _, prompt := range s.prompts() {
		for _, a := range prompt.arguments {
			if p.Ref.Name == prompt.name && p.Argument.Name == a.name && a.values != nil {
				return a.values(ctx)
			}
		}
	}
	return nil, nil
}
