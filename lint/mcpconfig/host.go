package mcpconfig

import "steelyard/lint"

// form is how a file is written.
type form int

const (
	inJSON form = iota
	inTOML
	inYAML
	inFrontMatter // YAML at the start of a Markdown file
)

func (f form) String() string {
	return [...]string{"JSON", "TOML", "YAML", "YAML"}[f]
}

// parse reads a file's text; nil where it holds no value.
func (f form) parse(src []byte) (*lint.Node, error) {
	switch f {
	case inTOML:
		return lint.ParseTOML(src)
	case inYAML:
		return lint.ParseYAML(src)
	case inFrontMatter:
		return lint.ParseFrontMatter(src)
	default:
		return lint.ParseJSON(src)
	}
}

// Host is a program that reads MCP configurations, and its dialect.
type Host struct {
	ID   string // its name in the tables
	Name string // as it is called in messages
	form form
	// strict is set where the host is known to refuse trailing commas.
	strict bool
	// roots are the paths of names under which servers stand.
	roots [][]string
	// reference is how the host's file names an environment variable; %s is
	// its name. It is "" where the host knows no way.
	reference string
	// known are the forms of reference that the host replaces, nil where that
	// is not known for sure.
	known []string
}

var standard = [][]string{{"mcpServers"}}

// host returns the dialect of a host by its name in rules/governed.yaml.
//
// Sources: the hosts' own manuals: VS Code reference/mcp-configuration, Gemini
// CLI tools/mcp-server, Roo Code features/mcp, Codex config reference, opencode
// config schema, Continue reference, GitHub "Extending the cloud agent with
// MCP", Claude Code MCP.
var hosts = named(map[string]Host{
	"claude-code": {
		Name: "Claude Code", strict: true, roots: standard, reference: "${%s}",
		known: []string{refBraces, refDefault},
	},
	"claude-desktop": {Name: "Claude Desktop", strict: true, roots: standard},
	"claude-agent":   {Name: "Claude Code", form: inFrontMatter, roots: standard, reference: "${%s}"},
	"vscode": {
		Name: "VS Code", roots: [][]string{{"servers"}, {"mcpServers"}}, reference: "${env:%s}",
		known: []string{refEnv, refInput, refEditor},
	},
	"vscode-settings": {Name: "VS Code", roots: [][]string{{"mcp", "servers"}, {"mcp.servers"}}, reference: "${env:%s}"},
	"cursor":          {Name: "Cursor", roots: standard, reference: "${env:%s}", known: []string{refEnv, refEditor}},
	"roo":             {Name: "Roo Code", roots: standard, reference: "${env:%s}", known: []string{refEnv, refEditor}},
	"kiro":            {Name: "Kiro", roots: standard, reference: "${%s}"},
	"amazon-q":        {Name: "Amazon Q", roots: standard},
	"windsurf":        {Name: "Windsurf", roots: standard, reference: "${env:%s}"},
	"cline":           {Name: "Cline", roots: standard},
	"junie":           {Name: "Junie", roots: standard},
	"copilot-cli":     {Name: "Copilot CLI", roots: standard, reference: "${%s}"},
	"gemini": {
		Name: "Gemini CLI", roots: standard, reference: "$%s",
		known: []string{refBraces, refDefault, refDollar, refPercent},
	},
	"codex":    {Name: "Codex", form: inTOML, roots: [][]string{{"mcp_servers"}}, known: []string{}},
	"opencode": {Name: "opencode", roots: [][]string{{"mcp"}}, reference: "{env:%s}", known: []string{refCurly}},
	"zed":      {Name: "Zed", roots: [][]string{{"context_servers"}}},
	"continue": {
		Name: "Continue", form: inYAML, roots: standard, reference: "${{ secrets.%s }}",
		known: []string{refActions},
	},
	"continue-json": {
		Name: "Continue", roots: [][]string{{"mcpServers"}, {"experimental", "modelContextProtocolServers"}},
	},
	"copilot-agent": {
		Name: "the Copilot agent", form: inFrontMatter, roots: [][]string{{"mcp-servers"}},
		reference: "${COPILOT_MCP_%s}", known: []string{refBraces, refDefault, refDollar, refActions},
	},
	"devcontainer": {
		Name: "VS Code", reference: "${localEnv:%s}",
		roots: [][]string{{"customizations", "vscode", "mcp", "servers"}, {"customizations", "vscode", "settings", "mcp", "servers"}},
	},
	"code-workspace": {
		Name: "VS Code", reference: "${env:%s}",
		roots: [][]string{{"settings", "mcp", "servers"}, {"settings", "mcp.servers"}, {"mcp", "servers"}},
	},
	// A plain mcp.json is read by whatever tool sits beside it.
	"generic": {Name: "the MCP client", roots: [][]string{{"mcpServers"}, {"servers"}}},
})

func named(table map[string]Host) map[string]Host {
	for id, h := range table {
		h.ID = id
		table[id] = h
	}
	return table
}
