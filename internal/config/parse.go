package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on a file. No honest settings file comes near them.
const (
	maxBytes    = 1 << 20
	maxDepth    = 16
	maxNodes    = 50_000
	maxProblems = 20
)

// parse reads one YAML document into its node tree and checks it against s.
// It returns nil for a file without content.
func parse(file string, data []byte, s shape) (*yaml.Node, error) {
	root, err := document(file, data)
	if err != nil || root == nil {
		return nil, err
	}
	c := checker{file: file}
	c.bound(root, 0)
	if len(c.problems) == 0 {
		c.check(root, s, "")
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return root, nil
}

// document parses the only YAML document of a file and returns its content.
func document(file string, data []byte) (*yaml.Node, error) {
	if len(data) > maxBytes {
		return nil, Problems{{File: file, Text: fmt.Sprintf("the file is larger than %d KiB", maxBytes>>10)}}
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntaxProblem(file, err)
	}
	switch err := d.Decode(&more); {
	case err == nil:
		return nil, Problems{{
			File: file, Line: more.Line, Column: more.Column,
			Text: "a second YAML document begins here", Hint: "the file holds one; remove the ---",
		}}
	case !errors.Is(err, io.EOF):
		return nil, syntaxProblem(file, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || empty(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

// empty reports whether nothing was written where n stands.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// syntaxProblem turns "yaml: line 3: what" into a problem.
func syntaxProblem(file string, err error) error {
	p := Problem{File: file, Text: strings.TrimPrefix(err.Error(), "yaml: ")}
	at := regexp.MustCompile(`^line ([0-9]+): `).FindStringSubmatch(p.Text)
	if at != nil {
		p.Line, _ = strconv.Atoi(at[1])
		p.Text = p.Text[len(at[0]):]
	}
	p.Text = "not valid YAML: " + p.Text
	if strings.Contains(p.Text, "cannot start any token") {
		p.Hint = "YAML is indented with spaces, not tabs"
	}
	return Problems{p}
}

// checker collects the problems of one file.
type checker struct {
	file     string
	problems Problems
	nodes    int
}

func (c *checker) add(n *yaml.Node, hint, format string, args ...any) {
	if len(c.problems) >= maxProblems {
		return
	}
	c.problems = append(c.problems, Problem{
		File: c.file, Line: n.Line, Column: n.Column,
		Text: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// bound refuses trees that are too deep or too large, and aliases.
func (c *checker) bound(n *yaml.Node, depth int) {
	if len(c.problems) > 0 {
		return
	}
	c.nodes++
	switch {
	case depth > maxDepth:
		c.add(n, "", "nested more than %d deep", maxDepth)
	case c.nodes > maxNodes:
		c.add(n, "", "more than %d values in one file", maxNodes)
	case n.Kind == yaml.AliasNode:
		c.add(n, "write the value out", "YAML aliases (*%s) are not supported", n.Value)
	}
	for _, child := range n.Content {
		c.bound(child, depth+1)
	}
}
