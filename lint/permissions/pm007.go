package permissions

import (
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// remoteHook reports commands that assistants run by themselves and that fetch
// code nobody pinned.
var remoteHook = lint.Rule{ID: "PM007", Check: checkRemoteHook}

func checkRemoteHook(p *lint.Pass) {
	for _, s := range settings(p) {
		for _, h := range s.hooks() {
			h.report(p, s.File)
		}
		s.checkPlugins(p)
	}
	for _, a := range tasks(p) {
		for _, m := range members(a.Root.Get("hooks")) {
			for _, h := range commandsBelow(`hook "`+m.Name+`"`, m.Value, 0) {
				h.report(p, a.File)
			}
		}
	}
}

// report reports what a hook fetches unpinned.
func (h hook) report(p *lint.Pass, f *lint.File) {
	for _, one := range launch.Fetches(launch.CommandsOfLine(h.command)) {
		if one.Fault != "" && !launch.Installed(p, f, one) {
			p.Reportf(f, one.Package.At(), "%s runs %q %s", h.what, one.Package.Value, one.Fault)
		}
	}
}

// hook is a command that runs by itself.
type hook struct {
	what    string // `hook "PostToolUse"`
	command launch.Text
}

// hooks returns the commands that the file has run by itself.
func (s *Settings) hooks() []hook {
	var all []hook
	for _, m := range members(s.Root.Get("hooks")) {
		all = append(all, commandsBelow(`hook "`+m.Name+`"`, m.Value, 0)...)
	}
	if s.Host != "claude-code" {
		return all
	}
	for _, key := range []string{"apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper"} {
		if n := s.Root.Get(key); n != nil && n.Kind == lint.String {
			all = append(all, hook{`"` + key + `"`, launch.TextOf(n)})
		}
	}
	if n := s.Root.Get("statusLine", "command"); n != nil && n.Kind == lint.String {
		all = append(all, hook{"the status line", launch.TextOf(n)})
	}
	return all
}

// commandsBelow finds "command" (and Copilot's "bash" and "powershell") at any
// depth: hosts nest hooks differently.
func commandsBelow(what string, n *lint.Node, depth int) []hook {
	const most = 8
	var all []hook
	if depth > most {
		return nil
	}
	for _, m := range n.Members {
		switch {
		case m.Value.Kind != lint.String:
			all = append(all, commandsBelow(what, m.Value, depth+1)...)
		case m.Name == "command" || m.Name == "bash" || m.Name == "powershell":
			all = append(all, hook{what, launch.TextOf(m.Value)})
		}
	}
	for _, e := range n.Elements {
		all = append(all, commandsBelow(what, e, depth+1)...)
	}
	return all
}

// checkPlugins looks at opencode's plugins: packages that it fetches when it
// starts.
func (s *Settings) checkPlugins(p *lint.Pass) {
	if s.Host != "opencode" {
		return
	}
	for _, e := range elements(s.Root.Get("plugin")) {
		text, ok := e.Str()
		if !ok || launch.IsPath(text) || strings.Contains(text, "://") {
			continue
		}
		if fault := launch.FaultOfNPM(text); fault != "" {
			p.Reportf(s.File, e.At, "opencode fetches the plugin %q %s", text, fault)
		}
	}
}
