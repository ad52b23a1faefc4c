package mcpconfig

import (
	"errors"

	"steelyard/lint"
	"steelyard/rules"
)

// unreadable reports configurations that cannot be read at all.
var unreadable = lint.Rule{ID: "MC000", Check: checkUnreadable}

func checkUnreadable(p *lint.Pass) {
	for _, c := range configs(p) {
		if c.Partial != "" {
			p.Skip(c.File.Path, "%s", c.Partial)
		}
		if !c.File.Is(rules.MCP) {
			continue // another family answers for the file as a whole
		}
		if c.File.TestData() {
			continue
		}
		if c.Err == nil {
			checkCommas(p, c)
			continue
		}
		var syntax *lint.SyntaxError
		if !errors.As(c.Err, &syntax) {
			p.ReportFile(c.File, nil, "configuration cannot be read: %v", c.Err)
			continue
		}
		p.Reportf(c.File, lint.Span{Start: syntax.Offset}, "configuration is not %s: %s", c.Host.form, syntax.Message)
	}
}

// checkCommas reports a trailing comma where the host is known to refuse it.
func checkCommas(p *lint.Pass, c *Config) {
	src, err := c.File.Bytes()
	if err != nil || !c.Host.strict {
		return
	}
	if at, found := lint.TrailingComma(src); found {
		p.ReportFix(c.File, at, lint.Fix{Edits: []lint.Edit{{At: at}}},
			"configuration is not JSON: comma before a closing bracket, which %s refuses", c.Host.Name)
	}
}
