package dependencies

import (
	"bytes"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// readWorkflow reads the "uses" of a workflow or composite action, and the
// images that its jobs run in.
func readWorkflow(f *file) error {
	root, err := parseYAML(f.src)
	if err != nil || root == nil {
		return err
	}
	if jobs := child(root, "jobs"); jobs != nil && jobs.Kind == yaml.MappingNode {
		for i := 1; i < len(jobs.Content); i += 2 {
			f.job(jobs.Content[i])
		}
	}
	runs := child(root, "runs")
	f.steps(child(runs, "steps"))
	if image := child(runs, "image"); image != nil && strings.HasPrefix(image.Value, "docker://") {
		f.uses(image)
	}
	return nil
}

func (f *file) job(job *yaml.Node) {
	f.uses(child(job, "uses"))
	f.steps(child(job, "steps"))
	f.container(child(job, "container"))
	if services := child(job, "services"); services != nil && services.Kind == yaml.MappingNode {
		for i := 1; i < len(services.Content) && f.visit(); i += 2 {
			f.container(resolved(services.Content[i]))
		}
	}
}

func (f *file) steps(list *yaml.Node) {
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	for _, step := range list.Content {
		if !f.visit() {
			return
		}
		f.uses(child(step, "uses"))
	}
}

// visit counts the steps and services that are looked at: aliases let many jobs
// share a long list.
func (f *file) visit() bool {
	f.visited++
	if f.visited == maxPerFile+1 {
		f.tree.skip(f.path, "more than %d steps: the rest was not read", maxPerFile)
	}
	return f.visited <= maxPerFile
}

// container reads "container: image" and "container: {image: …}".
func (f *file) container(n *yaml.Node) {
	if n != nil && n.Kind == yaml.MappingNode {
		n = child(n, "image")
	}
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "" || strings.Contains(n.Value, "${{") {
		return
	}
	d := imageReference(n.Value)
	d.Table, d.Direct = "container", true
	f.add(f.yamlSpan(n), d)
}

func (f *file) uses(n *yaml.Node) {
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return
	}
	d := actionReference(n.Value)
	d.Table, d.Direct = "uses", true
	f.add(f.yamlSpan(n), d)
}

// actionReference reads "owner/repo/path@ref", "docker://image" and paths:
// "./" in the repository itself, and "$/", which means the same.
func actionReference(s string) Dependency {
	if image, ok := strings.CutPrefix(s, "docker://"); ok {
		return imageReference(image)
	}
	d := Dependency{Ecosystem: Actions, Name: s, Spec: s}
	if strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "$/") || strings.HasPrefix(s, ".\\") {
		d.Source = FromLocal
		return d
	}
	name, ref, _ := strings.Cut(s, "@")
	d.Name, d.Version = name, ref
	if !strings.Contains(name, "/") || strings.Contains(name, "${{") {
		d.Source = FromLocal // not a repository: nothing to ask about
	}
	return d
}

// imageReference reads "host/name:tag@digest".
func imageReference(s string) Dependency {
	d := Dependency{Ecosystem: Docker, Spec: s}
	name, digest, _ := strings.Cut(s, "@")
	if i := tagColon(name); i >= 0 {
		d.Version, name = name[i+1:], name[:i]
	}
	if d.Version == "" {
		d.Version = digest
	}
	d.Name = name
	if strings.Contains(name, "$") {
		d.Source = FromLocal // decided when the image is built
	}
	return d
}

// tagColon is the place of the colon before a tag, -1 for none. One before a
// "/" belongs to a port, one inside "${…}" to a default.
func tagColon(name string) int {
	depth, at := 0, -1
	for i := range len(name) {
		switch name[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			at = -1
		case ':':
			if depth == 0 && at < 0 {
				at = i
			}
		}
	}
	return at
}

var (
	dockerEscape = regexp.MustCompile("(?i)^(?:#[^\n]*\n)*# *escape *= *`")
	dockerFrom   = regexp.MustCompile(`(?i)^\s*FROM\s+((?:--\S+\s+)*)(\S+)(?:\s+AS\s+(\S+))?`)
	dockerCopy   = regexp.MustCompile(`(?i)^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*?--from=(\S+)`)
	dockerArg    = regexp.MustCompile(`(?i)^\s*ARG\s+([A-Za-z_][A-Za-z0-9_]*)=["']?([^"'\s]*)`)
	dockerVar    = regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}?`)
)

// readDockerfile reads the images that a Dockerfile starts from or copies out
// of. A name that is a stage of the same file is local.
func readDockerfile(f *file) error {
	stages, args := map[string]bool{}, map[string]string{}
	from := false
	for _, l := range dockerLines(f.src) {
		if m := dockerArg.FindStringSubmatch(l.text); m != nil && !from {
			args[m[1]] = m[2]
		}
		if m := dockerFrom.FindStringSubmatchIndex(l.text); m != nil {
			from = true
			f.image("FROM", l.text[m[4]:m[5]], l.start+m[4], stages, args)
			if m[6] >= 0 {
				stages[strings.ToLower(l.text[m[6]:m[7]])] = true
			}
		}
		if m := dockerCopy.FindStringSubmatchIndex(l.text); m != nil {
			name := l.text[m[2]:m[3]]
			number := strings.Trim(name, "0123456789") == ""
			if !number && !stages[strings.ToLower(name)] {
				f.image("COPY --from", name, l.start+m[2], stages, args)
			}
		}
	}
	return nil
}

// dockerLine is one instruction: lines that go on in the next one are joined,
// and blanks stand for what joined them, so that offsets stay.
type dockerLine struct {
	text  string
	start int
}

func dockerLines(src []byte) []dockerLine {
	escape := byte('\\')
	if dockerEscape.Match(src) {
		escape = '`'
	}
	var lines []dockerLine
	var text []byte
	offset, start := 0, 0
	for raw := range bytes.Lines(src) {
		line := bytes.TrimRight(raw, "\r\n")
		trimmed := bytes.TrimSpace(line)
		if text == nil {
			start = offset
		}
		offset += len(raw)
		comment := len(trimmed) > 0 && trimmed[0] == '#'
		goes := len(trimmed) > 0 && trimmed[len(trimmed)-1] == escape
		switch {
		case text != nil && (comment || len(trimmed) == 0):
			text = append(text, bytes.Repeat([]byte{' '}, len(raw))...) // it does not end the instruction
			continue
		case goes && !comment:
			end := bytes.LastIndexByte(line, escape)
			text = append(append(text, line[:end]...), bytes.Repeat([]byte{' '}, len(raw)-end)...)
			continue
		}
		text = append(text, line...)
		lines = append(lines, dockerLine{string(text), start})
		text = nil
	}
	if text != nil {
		lines = append(lines, dockerLine{string(text), start})
	}
	return lines
}

func (f *file) image(table, written string, at int, stages map[string]bool, args map[string]string) {
	d := imageReference(written)
	d.Table, d.Direct = table, true
	if strings.Contains(written, "$") && len(written) <= maxNameBytes {
		resolved := dockerVar.ReplaceAllStringFunc(written, func(v string) string {
			m := dockerVar.FindStringSubmatch(v)
			if value := args[m[1]]; value != "" && len(value) <= maxNameBytes {
				return value
			}
			if m[2] != "" && len(m[2]) <= maxNameBytes {
				return m[2]
			}
			return v
		})
		if !strings.Contains(resolved, "$") {
			r := imageReference(resolved)
			d.Source, d.ResolvedName, d.Version = r.Source, r.Name, r.Version
		} else if r := imageReference(resolved); !strings.Contains(r.Name, "$") {
			d.Source, d.ResolvedName, d.Version = "", r.Name, "" // only the tag is open
		}
	}
	if table != "FROM" && !strings.ContainsAny(written, "/:.@") {
		d.Elsewhere = true // it may be a build context of that name
	}
	if stages[strings.ToLower(written)] || d.Asked() == "scratch" {
		d.Source, d.Version = FromLocal, ""
	}
	f.add(lint.Span{Start: at, End: at + len(written)}, d)
}
