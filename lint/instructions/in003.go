package instructions

import (
	"path"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// contradictsRepository reports orders that the repository's own files rule
// out.
var contradictsRepository = lint.Rule{ID: "IN003", Check: checkContradictsRepository}

func checkContradictsRepository(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		said := map[string]bool{} // one finding a topic and choice
		for _, x := range directives(d) {
			s, ok := settingFor(p, d, &x)
			if !ok || !s.rulesOut(&x) || said[x.Topic.Name+x.Choice] {
				continue
			}
			said[x.Topic.Name+x.Choice] = true
			p.ReportRelated(d.File, x.At, s.related(), "%q contradicts the repository: %s says %s", quote(x.Text), s.from(), s.choice)
		}
	}
}

// setting is what the repository's files decide about a topic.
type setting struct {
	choice string
	file   *lint.File // nil where source says it and no file of the tree
	at     lint.Span
	source string
}

// from names who says it.
func (s *setting) from() string {
	if s.file == nil {
		return s.source
	}
	return s.file.Path
}

// related is the place where a file says it.
func (s *setting) related() []lint.Related {
	if s.file == nil {
		return nil
	}
	line, column := s.file.Position(s.at.Start)
	return []lint.Related{{Path: s.file.Path, Line: line, Column: column, Message: "says " + s.choice}}
}

// rulesOut reports whether a directive cannot be followed with the setting.
func (s *setting) rulesOut(x *Directive) bool {
	if x.Not {
		return x.Topic.Holds(s.choice, x.Choice)
	}
	return !x.Topic.Agree(s.choice, x.Choice)
}

// settingFor returns the setting for a directive's topic, if the repository
// has one that holds for what the directive is about.
func settingFor(p *lint.Pass, d *Doc, x *Directive) (setting, bool) {
	switch x.Topic.Facts {
	case "package-manager":
		return packageManager(p, d)
	case "indentation", "quotes", "semicolons", "line-length":
		return formatting(p, d, x)
	case "default-branch":
		return defaultBranch(p, x)
	}
	return setting{}, false
}

// lockfileOf is the package manager that writes a lockfile.
var lockfileOf = []struct{ file, manager string }{
	{"package-lock.json", "npm"},
	{"npm-shrinkwrap.json", "npm"},
	{"pnpm-lock.yaml", "pnpm"},
	{"yarn.lock", "yarn"},
	{"bun.lock", "bun"},
	{"bun.lockb", "bun"},
}

// packageManager returns the one package manager of the nearest folder that
// names or locks one. Two lockfiles, or a lockfile that packageManager does not
// agree with, decide nothing.
func packageManager(p *lint.Pass, d *Doc) (setting, bool) {
	for _, dir := range above(home(d.File.Path)) {
		var found []setting
		if m, ok := readPackageJSON(p, path.Join(dir, "package.json")); ok {
			if text, ok := m.root.Get("packageManager").Str(); ok {
				name, _, _ := strings.Cut(text, "@")
				found = append(found, setting{choice: name, file: m.file, at: m.root.Get("packageManager").At})
			}
		}
		for _, l := range lockfileOf {
			if e, _ := p.Entry(path.Join(dir, l.file)); e != lint.Absent {
				f, ok := p.Named(path.Join(dir, l.file))
				if !ok {
					f = p.Missing(path.Join(dir, l.file))
				}
				found = append(found, setting{choice: l.manager, file: f})
			}
		}
		if len(found) == 0 {
			continue
		}
		for _, s := range found[1:] {
			if s.choice != found[0].choice {
				return setting{}, false
			}
		}
		return found[0], true
	}
	return setting{}, false
}
