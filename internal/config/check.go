package config

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// check compares n, which stands at path, with its shape.
func (c *checker) check(n *yaml.Node, s shape, path string) {
	switch s.kind {
	case table:
		c.checkTable(n, s, path)
	case dict:
		c.checkDict(n, s, path)
	case list:
		if n.Kind != yaml.SequenceNode {
			c.add(n, "write [a, b], or one \"- a\" a line", "%s is a list, found %s", path, found(n))
			return
		}
		for i, e := range n.Content {
			c.check(e, *s.element, fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		if problem, hint := scalarProblem(n, s); problem != "" {
			c.add(n, hint, "%s: %s", path, problem)
		}
	}
}

func (c *checker) checkTable(n *yaml.Node, s shape, path string) {
	names := make([]string, len(s.keys))
	for i, k := range s.keys {
		names[i] = k.name
	}
	seen := map[string]bool{}
	for at, value := range c.pairs(n, path, "the keys "+strings.Join(names, ", ")) {
		name := at.Value
		seen[name] = true
		i := slices.Index(names, name)
		if i < 0 {
			hint := s.instead[name]
			if hint == "" {
				hint = hintFor(name, names)
			}
			c.add(at, hint, "unknown key %q%s", clip(name), inside(path))
			continue
		}
		if empty(value) {
			// "serve:" with everything under it commented out says nothing.
			if s.keys[i].required {
				c.add(value, "", "%s has no value", join(path, name))
			}
			continue
		}
		c.check(value, s.keys[i].shape, join(path, name))
	}
	for _, k := range s.keys {
		if k.required && !seen[k.name] && n.Kind == yaml.MappingNode {
			c.add(n, k.doc, "%s has no %s", orFile(path), k.name)
		}
	}
}

func (c *checker) checkDict(n *yaml.Node, s shape, path string) {
	form := regexp.MustCompile(s.names)
	for at, value := range c.pairs(n, path, "names with values") {
		if !form.MatchString(at.Value) {
			c.add(at, "", "%s: %q is not %s", path, clip(at.Value), s.namesAre)
			continue
		}
		c.check(value, *s.element, join(path, at.Value))
	}
}

// pairs yields each key of a mapping with its node and value. It reports a
// node that is no mapping, keys that are no text and keys that come twice.
func (c *checker) pairs(n *yaml.Node, path, want string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(at, value *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			c.add(n, "", "%s holds %s, found %s", orFile(path), want, found(n))
			return
		}
		first := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			at, value := n.Content[i], n.Content[i+1]
			if at.Kind != yaml.ScalarNode || at.Tag == "!!merge" {
				c.add(at, "", "a key%s is %s, not a name", inside(path), found(at))
				continue
			}
			if line, twice := first[at.Value]; twice {
				c.add(at, "", "key %q comes twice%s, first in line %d", clip(at.Value), inside(path), line)
				continue
			}
			first[at.Value] = at.Line
			if !yield(at, value) {
				return
			}
		}
	}
}

// scalarProblem says what is wrong with a scalar node, and what to do.
func scalarProblem(n *yaml.Node, s shape) (problem, hint string) {
	wrong := fmt.Sprintf("expected %s, found %s", s.wanted(), found(n))
	if s.secret && n.Kind == yaml.ScalarNode {
		wrong = "expected " + s.wanted()
		if n.Tag != "!!str" {
			return wrong, ""
		}
	}
	if n.Kind != yaml.ScalarNode {
		return wrong, ""
	}
	switch s.kind {
	case number:
		if n.Tag != "!!int" && n.Tag != "!!float" {
			return wrong, ""
		}
	case whole:
		if n.Tag != "!!int" {
			return wrong, ""
		}
	case truth:
		if n.Tag != "!!bool" {
			return wrong, ""
		}
	case date, moment:
		if n.Tag != "!!timestamp" && n.Tag != "!!str" {
			return wrong, ""
		}
	default:
		if n.Tag != "!!str" {
			return wrong, fmt.Sprintf("quote it to make it text: %q", n.Value)
		}
	}
	return valueProblem(n.Value, s)
}

// valueProblem says what is wrong with the text of a scalar, wherever it came
// from.
func valueProblem(v string, s shape) (problem, hint string) {
	wrong := fmt.Sprintf("expected %s, found %q", s.wanted(), clip(v))
	if s.secret {
		wrong = "expected " + s.wanted()
	}
	switch s.kind {
	case number:
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return wrong, ""
		}
		return rangeProblem(x, s)
	case whole:
		x, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return wrong, ""
		}
		return rangeProblem(float64(x), s)
	case date:
		if _, err := time.Parse(time.DateOnly, v); err != nil {
			return wrong, ""
		}
	case moment:
		if _, err := ParseDay(v); err != nil {
			return wrong, ""
		}
	case truth:
		if _, err := strconv.ParseBool(v); err != nil {
			return wrong, ""
		}
	default:
		return textProblem(v, s, wrong)
	}
	return "", ""
}

func textProblem(v string, s shape, wrong string) (problem, hint string) {
	if len(s.choices) > 0 && !slices.Contains(s.choices, v) {
		return wrong, hintFor(v, s.choices)
	}
	if s.pattern != "" && !regexp.MustCompile(s.pattern).MatchString(v) {
		return wrong, ""
	}
	if s.valid != nil {
		if err := s.valid(v); err != nil {
			return wrong + ": " + err.Error(), ""
		}
	}
	return "", ""
}

func rangeProblem(x float64, s shape) (problem, hint string) {
	if s.above == 0 && s.upTo == 0 || x > s.above && x <= s.upTo {
		return "", ""
	}
	return fmt.Sprintf("%v is out of range: more than %v, at most %v", x, s.above, s.upTo), "expected " + s.wanted()
}

// wanted names what belongs at a place, for messages.
func (s shape) wanted() string {
	switch {
	case len(s.choices) > 0:
		return "one of " + strings.Join(s.choices, ", ")
	case s.want != "":
		return s.want
	}
	return map[kind]string{
		text: "text", number: "a number", whole: "a whole number",
		date: "a day such as 2027-01-31", moment: "a day such as 2027-01-31", truth: "true or false",
	}[s.kind]
}

// found describes a node in words, for messages.
func found(n *yaml.Node) string {
	if n.Kind == yaml.MappingNode {
		return "a mapping"
	}
	if n.Kind == yaml.SequenceNode {
		return "a list"
	}
	v := clip(n.Value)
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + v
	case "!!bool":
		return "the truth value " + v
	case "!!timestamp":
		return "the date " + v
	}
	return fmt.Sprintf("%q", v)
}

func hintFor(word string, valid []string) string {
	if s := Suggest(word, valid); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return "valid: " + strings.Join(valid, ", ")
}

func inside(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

func orFile(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}

// ParseDay reads 2027-01-31, or a time as JSON writes it, in UTC.
func ParseDay(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a day such as 2027-01-31", clip(s))
	}
	return t.UTC(), nil
}

// clip bounds a value that is repeated in a message.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
