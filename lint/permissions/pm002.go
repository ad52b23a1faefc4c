package permissions

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// anyCommand reports approvals of every shell command.
var anyCommand = lint.Rule{ID: "PM002", Check: checkAnyCommand}

func checkAnyCommand(p *lint.Pass) {
	for _, s := range settings(p) {
		for _, a := range s.approvals() {
			if a.any() {
				p.Reportf(s.File, a.at, "%q approves every shell command", a.text)
			}
		}
	}
}

// approval is a shell command, or the beginning of some, that runs unasked.
type approval struct {
	at   lint.Span
	text string // as it is written
	// command is what is approved without the host's own marks: "npm run" for
	// Bash(npm run:*). It ends in a star where what follows is free, and is a
	// star alone where everything is.
	command string
	// expr is set for a regular expression, whole where it is matched against
	// the whole line and not against each command of it.
	expr  *regexp.Regexp
	whole bool
}

// any reports whether an approval approves everything.
func (a approval) any() bool {
	if a.expr == nil {
		return strings.Trim(a.command, "* ") == ""
	}
	// Two commands that have nothing in common.
	return a.expr.MatchString("rm -rf /tmp/x") && a.expr.MatchString("curl https://h.example")
}

// approvals returns the shell commands that the file approves, less those that
// it asks about or denies in the same words.
func (s *Settings) approvals() []approval {
	var all []approval
	switch s.Host {
	case "claude-code":
		all = s.claudeApprovals()
	case "opencode":
		all = opencodeApprovals(s.Root.Get("permission"))
		for _, agent := range members(s.Root.Get("agent")) {
			all = append(all, opencodeApprovals(agent.Value.Get("permission"))...)
		}
	case "gemini":
		for _, list := range []*lint.Node{s.Root.Get("tools", "allowed"), s.Root.Get("allowedTools")} {
			all = append(all, called(list, "run_shell_command", "ShellTool")...)
		}
	case "cursor":
		all = called(s.Root.Get("permissions", "allow"), "Shell")
	case "zed":
		terminal := s.Root.Get("agent", "tool_permissions", "tools", "terminal")
		if d := terminal.Get("default"); d.Is("allow") {
			all = append(all, approval{at: d.At, text: "allow", command: "*"})
		}
	}
	return append(all, s.editorApprovals()...)
}

// claudeApprovals reads Bash, Bash(npm run:*) and Bash(npm run *).
func (s *Settings) claudeApprovals() []approval {
	var all []approval
	for _, a := range called(s.Root.Get("permissions", "allow"), "Bash", "PowerShell") {
		if !has(s.Root.Get("permissions", "ask"), a.text) && !has(s.Root.Get("permissions", "deny"), a.text) {
			all = append(all, a)
		}
	}
	return all
}

// called reads the entries of a list that name one of these tools, by itself or
// with a command in brackets. A command without a star is approved in these
// words alone, except by hosts that take it for a beginning (Cursor, Gemini).
func called(list *lint.Node, tools ...string) []approval {
	var all []approval
	for _, e := range elements(list) {
		text, ok := e.Str()
		if !ok {
			continue
		}
		for _, tool := range tools {
			rest, ok := strings.CutPrefix(text, tool)
			inner, bracket := strings.CutPrefix(rest, "(")
			switch {
			case !ok:
			case rest == "":
				all = append(all, approval{at: e.At, text: text, command: "*"})
			case bracket:
				command := strings.TrimSuffix(inner, ")")
				if head, open := strings.CutSuffix(command, ":*"); open {
					command = head + " *"
				} else if tool != "Bash" && tool != "PowerShell" {
					command += " *"
				}
				all = append(all, approval{at: e.At, text: text, command: strings.TrimSpace(command)})
			}
		}
	}
	return all
}

func opencodeApprovals(permission *lint.Node) []approval {
	bash := permission.Get("bash")
	if bash.Is("allow") {
		return []approval{{at: bash.At, text: "allow", command: "*"}}
	}
	var all []approval
	for _, m := range members(bash) {
		if m.Value.Is("allow") {
			all = append(all, approval{at: m.At, text: m.Name, command: m.Name})
		}
	}
	return all
}

// lists are the settings of extensions that approve beginnings of commands.
var lists = []string{"roo-cline.allowedCommands", "kilo-code.allowedCommands", "kiroAgent.trustedCommands", "windsurf.cascadeCommandsAllowList"}

func (s *Settings) editorApprovals() []approval {
	var all []approval
	editor := s.editor()
	for _, m := range members(editor.Get("chat.tools.terminal.autoApprove")) {
		on, whole := isTrue(m.Value), isTrue(m.Value.Get("matchCommandLine"))
		if !on && !isTrue(m.Value.Get("approve")) {
			continue
		}
		a := approval{at: m.At, text: m.Name, command: m.Name + " *", whole: whole}
		if expr, ok := slashed(m.Name); ok {
			if a.expr = expr; expr == nil {
				continue // not an expression that can be judged
			}
		}
		all = append(all, a)
	}
	for _, key := range lists {
		for _, e := range elements(editor.Get(key)) {
			if text, ok := e.Str(); ok && text != "" {
				all = append(all, approval{at: e.At, text: text, command: strings.TrimSuffix(strings.TrimSuffix(text, "*"), " ") + " *"})
			}
		}
	}
	return all
}

// maxExpr bounds a regular expression that is tried.
const maxExpr = 1000

// slashed reads /expression/flags; ok is false for a plain command. The
// expression is nil where Go cannot read it.
func slashed(text string) (expr *regexp.Regexp, ok bool) {
	if len(text) < 3 || text[0] != '/' {
		return nil, false
	}
	end := strings.LastIndexByte(text, '/')
	if end <= 0 || strings.Trim(text[end+1:], "dgimsuvy") != "" {
		return nil, false
	}
	source := text[1:end]
	if strings.ContainsRune(text[end+1:], 'i') {
		source = "(?i)" + source
	}
	if len(source) > maxExpr {
		return nil, true
	}
	expr, err := regexp.Compile(source)
	if err != nil {
		return nil, true
	}
	return expr, true
}
