package instructions

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
	"steelyard/rules"
)

// Guidelines say how often instructions are looked at again. The rule about it
// takes them from [lint.Config.Given].
type Guidelines struct {
	Every time.Duration // 0 for no interval
	Paths []string      // globs of the files that must carry a date
}

// notReviewed reports files that nobody has looked at for longer than the team
// wants, and those that do not say when.
var notReviewed = lint.Rule{ID: "IN022", Check: checkNotReviewed}

var reviewedForm = regexp.MustCompile(`(?i)^(?:<!--)?\s*(?:last[ _-])?reviewed(?:[ _-](?:on|at))?\s*:?\s*(\d{4}-\d{2}-\d{2})`)

func checkNotReviewed(p *lint.Pass) {
	want, ok := lint.Given[Guidelines](p)
	if !ok || p.Today().IsZero() {
		p.Abstain()
		return
	}
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		date, at, found := lastReview(d)
		switch {
		case !found:
			if required(want.Paths, d.File.Path) && !hasReviewBy(d) {
				p.ReportFile(d.File, nil, "the file does not say when somebody looked at it, and policy.guidelines wants it to")
			}
		case date.IsZero():
			p.Reportf(d.File, at, "the date of the last look is not a date such as 2027-01-31")
		case want.Every > 0 && p.Today().After(date.Add(want.Every).AddDate(0, 0, 1)):
			p.Reportf(d.File, at, "somebody last looked at it on %s, and policy.guidelines wants it every %d days", date.Format(time.DateOnly), want.Every/(24*time.Hour))
		}
	}
}

// lastReview is the latest day on which somebody looked at a file, as it says;
// zero where one of the dates is none.
func lastReview(d *Doc) (date time.Time, at lint.Span, found bool) {
	take := func(text string, where lint.Span) {
		day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
		if err != nil {
			day = time.Time{}
		}
		if !found || day.After(date) {
			date, at = day, where
		}
		found = true
	}
	for _, name := range []string{"reviewed", "last-reviewed", "last_reviewed", "lastReviewed"} {
		if k, ok := d.Front.Get(name); ok && len(k.Values) > 0 {
			take(k.Values[0], k.ValueAt)
		}
	}
	for _, where := range d.Comments {
		if m := reviewedForm.FindSubmatch(d.source[where.Start:where.End]); m != nil {
			take(string(m[1]), where)
		}
	}
	return date, at, found
}

// hasReviewBy reports whether a file names the day of its next review, which
// IN017 holds it to.
func hasReviewBy(d *Doc) bool {
	for _, name := range []string{"review-by", "review_by", "reviewBy"} {
		if _, ok := d.Front.Get(name); ok {
			return true
		}
	}
	return slices.ContainsFunc(d.Comments, func(at lint.Span) bool { return reviewForm.re().Match(d.source[at.Start:at.End]) })
}

func required(globs []string, path string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return lint.Spelled(glob) && doublestar.MatchUnvalidated(glob, path) })
}
