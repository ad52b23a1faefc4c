package tests

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// listHead begins a list over several lines of what runs leave out.
var listHead = regexp.MustCompile(`\b(testPathIgnorePatterns|modulePathIgnorePatterns|testIgnore|collect_ignore|collect_ignore_glob|exclude|excludes|excludedTests|norecursedirs|ignore|spec_exclude|skip)\b['"]?\s*[:=]?\s*[\[({]\s*$`)

// listedOut reports lines that a list of what runs leave out got: the line of
// the list itself does not change then.
func (c *change) listedOut(p *pair, old, now []string) {
	base := strings.ToLower(path.Base(p.Path))
	named := strings.HasPrefix(base, "jest.") || strings.HasPrefix(base, "vitest.") || strings.HasPrefix(base, "playwright.") || strings.HasPrefix(base, ".mocharc") || base == "conftest.py" || base == "package.json"
	if !named {
		return
	}
	had := map[string]bool{}
	for _, item := range listItems(old, base == "package.json") {
		had[item.text] = true
	}
	for _, item := range listItems(now, base == "package.json") {
		if had[item.text] || !strings.ContainsAny(item.text, `"'`) || mentions(now, item.text)-mentions(old, item.text) > 1 {
			continue // or another list includes it
		}
		c.report("TS011", p.Path, item.line, nearest(p, old, item.line-1), "tests are left out by %q", short(item.text))
		return
	}
}

// maxMentions bounds the lines in which an entry is looked for.
const maxMentions = 5000

// mentions counts the lines that hold a text.
func mentions(lines []string, text string) int {
	n := 0
	for _, line := range lines[:min(len(lines), maxMentions)] {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

type listItem struct {
	text string
	line int
}

// listItems are the lines inside of such lists. Two lists of one name, one of
// them for coverage, are not told apart but by the line that encloses them.
func listItems(lines []string, only bool) []listItem {
	var items []listItem
	inside, coverage := false, 0
	for n, line := range lines {
		if len(line) > 2000 {
			continue
		}
		if strings.Contains(line, "coverage") {
			coverage = n
		}
		switch {
		case inside && line != "" && strings.ContainsAny(line[:1], "])}"):
			inside = false
		case inside && line != "" && len(items) < 500:
			items = append(items, listItem{strings.TrimSuffix(line, ","), n + 1})
		case listHead.MatchString(line) && (coverage == 0 || n-coverage > 12) && (!only || strings.Contains(line, "IgnorePatterns")):
			inside = true
		}
	}
	return items
}

// failureList is the name of a file that lists tests whose failure does not
// count.
var failureList = regexp.MustCompile(`(?i)(known|expected)[-_.]?(fail|flak|bug|issue)|flaky[-_.]?tests|skip(ped)?[-_.]?(list|tests)|tests?[-_.]?(to[-_.]?)?skip|quarantin|(deny|black|exclude)[-_.]?list.*test|test.*(deny|black|exclude)[-_.]?list|xfail|TestExpectations`)

// failureLists reports entries that such a file got.
func (c *change) failureLists(p *pair) {
	if languageOf(p.Path) != other || !failureList.MatchString(path.Base(p.Path)) || quietKind(p.Path) || len(p.Old) > 512<<10 {
		return
	}
	old := linesOf(p.Old)
	had := map[string]int{}
	for _, line := range old {
		had[line]++
	}
	added, gone, first := 0, len(old), 0
	for n, line := range linesOf(p.New) {
		if had[line] > 0 {
			had[line]--
			gone--
			continue
		}
		if len(line) > 3 {
			if added++; first == 0 {
				first = n + 1
			}
		}
	}
	if added > gone {
		c.report("TS011", p.Path, first, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the list before"}}, "%d entries are added to a list of tests that do not count", added-gone)
	}
}

// quietKind are files that are read by people.
func quietKind(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".rst", ".adoc", ".html", ".svg", ".snap", ".lock":
		return true
	}
	return false
}

// listName is the name of a list, in a file of tests, of tests that are left
// out.
var listName = regexp.MustCompile(`(?i)^_?((\w+_)?skip(s|ped)?(_?(list|set|words|tests?|cases?|files?|names?|patterns?|features?|reasons?|modules?|dirs?|examples?|rules?|\w+_?(list|tests|cases|files)))?|known_?(fail\w*|issues?|bugs?|broken\w*)|expected_?fail\w*|x_?fail\w*|(\w+_)?flaky_?\w*|(\w+_)?quarantined?\w*|(disabled|ignored?|excluded?|unsupported|not_?supported|broken|failing|incompatible|unstable)(_?(tests?|cases?|suites?|features?|files?|names?|list|set|patterns?|examples?|modules?|stores?|browsers?|platforms?|ops|operators?|types?|dirs?|methods?|paths?|queries|functions?|packages?|rules?|contracts?|targets?|backends?|dialects?|drivers?|engines?|models?)\w*)?|(\w+_)?(deny|black|block|exclude|exclusion|ignore|skip)_?list|tests?_?to_?(skip|ignore|exclude)|(\w+_)?(exclusions|todo_?(tests|list|cases)))$`)

// skipLists reports lists of tests to leave out, in files of tests, that got
// entries and lost none.
func (c *change) skipLists(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	before := p.old.skipLists()
	for name, now := range p.new.skipLists() {
		old, ok := before[name]
		if !ok || len(now.entries) <= len(old.entries) {
			continue
		}
		lost := false
		for e := range old.entries {
			lost = lost || !now.entries[e]
		}
		if !lost {
			c.report("TS011", p.Path, p.new.src.line(now.at), []lint.Related{was(p.old, old.at, "the list before")}, "%d entries are added to %q, a list of tests that are left out", len(now.entries)-len(old.entries), name)
		}
	}
}

// plainList reports whether a bracket holds names alone: [Alpha, Beta].
func (s *suite) plainList(open int) bool {
	src := s.src
	if !src.is(open, "[") && !src.is(open, "{") && !src.is(open, "(") || src.is(open, "(") && !src.is(open-1, "of") && !src.is(open-1, "setOf") && !src.is(open-1, "listOf") && !src.is(open-1, "asList") && !src.is(open-1, "=") {
		return false
	}
	if src.is(open, "[") && src.lang == golang {
		return false
	}
	args := src.arguments(open)
	for _, a := range args {
		for i := a.from; i < a.to; i++ {
			if !src.isWord(i) && !src.is(i, ".") && !src.is(i, "::") || a.len() > 6 {
				return false
			}
		}
	}
	return len(args) > 0
}

type skipList struct {
	at      int
	entries map[string]bool
}

// skipLists finds such lists with their strings.
func (s *suite) skipLists() map[string]skipList {
	found := map[string]skipList{}
	src := s.src
	for i := range src.tokens {
		if len(found) >= maxAsked || !src.isWord(i) || len(src.at(i)) > 60 || src.is(i-1, ".") || !listName.MatchString(src.at(i)) {
			continue
		}
		up := int(src.token(i).up)
		declared := src.is(up, "(") && src.is(up-1, "var")
		if up >= 0 && !declared && src.lang != csharp && src.lang != java && src.lang != kotlin && !shouted(src.at(i)) {
			continue
		}
		assigned, open := false, -1
		for j := i + 1; j < min(i+14, len(src.tokens)) && open < 0 && !src.is(j, ";"); j++ {
			if src.is(j, ",") && src.token(j).up == src.token(i).up {
				break
			}
			assigned = assigned || src.is(j, "=") || src.is(j, ":=")
			if c := src.close(j); c > j+1 && assigned && (src.kind(j+1) == text || s.plainList(j)) {
				open = j
			}
			if assigned && open < 0 && src.kind(j) == text && (!strings.Contains(src.at(j), " ") || strings.ContainsAny(src.at(j), "|%")) { // "A|B", %w[a b]
				if src.token(j).first && j > i+3 {
					break
				}
				list := skipList{at: i, entries: map[string]bool{}}
				for _, e := range strings.FieldsFunc(strings.TrimPrefix(strings.TrimPrefix(src.at(j), "%w"), "%i"), func(r rune) bool { return strings.ContainsRune("|, \n\t\"'`[](){}", r) }) {
					list.entries[e] = true
				}
				found[src.at(i)] = list
				break
			}
		}
		if open < 0 {
			continue
		}
		list := skipList{at: i, entries: map[string]bool{}}
		for j := open + 1; j < min(src.close(open), open+maxFindings*10) && len(list.entries) < maxTests; j++ {
			if src.kind(j) == text && (!src.is(j-1, ":") || int(src.token(j).up) != open) {
				list.entries[src.value(j)] = true
			}
		}
		if len(list.entries) == 0 {
			for _, e := range src.arguments(open) {
				list.entries[src.join(e)] = true
			}
		}
		found[src.at(i)] = list
	}
	return found
}

// shouted reports whether a name is a constant's: in capitals.
func shouted(name string) bool {
	return len(name) > 3 && strings.ToUpper(name) == name
}
