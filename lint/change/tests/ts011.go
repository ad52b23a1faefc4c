package tests

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// excluded is TS011: tests that a setting keeps from running.
func excluded(c *change) {
	for _, p := range c.files {
		c.outOfReach(p)
		c.skipLists(p)
		c.listedOption(p)
		c.suiteClasses(p)
		c.confined(p)
		if p.Old == nil || p.New == nil || len(p.New) > 512<<10 {
			continue
		}
		if p.test && languageOf(p.Path) == golang {
			c.buildTag(p)
			continue
		}
		if !isSetting(p.Path) {
			c.failureLists(p)
			continue
		}
		old, now := linesOf(p.Old), linesOf(p.New)
		c.exclusions(p, old, now)
		c.listedOut(p, old, now)
		c.packagesOut(p, old, now)
		c.projectOff(p, old, now)
		c.frameworksOut(p, old, now)
		c.tolerated(p)
		c.narrowed(p, old, now)
		c.runsRemoved(p, old, now)
	}
	c.workflowsRemoved()
}

// runnable are the names by which runners find a file of tests.
var runnable = regexp.MustCompile(`(?i)(\.(test|spec|cy|e2e)\.[cm]?[jt]sx?|_test\.go|(^|/)test_[^/]*\.py|_test\.py|(^|/)test_[^/]*\.rb|_(spec|test)\.rb)$`)

// outOfReach reports a file of tests that got a name by which no runner finds
// it.
func (c *change) outOfReach(p *pair) {
	if p.Old == nil || p.New == nil || p.old == nil || len(p.old.tests) == 0 || !runnable.MatchString(p.oldPath()) || runnable.MatchString(p.Path) {
		return
	}
	c.report("TS011", p.Path, 1, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the name before"}}, "file of %d tests has a name that runners do not look for", len(p.old.tests))
}

// isSetting reports whether a file says which tests run.
func isSetting(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch base {
	case "package.json", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "conftest.py", "pom.xml", "build.gradle", "build.gradle.kts", ".rspec", "makefile", "rakefile", "codecov.yml", ".codecov.yml", "codecov.yaml", ".coveragerc", ".nycrc", ".nycrc.json", ".simplecov", "justfile", "cargo.toml", "noxfile.py", ".travis.yml", ".gitlab-ci.yml", "azure-pipelines.yml", "taskfile.yml", "runtests.sh", "test.sh", "spec_helper.rb", "rails_helper.rb", "test_helper.rb", "directory.build.props", "nextest.toml", "build.sbt":
		return true
	}
	return strings.HasSuffix(base, ".csproj") || strings.HasPrefix(base, "cypress.config") || strings.HasPrefix(base, "jest.config") || strings.HasPrefix(base, "vitest.config") || strings.HasPrefix(base, "vite.config") || strings.HasPrefix(base, "playwright.config") || strings.HasPrefix(base, ".mocharc") || strings.HasPrefix(base, "karma.conf") ||
		strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, ".circleci/") || strings.HasSuffix(base, ".runsettings") || strings.HasPrefix(name, ".buildkite/")
}

// linesOf are a file's lines without their comments' lines and margins.
func linesOf(content []byte) []string {
	var lines []string
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
			line = ""
		}
		lines = append(lines, line)
	}
	return lines
}

// exclusionForms are settings that leave tests out.
var exclusionForms = []*regexp.Regexp{
	regexp.MustCompile(`\btestPathIgnorePatterns\b|\bmodulePathIgnorePatterns\b`),
	regexp.MustCompile(`(^|[\s"'=\[,])--(ignore|ignore-glob|deselect)[= ]\S`),
	regexp.MustCompile(`-k[ =]["']?\(?not `),
	regexp.MustCompile(`-m[ =]["']?\(?not `),
	regexp.MustCompile(`\bcollect_ignore(_glob)?\b`),
	regexp.MustCompile(`\btestIgnore\b|\bgrepInvert\b|--grep-invert[= ]|--testPathIgnorePatterns[= ]|--invert\b`),
	regexp.MustCompile(`\bgo list\b.*\bgrep\s+(-\w*v\w*|--invert-match)\b`),
	regexp.MustCompile(`<(Compile|None)\s+Remove="[^"]*Tests?\b[^"]*"|<IsTestProject>\s*false`),
	regexp.MustCompile(`<exclude>[^<]*(Test|IT)\b[^<]*</exclude>|\bexcludeTestsMatching\b|\bexcludeTags\b|\bexcludeCategories\b|<excludedGroups>|\bexclude\b\s*\(?\s*['"][^'"]*(Test|IT|Spec)s?\b`),
	regexp.MustCompile(`\bexclude_pattern\b|--exclude-tag\b|--tag[= ]+['"]?~`),
	regexp.MustCompile(`"test[^"]*"\s*:\s*"\s*(echo|true|exit 0|:)(\s[^&|;]*)?"`),
	regexp.MustCompile(`^\s*test\s*=\s*false|^\s*autotests\s*=\s*false|\bdefault-filter\s*=\s*['"]+\s*(not\b|!)`),
	regexp.MustCompile(`--test-skip-pattern[= ]|--exclude-testcase[= ]|--skip-tests\b|\bGINKGO_SKIP\b|--ginkgo\.skip[= ]|\bginkgo\b.*--skip[= ]|--label-filter[= ]\S*!`),
	regexp.MustCompile(`\bgo test\b.*\s-skip[= ]`),
	regexp.MustCompile(`-DskipTests\b|-Dmaven\.test\.skip\b|<skipTests>\s*true|<maven\.test\.skip>\s*true|<testFailureIgnore>\s*true|ignoreFailures\s*=?\s*true|\s-x\s+test\b`),
	regexp.MustCompile(`--exclude-pattern\b|--tag\s+~|filter_run_excluding|filter_run_when_matching\s+:none`),
	regexp.MustCompile(`\bcargo (test|nextest)\b.*(--exclude\b|--skip\b)`),
	regexp.MustCompile(`\bdotnet test\b.*--filter.*!=`),
	regexp.MustCompile(`--passWithNoTests\b|\bpassWithNoTests\b.*true`),
	regexp.MustCompile(`(?i)(test|jest|vitest|pytest|rspec|mocha)\b[^|#]*\|\|\s*(true|exit 0|:|echo)(\s|$|")`),
}

// exclusions reports lines that leave tests out and were not there before.
func (c *change) exclusions(p *pair, old, now []string) {
	had, own := map[string]int{}, chosen(now)
	for _, line := range old {
		for i, form := range exclusionForms {
			if form.MatchString(line) {
				had[exclusionKey(i, line)]++
			}
		}
	}
	for n, line := range now {
		if len(line) > 2000 {
			continue
		}
		for i, form := range exclusionForms {
			if !form.MatchString(line) {
				continue
			}
			if key := exclusionKey(i, line); had[key] > 0 {
				had[key]--
				continue
			}
			if runsApart(line, own) || flawsOnly.MatchString(line) || p.narrower(line, old) {
				continue
			}
			c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests are left out by %q", short(line))
			break
		}
	}
}

// apartForm chooses the tests of a run by a mark or a name, or by its absence.
var apartForm = regexp.MustCompile(`-(k|m)[ =]["']?(\(?not )?(\w+)`)

// chosen are the marks and names that a run of its own asks for.
func chosen(lines []string) map[string]bool {
	own := map[string]bool{}
	for _, line := range lines {
		if len(line) > 2000 {
			continue
		}
		for _, m := range apartForm.FindAllStringSubmatch(line, -1) {
			if m[2] == "" {
				own[m[1]+m[3]] = true
			}
		}
	}
	return own
}

// runsApart reports whether what a line leaves out has a run of its own.
func runsApart(line string, own map[string]bool) bool {
	m := apartForm.FindStringSubmatch(line)
	return m != nil && m[2] != "" && own[m[1]+m[3]]
}

// exclusionKey is what an exclusion leaves out, so that another order of flags
// is no new one.
func exclusionKey(form int, line string) string {
	m := exclusionForms[form].FindStringIndex(line)
	rest := line[m[0]:]
	if f := strings.Fields(rest); len(f) > 3 {
		rest = strings.Join(f[:3], " ")
	}
	return string(rune('a'+form)) + rest
}

// nearest is the old line at the same place.
func nearest(p *pair, old []string, n int) []lint.Related {
	return []lint.Related{{Path: p.oldPath(), Line: min(n, max(len(old)-1, 0)) + 1, Column: 1, Message: "the settings before"}}
}

// runForm is a command that runs tests.
var runForm = regexp.MustCompile(`\b(go test|cargo (test|nextest)|pytest|tox\b|nox\b|(npm|pnpm|yarn|bun)( run)?( -\S+)* (test|e2e|vitest|jest)|npx (jest|vitest|mocha|playwright test)|mvn\b.*\b(test|verify|install)|gradlew?\b.*\b(test\w*|check|build)\b|dotnet test|(bundle exec )?(rspec|rake( test| spec)?$)|(bin|script)/(test|cibuild|rspec)|make (test|check)\S*|python -m (pytest|unittest))`)

// runsRemoved reports a workflow or script that runs no tests any more.
func (c *change) runsRemoved(p *pair, old, now []string) {
	if !isWorkflow(p.Path) {
		return
	}
	before, at := runs(old)
	after, _ := runs(now)
	if before == 0 || after > 0 || c.runsElsewhere(p) || containerRun.Match(p.New) || c.ofRemoved(p) {
		return
	}
	c.report("TS011", p.Path, 1, []lint.Related{{Path: p.oldPath(), Line: at, Column: 1, Message: "the tests ran here: " + short(old[at-1])}}, "workflow runs no tests any more")
}

func isWorkflow(name string) bool {
	return strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, ".circleci/") || path.Base(name) == ".travis.yml" || path.Base(name) == ".gitlab-ci.yml"
}

// runs counts lines that run tests, and says where the first is.
func runs(lines []string) (count, first int) {
	for n, line := range lines {
		if len(line) < 2000 && runForm.MatchString(line) {
			if count++; first == 0 {
				first = n + 1
			}
		}
	}
	return count, first
}

// runsElsewhere reports whether another file of the change runs tests anew, or
// this one calls what may.
func (c *change) runsElsewhere(p *pair) bool {
	for _, q := range c.files {
		if q == p || q.New == nil || len(q.New) > 512<<10 || !isWorkflow(q.Path) && !isSetting(q.Path) && path.Ext(q.Path) != ".sh" && path.Ext(q.Path) != ".yml" {
			continue
		}
		now, _ := runs(linesOf(q.New))
		before, _ := runs(linesOf(q.Old))
		if now > before {
			return true
		}
	}
	calls := strings.Count(string(p.New), "uses: ./") + strings.Count(string(p.New), "run: ")
	return calls > strings.Count(string(p.Old), "uses: ./")+strings.Count(string(p.Old), "run: ")
}

// workflowsRemoved reports a deleted workflow that ran tests.
func (c *change) workflowsRemoved() {
	for _, p := range c.files {
		if p.Old == nil || p.New != nil || p.reason != "" || !isWorkflow(p.oldPath()) || len(p.Old) > 512<<10 {
			continue
		}
		lines := linesOf(p.Old)
		if n, at := runs(lines); n > 0 && !c.runsElsewhere(p) && !c.ofRemoved(p) && !foreignFile.MatchString(p.oldPath()) {
			c.report("TS011", p.oldPath(), at, []lint.Related{{Path: p.oldPath(), Line: at, Column: 1, Message: "the tests ran here: " + short(lines[at-1])}}, "workflow that ran tests is deleted")
		}
	}
}

// buildTag reports a Go test file that is built only under a tag now.
func (c *change) buildTag(p *pair) {
	old, now := goBuild(p.Old), goBuild(p.New)
	if old == "" && now != "" || old != "" && now != old && narrower(old, now) {
		line := 1 + strings.Count(string(p.New[:max(strings.Index(string(p.New), "//go:build"), 0)]), "\n")
		c.report("TS011", p.Path, line, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "it was always built"}}, "tests of the file run only under %q", short(now))
	}
}

// narrower reports whether a build constraint lost one of its alternatives or
// got another condition.
func narrower(old, now string) bool {
	old, now = strings.TrimPrefix(old, "//go:build "), strings.TrimPrefix(now, "//go:build ")
	return subset(strings.Split(now, " || "), strings.Split(old, " || ")) || subset(strings.Split(old, " && "), strings.Split(now, " && "))
}

// goBuild is the build constraint of a file, "" for none; one in the old form is
// written in the new.
func goBuild(content []byte) string {
	old := ""
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "//go:build ") {
			return strings.TrimSpace(line)
		}
		if rest, ok := strings.CutPrefix(line, "// +build "); ok && old == "" {
			old = "//go:build " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(rest), " ", " || "), ",", " && ")
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return old
}
