package dependencies

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// maxYAMLNodes bounds what a document may hold. Its aliases are followed one at
// a time, where a reader comes to them, so that a small file does not become a
// large one.
const maxYAMLNodes = 200_000

var yamlLine = regexp.MustCompile(`line ([0-9]+): `)

// parseYAML reads the first document of a YAML file, nil if it is empty.
func parseYAML(src []byte) (*yaml.Node, error) {
	if bytes.Count(src, []byte("[")) > maxYAMLNodes || bytes.Count(src, []byte("{")) > maxYAMLNodes {
		return nil, errors.New("too many values")
	}
	if err := flowDepth(src); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			return nil, fmt.Errorf("line %s: not valid YAML", m[1])
		}
		return nil, errors.New("not valid YAML")
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// flowDepth bounds the nesting of brackets before the parser sees it.
func flowDepth(src []byte) error {
	const most = 200
	depth := 0
	for i, c := range src {
		switch c {
		case '[', '{':
			if depth++; depth > most {
				return &lint.SyntaxError{Offset: i, Message: fmt.Sprintf("more than %d levels deep", most)}
			}
		case ']', '}':
			depth = max(depth-1, 0)
		case '\n':
		}
	}
	return nil
}

// child returns a member of a mapping, nil if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	n = resolved(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return resolved(n.Content[i+1])
		}
	}
	return nil
}

// resolved is the node that an alias stands for, or the node itself.
func resolved(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
