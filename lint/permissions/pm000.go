package permissions

import (
	"errors"
	"path"

	"steelyard/lint"
	"steelyard/rules"
)

// unreadable reports permission files that cannot be read at all. Of files that
// hold MCP servers too, MC000 says so.
var unreadable = lint.Rule{ID: "PM000", Check: checkUnreadable}

func checkUnreadable(p *lint.Pass) {
	for _, s := range settings(p) {
		if s.partial {
			p.Skip(s.File.Path, "too much text to look for secrets in all of it")
		}
		if s.Err == nil || s.File.Is(rules.MCP) || s.File.TestData() {
			continue
		}
		var syntax *lint.SyntaxError
		if !errors.As(s.Err, &syntax) {
			p.ReportFile(s.File, nil, "permissions cannot be read: %v", s.Err)
			continue
		}
		form := "JSON"
		if path.Ext(s.File.Path) == ".toml" {
			form = "TOML"
		}
		p.Reportf(s.File, lint.Span{Start: syntax.Offset}, "settings are not %s: %s", form, syntax.Message)
	}
}
