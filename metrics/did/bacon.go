package did

import (
	"cmp"
	"slices"
)

// ComparisonKind is what a part of the [Bacon] decomposition compares.
type ComparisonKind int

const (
	// TreatedVsUntreated compares a cohort with units never treated.
	TreatedVsUntreated ComparisonKind = iota
	// EarlierVsLater compares a cohort with a later one, before that starts.
	EarlierVsLater
	// LaterVsEarlier compares a cohort with an earlier one that is treated
	// already: what that one's effect gains in the meantime is subtracted.
	LaterVsEarlier
	// LaterVsAlways compares a cohort with units treated throughout.
	LaterVsAlways
)

// String names the kind as R's bacondecomp does.
func (k ComparisonKind) String() string {
	switch k {
	case TreatedVsUntreated:
		return "Treated vs Untreated"
	case EarlierVsLater:
		return "Earlier vs Later Treated"
	case LaterVsEarlier:
		return "Later vs Earlier Treated"
	case LaterVsAlways:
		return "Later vs Always Treated"
	default:
		return "unknown"
	}
}

// Forbidden reports whether the comparison is with units treated already.
func (k ComparisonKind) Forbidden() bool { return k == LaterVsEarlier || k == LaterVsAlways }

// Comparison is one 2×2 inside a two-way fixed effects regression.
type Comparison struct {
	// Treated and Comparison are first treated periods; Comparison is [Never]
	// for units never treated. Units treated throughout carry the first
	// period of the panel.
	Treated, Comparison int
	Kind                ComparisonKind
	Effect, Weight      float64
}

// Bacon is the answer of [GoodmanBacon].
type Bacon struct {
	// Effect is the two-way fixed effects coefficient: the sum of effect times
	// weight over Parts, whose weights add up to 1.
	Effect float64
	// Parts are sorted by Treated, then Comparison.
	Parts []Comparison
}

// Kind adds up the weight of a kind and averages its effects by weight.
func (b *Bacon) Kind(kind ComparisonKind) (effect, weight float64) {
	for _, p := range b.Parts {
		if p.Kind == kind {
			effect += p.Weight * p.Effect
			weight += p.Weight
		}
	}
	if weight > 0 {
		effect /= weight
	}
	return effect, weight
}

// Forbidden is the weight on comparisons with units treated already.
func (b *Bacon) Forbidden() float64 {
	_, earlier := b.Kind(LaterVsEarlier)
	_, always := b.Kind(LaterVsAlways)
	return earlier + always
}

// GoodmanBacon decomposes the two-way fixed effects coefficient of a panel
// without gaps into all comparisons of two cohorts in two windows of time
// (Goodman-Bacon, "Difference-in-differences with variation in treatment
// timing", 2021). Without covariates and weights.
func GoodmanBacon(p Panel) (*Bacon, error) {
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	return t.decompose()
}

// decompose is [GoodmanBacon] of a table without covariates and weights.
func (t *table) decompose() (*Bacon, error) {
	if !t.balanced() {
		return nil, refuse(ErrShape, "the decomposition needs every unit in every period: %d rows of %d units by %d periods", t.rows(), t.units(), len(t.periods))
	}
	groups := newTimingGroups(t)
	b := &Bacon{}
	for _, k := range groups {
		for _, l := range groups {
			if part, ok := compare(k, l, len(t.periods)); ok {
				b.Parts = append(b.Parts, part)
			}
		}
	}
	var total float64
	for _, part := range b.Parts {
		total += part.Weight
	}
	if total == 0 {
		if groups[0].from >= len(t.periods) {
			return nil, refuse(ErrNoTreated, "no unit is treated by the last period")
		}
		return nil, refuse(ErrNotIdentified, "no two cohorts can be compared: units differ neither in whether nor in when they start")
	}
	for i := range b.Parts {
		b.Parts[i].Weight /= total
		b.Effect += b.Parts[i].Weight * b.Parts[i].Effect
	}
	slices.SortFunc(b.Parts, func(x, y Comparison) int {
		return cmp.Or(cmp.Compare(x.Treated, y.Treated), cmp.Compare(x.Comparison, y.Comparison))
	})
	return b, nil
}

// timingGroup is the units that start in one period.
type timingGroup struct {
	first int // period number, or Never
	from  int // index of the first treated period; len(periods) if never
	units float64
	mean  []float64 // by period
}

// newTimingGroups sorts groups by start. Outcomes are taken less their unit's
// first, so that levels cost no digits.
func newTimingGroups(t *table) []timingGroup {
	index := map[int]int{}
	var groups []timingGroup
	for u, first := range t.first {
		switch {
		case first <= t.periods[0]:
			first = t.periods[0]
		case !t.treated(first):
			first = Never
		}
		at, ok := index[first]
		if !ok {
			at = len(groups)
			index[first] = at
			from, _ := slices.BinarySearch(t.periods, first)
			groups = append(groups, timingGroup{first: first, from: from, mean: make([]float64, len(t.periods))})
		}
		groups[at].units++
		base := t.y[t.start[u]]
		for i := t.start[u]; i < t.start[u+1]; i++ {
			groups[at].mean[t.period[i]] += t.y[i] - base
		}
	}
	slices.SortFunc(groups, func(a, b timingGroup) int { return cmp.Compare(a.from, b.from) })
	for _, g := range groups {
		scaleBy(g.mean, 1/g.units)
	}
	return groups
}

// compare is the comparison of treated group k with l, its weight not yet
// divided by the sum; ok is false where there is none.
func compare(k, l timingGroup, periods int) (c Comparison, ok bool) {
	if k.from == l.from || k.from == 0 || k.from >= periods {
		return c, false
	}
	c = Comparison{Treated: k.first, Comparison: l.first}
	from, to := 0, periods // window
	switch {
	case l.from >= periods:
		c.Kind = TreatedVsUntreated
	case l.from == 0:
		c.Kind = LaterVsAlways
	case k.from < l.from:
		c.Kind, to = EarlierVsLater, l.from
	default:
		c.Kind, from = LaterVsEarlier, l.from
	}
	c.Effect = mean(k.mean[k.from:to]) - mean(k.mean[from:k.from]) -
		(mean(l.mean[k.from:to]) - mean(l.mean[from:k.from]))
	// (units·length)² times the variance of being treated in this window.
	c.Weight = k.units * l.units * float64(to-k.from) * float64(k.from-from)
	return c, true
}
