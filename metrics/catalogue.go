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
	span func(p *PullRequest) (begin, end time.Time)
	// stops is true where nobody waits for the end any more once a pull request
	// is closed: it is censored there. Elsewhere what is closed short of the
	// end can never reach it, and lasts for as long as the data does.
	stops bool
	// minutes is true where lengths are whole minutes, rounded up, and not
	// hours.
	minutes bool
	// deploys is true where the end is a deployment, which is known as far as
	// the repository's deployments are.
	deploys bool
	// size gives the value of a KindSize metric; false where unknown.
	size func(p *PullRequest) (float64, bool)
	// tally gives a closed pull request's part in a rate or share: what is
	// counted and what it is counted over; false where unknown. It is booked to
	// the closing, because before it the count may still grow. Both are whole
	// numbers, so that the order in which they are added up decides nothing.
	tally func(p *PullRequest) (num, den float64, ok bool)
}

// perUnit is how many of the metric's units an hour has.
func (m Metric) perUnit() float64 {
	if m.minutes {
		return 60
	}
	return 1
}

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
