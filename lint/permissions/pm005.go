package permissions

import (
	"path"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// cloudTools reports agents of the Copilot cloud agent that are given every
// tool by name: it asks nobody before it uses one.
var cloudTools = lint.Rule{ID: "PM005", Check: checkCloudTools}

func checkCloudTools(p *lint.Pass) {
	for _, a := range agents(p) {
		if !strings.Contains("/"+a.File.Path, "/.github/agents/") {
			continue
		}
		if at, ok := star(a.Root.Get("tools")); ok {
			p.Reportf(a.File, at, "the agent is given every tool, and the cloud agent asks about none")
		}
		for _, server := range members(a.Root.Get("mcp-servers")) {
			if at, ok := star(server.Value.Get("tools")); ok {
				p.Reportf(a.File, at, "the agent is given every tool of server %q, and the cloud agent asks about none", server.Name)
			}
		}
	}
	for _, f := range p.Files(rules.MCP) {
		if f.Link == "" && f.Host(rules.MCP) == "copilot-cli" {
			checkCopilotServers(p, f)
		}
	}
}

func checkCopilotServers(p *lint.Pass, f *lint.File) {
	src, err := f.Bytes()
	if err != nil {
		return
	}
	root, err := lint.ParseJSON(src)
	if err != nil {
		return // MC000 says so
	}
	for _, server := range members(root.Get("mcpServers")) {
		if at, ok := star(server.Value.Get("tools")); ok {
			p.Reportf(f, at, "Copilot is given every tool of server %q", server.Name)
		}
	}
}

// star finds "*" as a list's element or by itself.
func star(n *lint.Node) (lint.Span, bool) {
	if n.Is("*") {
		return n.At, true
	}
	for _, e := range elements(n) {
		if e.Is("*") {
			return e.At, true
		}
	}
	return lint.Span{}, false
}

// Agent is an agent's file: what it is called, what it is for, what it may do.
type Agent struct {
	File *lint.File
	Root *lint.Node // the front matter, nil for none
	Body string
}

// agents reads the agents of the tree.
func agents(p *lint.Pass) []*Agent {
	var all []*Agent
	for _, a := range tasks(p) {
		for _, folder := range []string{"/.github/agents/", "/.claude/agents/", "/.github/chatmodes/"} {
			if strings.Contains("/"+a.File.Path, folder) {
				all = append(all, a)
			}
		}
	}
	return all
}

// tasks reads agents, skills, commands and prompts with front matter. One that
// cannot be read is another family's to report.
func tasks(p *lint.Pass) []*Agent {
	var all []*Agent
	for _, f := range p.Files(rules.Tasks) {
		if f.Link == "" && path.Ext(f.Path) == ".md" {
			if a := lint.Parsed(f, parseAgent); a.Root != nil {
				all = append(all, a)
			}
		}
	}
	return all
}

func parseAgent(f *lint.File) *Agent {
	a := &Agent{File: f}
	src, err := f.Bytes()
	if err != nil {
		return a
	}
	if a.Root, err = lint.ParseFrontMatter(src); err != nil {
		a.Root = nil
	}
	a.Body = string(src)
	return a
}
