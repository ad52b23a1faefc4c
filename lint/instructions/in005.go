package instructions

import (
	"slices"
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
	list, ok := c.manifests(p, d, cmd)
	name := c.name.text
	if !ok || slices.ContainsFunc(list, func(m *manifest) bool { return m.has(name) }) {
		return
	}
	where := list[0].file.Path
	if len(list) > 1 && list[1].file != list[0].file {
		where = "no " + c.runner.file + " here"
		p.Reportf(d.File, cmd.at, "%q cannot run: %s has a %s %q", cmd.text(), where, c.runner.noun, name)
		return
	}
	p.Reportf(d.File, cmd.at, "%q cannot run: %s has no %s %q", cmd.text(), where, c.runner.noun, name)
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
