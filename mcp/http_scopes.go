package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The scopes of access tokens. None includes another.
const (
	// ScopePilots allows pilots, their reports, their numbers and how those are
	// made.
	ScopePilots = "pilots:read"
	// ScopeFindings allows findings, rules and the inventory of the AI setup.
	ScopeFindings = "findings:read"
	// ScopeDependencies allows asking public registries about a package.
	ScopeDependencies = "dependencies:check"
)

// Scopes are all scopes that there are.
func Scopes() []string { return []string{ScopePilots, ScopeFindings, ScopeDependencies} }

// toolScope is the scope of a tool; empty where there is no such tool.
func toolScope(name string) string {
	switch name {
	case "list_pilots", "get_pilot_report", "get_metric_series", "list_pull_requests", "get_data_health":
		return ScopePilots
	case "list_findings", "explain_rule", "get_effective_instructions", "list_mcp_servers":
		return ScopeFindings
	case "check_dependency":
		return ScopeDependencies
	}
	return ""
}

// promptScope is the scope of a prompt.
func promptScope(name string) string {
	switch name {
	case "review_pilot":
		return ScopePilots
	case "resolve_contradictions", "write_guidelines":
		return ScopeFindings
	}
	return ""
}

// resourceScope is the scope of a resource, whether or not there is one at
// uri: who may not see it must not learn that.
func resourceScope(uri string) string {
	switch {
	case strings.HasPrefix(uri, "steelyard://pilots/"), strings.HasPrefix(uri, "steelyard://methods/"):
		return ScopePilots
	case strings.HasPrefix(uri, "steelyard://rules/"):
		return ScopeFindings
	}
	return ""
}

// target is what a request asks for, as far as scopes depend on it.
type target struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
	Ref  struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
	} `json:"ref"`
}

// scopesFor are the scopes that a method needs for what it asks for. Saying
// hello and listing what there is need a token and no scope. Whatever this
// function has not heard of needs all of them.
func (s *Server) scopesFor(method string, t target) []string {
	scope := ""
	switch method {
	case "tools/call":
		if scope = toolScope(t.Name); scope == "" && s.tools[t.Name].input == nil {
			return nil // there is no such tool, which the list tells everybody
		}
	case "prompts/get":
		scope = promptScope(t.Name)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		scope = resourceScope(t.URI)
	case "completion/complete":
		if scope = resourceScope(t.Ref.URI); t.Ref.URI == "" {
			scope = promptScope(t.Ref.Name)
		}
	case "initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel",
		"tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return nil
	default:
		if strings.HasPrefix(method, "notifications/") {
			return nil
		}
	}
	if scope == "" {
		return Scopes()
	}
	return []string{scope}
}

// scopesOf are the scopes of all messages of one body.
func (s *Server) scopesOf(messages []jsonrpc.Message) []string {
	var needed []string
	for _, r := range requestsOf(messages) {
		var t target
		if len(r.Params) > 0 && json.Unmarshal(r.Params, &t) != nil {
			// Another form than the method's: refused later, but not told more
			// than somebody with that scope would be.
			t = target{}
		}
		for _, scope := range s.scopesFor(r.Method, t) {
			if !slices.Contains(needed, scope) {
				needed = append(needed, scope)
			}
		}
	}
	return needed
}

// permitted looks at scopes once more where the SDK has read the request: two
// readers of one text may disagree on what it says, and this one decides.
func (s *Server) permitted(method string, req sdk.Request) error {
	if s.o.Authorization == nil {
		return nil
	}
	var t target
	switch p := req.GetParams().(type) {
	case *sdk.CallToolParamsRaw:
		t.Name = p.Name
	case *sdk.GetPromptParams:
		t.Name = p.Name
	case *sdk.ReadResourceParams:
		t.URI = p.URI
	case *sdk.SubscribeParams:
		t.URI = p.URI
	case *sdk.UnsubscribeParams:
		t.URI = p.URI
	case *sdk.CompleteParams:
		if p.Ref != nil {
			t.Ref.Name, t.Ref.URI = p.Ref.Name, p.Ref.URI
		}
	}
	who := identityOf(req)
	if who == nil || len(who.Lacks(s.scopesFor(method, t))) > 0 {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the access token does not allow this"}
	}
	return nil
}
