package dependencies

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"

	"steelyard/lint"
)

// maxXMLDepth bounds how deep elements may nest.
const maxXMLDepth = 100

// xmlElement is one element while it is read: its text, its attributes, the
// texts of its children and its place.
type xmlElement struct {
	name     string
	attrs    map[string]string
	text     strings.Builder
	children map[string]string
	at       int
}

// eachElement walks over an XML document and calls take at the end of each
// element, with the elements around it, outermost first and itself last. No
// entity and no address of the document is resolved.
func (f *file) eachElement(take func(path []*xmlElement)) error {
	dec := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(f.src, []byte("\ufeff"))))
	dec.Strict = true
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	shift := len(f.src) - len(bytes.TrimPrefix(f.src, []byte("\ufeff")))
	var stack []*xmlElement
	for {
		at := int(dec.InputOffset()) + shift
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &lint.SyntaxError{Offset: min(int(dec.InputOffset())+shift, len(f.src)), Message: "not valid XML"}
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &xmlElement{name: t.Name.Local, attrs: map[string]string{}, children: map[string]string{}, at: at}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			if stack = append(stack, e); len(stack) > maxXMLDepth {
				return &lint.SyntaxError{Offset: at, Message: "elements nest too deep"}
			}
		case xml.CharData:
			if n := len(stack); n > 0 {
				left := max(maxNameBytes-stack[n-1].text.Len(), 0)
				stack[n-1].text.Write(t[:min(left, len(t))])
			}
		case xml.EndElement:
			n := len(stack)
			take(stack)
			if n > 1 {
				if _, twice := stack[n-2].children[stack[n-1].name]; !twice {
					stack[n-2].children[stack[n-1].name] = strings.TrimSpace(stack[n-1].text.String())
				}
			}
			stack = stack[:n-1]
		}
	}
}

// readPOM reads the dependencies, managed dependencies, plugins, extensions,
// annotation processors and the parent of a pom.xml. A coordinate that holds a
// property is resolved from the same file.
func readPOM(f *file) error {
	properties := map[string]string{}
	type entry struct {
		Dependency
		at lint.Span
	}
	var found []entry
	own, artifact := "", ""
	private := false
	err := f.eachElement(func(path []*xmlElement) {
		e := path[len(path)-1]
		around := ""
		if len(path) > 1 {
			around = path[len(path)-2].name
		}
		switch {
		case around == "properties":
			properties[e.name] = strings.TrimSpace(e.text.String())
			return
		case e.name == "project":
			own, artifact = e.children["groupId"], e.children["artifactId"]
			return
		case e.name == "repository" && (around == "repositories" || around == "pluginRepositories"):
			private = private || !isMavenCentral(e.children["url"])
			return
		}
		group, id := e.children["groupId"], e.children["artifactId"]
		table := map[string]string{
			"dependencies/dependency": "dependency", "plugins/plugin": "plugin", "project/parent": "parent",
			"extensions/extension": "extension", "annotationProcessorPaths/path": "path",
		}[around+"/"+e.name]
		if table == "" || id == "" {
			return
		}
		if table == "plugin" && group == "" {
			group = "org.apache.maven.plugins"
		}
		if len(path) > 3 && path[len(path)-3].name == "dependencyManagement" {
			table = "dependencyManagement"
		}
		d := Dependency{Ecosystem: Maven, Name: group + ":" + id, Spec: e.children["version"], Table: table, Direct: true}
		if table == "parent" {
			properties["project.parent.groupId"], properties["parent.groupId"] = group, group
			properties["project.parent.version"], properties["parent.version"] = d.Spec, d.Spec
		}
		if e.children["scope"] == "system" || e.children["systemPath"] != "" {
			d.Source = FromLocal
		}
		start := e.at
		if i := bytes.Index(f.src[start:], []byte(id)); i >= 0 {
			start += i
		}
		found = append(found, entry{Dependency: d, at: lint.Span{Start: start, End: start + len(id)}})
	})
	if own == "" {
		own = properties["project.parent.groupId"]
	}
	if artifact != "" {
		f.tree.member(Maven, own+":"+artifact)
	}
	properties["project.groupId"], properties["pom.groupId"], properties["groupId"] = own, own, own
	for _, e := range found {
		d := e.Dependency
		if real := expand(d.Name, properties); real != d.Name {
			d.ResolvedName = real
		}
		d.Version = mavenExact(expand(d.Spec, properties))
		if d.Source == "" && strings.Contains(d.Asked(), "${") {
			d.Source = FromLocal // a parent that is not here says what it is
		}
		d.Elsewhere = private
		f.add(e.at, d)
	}
	return err
}

var property = regexp.MustCompile(`\$\{([^{}$]+)\}`)

// expand puts properties in, a few times over as they may hold others.
func expand(s string, properties map[string]string) string {
	for range 5 {
		next := property.ReplaceAllStringFunc(s, func(m string) string {
			if v, ok := properties[m[2:len(m)-1]]; ok {
				return v
			}
			return m
		})
		if next == s || len(next) > maxNameBytes {
			break
		}
		s = next
	}
	return s
}

func mavenExact(version string) string {
	if version == "" || strings.ContainsAny(version, "[](),${}") || version == "LATEST" || version == "RELEASE" {
		return ""
	}
	return version
}

func isMavenCentral(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host == "repo1.maven.org" || host == "repo.maven.apache.org" || host == "central.maven.org"
}
