package mcpconfig

import (
	"errors"

	"steelyard/lint"
)

// unreadable reports configurations that cannot be read at all.
var unreadable = lint.Rule{ID: "MC000", Check: checkUnreadable}

func checkUnreadable(p *lint.Pass) {
	for _, c := range configs(p) {
		if c.Partial != "" {
			p.Skip(c.File.Path, "%s", c.Partial)
		}
		if c.Err == nil {
			continue
		}
		var syntax *lint.SyntaxError
		if !errors.As(c.Err, &syntax) {
			p.ReportFile(c.File, nil, "configuration cannot be read: %v", c.Err)
			continue
		}
		form := "JSON"
		if c.Host.TOML {
			form = "TOML"
		}
		p.Reportf(c.File, lint.Span{Start: syntax.Offset}, "configuration is not %s: %s", form, syntax.Message)
	}
}
