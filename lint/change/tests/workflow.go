package tests

import (
	"regexp"
	"slices"
	"strings"
)

// narrowed reports a workflow that goes on to run tests, and fewer of them or
// in fewer places: a command that is gone from its line or is a comment now, a
// step that got a condition, a system that left the matrix.
func (c *change) narrowed(p *pair, old, now []string) {
	if len(old) > maxWorkflow || len(now) > maxWorkflow {
		return
	}
	if n, lost := shorterCommand(old, now); lost != "" {
		c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests no longer run: %q", short(lost))
		return
	}
	if !isWorkflow(p.Path) {
		return
	}
	oldRaw, newRaw := strings.Split(string(p.Old), "\n"), strings.Split(string(p.New), "\n")
	if n, lost := commentedCommand(oldRaw, newRaw); lost != "" {
		c.report("TS011", p.Path, n+1, nearest(p, old, n), "the command that ran tests is a comment now: %q", short(lost))
		return
	}
	if n, cond := conditionedStep(oldRaw, newRaw); cond != "" {
		c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests run only under a condition: %q", short(cond))
		return
	}
	if before, _ := runs(old); before == 0 {
		return
	}
	if after, _ := runs(now); after == 0 {
		return
	}
	if n, lost := c.systemGone(p, old, now); lost != "" {
		c.report("TS011", p.Path, n+1, nearest(p, old, n), "tests no longer run on %s", lost)
		return
	}
	if n, left := excludedCase(oldRaw, newRaw); left != "" {
		c.report("TS011", p.Path, n+1, nearest(p, old, n), "a case of the matrix is left out: %q", short(left))
	}
}

// lineSet counts lines.
func lineSet(lines []string) map[string]int {
	set := map[string]int{}
	for _, line := range lines {
		set[strings.TrimSpace(line)]++
	}
	return set
}

// commandCut stands between commands of one line.
var commandCut = regexp.MustCompile(`\s*(&&|;)\s*`)

// shorterCommand is a line that lost one of its commands that run tests and
// else is as it was.
func shorterCommand(old, now []string) (int, string) {
	had, has := lineSet(old), lineSet(now)
	var lost [][]string
	for _, line := range old {
		if has[line] == 0 && len(line) < 2000 && strings.Contains(line, "&&") && runForm.MatchString(line) && len(lost) < maxAsked {
			lost = append(lost, commandCut.Split(line, -1))
		}
	}
	if len(lost) == 0 {
		return 0, ""
	}
	before, after := strings.Join(old, "\n"), strings.Join(now, "\n")
	for n, line := range now {
		if had[line] > 0 || len(line) > 2000 {
			continue
		}
		parts := commandCut.Split(line, -1)
		for _, whole := range lost {
			if !subset(parts, whole) {
				continue
			}
			for _, cmd := range whole {
				bare := strings.Trim(cmd, `"', `)
				if !slices.Contains(parts, cmd) && runForm.MatchString(cmd) && strings.Count(after, bare) < strings.Count(before, bare) {
					return n, cmd
				}
			}
		}
	}
	return 0, ""
}

// commentedCommand is a command that ran tests and stands in a comment now.
func commentedCommand(old, now []string) (int, string) {
	had, has := lineSet(old), lineSet(now)
	for n, line := range now {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		rest = strings.TrimSpace(rest)
		if !ok || len(rest) < 6 || len(rest) > 2000 || !runForm.MatchString(rest) || had[strings.TrimSpace(line)] > 0 {
			continue
		}
		if had[rest] > has[rest] || had["- "+rest] > has["- "+rest] || had["- run: "+rest] > 0 && has["- run: "+rest] == 0 {
			return n, rest
		}
	}
	return 0, ""
}

// Forms of a step: its condition where it keeps tests from a place or waits for
// a switch, and a name that says what it runs.
var (
	stepCondition = regexp.MustCompile(`^(?:- )?if:\s*(.*(?i:skip|flak|runner\.os|runner\.arch|matrix\.|inputs\.).*)$`)
	stepName      = regexp.MustCompile(`^(?:- )?name:\s*(.*(?i:\btests?\b|\be2e\b|\bspecs?\b).*)$`)
	ofChanges     = regexp.MustCompile(`(?i)chang|affected|paths?\b|\bdiff`) // tests of what a change does not touch
	notTests      = regexp.MustCompile(`(?i)upload|download|report|artifact|publish|coverage|codecov|install|cache|results|setup|set up|summary|build|comment|lint`)
)

// conditionedStep is a condition of a step or job that runs tests and ran
// without one before. Two new ones share the runs between them.
func conditionedStep(old, now []string) (int, string) {
	had := lineSet(old)
	at, cond, count := 0, "", 0
	for n, line := range now {
		m := stepCondition.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || len(line) > 500 || ofChanges.MatchString(m[1]) || had[strings.TrimSpace(line)] > 0 {
			continue
		}
		block := stepOf(now, n)
		key, runsTests := "", false
		for _, l := range block {
			t := strings.TrimSpace(l)
			if m := stepName.FindStringSubmatch(t); m != nil && !notTests.MatchString(m[1]) {
				runsTests, key = true, m[1]
			}
			if runForm.MatchString(t) && len(t) < 2000 {
				runsTests = true
				if key == "" {
					key = t
				}
			}
		}
		if !runsTests || key == "" || !ranFreely(old, key, m[1]) {
			continue
		}
		if count++; count == 1 {
			at, cond = n, m[1]
		}
	}
	if count != 1 {
		return 0, ""
	}
	return at, cond
}

// ranFreely reports whether the step of this name or command stood there
// before, without a condition or with a part of this one.
func ranFreely(old []string, key, cond string) bool {
	for n, line := range old {
		if !strings.HasSuffix(strings.TrimSpace(line), key) {
			continue
		}
		for _, l := range stepOf(old, n) {
			if before, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(l), "- "), "if:"); ok {
				return subset(ands(before), ands(cond))
			}
		}
		return true
	}
	return false
}

// ands are the parts of a condition that must all hold.
func ands(cond string) []string {
	cond = strings.TrimSpace(cond)
	cond = strings.TrimSuffix(strings.TrimPrefix(cond, "${{"), "}}")
	var parts []string
	for part := range strings.SplitSeq(cond, "&&") {
		parts = append(parts, strings.TrimSpace(part))
	}
	return parts
}

// stepOf is the item of a list of YAML around a line.
func stepOf(lines []string, n int) []string {
	from := n
	for from > 0 && !strings.HasPrefix(strings.TrimSpace(lines[from]), "- ") && n-from < 60 {
		from--
	}
	margin := len(lines[from]) - len(strings.TrimLeft(lines[from], " "))
	to := from + 1
	for to < len(lines) && to < from+120 && (strings.TrimSpace(lines[to]) == "" || len(lines[to])-len(strings.TrimLeft(lines[to], " ")) > margin) {
		to++
	}
	if to <= n {
		return lines[n : n+1]
	}
	return lines[from:to]
}

// systemName is a machine that a workflow asks for.
var systemName = regexp.MustCompile(`\b(windows|macos)-[\w.]+`)

// systemGone is a system on which a workflow runs nothing any more, and none
// other of the change does.
func (c *change) systemGone(p *pair, old, now []string) (int, string) {
	text := strings.Join(now, "\n")
	for n, line := range old {
		for _, m := range systemName.FindAllStringSubmatch(line, -1) {
			if strings.Contains(text, m[1]) || slices.ContainsFunc(c.files, func(q *pair) bool {
				return q != p && isWorkflow(q.Path) && strings.Contains(string(q.New), m[1]+"-")
			}) {
				continue
			}
			kept := strings.TrimSpace(line)
			if at := strings.Index(kept, ":"); at > 0 && strings.Contains(kept, "[") { // the list lost it, and is there
				for k, l := range now {
					if strings.HasPrefix(l, kept[:at+1]) && strings.Contains(l, "[") {
						return k, m[1]
					}
				}
			}
			if strings.HasPrefix(kept, "- ") {
				return min(n, len(now)-1), m[1]
			}
		}
	}
	return 0, ""
}

// excludedCase is an entry that the list of what a matrix leaves out got, while
// the matrix itself did not grow.
func excludedCase(old, now []string) (int, string) {
	had, hadList := matrixExcludes(old)
	has, list := matrixExcludes(now)
	for line := range list {
		if hadList[line] == 0 && strings.Contains(line, "[") {
			return 0, "" // the matrix is another
		}
	}
	keys := map[string]int{}
	for _, e := range had {
		keys[e.text]++
	}
	for _, e := range has {
		if keys[e.text]--; keys[e.text] < 0 && !noTests.MatchString(e.text) {
			return e.line, e.text
		}
	}
	return 0, ""
}

// noTests are the words of a case that runs none.
var noTests = regexp.MustCompile(`(?i)\b(docs?|lint|mypy|type|format|release)\b`)

// matrixExcludes are the entries below "exclude:", and the other lines.
func matrixExcludes(lines []string) ([]listItem, map[string]int) {
	var found []listItem
	rest := map[string]int{}
	margin := -1
	for n, line := range lines {
		trimmed := strings.TrimSpace(line)
		own := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case trimmed == "exclude:":
			margin = own
		case margin >= 0 && (own > margin || own == margin && strings.HasPrefix(trimmed, "- ")):
			if strings.HasPrefix(trimmed, "- ") {
				found = append(found, listItem{strings.TrimPrefix(trimmed, "- "), n})
			} else if k := len(found) - 1; k >= 0 {
				found[k].text += ", " + trimmed
			}
		default:
			margin = -1
			rest[trimmed]++
		}
	}
	return found, rest
}
