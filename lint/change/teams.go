package change

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// maxTeams bounds the teams that are asked about.
const maxTeams = 30

// Asks lists the teams, as "@organisation/team", whose members the rules want
// to know for this change, in order.
func (c *Change) Asks() []string {
	var all []string
	add := func(who []string) {
		for _, name := range who {
			if strings.HasPrefix(name, "@") && strings.Contains(name, "/") {
				all = append(all, name)
			}
		}
	}
	for _, entry := range append(slices.Clone(c.Policy.Risky), c.Policy.OwnersOnly...) {
		if len(c.matches(entry.Globs)) > 0 {
			add(entry.Who)
		}
	}
	if c.Agent != "" {
		add(c.Policy.MayAsk)
		add(c.Policy.MayApprove)
	}
	for _, path := range c.Steering() {
		if c.Owners == nil {
			break
		}
		if line, ok := c.Owners.Decides(path); ok && line != nil {
			add(line.Owners)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxTeams)]
}

// steeringIn lists beside these the changed files that steer assistants because a
// link leads to them.
func (c *Change) steeringIn(p *lint.Pass) []string {
	paths := c.Steering()
	left := map[string]bool{} // changed files that are not among them
	for _, f := range c.Files {
		left[f.Path] = true
	}
	for _, path := range paths {
		delete(left, path)
	}
	for _, f := range p.Files() {
		if left[f.Path] && !f.Shared() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Steering lists the changed files that steer assistants, under the name that
// they have or had.
func (c *Change) Steering() []string {
	var paths []string
	for _, f := range c.Files {
		paths = append(paths, f.Path)
		if f.OldPath != "" && f.OldPath != f.Path {
			paths = append(paths, f.OldPath)
		}
	}
	kinds, err := lint.Kinds(paths)
	if err != nil {
		return nil // the table's own test holds it to nil
	}
	return slices.DeleteFunc(paths, func(path string) bool { return kinds[path] == nil && path != settingsFile })
}
