package tests

// renames tells for each group of the new file whose name is new which old one
// it was: one that is gone by name, stood as deep and held the old versions of all its tests.
func (p *pair) renames() map[*scope]*scope {
	kept := map[string]bool{}
	for _, g := range p.new.scopes {
		kept[g.name] = true
	}
	became := map[*scope]*scope{}
	torn := map[*scope]bool{} // has tests of more than one old group
	for _, t := range p.new.tests {
		if t.mate == nil || t.mate.suite != p.old {
			continue
		}
		for depth, g := range t.groups {
			if was := became[g]; was != nil {
				torn[g] = torn[g] || !was.body.has(t.mate.whole.from)
				continue
			}
			if depth < len(t.mate.groups) && !kept[t.mate.groups[depth].name] {
				became[g] = t.mate.groups[depth]
			}
		}
	}
	for g := range torn {
		if torn[g] {
			delete(became, g)
		}
	}
	return became
}
