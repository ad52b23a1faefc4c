package owners

import "steelyard/lint"

// Above is the CODEOWNERS of the repository around a folder that is looked at
// alone: GitHub reads no other, and its patterns start at the repository's root.
// A run over such a folder is given it in [lint.Config.Given].
type Above struct {
	Owners *Codeowners // nil where the repository has none
	Place  string      // from the repository's root
}

// Within returns a CODEOWNERS that is asked about paths of a folder of its
// repository.
func (c *Codeowners) Within(folder string) *Codeowners {
	if c == nil {
		return nil
	}
	return &Codeowners{Lines: c.Lines, Skipped: c.Skipped, folder: folder}
}

// checkAbove reports the files of a folder that the repository's CODEOWNERS
// leaves without an owner.
func (a Above) checkAbove(p *lint.Pass) {
	if a.Owners == nil {
		return // CO002 says so
	}
	for _, f := range p.Files() {
		if f.Shared() {
			continue
		}
		line, ok := a.Owners.Decides(f.Path)
		if !ok {
			p.Skip(f.Path, "%s of the repository has too many lines for this many files: owners of the rest were not looked up", a.Place)
			return
		}
		switch {
		case line == nil:
			p.ReportFile(f, nil, "no pattern in %s of the repository gives this file an owner", a.Place)
		case !line.Owned():
			p.ReportFile(f, nil, "line %d of %s of the repository takes this file's owner away", line.Number, a.Place)
		}
	}
}
