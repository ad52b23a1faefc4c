package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// coerce mends arguments that a model got almost right, before the schema
// judges them: "20" for 20, 7 for "7", " MC001 ", "Error" for "error", null or
// "" for an argument left out, one value for a list of one, an object written
// as a string. What it cannot mend it leaves as it is.
func (s *Server) coerce(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if call, ok := req.(*sdk.CallToolRequest); ok && call.Params != nil {
			if schema := s.tools[call.Params.Name].input; schema != nil {
				call.Params.Arguments = coerceObject(call.Params.Arguments, schema)
			}
		}
		return next(ctx, method, req)
	}
}

// coerceObject mends the properties of an object; it returns raw unchanged
// where raw is no object.
func coerceObject(raw json.RawMessage, schema *jsonschema.Schema) json.RawMessage {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil && strings.HasPrefix(strings.TrimSpace(quoted), "{") && json.Valid([]byte(quoted)) {
		raw = json.RawMessage(quoted)
	}
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return json.RawMessage("{}") // the SDK panics on null where there are defaults
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return raw
	}
	changed := false
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property := schema.Properties[name]
		if property == nil {
			continue
		}
		value := coerceValue(object[name], property)
		required := slices.Contains(schema.Required, name)
		if !required && (bytes.Equal(value, []byte("null")) || bytes.Equal(value, []byte(`""`))) {
			delete(object, name)
			changed = true
		} else if !bytes.Equal(value, object[name]) {
			object[name] = value
			changed = true
		}
	}
	if !changed {
		return raw
	}
	mended, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	return mended
}

var number = regexp.MustCompile(`^[+-]?[0-9]{1,15}(\.[0-9]{1,15})?$`)

// coerceValue mends one value towards the type of schema.
func coerceValue(raw json.RawMessage, schema *jsonschema.Schema) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	var text string
	isText := json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"'
	text = strings.TrimSpace(text)
	switch schema.Type {
	case "integer", "number":
		if isText && number.MatchString(text) {
			return numberOf(text, raw)
		}
		if isText && text == "" {
			return json.RawMessage(`""`)
		}
	case "boolean":
		if isText && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")) {
			return json.RawMessage(strings.ToLower(text))
		}
	case "string":
		if !isText && number.Match(raw) {
			text, isText = string(raw), true
		}
		if isText {
			return quote(enumerated(text, schema.Enum), raw)
		}
	case "array":
		if schema.Items != nil && len(raw) > 0 && raw[0] != '[' && !bytes.Equal(raw, []byte("null")) {
			return slices.Concat([]byte("["), coerceValue(raw, schema.Items), []byte("]"))
		}
	}
	return raw
}

// numberOf is text, which [number] matched, as JSON: "+07.0" is 7.
func numberOf(text string, otherwise json.RawMessage) json.RawMessage {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return otherwise
	}
	if value.IsInt() {
		return json.RawMessage(value.Num().String())
	}
	return json.RawMessage(value.FloatString(15))
}

// enumerated returns the member of values that text means but for its case.
func enumerated(text string, values []any) string {
	for _, v := range values {
		if s, ok := v.(string); ok && strings.EqualFold(s, text) {
			return s
		}
	}
	return text
}

func quote(text string, otherwise json.RawMessage) json.RawMessage {
	quoted, err := json.Marshal(text)
	if err != nil {
		return otherwise
	}
	return quoted
}
