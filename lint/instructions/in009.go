package instructions

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
	"steelyard/rules"
)

// emptyScope reports rules that are read for no file at all.
var emptyScope = lint.Rule{ID: "IN009", Check: checkEmptyScope}

func checkEmptyScope(p *lint.Pass) {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return // the table's own test holds it to be right
	}
	for _, d := range live(docs(p, rules.Instructions)) {
		for i := range surfaces {
			if row, ok := rowOf(&surfaces[i], d.File.Path); ok && row.Scope != "" {
				checkScope(p, d, &surfaces[i], row)
				break
			}
		}
	}
}

// rowOf returns the row by which a surface reads a path.
func rowOf(s *rules.Surface, name string) (rules.Read, bool) {
	for _, r := range s.Reads {
		if _, ok := foundIn(r, name); ok {
			return r, true
		}
	}
	return rules.Read{}, false
}

func checkScope(p *lint.Pass, d *Doc, s *rules.Surface, r rules.Read) {
	if d.Front != nil && d.Front.Fault != "" || r.Always != "" && d.Front.Text(r.Always) == "true" || manual(d.Front) {
		return // IN010, or read anyway
	}
	key, found := d.Front.Get(r.Scope)
	patterns := key.Patterns()
	if !found || len(patterns) == 0 {
		if r.Default == rules.Never && d.Front.Text("description") == "" && !called(d) {
			p.ReportFile(d.File, nil, "%s applies this file to nothing: it has no %s", s.Title, r.Scope)
		}
		return
	}
	for _, pattern := range patterns {
		if waiting(pattern) || matchesAny(p, pattern) {
			return
		}
	}
	if len(patterns) == 1 {
		p.Reportf(d.File, key.ValueAt, "%s %q matches no file", r.Scope, patterns[0])
		return
	}
	p.Reportf(d.File, key.ValueAt, "none of the %d patterns of %s matches a file", len(patterns), r.Scope)
}

// waiting reports whether a pattern names no folder and no file, only kinds of
// files: such a rule waits for the first one.
func waiting(pattern string) bool {
	for segment := range strings.SplitSeq(pattern, "/") {
		if segment != "" && segment != "." && !strings.ContainsAny(segment, "*?[{") {
			return false
		}
	}
	return true
}

// called reports whether a rule is there to be called by name, as Cursor's are
// without globs and description.
func called(d *Doc) bool { return path.Ext(d.File.Path) == ".mdc" }

// matchesAny reports whether a pattern, as lenient as any host reads it, finds
// a file, ignored ones included.
func matchesAny(p *lint.Pass, pattern string) bool {
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	pattern, _ = strings.CutPrefix(pattern, "!")
	if !doublestar.ValidatePattern(pattern) || pattern == "" || !lint.Spelled(pattern) {
		return true // no pattern is no empty one
	}
	literal, rest := doublestar.SplitPattern(pattern)
	if !strings.ContainsAny(rest, "*?[{") {
		name := strings.TrimSuffix(pattern, "/")
		e, _ := p.Entry(name)
		return e != lint.Absent || len(p.Ending(name)) > 0 || p.Ignored(name)
	}
	if literal != "." && p.Ignored(literal) {
		return true
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	return lint.TreeParsed(p, func(*lint.Pass) matched { return matched{} }).any(p, pattern)
}

// matched remembers which patterns find a file.
type matched map[string]bool

func (m matched) any(p *lint.Pass, pattern string) bool {
	if known, ok := m[pattern]; ok {
		return known
	}
	found := false
	p.EachPath(func(name string) bool {
		found = matchAnywhere(pattern, name)
		return !found
	})
	m[pattern] = found
	return found
}

// matchAnywhere matches a path, or any end of it: hosts differ in whether a
// pattern starts at the root.
func matchAnywhere(pattern, name string) bool {
	if doublestar.MatchUnvalidated(pattern, name) {
		return true
	}
	if strings.HasPrefix(pattern, "**/") {
		return false
	}
	for i, c := range name {
		if c == '/' && doublestar.MatchUnvalidated(pattern, name[i+1:]) {
			return true
		}
	}
	return false
}
