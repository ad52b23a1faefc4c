package mcpconfig

// Host is a program that reads MCP configurations, and its dialect.
type Host struct {
	Name string // as it is called in messages
	TOML bool   // the file is TOML; all others are JSON
	// strict is set where the host is known to refuse trailing commas.
	strict bool
	// roots are the paths of names under which servers stand.
	roots [][]string
	// reference is how the host's file names an environment variable; %s is
	// its name. It is "" where the host knows no way.
	reference string
}

var standard = [][]string{{"mcpServers"}}

// hosts are the dialects by the host's name in rules/governed.yaml.
// Sources: the hosts' own manuals, as listed in docs of each: VS Code
// reference/mcp-configuration, Gemini CLI tools/mcp-server, Roo Code
// features/mcp, Codex config reference, opencode config schema.
var hosts = map[string]Host{
	"claude-code":    {Name: "Claude Code", strict: true, roots: standard, reference: "${%s}"},
	"claude-desktop": {Name: "Claude Desktop", strict: true, roots: standard},
	"vscode":         {Name: "VS Code", roots: [][]string{{"servers"}, {"mcpServers"}}, reference: "${env:%s}"},
	"cursor":         {Name: "Cursor", roots: standard, reference: "${env:%s}"},
	"roo":            {Name: "Roo Code", roots: standard, reference: "${env:%s}"},
	"kiro":           {Name: "Kiro", roots: standard, reference: "${%s}"},
	"amazon-q":       {Name: "Amazon Q", roots: standard},
	"windsurf":       {Name: "Windsurf", roots: standard, reference: "${env:%s}"},
	"gemini":         {Name: "Gemini CLI", roots: standard, reference: "$%s"},
	"codex":          {Name: "Codex", TOML: true, roots: [][]string{{"mcp_servers"}}},
	"opencode":       {Name: "opencode", roots: [][]string{{"mcp"}}, reference: "{env:%s}"},
	"zed":            {Name: "Zed", roots: [][]string{{"context_servers"}}},
	"devcontainer": {
		Name: "VS Code", reference: "${localEnv:%s}",
		roots: [][]string{{"customizations", "vscode", "mcp", "servers"}},
	},
	"code-workspace": {
		Name: "VS Code", reference: "${env:%s}",
		roots: [][]string{{"settings", "mcp", "servers"}, {"settings", "mcp.servers"}, {"mcp", "servers"}},
	},
	// A plain mcp.json is read by whatever tool sits beside it.
	"generic": {Name: "the MCP client", roots: [][]string{{"mcpServers"}, {"servers"}}},
}
