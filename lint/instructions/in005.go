package instructions

import (
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// missingCommand reports commands that cannot run: their script, target or
// recipe is in no manifest that they could mean.
var missingCommand = lint.Rule{ID: "IN005", Check: checkMissingCommand}

func checkMissingCommand(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		for _, cmd := range d.commands() {
			if cmd.excused() {
				continue
			}
			for _, c := range cmd.calls() {
				checkCall(p, d, &cmd, c)
			}
		}
	}
}

func checkCall(p *lint.Pass, d *Doc, cmd *command, c call) {
	list, name := c.manifests(p, d, cmd), c.name.text
	first := list.at(0)
	if first == nil {
		checkTakenAway(p, d, cmd, c)
		return
	}
	if list.have(name) {
		return
	}
	if second := list.at(1); second != nil && second.file != first.file {
		p.Reportf(d.File, cmd.at, "%q cannot run: no %s here has a %s %q", cmd.text(), c.runner.file, c.runner.noun, name)
		return
	}
	p.Reportf(d.File, cmd.at, "%q cannot run: %s has no %s %q", cmd.text(), first.file.Path, c.runner.noun, name)
}

// text is the command as it is written, without what stands before it.
func (c *command) text() string {
	var words []string
	for _, w := range c.words {
		words = append(words, w.text)
	}
	const most = 60
	s := strings.Join(words, " ")
	if len(s) > most {
		s = s[:strings.LastIndexByte(s[:most]+" ", ' ')] + " …"
	}
	return s
}

// excused reports whether the words around a command say that it need not run
// here.
func (c *command) excused() bool {
	if c.s == nil {
		lead := folded(c.fence.Lead)
		return c.fence.Section.Gone || otherRepository(lead) || goneCue.MatchString(lead)
	}
	j := c.s.judged()
	return j.gone || j.optional || j.elsewhere || c.s.Section.Gone || negatedCue.MatchString(c.s.before(c.code.From))
}
