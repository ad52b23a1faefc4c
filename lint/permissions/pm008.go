package permissions

import (
	"regexp"

	"steelyard/lint"
)

// noSandbox reports settings that take the sandbox away.
var noSandbox = lint.Rule{ID: "PM008", Check: checkNoSandbox}

// switchOff matches options that start another assistant without its sandbox.
var switchOff = regexp.MustCompile(`--(dangerously-skip-permissions|dangerously-bypass-approvals-and-sandbox|allow-dangerously-skip-permissions|yolo)\b|--sandbox[ =]danger-full-access\b`)

func checkNoSandbox(p *lint.Pass) {
	for _, s := range settings(p) {
		switch s.Host {
		case "codex":
			scopes := []*lint.Node{s.Root}
			for _, m := range members(s.Root.Get("profiles")) {
				scopes = append(scopes, m.Value)
			}
			for _, scope := range scopes {
				if mode := scope.Get("sandbox_mode"); mode.Is("danger-full-access") {
					p.Reportf(s.File, mode.At, "\"danger-full-access\" runs commands without a sandbox")
				}
			}
		case "claude-code":
			if on := s.Root.Get("sandbox", "enabled"); isFalse(on) {
				p.Reportf(s.File, on.At, "the sandbox is switched off for everybody, whatever they set themselves")
			}
		case "gemini":
			for _, on := range []*lint.Node{s.Root.Get("tools", "sandbox"), s.Root.Get("sandbox")} {
				if isFalse(on) {
					p.Reportf(s.File, on.At, "the sandbox is switched off for everybody, whatever they set themselves")
				}
			}
		}
		for _, h := range s.hooks() {
			if m := switchOff.FindStringIndex(h.command.Value); m != nil {
				p.Reportf(s.File, h.command.Sub(m[0], m[1]), "%s starts an assistant with %q", h.what, h.command.Value[m[0]:m[1]])
			}
		}
	}
}
