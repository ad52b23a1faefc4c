package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"steelyard/metrics"
)

const periodCure = "write a day or a week's first day as 2024-08-05, a month as 2024-08, a year as 2003, or a whole number"

// periods reads the periods of one panel. All are of one kind, that of the
// first one read. What was read is kept, since periods repeat.
type periods struct {
	kind  metrics.PeriodKind
	line  int // where the kind was decided
	times map[string]int
	first map[string]int
}

// maxKept bounds the periods that are kept; more are read anew.
const maxKept = 1 << 16

func newPeriods() *periods {
	return &periods{times: map[string]int{}, first: map[string]int{}}
}

// time reads a value of the time column.
func (p *periods) time(v []byte, line int) (int, *flaw) {
	v = bytes.TrimSpace(v)
	if n, ok := p.times[string(v)]; ok {
		return n, nil
	}
	if missing(v) {
		return 0, &flaw{"is missing", periodCure}
	}
	text := withoutFraction(v)
	if p.kind == "" {
		kind, _, err := metrics.ParsePeriod(text)
		if err != nil {
			return 0, p.misfit(text)
		}
		p.kind, p.line = kind, line
	}
	n, err := p.kind.Parse(text)
	if err != nil {
		return 0, p.misfit(text)
	}
	keep(p.times, v, n)
	return n, nil
}

// firstTreated reads a value of the column of first treated periods; the kind
// is known by then. Missing, "never" and "Inf" mean never, and so does 0 in a
// panel of years or whole numbers.
func (p *periods) firstTreated(v []byte) (int, *flaw) {
	v = bytes.TrimSpace(v)
	if n, ok := p.first[string(v)]; ok {
		return n, nil
	}
	if missing(v) || bytes.EqualFold(v, []byte("never")) || bytes.EqualFold(v, []byte("Inf")) {
		return metrics.Never, nil
	}
	n, f := p.start(withoutFraction(v))
	switch {
	case f != nil:
		return 0, &flaw{f.problem, f.cure + "; leave it empty where the unit is never treated"}
	case n == 0 && p.numbers():
		n = metrics.Never
	}
	keep(p.first, v, n)
	return n, nil
}

// start reads a first treated period. A panel of years may name any whole
// number, since some tables write 9999 or 10000 for a start after the end.
func (p *periods) start(text string) (int, *flaw) {
	kind := p.kind
	if p.numbers() {
		kind = metrics.PeriodInteger
	}
	n, err := kind.Parse(text)
	if err != nil {
		return 0, p.misfit(text)
	}
	return n, nil
}

// numbers reports whether the panel's periods are written as whole numbers.
func (p *periods) numbers() bool {
	return p.kind == metrics.PeriodInteger || p.kind == metrics.PeriodYear
}

// misfit says why a text is no period of this panel.
func (p *periods) misfit(text string) *flaw {
	kind, _, err := metrics.ParsePeriod(text)
	switch {
	case err == nil && p.kind != "":
		return &flaw{
			fmt.Sprintf("is %s, and line %d has %s", kindNoun(kind), p.line, kindNoun(p.kind)),
			"write all periods of a file in one form",
		}
	case strings.Contains(text, ":"):
		return &flaw{"is not a whole day", "write the day alone, as 2024-08-05"}
	case tooManyDigits(text):
		return &flaw{"is too large for a period", "count periods in at most 9 digits"}
	case farYear(text):
		return &flaw{"is not between the years 1900 and 2199", "correct it"}
	case p.kind != "":
		return &flaw{"is not " + kindNoun(p.kind), periodCure}
	}
	return &flaw{"is not a period", periodCure}
}

// tooManyDigits reports whether a text is a whole number that is no period for
// its size alone.
func tooManyDigits(text string) bool {
	number := strings.TrimLeft(text, "+-")
	return len(number) > 9 && digits([]byte(number))
}

// farYear reports whether a text is a day or a month of a year that is not
// taken.
func farYear(text string) bool {
	for _, form := range []string{time.DateOnly, "2006-01"} {
		if d, err := time.Parse(form, text); err == nil {
			return d.Year() < 1900 || d.Year() > 2199
		}
	}
	return false
}

// withoutFraction turns "2004.0" into "2004": tables with gaps are often
// written that way.
func withoutFraction(v []byte) string {
	whole, zeros, ok := bytes.Cut(v, []byte("."))
	if ok && len(zeros) > 0 && len(bytes.Trim(zeros, "0")) == 0 && digits(bytes.TrimLeft(whole, "+-")) {
		return string(whole)
	}
	return string(v)
}

func keep(known map[string]int, v []byte, n int) {
	if len(known) >= maxKept {
		clear(known)
	}
	known[string(v)] = n
}

func kindNoun(k metrics.PeriodKind) string {
	if k == metrics.PeriodInteger {
		return "a whole number"
	}
	return "a " + string(k)
}
