package ingest

import (
	"slices"
	"strings"

	"steelyard/metrics"
)

// unitNouns are words that a column of units may be named by; a value is what
// the word is short for.
var unitNouns = map[string]string{
	"team": "", "squad": "", "tribe": "", "group": "", "department": "", "division": "", "organisation": "", "organization": "",
	"org": "organization", "company": "", "firm": "", "repository": "", "repo": "repository", "project": "", "service": "",
	"package": "", "module": "", "component": "", "product": "", "app": "", "developer": "", "engineer": "", "person": "",
	"site": "", "office": "", "store": "", "shop": "", "plant": "", "school": "", "hospital": "", "cluster": "", "cohort": "",
	"country": "", "county": "", "state": "", "province": "", "region": "", "district": "", "city": "",
}

// unitNoun is what a unit is called, by the name of its column: "team" of
// team_name, "repository" of repo. It is "unit" where the name is no word for
// one.
func unitNoun(column string) string {
	for _, word := range words(column) {
		if long, ok := unitNouns[word]; ok {
			if long != "" {
				return long
			}
			return word
		}
	}
	return "unit"
}

// words are the lower-case words of a column's name.
func words(column string) []string {
	return strings.FieldsFunc(strings.ToLower(column), func(r rune) bool { return r < 'a' || r > 'z' })
}

// spans are words for a stretch of time that dates alone do not show.
var spans = []string{"sprint", "iteration", "fortnight", "release", "season", "quarter", "semester", "term"}

// counters are words for periods that are numbered.
var counters = []string{"day", "week", "month", "year", "round", "wave", "cycle"}

// periodNoun is what a period is called: by the steps in which the file's
// periods lie (a column of Mondays is weeks), and by the column's name where
// that says more.
func periodNoun(kind metrics.PeriodKind, column string, head []metrics.PanelRow) string {
	named := ""
	for _, word := range words(column) {
		if slices.Contains(spans, word) || kind == metrics.PeriodInteger && slices.Contains(counters, word) {
			named = word
			break
		}
	}
	step := stepOf(head)
	switch {
	case kind == metrics.PeriodInteger && named != "":
		return named
	case kind == metrics.PeriodInteger:
		return "period"
	case named != "" && (step > 1 || len(head) < 2):
		return named
	case kind == metrics.PeriodDay && step > 0 && step%7 == 0,
		kind == metrics.PeriodDay && step == 0 && slices.Contains(words(column), "week"):
		return "week"
	case kind == metrics.PeriodMonth && step > 0 && step%12 == 0:
		return "year"
	case kind == metrics.PeriodMonth && step > 0 && step%3 == 0:
		return "quarter"
	}
	return string(kind)
}

// stepOf is the greatest common divisor of the distances between the periods,
// 0 where there is only one.
func stepOf(rows []metrics.PanelRow) int {
	step := 0
	for _, r := range rows {
		a, b := step, max(r.Period-rows[0].Period, rows[0].Period-r.Period)
		for b != 0 {
			a, b = b, a%b
		}
		step = a
	}
	return step
}
