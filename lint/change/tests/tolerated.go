package tests

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// toleratedForm lets a step or a job of a workflow fail, or not run.
var toleratedForm = regexp.MustCompile(`^(- )?(continue-on-error:\s*true|allow_failure:\s*true|if:\s*(false|\$\{\{\s*false\s*\}\}))\s*(#.*)?$`)

// maxWorkflow bounds the lines of a workflow that are looked at.
const maxWorkflow = 20_000

// tolerated reports steps and jobs of a workflow that run tests and may fail
// now, or are switched off.
func (c *change) tolerated(p *pair) {
	if !isWorkflow(p.Path) {
		return
	}
	before := map[string]int{}
	for _, f := range toleratedRuns(string(p.Old)) {
		before[f.text]++
	}
	for _, f := range toleratedRuns(string(p.New)) {
		if before[f.text]--; before[f.text] < 0 {
			c.report("TS011", p.Path, f.line, []lint.Related{{Path: p.oldPath(), Line: 1, Column: 1, Message: "the workflow before"}}, "tests do not count by %q", short(f.text))
		}
	}
}

// toleratedRuns are such lines beside a command that runs tests.
func toleratedRuns(text string) []listItem {
	lines := strings.Split(text, "\n")
	var found []listItem
	asked := 0
	for n, line := range lines[:min(len(lines), maxWorkflow)] {
		trimmed := strings.TrimSpace(line)
		if asked >= maxAsked || !toleratedForm.MatchString(trimmed) {
			continue
		}
		if asked++; runsIn(lines, n) {
			found = append(found, listItem{strings.TrimPrefix(trimmed, "- "), n + 1})
		}
	}
	return found
}

// runsIn reports whether the block of YAML around a line has a command that
// runs tests.
func runsIn(lines []string, n int) bool {
	own := depth(lines[n])
	from, to := n, n+1
	for from > 0 && !strings.HasPrefix(strings.TrimSpace(lines[from]), "- ") && (depth(lines[from-1]) >= own || strings.TrimSpace(lines[from-1]) == "") {
		from--
	}
	for to < len(lines) && (depth(lines[to]) > own || depth(lines[to]) == own && !strings.HasPrefix(strings.TrimSpace(lines[to]), "- ") || strings.TrimSpace(lines[to]) == "") {
		to++
	}
	for _, line := range lines[from:to] {
		if len(line) < 2000 && runForm.MatchString(line) {
			return true
		}
	}
	return false
}

// depth is where the key of a line of YAML begins.
func depth(line string) int {
	rest := strings.TrimLeft(line, " ")
	n := len(line) - len(rest)
	if strings.HasPrefix(rest, "- ") {
		n += 2
	}
	return n
}
