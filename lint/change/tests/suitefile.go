package tests

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// leftGroup reports whether an annotation of TestNG puts a test into a group
// that runs leave out.
func (s *suite) leftGroup(r span) bool {
	src := s.src
	for i := r.from; i+2 < r.to; i++ {
		if !src.is(i, "groups") || !src.is(i+1, "=") {
			continue
		}
		end := i + 3
		if c := src.close(i + 2); c > 0 {
			end = c + 1
		}
		return failingTag(src.join(span{i + 2, min(end, r.to)}))
	}
	return false
}

var (
	xmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	suiteEntry = regexp.MustCompile(`<(?:class|package|suite-file|file)\s+(?:name|path)\s*=\s*"([^"]+)"`)
	suiteLeft  = regexp.MustCompile(`<exclude\s+name\s*=\s*"([^"]+)"`)
)

// suiteClasses reports classes that a file of a suite of TestNG names no more,
// or methods that it excludes, while they are still there.
func (c *change) suiteClasses(p *pair) {
	if p.Old == nil || p.New == nil || path.Ext(p.Path) != ".xml" || len(p.New) > 512<<10 || !strings.Contains(string(p.New), "<suite") {
		return
	}
	before, after := suiteEntries(p.Old, suiteEntry), suiteEntries(p.New, suiteEntry)
	for _, name := range before {
		if slices.Contains(after, name) || c.entryMoved(p, name) {
			continue
		}
		c.report("TS011", p.Path, 1+strings.Count(beforeFirst(string(p.New), name), "\n"), []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the suite before"}}, "%q is in the suite no more", short(name))
		return
	}
	had := suiteEntries(p.Old, suiteLeft)
	for _, name := range suiteEntries(p.New, suiteLeft) {
		if !slices.Contains(had, name) {
			c.report("TS011", p.Path, 1+strings.Count(beforeFirst(string(p.New), name), "\n"), []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the suite before"}}, "tests are left out by the exclusion of %q", short(name))
			return
		}
	}
}

// beforeFirst is what stands before a word, nothing if it is not there.
func beforeFirst(content, word string) string {
	before, _, found := strings.Cut(content, word)
	if !found {
		return ""
	}
	return before
}

func suiteEntries(content []byte, form *regexp.Regexp) []string {
	var names []string
	for _, m := range form.FindAllStringSubmatch(xmlComment.ReplaceAllString(string(content), ""), maxTests) {
		names = append(names, m[1])
	}
	return names
}

// entryMoved reports whether an entry of a suite went to another suite of the
// change, or its file was deleted or got another name.
func (c *change) entryMoved(p *pair, name string) bool {
	file := strings.ReplaceAll(strings.TrimSuffix(name, ".*"), ".", "/")
	for _, q := range c.files {
		if q == p {
			continue
		}
		if q.New != nil && path.Ext(q.Path) == ".xml" && strings.Contains(string(q.New), `"`+name+`"`) {
			return true
		}
		if old := q.oldPath(); (q.New == nil || q.OldPath != "") && (strings.Contains(old, file) || path.Base(old) == path.Base(name)) {
			return true
		}
	}
	return false
}

// confineForm is a line of Beaker that says where a file of tests runs.
var confineForm = regexp.MustCompile(`(?m)^[ \t]*confine[ (]+:(except|to)\b(.*)$`)

// confined reports files of acceptance tests that run in fewer places.
func (c *change) confined(p *pair) {
	if p.old == nil || p.new == nil || p.new.src.lang != ruby || !p.test {
		return
	}
	before, after := confineForm.FindAllStringSubmatch(p.old.src.text, maxTexts), confineForm.FindAllStringSubmatchIndex(p.new.src.text, maxTexts)
	text := p.new.src.text
	for n, m := range after {
		how, where := text[m[2]:m[3]], strings.TrimSpace(text[m[4]:m[5]])
		if slices.ContainsFunc(before, func(b []string) bool { return b[1] == how && strings.TrimSpace(b[2]) == where }) {
			continue
		}
		if len(after) <= len(before) && (n >= len(before) || how != "except" || !takesIn(where, before[n][2])) {
			continue
		}
		at := 1 + strings.Count(text[:m[2]], "\n")
		c.report("TS002", p.Path, at, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the file before"}}, "tests of the file run in fewer places: %q", short(strings.TrimSpace(text[m[0]:m[1]])))
		return
	}
}

// patternForm is a regular expression in a line of Ruby.
var patternForm = regexp.MustCompile(`/([^/\n]+)/`)

// takesIn reports whether the pattern of a line matches what the pattern of
// another says literally, and more.
func takesIn(now, old string) bool {
	a, b := patternForm.FindStringSubmatch(now), patternForm.FindStringSubmatch(old)
	if a == nil || b == nil || a[1] == b[1] || len(a[1]) > 200 {
		return false
	}
	form, err := regexp.Compile(a[1])
	return err == nil && form.MatchString(b[1])
}
