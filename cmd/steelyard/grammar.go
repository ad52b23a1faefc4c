package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"steelyard/metrics"
)

//go:generate go test -run TestManual -update .

const description = `Is the pilot working, or did everyone improve? Steelyard compares teams that use an AI assistant with teams that do not, checks the instructions, MCP configurations and permissions that steer their assistants and who owns them, and shows both on a dashboard and as read-only MCP tools.

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 the run itself failed.`

// grammar is the whole command line, in the order of its help.
type grammar struct {
	Config string `placeholder:"FILE" help:"Settings file, instead of steelyard.yaml where the command looks for it."`

	Demo   demoCommand   `cmd:"" group:"start" help:"Show everything on bundled real data; needs nothing."`
	Init   initCommand   `cmd:"" group:"start" help:"Write a commented steelyard.yaml from what lies here."`
	Import importCommand `cmd:"" group:"measure" help:"Read measurements from a file."`
	Pilot  pilotCommand  `cmd:"" group:"measure" help:"Say who tried what since when, and against whom."`
	Report reportCommand `cmd:"" group:"measure" help:"Answer whether a pilot helped, with how sure that is."`
	Digest digestCommand `cmd:"" group:"measure" help:"Say in Markdown what a week brought, for a chat or an issue."`

	Ingest   ingestCommand   `cmd:"" group:"measure" help:"Read pull requests, reviews and teams from GitHub."`
	Estimate estimateCommand `cmd:"" group:"measure" help:"Estimate an effect in a file of your own, by a method of your choice."`

	Lint         lintCommand         `cmd:"" group:"lint" help:"Check the files that steer assistants."`
	Check        checkCommand        `cmd:"" group:"lint" help:"Check a change or a pull request: what is new in it, and what it breaks."`
	Scan         scanCommand         `cmd:"" group:"lint" help:"Lint into the database, for the dashboard."`
	Dependencies dependenciesCommand `cmd:"" group:"lint" help:"Judge new dependencies: are they there, are they meant, may we use them?"`

	Effective effectiveCommand `cmd:"" group:"lint" help:"Say what an assistant reads when it works on a file."`

	Explain explainCommand `cmd:"" group:"lint" help:"Say what a rule is about and how to mend it."`
	Rules   rulesCommand   `cmd:"" group:"lint" help:"List the rules."`

	Serve serveCommand `cmd:"" group:"serve" help:"Serve the dashboard and /mcp on this machine."`
	Work  workCommand  `cmd:"" group:"serve" help:"Keep what the settings name current; work jobs and nothing else."`
	MCP   mcpCommand   `cmd:"" name:"mcp" group:"serve" help:"Answer an assistant over standard input and output (MCP)."`
	Token tokenCommand `cmd:"" group:"serve" help:"Make a token with which a machine may call /mcp."`

	Backup  backupCommand  `cmd:"" group:"keep" help:"Write everything that is stored into one file."`
	Forget  forgetCommand  `cmd:"" group:"keep" help:"Remove what is stored of a person or a repository."`
	Restore restoreCommand `cmd:"" group:"keep" help:"Make a database what a backup says."`

	Settings configCommand  `cmd:"" name:"config" group:"about" help:"Show, check or describe the settings."`
	Version  versionCommand `cmd:"" group:"about" help:"Say which build this is."`
}

// groups titles the parts of the overview.
func groups() []kong.Group {
	return []kong.Group{
		{Key: "start", Title: "To begin with:"},
		{Key: "measure", Title: "Is the pilot working?"},
		{Key: "lint", Title: "Is the setup sound?"},
		{Key: "serve", Title: "For people and assistants:"},
		{Key: "keep", Title: "To keep and to remove what is stored:"},
		{Key: "about", Title: "About the program:"},
		{Key: "columns", Title: "What the columns are:"},
		{Key: "method", Title: "How the method works:"},
		{Key: "pilot", Title: "The pilot:"},
		{Key: "source", Title: "Where the data comes from:"},
		{Key: "who", Title: "Who:"},
		{Key: "when", Title: "When:"},
		{Key: "what", Title: "What is measured:"},
		{Key: "words", Title: "In words:"},
	}
}

// metricNames lists the ids of the catalogue, for help.
func metricNames() string {
	var ids []string
	for _, o := range metrics.Catalogue() {
		ids = append(ids, o.ID)
	}
	return strings.Join(ids, ", ")
}
