package rules

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// header is a page's front matter. Every key is required, none may be unknown.
type header struct {
	ID        string    `yaml:"id"`
	Name      string    `yaml:"name"`
	Title     string    `yaml:"title"`
	Severity  Severity  `yaml:"severity"`
	Lifecycle Lifecycle `yaml:"lifecycle"`
	Fix       FixSafety `yaml:"fix"`
	Since     string    `yaml:"since"`
}

var (
	idForm    = regexp.MustCompile(`^[A-Z]{2}[0-9]{3}$`)
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)
	sinceForm = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
)

// sections are the headings of a page's body, in the order they must have.
var sections = []string{"Why", "Bad", "Good", "How to fix"}

// parsePage decodes one page strictly: file is its name ("MC002.md"), text its
// content. An unknown or missing key, a missing, repeated or misplaced
// section, an example without a path and an id other than the file's are
// errors.
func parsePage(file string, text []byte) (Page, error) {
	front, body, err := splitFrontMatter(text)
	if err != nil {
		return Page{}, err
	}
	var h header
	dec := yaml.NewDecoder(bytes.NewReader(front))
	dec.KnownFields(true)
	if err := dec.Decode(&h); err != nil {
		return Page{}, fmt.Errorf("read front matter: %w", err)
	}
	if err := h.check(file); err != nil {
		return Page{}, err
	}
	parts, err := splitSections(string(body))
	if err != nil {
		return Page{}, err
	}
	p := Page{
		ID: h.ID, Name: h.Name, Title: h.Title,
		Severity: h.Severity, Lifecycle: h.Lifecycle, Fix: h.Fix, Since: h.Since,
		Why: parts["Why"], HowToFix: parts["How to fix"],
		Markdown: strings.TrimSpace(string(body)) + "\n",
	}
	if p.Bad, err = examples(parts["Bad"]); err != nil {
		return Page{}, fmt.Errorf("section Bad: %w", err)
	}
	if p.Good, err = examples(parts["Good"]); err != nil {
		return Page{}, fmt.Errorf("section Good: %w", err)
	}
	return p, nil
}

func (h header) check(file string) error {
	switch {
	case !idForm.MatchString(h.ID):
		return fmt.Errorf("id %q is not two letters and three digits", h.ID)
	case file != h.ID+".md":
		return fmt.Errorf("id %q does not match the file name %q", h.ID, file)
	case !nameForm.MatchString(h.Name):
		return fmt.Errorf("name %q is not lower-case words joined by hyphens", h.Name)
	case strings.TrimSpace(h.Title) == "":
		return fmt.Errorf("title is missing")
	case h.Severity != Error && h.Severity != Warning && h.Severity != Note:
		return fmt.Errorf("severity %q is not error, warning or note", h.Severity)
	case h.Lifecycle != Preview && h.Lifecycle != Stable && h.Lifecycle != Deprecated:
		return fmt.Errorf("lifecycle %q is not preview, stable or deprecated", h.Lifecycle)
	case h.Fix != FixNone && h.Fix != FixSafe && h.Fix != FixUnsafe:
		return fmt.Errorf("fix %q is not none, safe or unsafe", h.Fix)
	case !sinceForm.MatchString(h.Since):
		return fmt.Errorf("since %q is not a release such as 0.1.0", h.Since)
	}
	return nil
}

func splitFrontMatter(text []byte) (front, body []byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return nil, nil, fmt.Errorf("first line is not ---")
	}
	front, body, ok = bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return nil, nil, fmt.Errorf("front matter is not closed by ---")
	}
	return front, body, nil
}

// splitSections cuts a body at its level-two headings outside code fences.
func splitSections(body string) (map[string]string, error) {
	parts := map[string]string{}
	var order []string
	var fence string
	for line := range strings.Lines(body) {
		fence = nextFence(fence, line)
		heading, ok := strings.CutPrefix(line, "## ")
		if ok && fence == "" {
			heading = strings.TrimSpace(heading)
			if _, twice := parts[heading]; twice {
				return nil, fmt.Errorf("section %q appears twice", heading)
			}
			order = append(order, heading)
			parts[heading] = ""
			continue
		}
		if len(order) > 0 {
			parts[order[len(order)-1]] += line
		} else if strings.TrimSpace(line) != "" {
			return nil, fmt.Errorf("text before the first section: %q", strings.TrimSpace(line))
		}
	}
	if got, want := strings.Join(order, ", "), strings.Join(sections, ", "); got != want {
		return nil, fmt.Errorf("sections are %q, want %q", got, want)
	}
	for name, text := range parts {
		if parts[name] = strings.TrimSpace(text); parts[name] == "" {
			return nil, fmt.Errorf("section %q is empty", name)
		}
	}
	return parts, nil
}

// nextFence returns the fence that is open after line, given the one open
// before it ("" for none).
func nextFence(open, line string) string {
	mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	switch {
	case open == "" && len(mark) >= 3:
		return mark
	case open != "" && len(mark) >= len(open) && strings.TrimSpace(line) == mark:
		return ""
	}
	return open
}

// examples reads the fenced blocks of a section. A block's info string is a
// language and the file's path, "json .mcp.json".
func examples(section string) ([]Example, error) {
	var found []Example
	var fence string
	seen := map[string]bool{}
	for line := range strings.Lines(section + "\n") {
		before := fence
		fence = nextFence(fence, line)
		switch {
		case before == "" && fence != "":
			_, path, _ := strings.Cut(strings.TrimSpace(line[len(fence):]), " ")
			path = strings.TrimSpace(path)
			if path == "" {
				return nil, fmt.Errorf("block %q does not name a file", strings.TrimSpace(line))
			}
			if seen[path] {
				return nil, fmt.Errorf("file %q appears twice", path)
			}
			seen[path] = true
			found = append(found, Example{Path: path})
		case before != "" && fence != "":
			found[len(found)-1].Text += line
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("block of %q is not closed", found[len(found)-1].Path)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no fenced block")
	}
	return found, nil
}
