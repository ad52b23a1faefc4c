package permissions

import "steelyard/lint"

// everything reports settings that approve every tool.
var everything = lint.Rule{ID: "PM001", Check: checkEverything}

func checkEverything(p *lint.Pass) {
	for _, s := range settings(p) {
		switch s.Host {
		case "claude-code":
			s.claudeEverything(p)
		case "codex":
			s.codexEverything(p)
		case "gemini":
			s.geminiEverything(p)
		case "opencode":
			s.opencodeEverything(p, s.Root.Get("permission"), "every tool")
			for _, agent := range members(s.Root.Get("agent")) {
				s.opencodeEverything(p, agent.Value.Get("permission"), "every tool of agent \""+agent.Name+"\"")
			}
		case "zed":
			if on := s.Root.Get("agent", "always_allow_tool_actions"); isTrue(on) {
				p.Reportf(s.File, on.At, "Zed runs every tool without asking")
			}
		case "cursor":
			for _, e := range elements(s.Root.Get("permissions", "allow")) {
				if _, ok := oneOf(e, "Mcp(*)", "Mcp(*:*)", "*"); ok {
					p.Reportf(s.File, e.At, "%q approves every tool of every server", e.Text)
				}
			}
		case "roo", "cline", "kiro", "amazon-q":
			s.serverEverything(p)
		}
		s.editorEverything(p)
	}
}

func (s *Settings) claudeEverything(p *lint.Pass) {
	if mode := s.Root.Get("permissions", "defaultMode"); mode.Is("bypassPermissions") {
		p.Reportf(s.File, mode.At, "\"bypassPermissions\" runs every tool without asking")
	}
	for _, e := range elements(s.Root.Get("permissions", "allow")) {
		if _, ok := oneOf(e, "*", "mcp__*", "mcp__*__*"); ok {
			p.Reportf(s.File, e.At, "%q approves every tool of every server", e.Text)
		}
	}
}

// codexEverything wants both halves: without a sandbox a command can do
// anything, without a question it does.
func (s *Settings) codexEverything(p *lint.Pass) {
	scopes := []*lint.Node{s.Root}
	for _, m := range members(s.Root.Get("profiles")) {
		scopes = append(scopes, m.Value)
	}
	for _, scope := range scopes {
		policy, sandbox := scope.Get("approval_policy"), scope.Get("sandbox_mode")
		if policy.Is("never") && sandbox.Is("danger-full-access") {
			p.Reportf(s.File, policy.At, "Codex never asks, and has no sandbox: every command runs with everything")
		}
	}
}

func (s *Settings) geminiEverything(p *lint.Pass) {
	for _, server := range s.servers("mcpServers") {
		if on := server.Value.Get("trust"); isTrue(on) {
			p.Reportf(s.File, on.At, "every tool of server %q runs without asking", server.Name)
		}
	}
	if mode := s.Root.Get("general", "defaultApprovalMode"); mode.Is("yolo") {
		p.Reportf(s.File, mode.At, "\"yolo\" runs every tool without asking")
	}
}

func (s *Settings) opencodeEverything(p *lint.Pass, permission *lint.Node, what string) {
	if permission.Is("allow") {
		p.Reportf(s.File, permission.At, "opencode runs %s without asking", what)
	} else if all := permission.Get("*"); all.Is("allow") {
		p.Reportf(s.File, all.At, "opencode runs %s without asking", what)
	}
}

func (s *Settings) serverEverything(p *lint.Pass) {
	for _, server := range s.servers("mcpServers") {
		for _, key := range []string{"alwaysAllow", "autoApprove"} {
			list := server.Value.Get(key)
			for _, e := range elements(list) {
				if e.Is("*") {
					p.Reportf(s.File, e.At, "every tool of server %q runs without asking", server.Name)
				}
			}
			if isTrue(list) {
				p.Reportf(s.File, list.At, "every tool of server %q runs without asking", server.Name)
			}
		}
	}
}

func (s *Settings) editorEverything(p *lint.Pass) {
	editor := s.editor()
	for _, key := range []string{"chat.tools.global.autoApprove", "chat.tools.autoApprove"} {
		if on := editor.Get(key); isTrue(on) {
			p.Reportf(s.File, on.At, "%q runs every tool without asking", key)
		}
	}
	if mode := editor.Get("chat.permissions.default"); mode != nil {
		if text, ok := oneOf(mode, "bypassApprovals", "autopilot"); ok {
			p.Reportf(s.File, mode.At, "%q runs every tool without asking", text)
		}
	}
}
