package tests

import (
	"regexp"
	"strconv"
	"strings"

	"steelyard/lint"
)

// thresholdForm is a setting of how much of the code tests must cover.
var thresholdForm = regexp.MustCompile(`(?i)(--cov-fail-under|fail_under|minimum_coverage|COVEREDRATIO|<minimum>|\bminimum\b|\bbranches\b|\bfunctions\b|\blines\b|\bstatements\b|\btarget\b|--fail-under|check-coverage|\bThreshold\b)[^0-9\n-]{0,12}([0-9]+(?:\.[0-9]+)?)`)

// lowered is TS012: less of the code must be covered than before.
func lowered(c *change) {
	for _, p := range c.files {
		if p.Old == nil || p.New == nil || len(p.New) > 512<<10 || !isSetting(p.Path) {
			continue
		}
		text := strings.ToLower(string(p.Old))
		if !strings.Contains(text, "cov") && !strings.Contains(text, "threshold") {
			continue
		}
		before, after := thresholds(p.Old), thresholds(p.New)
		for i, b := range before {
			if i >= len(after) || len(before) != len(after) || after[i].name != b.name || after[i].value >= b.value {
				continue
			}
			c.report("TS012", p.Path, after[i].line, []lint.Related{{Path: p.oldPath(), Line: b.line, Column: 1, Message: "it was " + figure(b.value)}},
				"coverage threshold %q goes from %s to %s", b.name, figure(b.value), figure(after[i].value))
		}
	}
}

type threshold struct {
	name  string
	value float64
	line  int
}

func thresholds(content []byte) []threshold {
	var found []threshold
	for n, line := range linesOf(content) {
		if len(line) > 2000 || len(found) > 200 {
			continue
		}
		for _, m := range thresholdForm.FindAllStringSubmatch(line, -1) {
			v, err := strconv.ParseFloat(m[2], 64)
			if err == nil && v <= 100 {
				found = append(found, threshold{strings.Trim(m[1], "<>-"), v, n + 1})
			}
		}
	}
	return found
}
