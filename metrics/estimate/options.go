package estimate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

// Options are the choices beside the columns. An empty or nil one leaves the
// choice to the method. A method refuses the options that it does not take.
type Options struct {
	// Control is never or not-yet: the units that a cohort is compared with.
	Control string
	// Estimator is dr, reg or ipw: how covariates enter group-time effects.
	Estimator string
	// BasePeriod is varying or universal.
	BasePeriod string
	// Aggregate is simple, group, dynamic or calendar.
	Aggregate string
	// Horizons bounds the time since the start.
	Horizons *Horizons
	// Draws and Seed are of whatever a method draws at random. No seed means 1.
	Draws *int
	Seed  *uint64
	// Folds is the K of the cross-fit t-test.
	Folds *int
	// Anticipation is how many periods before its start a unit may react.
	Anticipation *int
	// RepeatedCrossSections takes several rows of a unit in a period for
	// different observations.
	RepeatedCrossSections bool
}

// Horizons are the events from First to Last, periods since the start.
type Horizons struct{ First, Last int }

// ParseHorizons reads "A:B", such as "-5:10".
func ParseHorizons(s string) (Horizons, error) {
	bad := func() (Horizons, error) {
		return Horizons{}, refuse(ErrOption, "write the first and the last period since the start, like -5:10", "horizons %q are not A:B", s)
	}
	from, to, ok := strings.Cut(s, ":")
	if !ok {
		return bad()
	}
	const digits = 6
	if len(from) > digits || len(to) > digits {
		return bad()
	}
	first, err := strconv.Atoi(strings.TrimSpace(from))
	if err != nil {
		return bad()
	}
	last, err := strconv.Atoi(strings.TrimSpace(to))
	if err != nil {
		return bad()
	}
	if first > last {
		return Horizons{}, refuse(ErrOption, "write the smaller number first", "horizons %q end before they begin", s)
	}
	return Horizons{first, last}, nil
}

func (h Horizons) String() string { return fmt.Sprintf("%d:%d", h.First, h.Last) }

func (h Horizons) has(event int) bool { return h.First <= event && event <= h.Last }

// The values that options with names have.
var (
	controls    = []string{"never", "not-yet"}
	estimators  = []string{"dr", "reg", "ipw"}
	basePeriods = []string{"varying", "universal"}
	aggregates  = []string{"simple", "group", "dynamic", "calendar"}
)

// given lists the options that were set, as they are called.
func (o Options) given() []string {
	var out []string
	for _, c := range []struct {
		option string
		set    bool
	}{
		{"control", o.Control != ""},
		{"estimator", o.Estimator != ""},
		{"base-period", o.BasePeriod != ""},
		{"aggregate", o.Aggregate != ""},
		{"horizons", o.Horizons != nil},
		{"draws", o.Draws != nil},
		{"seed", o.Seed != nil},
		{"folds", o.Folds != nil},
		{"anticipation", o.Anticipation != nil},
		{"repeated-cross-sections", o.RepeatedCrossSections},
	} {
		if c.set {
			out = append(out, c.option)
		}
	}
	return out
}

// fewestDraws is how many it takes for a p-value of 5 %, the level of the
// intervals.
const fewestDraws = 19

// most bounds the numbers that options may be.
const most = 1_000_000

// check refuses values that no method knows.
func (o Options) check() error {
	for _, c := range []struct {
		option, value string
		valid         []string
	}{
		{"control", o.Control, controls},
		{"estimator", o.Estimator, estimators},
		{"base-period", o.BasePeriod, basePeriods},
		{"aggregate", o.Aggregate, aggregates},
	} {
		if c.value != "" && !slices.Contains(c.valid, c.value) {
			return refuse(ErrOption, "give "+either(c.valid), "--%s has no value %q", c.option, c.value)
		}
	}
	for _, c := range []struct {
		option string
		value  *int
		least  int
	}{
		{"draws", o.Draws, fewestDraws}, {"folds", o.Folds, 2}, {"anticipation", o.Anticipation, 0},
	} {
		if c.value != nil && (*c.value < c.least || *c.value > most) {
			return refuse(ErrOption, fmt.Sprintf("give a number from %d to %d", c.least, most), "--%s %d", c.option, *c.value)
		}
	}
	return nil
}

// either joins words with "or".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// draws is the number of draws, 0 where the method decides.
func (o Options) draws() int { return deref(o.Draws, 0) }

// seed is the seed of random draws.
func (o Options) seed() uint64 { return deref(o.Seed, 1) }

func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// The options in the terms of package did.

func (o Options) control() did.Control {
	if o.Control == "not-yet" {
		return did.NotYetTreated
	}
	return did.NeverTreated
}

func (o Options) adjustment() did.Adjustment {
	switch o.Estimator {
	case "reg":
		return did.OutcomeRegression
	case "ipw":
		return did.InverseProbability
	}
	return did.DoublyRobust
}

func (o Options) base() did.BasePeriod {
	if o.BasePeriod == "universal" {
		return did.Universal
	}
	return did.Varying
}
