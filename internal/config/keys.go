package config

import (
	"errors"
	"fmt"
	"net"
	"path"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// FileName is the name of the settings file.
const FileName = "steelyard.yaml"

// The dotted paths of the settings that flags and environment variables can
// set.
const (
	KeyDatabase       = "database"
	KeyServeAddr      = "serve.addr"
	KeyLintFailOn     = "lint.fail_on"
	KeySmallestEffect = "report.smallest_effect"
)

const (
	rulePattern = `^([A-Z]{2}[0-9]{3}|[a-z][a-z0-9]*(-[a-z0-9]+)*)$`
	ruleWanted  = "a rule's id or name, such as MC002 or mcp-unpinned-server"
)

// settings describes steelyard.yaml.
func settings() shape {
	return shape{kind: table, keys: []key{
		{
			name:     "database",
			doc:      "Where measurements and findings are kept: sqlite:PATH, or postgres://USER@HOST/NAME. A relative path starts at the working directory.",
			fallback: "sqlite:steelyard.db",
			env:      "STEELYARD_DATABASE",
			set:      func(c *Config, v string) { c.Database = v },
			shape:    shape{pattern: `^(sqlite:.+|postgres(ql)?://.+)$`, want: "sqlite:PATH or postgres://USER@HOST/NAME"},
		},
		{
			name: "serve", doc: "The dashboard and the MCP endpoint.",
			shape: shape{kind: table, keys: serveKeys()},
		},
		{
			name: "lint", doc: "The check of the files that steer assistants: instructions, MCP configurations, permissions, and who owns them.",
			shape: shape{kind: table, keys: lintKeys()},
		},
		{
			name: "dependencies", doc: "The check of new dependencies.",
			shape: shape{kind: table, keys: dependencyKeys()},
		},
		{
			name: "servers", doc: "What is decided about MCP servers.",
			shape: shape{kind: table, keys: serverKeys()},
		},
		{
			name: "policy", doc: "What the team has agreed on about pull requests and the setup of its assistants, for steelyard check. \"steelyard init --policy\" writes a start.",
			shape: shape{kind: table, keys: policyKeys()},
		},
		{
			name: "report", doc: "What new pilots start from.",
			shape: shape{kind: table, keys: reportKeys()},
		},
		{
			name: "github", doc: "What is read from GitHub, and where the credentials for it are.",
			shape: shape{kind: table, keys: githubKeys(), instead: map[string]string{
				"token":          "a token does not stand in this file: token_env names the environment variable that holds it, token_file a file",
				"webhook_secret": "a secret does not stand in this file: webhook_secret_env names the environment variable that holds it, webhook_secret_file a file",
			}},
		},
		{
			name: "teams", doc: "Which team a pull request belongs to.",
			shape: shape{kind: table, keys: teamsKeys()},
		},
		{
			name: "hours", doc: "How the length of a time is counted.",
			shape: shape{kind: table, keys: hoursKeys()},
		},
		{
			name:    "exclusions",
			doc:     "Spans of time that new pilots leave out of both windows, such as a freeze or an outage.",
			example: "- from: 2026-12-21\n  until: 2027-01-03\n  reason: the freeze over the holidays",
			take:    takeExclusions,
			shape:   shape{kind: list, element: &shape{kind: table, keys: exclusionKeys()}},
		},
	}}
}

func serveKeys() []key {
	return append([]key{{
		name:     "addr",
		doc:      "The address that the dashboard and /mcp listen on. Port 0 takes a free one. An address that others reach is refused until public_url and what lets people in are set.",
		fallback: "127.0.0.1:8484",
		env:      "STEELYARD_SERVE_ADDR",
		set:      func(c *Config, v string) { c.Serve.Addr = v },
		shape:    shape{valid: validAddr, want: "HOST:PORT such as 127.0.0.1:8484"},
	}, {
		name:    "admin",
		doc:     "The address of the admin port, with /healthz, /readyz and /metrics, of serve and work; without one there is no admin port.",
		env:     "STEELYARD_SERVE_ADMIN",
		example: "127.0.0.1:9484",
		set:     func(c *Config, v string) { c.Serve.Admin = v },
		shape:   shape{valid: validAddr, want: "HOST:PORT such as 127.0.0.1:9484"},
	}}, publicKeys()...)
}

func lintKeys() []key {
	return []key{
		{
			name:     "fail_on",
			doc:      "The least severity that makes steelyard lint exit 1; never reports without failing.",
			fallback: "error",
			env:      "STEELYARD_LINT_FAIL_ON",
			set:      func(c *Config, v string) { c.Lint.FailOn = v },
			shape:    shape{choices: []string{"note", "warning", "error", "never"}},
		},
		{
			name:    "exclude",
			doc:     "Globs of files that are not read, relative to the linted folder; ** crosses folders.",
			example: "- vendor/**",
			shape: shape{kind: list, element: &shape{
				valid: validGlob, want: "a glob such as vendor/**",
			}},
		},
		{
			name:    "rules",
			doc:     "Severities by rule id or name; off switches a rule off.",
			example: "MC002: warning",
			shape: shape{
				kind: dict, names: rulePattern, namesAre: ruleWanted,
				element: &shape{choices: []string{"off", "note", "warning", "error"}},
			},
		},
		{
			name:    "suppressions",
			doc:     "Findings that are accepted, each with its reason. They are for files that cannot hold a comment, such as plain JSON.",
			example: "- rule: MC001\n  path: .mcp.json\n  reason: a token of the test server, revoked\n  until: 2027-01-31",
			shape:   shape{kind: list, element: &shape{kind: table, keys: suppressionKeys()}},
		},
	}
}

func suppressionKeys() []key {
	return []key{
		{
			name: "rule", doc: "The rule's id or name.", required: true,
			shape: shape{pattern: rulePattern, want: ruleWanted},
		},
		{
			name: "path", doc: "The file, relative to the linted folder, or a glob of files.", required: true,
			shape: shape{valid: validPath, want: "a relative path such as .mcp.json"},
		},
		{
			name: "line", doc: "The line of the finding; without it every finding of the rule there is meant.",
			shape: shape{kind: whole, above: 0, upTo: 10_000_000, want: "a line number, 1 or more"},
		},
		{
			// Its absence is a finding about the suppression, as in a comment.
			name: "reason", doc: "Why the finding is accepted, for whoever reads it next; without it the suppression is not applied.",
			shape: shape{want: "a sentence"},
		},
		{
			name: "until", doc: "The last day on which it holds; afterwards the finding is back, and so is a finding about the suppression.",
			shape: shape{kind: date, want: "a day such as 2027-01-31"},
		},
	}
}

func reportKeys() []key {
	return []key{{
		name:     "smallest_effect",
		doc:      "The smallest relative effect worth having, 0.10 = 10 %, for pilots that do not name their own. An interval inside plus or minus this is \"no clear change\".",
		fallback: "0.1",
		env:      "STEELYARD_REPORT_SMALLEST_EFFECT",
		set: func(c *Config, v string) {
			c.Report.SmallestEffect, _ = strconv.ParseFloat(v, 64) // checked before
		},
		shape: shape{kind: number, above: 0, upTo: 1, want: "a share such as 0.10"},
	}}
}

func validAddr(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return errors.New("it is not HOST:PORT")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port (0 to 65535)", port)
	} else if strconv.FormatUint(n, 10) != port {
		return fmt.Errorf("%q is not a plain port number", port)
	}
	return nil
}

func validGlob(s string) error {
	if s == "" || !doublestar.ValidatePattern(s) {
		return errors.New("it is not a valid glob")
	}
	return nil
}

func validPath(s string) error {
	if s == "" || strings.HasPrefix(s, "/") || strings.Contains(s, `\`) {
		return errors.New("it is not a relative path with forward slashes")
	}
	if c := path.Clean(s); c == ".." || strings.HasPrefix(c, "../") {
		return errors.New("it leaves the linted folder")
	}
	return validGlob(s)
}
