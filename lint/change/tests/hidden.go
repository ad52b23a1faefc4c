package tests

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// hidden reports a lost test that still stands in the file as a function that
// no runner takes for a test: renamed, or without its annotation.
func (c *change) hidden(p *pair, t *test) bool {
	if p.new == nil {
		return false
	}
	name := hiddenName(p, t)
	if name == "" {
		return false
	}
	body := p.new.helpers[name]
	now := &test{suite: p.new, name: name, whole: body, body: body}
	now.fingerprint()
	old := &test{suite: p.old, name: t.name, whole: t.body, body: t.body}
	old.fingerprint()
	if len(old.print) < 4 || likeness(old, now) < rewritten*2 || c.called(p, name) {
		return false
	}
	how := "without what makes it one"
	if name != t.name {
		how = "under a name by which it is none"
	}
	c.report("TS002", p.Path, p.new.src.line(body.from-1), []lint.Related{was(p.old, t.head(), "the test before")}, "test %q is still there, %s", short(t.name), how)
	return true
}

// maxHidden bounds the new functions of a file that may have been tests.
const maxHidden = 300

// hiddenName is the helper that a lost test became: one of its name, or of its
// name with something before or behind it.
func hiddenName(p *pair, t *test) string {
	if _, ok := p.new.helpers[t.name]; ok {
		return t.name
	}
	if p.helpersAdded == nil {
		p.helpersAdded = []string{}
		for _, name := range slices.Sorted(maps.Keys(p.new.helpers)) {
			if _, had := p.old.helpers[name]; !had && len(p.helpersAdded) < maxHidden {
				p.helpersAdded = append(p.helpersAdded, name)
			}
		}
	}
	lower := strings.ToLower(t.name)
	if len(lower) < 5 {
		return ""
	}
	rest := strings.TrimLeft(strings.TrimPrefix(lower, "test"), "_")
	for _, name := range p.helpersAdded {
		if l := strings.ToLower(name); len(name) <= len(t.name)+14 && (strings.HasSuffix(l, lower) || strings.HasPrefix(l, lower) || len(rest) > 7 && strings.HasSuffix(l, rest)) {
			return name
		}
	}
	return ""
}

// called reports whether a file of the change calls a function of this name:
// then it is a test's helper now.
func (c *change) called(p *pair, name string) bool {
	for _, q := range c.files {
		if q.new != nil && q.new.src.lang == p.new.src.lang && q.new.callsOf()[name] {
			return true
		}
	}
	return false
}

// callsOf are the functions that a file calls.
func (s *suite) callsOf() map[string]bool {
	if s.calls == nil {
		s.calls = map[string]bool{}
		for i := range s.src.tokens {
			if s.src.isWord(i) && s.src.is(i+1, "(") && !declaring[s.src.at(i-1)] && !s.src.isWord(i-1) && s.src.at(i-1) != ">" && s.src.at(i-1) != ")" {
				s.calls[s.src.at(i)] = true
			}
		}
	}
	return s.calls
}

// hiddenClasses reports classes of tests that runners find by name and no
// longer do.
func (c *change) hiddenClasses(p *pair) {
	if p.old == nil || p.new == nil || p.new.src.lang != python || !p.test {
		return
	}
	now := map[string]bool{}
	for _, g := range p.new.scopes {
		now[g.name] = true
	}
	for _, old := range p.old.scopes {
		if !strings.HasPrefix(old.name, "Test") || now[old.name] || strings.Contains(p.old.src.join(p.old.src.headLine(old.body.from)), "TestCase") {
			continue
		}
		for _, g := range p.new.scopes {
			if !strings.HasPrefix(g.name, "Test") && strings.HasSuffix(g.name, old.name) && len(g.name) <= len(old.name)+14 {
				c.report("TS002", p.Path, p.new.src.line(g.body.from), []lint.Related{was(p.old, old.body.from, "the class before")}, "class of tests %q has a name that runners do not look for", short(old.name))
				break
			}
		}
	}
}

// annotationForm is a line that makes a class or a method a test.
var annotationForm = regexp.MustCompile(`^(\[(Test|Fact|Theory)\w*(\(.*\))?\]|@(Test|ParameterizedTest|RunWith|ExtendWith)\b.*|#\[(tokio::)?test\b.*)$`)

// unannotated reports such lines that are a comment now.
func (c *change) unannotated(p *pair) {
	if p.old == nil || p.new == nil || c.has(p) {
		return
	}
	switch p.new.src.lang {
	case csharp, java, kotlin, rust:
	default:
		return
	}
	before, after := p.old.linesOf(), p.new.linesOf()
	for n, line := range strings.Split(p.new.src.text, "\n") {
		code, ok := uncommented(line)
		if !ok || !annotationForm.MatchString(code) || after[code] >= before[code] || before[strings.TrimSpace(line)] >= after[strings.TrimSpace(line)] {
			continue
		}
		c.report("TS002", p.Path, n+1, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the file before"}}, "%q is a comment now: what it marked is no test", short(code))
		return
	}
}
