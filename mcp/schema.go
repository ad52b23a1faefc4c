package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// inputSchema infers the schema of a tool's arguments and lets tighten narrow
// each property: enumerations, ranges, patterns, defaults. It panics where the
// type or tighten is wrong, which is a mistake in this package that every test
// meets.
func inputSchema[In any](tighten func(map[string]*jsonschema.Schema)) *jsonschema.Schema {
	s := schemaFor[In]()
	if tighten != nil {
		tighten(s.Properties)
	}
	return s
}

// outputSchema infers the schema of a tool's output in the form that every
// client accepts: an object, no null beside another type. Objects stay open,
// so that a later version may add a field; which fields of inner objects are
// always there is left unsaid, for every client pays for each byte.
func outputSchema[Out any](describe func(map[string]*jsonschema.Schema)) *jsonschema.Schema {
	s := schemaFor[Out]()
	if s.Type != "object" {
		panic(fmt.Sprintf("mcp: output schema of %T is %q, must be an object", *new(Out), s.Type))
	}
	required := s.Required
	open(s)
	s.Required = required
	if describe != nil {
		describe(s.Properties)
	}
	return s
}

func schemaFor[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: schema of %T: %v", *new(T), err))
	}
	plain(s)
	return s
}

// plain rewrites {"type": ["null", T]}, which the inference writes for slices
// and pointers, to T: outputs hold no nil slice, and a nil pointer is left out.
func plain(s *jsonschema.Schema) {
	if rest := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" }); len(rest) == 1 {
		s.Type, s.Types = rest[0], nil
	}
	for _, p := range s.Properties {
		plain(p)
	}
	if s.Items != nil {
		plain(s.Items)
	}
}

// open allows properties that the schema does not name and requires none.
func open(s *jsonschema.Schema) {
	s.AdditionalProperties, s.Required = nil, nil
	for _, p := range s.Properties {
		open(p)
	}
	if s.Items != nil {
		open(s.Items)
	}
}

// enum is the enumeration of values.
func enum[T ~string](values ...T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// jsonOf is v as JSON, for defaults.
func jsonOf(v int) json.RawMessage { return json.RawMessage(fmt.Sprint(v)) }
