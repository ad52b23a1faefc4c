package mcp

import (
	"encoding/json"
	"log/slog"
	"maps"
	"regexp"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// secretShape matches values that look like a credential: a well-known prefix,
// a JSON web token, or a long run of mixed letters and digits.
var secretShape = regexp.MustCompile(`(?i)(gh[pousr]_|github_pat_|glpat-|sk-|xox[a-z]-|AKIA|AIza|eyJ[a-z0-9]|bearer\s|password|secret|-----BEGIN)|[A-Za-z0-9+/=_]{32,}`)

// auditArguments are a call's arguments as the audit log may keep them: only
// those the tool declares, short, and nothing that looks like a credential. An
// argument nobody asked for is logged by its number alone.
func (s *Server) auditArguments(req *sdk.CallToolRequest) slog.Value {
	var args map[string]json.RawMessage
	if len(req.Params.Arguments) > 0 && json.Unmarshal(req.Params.Arguments, &args) != nil {
		return slog.StringValue("(not an object)")
	}
	schema := s.tools[req.Params.Name].input
	var attrs []slog.Attr
	undeclared := 0
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if schema == nil || schema.Properties[name] == nil {
			undeclared++
			continue
		}
		attrs = append(attrs, slog.String(name, auditValue(name, args[name])))
	}
	if undeclared > 0 {
		attrs = append(attrs, slog.Int("undeclared", undeclared))
	}
	return slog.GroupValue(attrs...)
}

func auditValue(name string, raw json.RawMessage) string {
	value := string(raw)
	var text string
	if json.Unmarshal(raw, &text) == nil {
		value = text
	}
	if name == "cursor" {
		return "(cursor)"
	}
	return auditText(value, 64)
}

// auditWords are arguments that are all texts.
func auditWords(arguments map[string]string) slog.Value {
	var attrs []slog.Attr
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		attrs = append(attrs, slog.String(auditText(name, 32), auditText(arguments[name], 64)))
	}
	return slog.GroupValue(attrs[:min(len(attrs), maxAuditWords)]...)
}

// maxAuditWords bounds the arguments in one line of the log.
const maxAuditWords = 8

// auditText is a text as the audit log may keep it: one line of at most n
// runes that does not look like a credential.
func auditText(value string, n int) string {
	if secretShape.MatchString(value) {
		return "(masked)"
	}
	return line(value, n)
}
