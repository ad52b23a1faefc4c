package tests

import (
	"strings"

	"steelyard/lint"
)

// fewCommented is how many lines of code turned into a comment are worth a
// finding.
const fewCommented = 3

// commented is TS005 for expectations that are now a comment: rows of a table,
// parts of an expected value.
func commented(c *change) {
	for _, p := range c.files {
		if !p.test || p.old == nil || p.new == nil || c.has(p) {
			continue
		}
		gone := map[string]int{} // code lines that the new file has no more, with their first line
		before := strings.Split(string(p.Old), "\n")
		was := blocks(p.old.src.lang, before)
		for n, line := range before {
			if line = bare(line); !was[n] && len(line) > 3 && gone[line] == 0 {
				gone[line] = n + 1
			}
		}
		lines := strings.Split(string(p.New), "\n")
		inside := blocks(p.new.src.lang, lines)
		for n, line := range lines {
			if !inside[n] {
				delete(gone, bare(line))
			}
		}
		first, old, count := 0, 0, 0
		for n, line := range lines {
			code, ok := uncommented(line)
			if inside[n] {
				code, ok = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "/*"), "*/")), true
			}
			if !ok || gone[code] == 0 {
				continue
			}
			if count++; first == 0 {
				first, old = n+1, gone[code]
			}
		}
		if count >= fewCommented {
			c.report("TS005", p.Path, first, []lint.Related{{Path: p.oldPath(), Line: old, Column: 1, Message: "the code before"}}, "%d lines of what the tests expect are commented out", count)
		}
	}
}

// blocks says of each line whether it lies in a comment over several lines that
// begins a line, as one put around code does.
func blocks(lang language, lines []string) []bool {
	inside := make([]bool, len(lines))
	if lang == ruby {
		in := false
		for n, line := range lines {
			in = in || strings.HasPrefix(line, "=begin")
			inside[n] = in
			in = in && !strings.HasPrefix(line, "=end")
		}
		return inside
	}
	if lang.indented() {
		return inside
	}
	in := false
	for n, line := range lines {
		line = strings.TrimSpace(line)
		if !in && strings.HasPrefix(line, "/*") && !strings.HasPrefix(line, "/**") {
			in = true
		}
		inside[n] = in
		if in && strings.Contains(line, "*/") {
			in = false
		}
	}
	return inside
}

// has reports whether the change already has a finding in a file.
func (c *change) has(p *pair) bool {
	for i := range c.found {
		if c.found[i].Path == p.Path {
			return true
		}
	}
	return false
}

func bare(line string) string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") {
		return ""
	}
	return line
}

// uncommented is the code in a line that is a comment.
func uncommented(line string) (string, bool) {
	line = strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(line, "//")
	if !ok {
		rest, ok = strings.CutPrefix(line, "#")
	}
	return strings.TrimSpace(rest), ok
}
