package tests

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"steelyard/lint"
)

// retried is TS014: a test that may fail several times before it fails.
func retried(c *change) {
	for _, p := range c.files {
		c.retriedBySetting(p)
		if p.new == nil {
			continue
		}
		c.retriedGroups(p)
		c.retriedByHand(p)
		for _, n := range p.new.tests {
			if n.mate == nil {
				continue
			}
			if m, ok := newMark(n.mate.marks, n.marks, retries); ok {
				c.report("TS014", p.Path, p.new.src.line(m.at), []lint.Related{was(n.mate.suite, n.mate.head(), "the test before")}, "test %q is retried by %q", short(n.name), m.words)
			}
		}
	}
}

// retriedGroups reports classes and groups that are retried now.
func (c *change) retriedGroups(p *pair) {
	if p.old == nil {
		return
	}
	before := p.old.groups()
	for _, g := range p.new.scopes {
		old := before[g.name]
		if old == nil {
			continue
		}
		if m, ok := newMark(old.mark, g.mark, retries); ok && !c.retriedAbove(p.new, g) {
			c.report("TS014", p.Path, p.new.src.line(m.at), []lint.Related{was(p.old, old.body.from, "the group before")}, "group %q is retried by %q", short(g.name), m.words)
		}
	}
}

// retryingName reports whether the extension that an annotation names runs a
// test again.
func retryingName(words string) bool {
	return strings.Contains(words, "Retry") || strings.Contains(words, "Rerun")
}

// retryForm is a number of retries in a setting or for a whole file of tests.
var retryForm = regexp.MustCompile(`(?i)(\bretries\b['"]?\s*[:=]\s*|\bretries\(|\bretry\b['"]?\s*[:=]\s*|retryTimes\(|--retries[= ]|--reruns[= ]|--retry[= ]|rerunFailingTestsCount\W+|maxRetries\b\s*(?:\.set\(|=\s*)|\bFlakeAttempts\(|--flake-attempts[= ]|runMode['"]?\s*:\s*)([^,;\n]*)`)

// firstNumber is a whole number by itself.
var firstNumber = regexp.MustCompile(`\b[0-9]{1,2}\b`)

// retriedBySetting reports settings, and calls outside of any test, by which
// tests are retried that were not before.
func (c *change) retriedBySetting(p *pair) {
	if p.Old == nil || p.New == nil || len(p.New) > 512<<10 {
		return
	}
	base := strings.ToLower(path.Base(p.Path))
	config := strings.HasPrefix(base, "playwright.") || strings.HasPrefix(base, "vitest.") || strings.HasPrefix(base, "jest.") || strings.HasPrefix(base, "cypress.") || strings.HasPrefix(base, ".mocharc") ||
		base == "pom.xml" || base == "nextest.toml" || strings.HasPrefix(base, "build.gradle")
	flags := isWorkflow(p.Path) || base == "pytest.ini" || base == "tox.ini" || base == "setup.cfg" || base == "pyproject.toml" || base == "makefile" || base == "package.json"
	calls := p.new != nil && p.test && p.new.src.lang == javascript
	if !config && !calls && !flags {
		return
	}
	before, _ := retriesIn(p.Old, calls, flags)
	after, line := retriesIn(p.New, calls, flags)
	if n := less(p, rerunForm); after >= before && after > 0 && flags && n != "" {
		c.report("TS014", p.Path, line, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the settings before"}}, "tests are retried after any failure, without %q", n)
	}
	if after > before {
		c.report("TS014", p.Path, line, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the settings before"}}, "tests are retried up to %d times", after)
	}
}

// rerunForm says after which failures tests are retried.
var rerunForm = regexp.MustCompile(`--(rerun-except|only-rerun)\b`)

// less is a form of which the new version of a file has fewer, "" for none.
func less(p *pair, form *regexp.Regexp) string {
	before, after := form.FindAllString(string(p.Old), -1), form.FindAllString(string(p.New), -1)
	if len(after) < len(before) {
		return before[len(after)]
	}
	return ""
}

// callForm are retries that a file of tests asks for by a call, not as a value
// of its own.
var callForm = regexp.MustCompile(`(?i)retryTimes\(|\bthis\.retries\(|describe\.configure\(`)

// flagForm are retries by a flag of a command.
var flagForm = regexp.MustCompile(`(?i)--(retries|reruns|retry|flake-attempts)[= ]`)

// retriesIn is the largest number of retries that a file asks for, and where.
func retriesIn(content []byte, calls, flags bool) (most, at int) {
	for n, line := range linesOf(content) {
		if len(line) > 2000 || calls && !callForm.MatchString(line) || flags && !flagForm.MatchString(line) {
			continue
		}
		for _, m := range retryForm.FindAllStringSubmatch(line, -1) {
			value, _, _ := strings.Cut(m[2], " --")
			for _, digits := range firstNumber.FindAllString(value, -1) {
				if v, err := strconv.Atoi(digits); err == nil && v > most {
					most, at = v, n+1
				}
			}
		}
	}
	return most, at
}

// groups are the classes and groups of a file by their names; of those with one
// name it is the last.
func (s *suite) groups() map[string]*scope {
	groups := map[string]*scope{}
	for _, g := range s.scopes {
		groups[g.name] = g
	}
	return groups
}
