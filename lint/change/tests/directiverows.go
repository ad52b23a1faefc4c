package tests

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"steelyard/lint"
)

// frameworkForm is a condition of a directive by which code is built from a
// version of .NET on.
var frameworkForm = regexp.MustCompile(`^(if|elif)\s+(NET|NETCOREAPP|NETSTANDARD|NETFRAMEWORK|NET4)(\d+)(?:_(\d+))?(_OR_GREATER)?$`)

// rowAttribute is an attribute that gives a test its cases, or makes it one.
var rowAttribute = regexp.MustCompile(`^\[ (TestCase|InlineData|DataRow|TestFixture|Arguments|Fact|Theory|Test|TestMethod|MemberData|Params)\b`)

// builtFor is the version from which a directive builds what is below it, 0 for
// another condition.
func builtFor(words string) int {
	m := frameworkForm.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil || m[5] == "" {
		return 0
	}
	major, _ := strconv.Atoi(m[3])
	minor, _ := strconv.Atoi(m[4])
	return major*100 + minor
}

// directiveRows reports cases of tests of C# that are built for fewer versions
// than before: the directive around them asks for a later one, or is new.
func (c *change) directiveRows(p *pair) {
	if p.old == nil || p.new == nil || !p.test || p.new.src.lang != csharp {
		return
	}
	old, now := ifs(p.old.src), ifs(p.new.src)
	if len(old) == len(now) {
		for i := range now {
			from, to := builtFor(old[i].cond), builtFor(now[i].cond)
			if from == 0 || to <= from || !p.new.holdsTests(now[i].body) {
				continue
			}
			m := marker{kind: skipsIf, at: now[i].at, words: "#" + now[i].cond}
			c.reportSkip(p.new, m, []lint.Related{was(p.old, old[i].at, "#%s before", old[i].cond)}, "what is below", "#"+old[i].cond)
			return
		}
		return
	}
	within := func(s *suite, list []region, text string) bool {
		return slices.ContainsFunc(list, func(r region) bool { return strings.Contains(s.src.join(r.body), text) })
	}
	for _, r := range now {
		if r.body.len() > maxSkipOnly*4 || r.body.len() == 0 {
			continue
		}
		words := p.new.src.join(r.body)
		if !rowAttribute.MatchString(words) || within(p.old, old, words) || !strings.Contains(p.old.src.join(span{0, len(p.old.src.tokens)}), words) {
			continue
		}
		m := marker{kind: skipsIf, at: r.at, words: "#" + r.cond}
		c.reportSkip(p.new, m, []lint.Related{was(p.old, 0, "the file before")}, "case", words)
		return
	}
}

// ifs are the regions below an #if, in the order of the file.
func ifs(s *source) []region {
	found := s.directed()
	slices.SortStableFunc(found, func(a, b region) int { return a.at - b.at })
	return found
}

// holdsTests reports whether a range has tests, or attributes that give them
// their cases.
func (s *suite) holdsTests(r span) bool {
	for i := r.from; i < r.to; i++ {
		if s.src.is(i, "[") && rowAttribute.MatchString(s.src.join(span{i, min(i+2, r.to)})) {
			return true
		}
	}
	return false
}
