package instructions

import (
	"path"
	"slices"

	"steelyard/lint"
)

// Before is the tree that a change starts from. A run over the change is given
// it in [lint.Config.Given] where the change takes away a file that commands
// could go by (see [NamesCommands]): a repository without any such file says
// nothing of its commands, one that had it said that they run.
type Before struct{ Pass *lint.Pass }

// NamesCommands reports whether a file is one of those that say which commands
// there are, such as a Makefile or a package.json.
func NamesCommands(name string) bool {
	base := path.Base(name)
	return slices.ContainsFunc([]*runner{npmRunner, makeRunner, justRunner, taskRunner, composerRunner, denoRunner}, func(r *runner) bool {
		return slices.Contains(r.files, base)
	})
}

// checkTakenAway reports a command that could run before the change, which took
// away the last file that it could go by.
func checkTakenAway(p *lint.Pass, d *Doc, cmd *command, c call) {
	before, ok := lint.Given[Before](p)
	if !ok {
		return
	}
	list := c.manifests(before.Pass, d, cmd)
	for i := 0; list.at(i) != nil; i++ {
		m := list.at(i)
		if _, there := p.Named(m.file.Path); there || !m.has(c.name.text) {
			continue
		}
		gone := []lint.Related{{Path: m.file.Path, Line: 1, Message: "the change takes it away"}}
		p.ReportRelated(d.File, cmd.at, gone, "%q cannot run any more: %s, which had the %s %q, is gone", cmd.text(), m.file.Path, c.runner.noun, c.name.text)
		return
	}
}
