package instructions

import (
	"time"

	"steelyard/lint"
	"steelyard/rules"
)

// reviewDue reports files whose own review date has passed.
var reviewDue = lint.Rule{ID: "IN017", Check: checkReviewDue}

var reviewForm = compile(`(?i)^(?:<!--)?\s*review(?:[ _-]?by|[ _-]?due)\s*:?\s*(\d{4}-\d{2}-\d{2})`)

func checkReviewDue(p *lint.Pass) {
	if p.Today().IsZero() {
		return
	}
	today := p.Today().UTC().Format(time.DateOnly)
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		for _, name := range []string{"review-by", "review_by", "reviewBy"} {
			if k, ok := d.Front.Get(name); ok && len(k.Values) > 0 {
				checkReviewDate(p, d, k.Values[0], k.ValueAt, today)
			}
		}
		for _, at := range d.Comments {
			if m := reviewForm.re().FindSubmatch(d.source[at.Start:at.End]); m != nil {
				checkReviewDate(p, d, string(m[1]), at, today)
			}
		}
	}
}

func checkReviewDate(p *lint.Pass, d *Doc, date string, at lint.Span, today string) {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		p.Reportf(d.File, at, "review date %q is not a date such as 2027-01-31", date)
		return
	}
	if today > date {
		p.Reportf(d.File, at, "the text was to be reviewed by %s", date)
	}
}
