package tests

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// switchedOffForm are settings of a project that keep its tests from a run.
var switchedOffForm = regexp.MustCompile(`(?i)<Run(On|Tests?)\w*>\s*false|<Skip\w*Tests?\w*>\s*true|^"(skip|disabled)":\s*true`)

// projectOff reports such a setting of a project of tests.
func (c *change) projectOff(p *pair, old, now []string) {
	ext := strings.ToLower(path.Ext(p.Path))
	if !p.test || ext != ".csproj" && ext != ".props" && path.Base(p.Path) != "package.json" {
		return
	}
	had := lineSet(old)
	for n, line := range now {
		if len(line) < 300 && had[line] == 0 && switchedOffForm.MatchString(line) {
			c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests are left out by %q", short(line))
			return
		}
	}
}

// listedOption reports a call of a file of tests whose option lists more that it
// passes over: demoTest("table", { skip: ["a", "b"] }).
func (c *change) listedOption(p *pair) {
	if p.old == nil || p.new == nil || !p.test || p.new.src.lang != javascript {
		return
	}
	before := p.old.optionLists()
	for key, now := range p.new.optionLists() {
		old, ok := before[key]
		if !ok || len(now.entries) <= len(old.entries) {
			continue
		}
		kept := true
		for e := range old.entries {
			kept = kept && now.entries[e]
		}
		if kept {
			c.report("TS011", p.Path, p.new.src.line(now.at), []lint.Related{was(p.old, old.at, "the call before")}, "%d more are passed over by %q", len(now.entries)-len(old.entries), short(key))
			return
		}
	}
}

// optionLists are the calls at the outermost levels of a file whose first
// argument is a text, with what their option "skip" lists.
func (s *suite) optionLists() map[string]skipList {
	found := map[string]skipList{}
	src := s.src
	for i := range src.tokens {
		if !src.isWord(i) || !src.is(i+1, "(") || src.kind(i+2) != text || !src.token(i).first || len(found) >= maxAsked || src.close(i+1) > i+200 {
			continue
		}
		list := skipList{at: i, entries: map[string]bool{}}
		for j := i + 3; j < src.close(i+1); j++ {
			if up := int(src.token(j).up); (src.is(j, "skip") || src.is(j, "exclude") || src.is(j, "ignore")) && src.is(j+1, ":") && src.close(up) > 0 {
				for k := j + 2; k < src.close(up) && int(src.token(k).up) >= up && (!src.is(k, ",") || int(src.token(k).up) != up); k++ {
					if src.kind(k) == text && src.is(int(src.token(k).up), "[") {
						list.entries[src.value(k)] = true
					}
				}
			}
			if src.is(j, "=>") || src.is(j, "function") {
				break
			}
		}
		found[src.at(i)+" "+src.value(i+2)] = list
	}
	return found
}
