package githubtest

import (
	"fmt"
	"strconv"
	"strings"
)

// The part of GraphQL that queries are written in (October 2021 edition,
// section 2): operations, fields with arguments and aliases, fragments,
// directives, variables with their defaults. Mutations are not read.

type document struct {
	name       string
	defaults   map[string]any
	variables  map[string]bool
	selections []selection
	fragments  map[string]fragment
}

type fragment struct {
	on         string
	selections []selection
}

// selection is a field, or with spread or on a fragment.
type selection struct {
	alias, name string
	arguments   map[string]any
	include     []condition
	selections  []selection
	spread      string // named fragment
	inline      bool   // fragment in place, of type on (empty: any)
	on          string
}

func (s selection) key() string {
	if s.alias != "" {
		return s.alias
	}
	return s.name
}

// condition is @include or @skip.
type condition struct {
	value any
	skip  bool
}

// variable stands for a variable among an argument's values.
type variable string

// enum is a name among an argument's values.
type enum string

type parser struct {
	tokens []string
	at     int
	depth  int
}

func parseGraphQL(text string) (*document, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	doc := &document{fragments: map[string]fragment{}, defaults: map[string]any{}, variables: map[string]bool{}}
	for p.at < len(p.tokens) {
		if err := p.definition(doc); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// scan cuts a text into names, numbers, strings (with their quotes) and
// punctuation.
func scan(text string) ([]string, error) {
	var out []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.IndexByte(" \t\r\n,", c) >= 0:
			i++
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "..."):
			out = append(out, "...")
			i += 3
		case strings.IndexByte("{}()[]:=!$@|", c) >= 0:
			out = append(out, string(c))
			i++
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, fmt.Errorf("a string has no end")
			}
			out = append(out, text[i:end+1])
			i = end + 1
		case isNameByte(c) || c == '-':
			end := i + 1
			for end < len(text) && (isNameByte(text[end]) || text[end] == '.') {
				end++
			}
			out = append(out, text[i:end])
			i = end
		default:
			return nil, fmt.Errorf("unexpected %q", c)
		}
	}
	return out, nil
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) take() string {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) accept(t string) bool {
	if p.peek() == t {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(t string) error {
	if got := p.take(); got != t {
		return fmt.Errorf("expected %q, got %q", t, got)
	}
	return nil
}

func (p *parser) definition(doc *document) (err error) {
	switch kind := p.take(); kind {
	case "query":
		if p.peek() != "(" && p.peek() != "{" {
			doc.name = p.take()
		}
		if p.accept("(") {
			for !p.accept(")") {
				if err := p.variable(doc); err != nil {
					return err
				}
			}
		}
		doc.selections, err = p.selections()
		return err
	case "fragment":
		name := p.take()
		if err := p.expect("on"); err != nil {
			return err
		}
		f := fragment{on: p.take()}
		f.selections, err = p.selections()
		doc.fragments[name] = f
		return err
	default:
		return fmt.Errorf("unexpected %q", kind)
	}
}

func (p *parser) variable(doc *document) error {
	if err := p.expect("$"); err != nil {
		return err
	}
	name := p.take()
	doc.variables[name] = true
	if err := p.expect(":"); err != nil {
		return err
	}
	for p.peek() != "$" && p.peek() != ")" && p.peek() != "=" && p.peek() != "" {
		p.take() // the type, which the schema has checked
	}
	if p.accept("=") {
		v, err := p.value()
		if err != nil {
			return err
		}
		doc.defaults[name] = v
	}
	return nil
}

// maxDepth bounds nesting.
const maxDepth = 64

func (p *parser) selections() ([]selection, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("nested too deep")
	}
	defer func() { p.depth-- }()
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	var out []selection
	for !p.accept("}") {
		if p.peek() == "" {
			return nil, fmt.Errorf("a selection has no end")
		}
		s, err := p.selection()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (p *parser) selection() (s selection, err error) {
	if p.accept("...") {
		if p.peek() != "on" && p.peek() != "{" && p.peek() != "@" {
			s.spread = p.take()
			s.include, err = p.directives()
			return s, err
		}
		s.inline = true
		if p.accept("on") {
			s.on = p.take()
		}
		if s.include, err = p.directives(); err != nil {
			return s, err
		}
		s.selections, err = p.selections()
		return s, err
	}
	s.name = p.take()
	if p.accept(":") {
		s.alias, s.name = s.name, p.take()
	}
	if p.accept("(") {
		s.arguments = map[string]any{}
		for !p.accept(")") {
			name := p.take()
			if err := p.expect(":"); err != nil {
				return s, err
			}
			if s.arguments[name], err = p.value(); err != nil {
				return s, err
			}
		}
	}
	if s.include, err = p.directives(); err != nil {
		return s, err
	}
	if p.peek() == "{" {
		s.selections, err = p.selections()
	}
	return s, err
}

func (p *parser) directives() ([]condition, error) {
	var out []condition
	for p.accept("@") {
		name := p.take()
		if name != "include" && name != "skip" {
			return nil, fmt.Errorf("unknown directive @%s", name)
		}
		for _, t := range []string{"(", "if", ":"} {
			if err := p.expect(t); err != nil {
				return nil, err
			}
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		out = append(out, condition{value: v, skip: name == "skip"})
	}
	return out, nil
}

func (p *parser) value() (any, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("nested too deep")
	}
	defer func() { p.depth-- }()
	switch t := p.take(); {
	case t == "$":
		return variable(p.take()), nil
	case t == "[":
		out := []any{}
		for !p.accept("]") {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case t == "{":
		out := map[string]any{}
		for !p.accept("}") {
			name := p.take()
			if err := p.expect(":"); err != nil {
				return nil, err
			}
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			out[name] = v
		}
		return out, nil
	case t == "true" || t == "false":
		return t == "true", nil
	case t == "null":
		return nil, nil
	case t == "":
		return nil, fmt.Errorf("a value is missing")
	case t[0] == '"':
		return strconv.Unquote(t)
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		return strconv.ParseFloat(t, 64)
	default:
		return enum(t), nil
	}
}
