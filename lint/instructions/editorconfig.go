package instructions

import (
	"path"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
)

// editorConfig returns what the .editorconfig files decide about a directive:
// the one of the document's folder first, then those above it up to the one
// that says it is the root.
//
// Source: editorconfig.org's specification 0.17. A section for a part of the
// document's folder, or with a range of numbers, is not matched: where one of
// them might decide, nothing is decided.
func editorConfig(p *lint.Pass, d *Doc, x *Directive) (setting, bool) {
	names, ok := probes(x.Scope)
	if !ok {
		return setting{}, false
	}
	for _, dir := range above(home(d.File.Path)) {
		f, ok := p.Named(path.Join(dir, ".editorconfig"))
		if !ok {
			continue
		}
		c := lint.Parsed(f, readEditorConfig)
		c = c.seenFrom(strings.TrimPrefix(strings.TrimPrefix(home(d.File.Path), dir), "/"))
		s, ok := c.about(f, names, x)
		if ok || c.root || !c.whole {
			return s, ok
		}
	}
	return setting{}, false
}

// editorConfigFile is one .editorconfig.
type editorConfigFile struct {
	sections []editorSection
	root     bool
	whole    bool // all of it could be read
}

// editorSection is what one section sets, "" for nothing.
type editorSection struct {
	glob                      string
	style, size, width, limit string
	styleAt, sizeAt, limitAt  lint.Span
}

const (
	maxEditorConfig   = 64 << 10
	maxEditorSections = 200
)

var (
	editorHead  = compile(`^\s*\[(.+)\]\s*$`)
	editorValue = compile(`^\s*([A-Za-z_]+)\s*[=:]\s*([^\s#;]+)`)
)

func readEditorConfig(f *lint.File) editorConfigFile {
	src, err := f.Bytes()
	if err != nil || len(src) > maxEditorConfig {
		return editorConfigFile{}
	}
	c := editorConfigFile{whole: true}
	at := 0
	for line := range strings.Lines(string(src)) {
		start := at
		at += len(line)
		if m := editorHead.FindStringSubmatch(line); m != nil {
			if len(c.sections) == maxEditorSections {
				return editorConfigFile{}
			}
			c.sections = append(c.sections, editorSection{glob: m[1]})
			continue
		}
		m := editorValue.re().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		name, value := strings.ToLower(line[m[2]:m[3]]), strings.ToLower(line[m[4]:m[5]])
		if len(c.sections) == 0 {
			c.root = c.root || name == "root" && value == "true"
			continue
		}
		c.sections[len(c.sections)-1].set(name, value, lint.Span{Start: start + m[4], End: start + m[5]})
	}
	return c
}

func (s *editorSection) set(name, value string, at lint.Span) {
	if value == "unset" {
		value = "?" // it may be anything again
	}
	switch name {
	case "indent_style":
		s.style, s.styleAt = value, at
	case "indent_size":
		s.size, s.sizeAt = value, at
	case "tab_width":
		s.width = value
	case "max_line_length":
		s.limit, s.limitAt = value, at
	}
}

// languageNames are files of the languages that a directive's scope may name.
var languageNames = map[string][]string{
	"python": {"x.py"}, "typescript": {"x.ts", "x.tsx"}, "javascript": {"x.js", "x.jsx"}, "ts": {"x.ts"}, "tsx": {"x.tsx"}, "js": {"x.js"}, "jsx": {"x.jsx"},
	"react": {"x.tsx", "x.jsx"}, "go": {"x.go"}, "golang": {"x.go"}, "rust": {"x.rs"}, "java": {"x.java"}, "kotlin": {"x.kt"}, "c#": {"x.cs"}, "csharp": {"x.cs"},
	"ruby": {"x.rb"}, "php": {"x.php"}, "swift": {"x.swift"}, "dart": {"x.dart"},
}

// probes are names of files that a scope is about, none for all files; ok is
// false where the scope names something else.
func probes(scope string) (names []string, ok bool) {
	if scope == "" {
		return nil, true
	}
	for _, word := range strings.Split(scope, "|") {
		of, known := languageNames[word]
		if !known {
			return nil, false
		}
		names = append(names, of...)
	}
	return names, true
}

// about returns the choice for every one of these files. A directive about all
// files is decided by the section of all files, and only if no other section
// has what the directive asks for: it may mean those.
func (c *editorConfigFile) about(f *lint.File, names []string, x *Directive) (setting, bool) {
	all := len(names) == 0
	if all {
		names = []string{"x"}
	}
	var found setting
	for i, name := range names {
		s, ok := c.of(f, name, x.Topic.Facts)
		if !ok || i > 0 && s.choice != found.choice {
			return setting{}, false
		}
		found = s
	}
	if !all {
		return found, true
	}
	for i := range c.sections {
		if c.sections[i].glob == "*" {
			continue // it is in what was found
		}
		s, ok := c.merged(c.sections[:i+1], func(j int) bool { return j == i || c.sections[j].glob == "*" }).choice(f, x.Topic.Facts)
		if !ok && c.sections[i].sets() || ok && !s.rulesOut(x) {
			return setting{}, false
		}
	}
	return found, true
}

// seenFrom is the file as it counts in a folder below it: sections for other
// folders are left out, and those for a whole folder around it hold for every
// folder there.
func (c editorConfigFile) seenFrom(rel string) editorConfigFile {
	seen := editorConfigFile{root: c.root, whole: c.whole}
	for _, s := range c.sections {
		folder, rest := doublestar.SplitPattern(strings.TrimPrefix(s.glob, "/"))
		if !strings.Contains(s.glob, "/") || folder == "." {
			seen.sections = append(seen.sections, s)
			continue
		}
		switch {
		case folder == rel || strings.HasPrefix(rel, folder+"/"):
			if deep, ok := strings.CutPrefix(rest, "**"); ok && !strings.Contains(strings.TrimPrefix(deep, "/"), "/") {
				// "web/**", "web/**.ts" and "web/**/*.ts" hold in all of web.
				s.glob = "*" + strings.TrimPrefix(strings.TrimPrefix(deep, "/"), "*")
			}
			seen.sections = append(seen.sections, s)
		case rel == "" || rel == "." || strings.HasPrefix(folder, rel+"/"):
			seen.sections = append(seen.sections, s)
		}
	}
	return seen
}

// sets reports whether a section says anything of indentation or length.
func (s *editorSection) sets() bool { return s.style+s.size+s.width+s.limit != "" }

// of returns the choice for one file.
func (c *editorConfigFile) of(f *lint.File, name, topic string) (setting, bool) {
	unclear := false
	merged := c.merged(c.sections, func(i int) bool {
		glob := c.sections[i].glob
		if strings.Contains(glob, "/") && !strings.HasPrefix(glob, "**/") || strings.Contains(glob, "..") {
			ext := path.Ext(name)
			unclear = unclear || ext != "" && strings.Contains(glob, strings.TrimPrefix(ext, ".")) || strings.HasSuffix(glob, "*")
			return false
		}
		if !lint.Spelled(glob) {
			unclear = true
			return false
		}
		ok, err := doublestar.Match(strings.TrimPrefix(glob, "**/"), name)
		return err == nil && ok
	})
	if unclear {
		return setting{}, false
	}
	return merged.choice(f, topic)
}

// merged lays the sections that are picked over each other.
func (c *editorConfigFile) merged(sections []editorSection, pick func(int) bool) *editorSection {
	var m editorSection
	for i, s := range sections {
		if !pick(i) {
			continue
		}
		if s.style != "" {
			m.style, m.styleAt = s.style, s.styleAt
		}
		if s.limit != "" {
			m.limit, m.limitAt = s.limit, s.limitAt
		}
		if s.size != "" {
			m.size, m.sizeAt = s.size, s.sizeAt
		}
		m.width = first(s.width, m.width)
	}
	return &m
}

// choice is a section's answer to a topic.
func (s *editorSection) choice(f *lint.File, topic string) (setting, bool) {
	size := s.size
	if size == "tab" {
		size = s.width
	}
	switch _, err := strconv.Atoi(size); {
	case topic == "line-length":
		_, err := strconv.Atoi(s.limit)
		return setting{choice: s.limit, file: f, at: s.limitAt}, err == nil
	case topic != "indentation":
	case s.style == "tab":
		return setting{choice: "tabs", file: f, at: s.styleAt}, true
	case s.style == "space" && err == nil:
		return setting{choice: size + " spaces", file: f, at: s.sizeAt}, true
	case s.style == "space" && size == "":
		return setting{choice: "spaces", file: f, at: s.styleAt}, true
	}
	return setting{}, false
}
