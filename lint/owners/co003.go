package owners

import "steelyard/lint"

// unownedItself reports a CODEOWNERS that anybody may change.
var unownedItself = lint.Rule{ID: "CO003", Check: checkUnownedItself}

func checkUnownedItself(p *lint.Pass) {
	c := read(p)
	if c.File == nil || c.Unloaded != "" {
		return // CO002 says so
	}
	line, ok := c.Decides(c.File.Path)
	switch {
	case !ok:
		p.Skip(c.File.Path, "it has too many lines: its own owner was not looked up")
	case line == nil:
		p.ReportFile(c.File, nil, "nobody owns %s itself, so anybody may take the owners off the other files", c.File.Path)
	case !line.Owned():
		p.ReportFile(c.File, c.takes(line), "line %d takes the owner off %s itself, so anybody may take the owners off the other files", line.Number, c.File.Path)
	}
}
