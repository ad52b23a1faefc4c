package metrics

import (
	"slices"
	"strings"
	"time"
)

// Kind says what sort of number a pull-request metric is, and so how the value
// of a unit in a window is made of its pull requests.
type Kind string

// The kinds of pull-request metrics.
const (
	// KindDuration is a median of elapsed hours by Kaplan–Meier: what has not
	// ended yet counts as lasting at least until the data ends.
	KindDuration Kind = "duration"
	// KindSize is an ordinary median.
	KindSize Kind = "size"
	// KindRate is a number of events over what they are counted by; the value
	// in a window is the mean of the periods' rates.
	KindRate Kind = "rate"
	// KindShare is a rate between 0 and 1.
	KindShare Kind = "share"
	// KindCount is a number of events over an exposure, summed over a window.
	KindCount Kind = "count"
)

// RevertWindow is how long after its merge a pull request's revert is waited
// for. Younger merges are not yet known.
const RevertWindow = 30 * 24 * time.Hour

// Metric is the definition of a pull-request metric.
type Metric struct {
	ID    string
	Title string
	Kind  Kind
	// Definition says how it is counted, as a sentence fragment.
	Definition string
	// Measure names a value: "median hours".
	Measure string
	Unit    string
	Better  Better
	// Counter is true where the metric is a counter-metric unless a pilot says
	// otherwise.
	Counter bool

	// needs are the fields without which the metric is unknown; softly maps the
	// fields without which it is something else to what it is then.
	needs  []Field
	softly map[Field]string

	// span gives the two ends of a duration; a zero begin leaves the pull
	// request out, a zero end means it has not ended.
	span func(p PullRequest) (begin, end time.Time)
	// size gives the value of a KindSize metric; false where unknown.
	size func(p PullRequest) (float64, bool)
}

// stillOpen is what a duration is where the data does not say what was closed.
const stillOpen = "what was closed without merge counts as still open"

// UnmeasuredWithout names the metrics that a file without the fields cannot
// give, in the order of the catalogue.
func UnmeasuredWithout(lacks Fields) []string {
	var out []string
	for _, m := range catalogue() {
		if m.unknown(lacks) != 0 {
			out = append(out, m.ID)
		}
	}
	return out
}

// NeededOf are the fields of lacks without which some metric is unknown.
func NeededOf(lacks Fields) Fields {
	var out Fields
	for _, m := range catalogue() {
		out |= m.unknown(lacks)
	}
	return out
}

// unknown are the fields that the metric needs and lacks has.
func (m Metric) unknown(lacks Fields) Fields { return FieldSet(m.needs...) & lacks }

// The rate is one a week: of a pilot over other periods it would be another
// number under the same name.
const (
	rateID   = "merged_per_author_week"
	rateNoun = "week"
)

// catalogue is every metric, in the order it is shown.
func catalogue() []Metric {
	return []Metric{
		{
			ID: "open_to_merge", Title: "Open to merge", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "opened → merged",
			needs:      []Field{FieldMerged}, softly: map[Field]string{FieldClosed: stillOpen},
			span: func(p PullRequest) (time.Time, time.Time) { return p.Opened, p.Merged },
		},
		{
			ID: "ready_to_merge", Title: "Ready to merge", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "ready for review (opened, if it never was a draft) → merged",
			needs:      []Field{FieldReady, FieldMerged}, softly: map[Field]string{FieldClosed: stillOpen},
			span: func(p PullRequest) (time.Time, time.Time) { return p.readyAt(), p.Merged },
		},
		{
			ID: "time_to_first_review", Title: "Time to first review", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "ready for review → first review by a person who is not the author",
			needs:      []Field{FieldFirstReview},
			softly:     map[Field]string{FieldReady: "the time counts from the opening, drafts included", FieldClosed: stillOpen},
			span:       func(p PullRequest) (time.Time, time.Time) { return p.readyAt(), p.FirstReview },
		},
		{
			ID: "review_time", Title: "Review time", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "first review → merged",
			needs:      []Field{FieldFirstReview, FieldMerged}, softly: map[Field]string{FieldClosed: stillOpen},
			span: func(p PullRequest) (time.Time, time.Time) { return p.FirstReview, p.Merged },
		},
		{
			ID: rateID, Title: "Merged per author-week", Kind: KindRate, Measure: "pull requests", Unit: "", Better: BetterNeutral,
			Definition: "merged pull requests ÷ author-weeks with any activity (a pull request opened, merged or closed)",
			needs:      []Field{FieldAuthor, FieldMerged},
		},
		{
			ID: "reverts", Title: "Reverts within 30 days", Kind: KindCount, Measure: "count", Unit: "", Better: BetterLower, Counter: true,
			Definition: "merged pull requests reverted within 30 days of their merge, booked to the merge date; merges younger than 30 days are not yet known",
			needs:      []Field{FieldMerged, FieldRevertedAt},
		},
		{
			ID: "abandoned", Title: "Abandoned", Kind: KindShare, Measure: "share closed unmerged", Unit: "share", Better: BetterLower,
			Definition: "closed without merge ÷ closed",
			needs:      []Field{FieldMerged, FieldClosed},
		},
		{
			ID: "size", Title: "Size", Kind: KindSize, Measure: "median lines changed", Unit: "lines", Better: BetterNeutral,
			Definition: "lines added + deleted",
			needs:      []Field{FieldAdditions, FieldDeletions},
			size: func(p PullRequest) (float64, bool) {
				if p.Additions < 0 || p.Deletions < 0 {
					return 0, false
				}
				return float64(p.Additions) + float64(p.Deletions), true
			},
		},
	}
}

// Catalogue returns the outcomes that pull requests can be measured by, the
// counter-metric marked as such and all others as secondary.
func Catalogue() []Outcome {
	var out []Outcome
	for _, m := range catalogue() {
		out = append(out, m.outcome())
	}
	return out
}

// CatalogueOutcome returns one outcome of the catalogue.
func CatalogueOutcome(id string) (Outcome, bool) {
	m, ok := CatalogueMetric(id)
	if !ok {
		return Outcome{}, false
	}
	return m.outcome(), true
}

// CatalogueMetric returns the definition of one metric of the catalogue.
func CatalogueMetric(id string) (Metric, bool) {
	all := catalogue()
	i := slices.IndexFunc(all, func(m Metric) bool { return m.ID == id })
	if i < 0 {
		return Metric{}, false
	}
	return all[i], true
}

func (m Metric) outcome() Outcome {
	o := Outcome{ID: m.ID, Title: m.Title, Unit: m.Unit, Better: m.Better, Role: RoleSecondary}
	if m.Counter {
		o.Role = RoleCounter
	}
	return o
}

func catalogueIDs() string {
	var ids []string
	for _, m := range catalogue() {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, ", ")
}

func (p PullRequest) readyAt() time.Time {
	if p.Ready.IsZero() {
		return p.Opened
	}
	return p.Ready
}
