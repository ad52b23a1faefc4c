package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

//go:generate go test -run TestPublishedSchema -update .

// Schema returns the JSON schema (draft 2020-12) of steelyard.yaml, indented,
// with a final newline. It says what the checker says, as far as a schema can:
// whether a glob is well formed or a rule exists only the checker knows.
func Schema() ([]byte, error) {
	s := schemaOf(settings())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "Settings of Steelyard (" + FileName + ")"
	// A file of comments alone is null.
	s["type"] = []string{"object", "null"}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return b.Bytes(), nil
}

func schemaOf(s shape) map[string]any {
	switch s.kind {
	case table:
		return tableSchema(s)
	case dict:
		return map[string]any{
			"type":                 "object",
			"propertyNames":        map[string]any{"pattern": s.names},
			"additionalProperties": schemaOf(*s.element),
		}
	case list:
		return map[string]any{"type": "array", "items": schemaOf(*s.element)}
	default:
		return scalarSchema(s)
	}
}

func tableSchema(s shape) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, k := range s.keys {
		p := schemaOf(k.shape)
		p["description"] = k.doc
		if k.fallback != "" {
			p["default"] = k.defaultValue()
		}
		if k.required {
			required = append(required, k.name)
		} else {
			p = orNull(p)
		}
		properties[k.name] = p
	}
	t := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		t["required"] = required
	}
	return t
}

// orNull lets "key:" stand without a value, as the checker does.
func orNull(s map[string]any) map[string]any {
	s["type"] = []any{s["type"], "null"}
	if choices, ok := s["enum"].([]any); ok {
		s["enum"] = append(choices, nil)
	}
	return s
}

func scalarSchema(s shape) map[string]any {
	m := map[string]any{"type": "string"}
	switch s.kind {
	case number:
		m["type"] = "number"
	case whole:
		m["type"] = "integer"
	case truth:
		m["type"] = "boolean"
	case date:
		m["format"] = "date"
		m["pattern"] = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	default: // a string
	}
	if s.above != 0 || s.upTo != 0 {
		m["exclusiveMinimum"], m["maximum"] = s.above, s.upTo
	}
	if len(s.choices) > 0 {
		all := make([]any, len(s.choices))
		for i, c := range s.choices {
			all[i] = c
		}
		m["enum"] = all
	}
	if s.pattern != "" {
		m["pattern"] = s.pattern
	}
	return m
}

// defaultValue is the fallback as JSON has it.
func (k key) defaultValue() any {
	if k.kind == whole {
		if x, err := strconv.ParseInt(k.fallback, 10, 64); err == nil {
			return x
		}
	}
	if k.kind == truth {
		return k.fallback == "true"
	}
	if k.kind == number {
		if x, err := strconv.ParseFloat(k.fallback, 64); err == nil {
			return x
		}
	}
	return k.fallback
}
