package change

import (
	"steelyard/lint"
	"steelyard/rules"
)

// checkDisclosure reports a pull request whose text does not say whether an
// assistant took part, where the policy wants it said.
func checkDisclosure(p *lint.Pass, c *Change) {
	want := c.Policy.Disclosure
	if want.Section == "" {
		return
	}
	if !c.Described {
		c.leave("the disclosure section of the pull request (PR001): its text is not known")
		return
	}
	if c.Author.Machine && c.Agent == "" {
		return // a bot that updates versions answers no questions
	}
	got, found := findSection(c.Body, want.Section)
	template, asked := c.template(p)
	f, at := c.place(p, "disclosure.section")
	if asked.line > 0 {
		f, at = template, lineAt(template, asked.line)
	}
	switch {
	case !found:
		report(p, f, at, "the text of the pull request has no section %q", want.Section)
	case want.Boxes == AllBoxes && got.ticked < got.boxes:
		report(p, f, at, "%d of %d boxes under %q are ticked, and the policy wants all", got.ticked, got.boxes, want.Section)
	case want.Boxes == OneBox && got.boxes > 0 && got.ticked == 0:
		report(p, f, at, "no box under %q is ticked", want.Section)
	case got.ticked == 0 && len(got.beyond(asked)) == 0 && (got.boxes == 0 || want.Boxes != AnyBoxes):
		report(p, f, at, "the section %q is empty, or as the template has it", want.Section)
	}
}

// template is the repository's pull-request template that has the section.
func (c *Change) template(p *lint.Pass) (*lint.File, section) {
	for _, f := range p.Files(rules.Review) {
		text, err := f.Bytes()
		if err != nil {
			continue
		}
		if s, ok := findSection(string(text), c.Policy.Disclosure.Section); ok {
			return f, s
		}
	}
	return nil, section{}
}
