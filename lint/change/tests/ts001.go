package tests

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// Rules returns the family's rules in ID order. They look at a change, so a run
// over one tree has nothing for them, unless it was given [Findings] by
// [lint.Config.Given].
func Rules() []lint.Rule {
	var all []lint.Rule
	for n := range 15 {
		id := fmt.Sprintf("TS%03d", n)
		all = append(all, lint.Rule{ID: id, Check: func(p *lint.Pass) { given(p, id) }})
	}
	return all
}

// Findings are what [Compare] found, to be reported by a run.
type Findings []lint.Finding

// given reports the findings of one rule in a run that was given them, so that
// its settings and suppressions hold for them.
func given(p *lint.Pass, id string) {
	list, ok := lint.Given[Findings](p)
	if !ok {
		p.Abstain()
		return
	}
	for _, f := range list {
		if f.Rule != id {
			continue
		}
		file, ok := p.Named(f.Path)
		if !ok {
			p.ReportFile(p.Missing(f.Path), f.Related, "%s", f.Message)
			continue
		}
		p.ReportRelated(file, lineSpan(file, f.Line), f.Related, "%s", f.Message)
	}
}

// lineSpan is where the words of a line begin.
func lineSpan(f *lint.File, line int) lint.Span {
	content, err := f.Bytes()
	if err != nil {
		return lint.Span{}
	}
	at := 0
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(content[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	for at < len(content) && (content[at] == ' ' || content[at] == '\t') {
		at++
	}
	return lint.Span{Start: at, End: at}
}

// unread is TS000: a file with tests that was not looked at.
func unread(c *change) {
	for _, p := range c.files {
		if p.reason != "" && (p.test || languageOf(p.Path) != other) {
			c.report("TS000", p.Path, 1, nil, "file was not compared: %s", p.reason)
		}
		if p.new != nil && p.test && p.new.broken != "" {
			c.report("TS000", p.Path, 1, nil, "file was compared only as far as it parses: %s", short(p.new.broken))
		}
	}
}

// maxSingle is how many deleted tests of a file are named one by one.
const maxSingle = 5

// deleted is TS001: a test that the change takes away and puts nowhere else.
func deleted(c *change) {
	for _, p := range c.files {
		if p.old == nil || p.new == nil && p.New != nil {
			continue // not there before, or out of the reach of runners now
		}
		var lost []*test
		for _, t := range p.old.tests {
			if t.mate == nil && !c.hidden(p, t) && !c.excused(p, t) {
				lost = append(lost, t)
			}
		}
		all := p.replaced(len(lost))
		var plain, little []*test
		for _, t := range outermost(lost) {
			if all || c.tellsLittle(p, t) {
				little = append(little, t)
			} else {
				plain = append(plain, t)
			}
		}
		c.reportDeleted(p, plain)
		from := len(c.found)
		c.reportDeleted(p, little)
		for i := range c.found[from:] {
			c.found[from+i].Severity = rules.Note
		}
		c.fewerCases(p)
	}
}

// replaced reports whether a file got at least as many new tests as it lost,
// and as many assertions: it was rewritten, and a reader has to say how well.
func (p *pair) replaced(lost int) bool {
	if p.new == nil || lost == 0 {
		return false
	}
	before, after, fresh := 0, 0, 0
	for _, t := range p.old.tests {
		before += len(t.asserts)
	}
	for _, t := range p.new.tests {
		after += len(t.asserts)
		if t.mate == nil && len(t.asserts) > 0 {
			fresh++
		}
	}
	return fresh >= lost && after >= before
}

// outermost leaves out tests inside of others that are lost as well.
func outermost(lost []*test) []*test {
	var kept []*test
	end := -1
	for _, t := range lost {
		if t.whole.from >= end {
			kept = append(kept, t)
			end = t.whole.to
		}
	}
	return kept
}

// excused reports whether a lost test has a good reason: what it tests is gone,
// it lives on in another, or it said nothing.
func (c *change) excused(p *pair, t *test) bool {
	if len(t.asserts) == 0 && t.body.len() < 4 || c.gone(t.suite.src, t.body) != "" || c.goneNames[loose(t.name)] {
		return true
	}
	for _, m := range t.marks {
		if m.kind == skips {
			return true // it did not run before either
		}
	}
	if p.New == nil && (c.productGone(p) || c.unbuilt(p)) || duplicate(p, t) {
		return true
	}
	return c.leftSubject(p, t) || c.moduleGone(t) || c.noLoss(p, t) || c.lives(t)
}

// productGone reports whether the file that a deleted test file is about, or
// most of its folder, is deleted with it.
func (c *change) productGone(p *pair) bool {
	stem := subjectStem(p.oldPath())
	for _, q := range c.files {
		if !q.test && q.New == nil && q.Old != nil && (loose(fileStem(q.Path)) == loose(stem) || !isTestPath(q.Path) && loose(subjectStem(path.Base(q.Path))) == loose(stem)) {
			return true
		}
	}
	return false
}

func (c *change) reportDeleted(p *pair, lost []*test) {
	if len(lost) == 0 {
		return
	}
	where, line := p.Path, func(t *test) int { return p.lineNear(t) }
	if p.New == nil {
		where, line = p.oldPath(), func(t *test) int { return t.line() }
	}
	if p.New == nil || len(lost) > maxSingle {
		var related []lint.Related
		var names []string
		for _, t := range lost {
			if len(related) < 50 {
				related = append(related, was(p.old, t.head(), "the deleted test %q", short(t.name)))
			}
			if len(names) < 3 {
				names = append(names, fmt.Sprintf("%q", short(t.name)))
			}
		}
		rest := ""
		if len(lost) > len(names) {
			rest = fmt.Sprintf(" and %d more", len(lost)-len(names))
		}
		what := "tests are"
		if len(lost) == 1 {
			what = "test is"
		}
		c.report("TS001", where, line(lost[0]), related, "%d %s deleted: %s%s", len(lost), what, strings.Join(names, ", "), rest)
		return
	}
	for _, t := range lost {
		c.report("TS001", where, line(t), []lint.Related{was(p.old, t.head(), "the deleted test")}, "test %q is deleted", short(t.name))
	}
}

// lineNear is the line of the new file where a lost test would stand: at the
// test that followed it, or else at the one before.
func (p *pair) lineNear(t *test) int {
	before := 1
	for _, o := range p.old.tests {
		if o.mate == nil || o.mate.suite != p.new {
			continue
		}
		if o.whole.from > t.whole.from {
			return o.mate.line()
		}
		before = o.mate.line()
	}
	return before
}

// fewerCases reports rows that a test's table lost.
func (c *change) fewerCases(p *pair) {
	for _, t := range p.old.tests {
		n := t.mate
		if n != nil && t.values != nil && n.values != nil && !bypassed(t) {
			if how := n.values.fewerThan(t.values); how != "" && c.gone(t.suite.src, t.whole) == "" {
				c.report("TS001", n.suite.path, n.suite.src.line(n.values.at), []lint.Related{was(p.old, t.values.at, "the values before")}, "test %q %s", short(t.name), how)
			}
		}
		if n == nil || t.cases < 2 || n.cases == 0 || n.cases >= t.cases || n.parameters() < t.parameters() || likeness(t, n) < 0.3 {
			continue
		}
		if c.gone(t.suite.src, t.whole) != "" || c.goneKey(t, n.suite) != "" || c.casesElsewhere(t, n) {
			continue
		}
		c.report("TS001", n.suite.path, n.line(), []lint.Related{was(p.old, t.head(), "it had %d", t.cases)},
			"test %q has %d cases fewer", short(t.name), t.cases-n.cases)
	}
}

// casesElsewhere reports whether another test of the change grew meanwhile.
func (c *change) casesElsewhere(t, n *test) bool {
	for _, p := range c.files {
		if p.new == nil {
			continue
		}
		for _, o := range p.new.tests {
			if o != n && o.open && (o.mate == nil || o.cases > o.mate.cases) && p.new.src.lang == t.suite.src.lang {
				return true
			}
		}
	}
	return false
}
