package permissions

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// roleTools reports agents whose tools contradict what they say they are.
var roleTools = lint.Rule{ID: "PM006", Check: checkRoleTools}

var (
	// promises matches a description that rules changes out: of files or of
	// whatever is there, not of a behaviour or an interface.
	promises = regexp.MustCompile(`(?i)\bread[- ]only\b|\bmakes? no (changes|edits)\b|\bwithout making changes\b|` +
		`\b((does|do|will|must|may|can) ?(not|n't)? ?(not|never) (ever )?(modify|edit|change|write|touch)|` +
		`never (modif(y|ies)|edits?|changes?|writes?|touch(es)?)|without (modifying|editing|changing|touching))` +
		`(\s+(to )?((any|the|your|its|our|source|existing|project|production) )*(files?|code|codebase|sources?|implementation|anything|repository|repo|project|it|them)\b|\s+(and|or|but)\b|\s*[.,;:()/—–-]|\s*$)`)
	// exceptions take such a promise back, or narrow it to something else.
	exceptions = regexp.MustCompile(`(?i)\bunless\b|\bexcept\b|\bonly (if|when)\b|\bread[- ]only (copy|access to|replica|database|queries|mode of|file system|api)`)
	// reviewer matches the name of somebody who looks and says.
	reviewer = regexp.MustCompile(`(?i)(^|[-_ :])(code[-_ ]?)?(review(er)?|auditor)([-_ ]mode)?([-_ ]?(instructions|agent))?$`)
	// works matches a description by which a reviewer changes things as well.
	works = regexp.MustCompile(`(?i)\b(fix|fixes|fixing|writ|creat|implement|generat|author|updat|refactor|build|migrat|produc|document|appl|improv|edit|correct|modif|simplif|optimi|clean|add|resolv|report|repair|rewrit|maintain|design)`)
	// editing are tools that change files; writing ones can also write a report.
	editing = regexp.MustCompile(`^(Edit|MultiEdit|NotebookEdit|edit|editFiles|edit/\w+|apply_patch|str_replace\w*)$`)
	writing = regexp.MustCompile(`^(Write|write|create_file|new)$`)
)

func checkRoleTools(p *lint.Pass) {
	for _, a := range agents(p) {
		description, _ := a.Root.Get("description").Str()
		name, ok := a.Root.Get("name").Str()
		if !ok {
			name, _, _ = strings.Cut(path.Base(a.File.Path), ".")
		}
		promise := strings.TrimRight(promises.FindString(description), " \t\n.,;:()/—–-")
		if exceptions.MatchString(description) {
			promise = ""
		}
		reviews := reviewer.MatchString(name) && !works.MatchString(description)
		for _, tool := range toolNames(a.Root.Get("tools")) {
			edits := editing.MatchString(tool.Text)
			switch {
			case promise != "" && (edits || writing.MatchString(tool.Text)):
				p.Reportf(a.File, tool.At, "agent %q says %q and has the tool %q", name, promise, tool.Text)
			case promise == "" && reviews && edits:
				p.Reportf(a.File, tool.At, "agent %q reviews and has the tool %q", name, tool.Text)
			default:
				continue
			}
			break // one finding an agent
		}
	}
}

// toolNames returns the tools that an agent is given, from a list or from names
// with commas between.
func toolNames(n *lint.Node) []*lint.Node {
	if text, ok := n.Str(); ok {
		var all []*lint.Node
		from := 0
		for part := range strings.SplitSeq(text, ",") {
			lead := len(part) - len(strings.TrimLeft(part, " "))
			name := strings.TrimSpace(part)
			all = append(all, &lint.Node{Kind: lint.String, Text: name, At: n.Sub(from+lead, from+lead+len(name))})
			from += len(part) + 1
		}
		return all
	}
	return elements(n)
}
