package did

import (
	"fmt"
	"math"
	"slices"
)

// table is a validated panel in compressed form: the rows of unit u are
// start[u] to start[u+1], by period.
type table struct {
	periods []int       // distinct period numbers, ascending
	first   []int       // first treated period by unit
	start   []int       // len(first)+1 offsets
	period  []int       // index into periods by row
	y       []float64   // outcome by row
	scale   float64     // largest absolute outcome
	x       [][]float64 // covariates by row, nil for none
	w       []float64   // weights by row, nil for equal ones
}

func (t *table) rows() int          { return len(t.y) }
func (t *table) units() int         { return len(t.first) }
func (t *table) size(unit int) int  { return t.start[unit+1] - t.start[unit] }
func (t *table) balanced() bool     { return t.rows() == t.units()*len(t.periods) }
func (t *table) lastPeriod() int    { return t.periods[len(t.periods)-1] }
func (t *table) treated(g int) bool { return g <= t.lastPeriod() }

// weightOf is the weight of row i.
func (t *table) weightOf(i int) float64 {
	if t.w == nil {
		return 1
	}
	return t.w[i]
}

// treatedRows counts the rows of a unit from its start on.
func (t *table) treatedRows(unit int) int {
	n := 0
	for i := t.start[unit]; i < t.start[unit+1]; i++ {
		if t.periods[t.period[i]] >= t.first[unit] {
			n++
		}
	}
	return n
}

// newTable is [newWideTable] for methods that take neither covariates nor
// weights: leaving them out silently would answer another question.
func newTable(p Panel) (*table, error) {
	if len(p.X) > 0 {
		return nil, refuse(ErrOption, "this method takes no covariates")
	}
	if p.Weight != nil {
		return nil, refuse(ErrOption, "this method takes no weights")
	}
	return newWideTable(p)
}

// newWideTable checks p and sorts its rows by unit and period in linear time.
// Units without a row are left out.
func newWideTable(p Panel) (*table, error) { return readTable(p, false) }

// readTable is [newWideTable]; repeats allows a unit several rows a period.
func readTable(p Panel, repeats bool) (*table, error) {
	scale, err := checkPanel(p)
	if err != nil {
		return nil, err
	}
	t := &table{scale: scale}
	at, err := t.indexPeriods(p.Time)
	if err != nil {
		return nil, err
	}
	n := len(p.Y)
	byPeriod := countingSort(nil, at, len(t.periods))
	order := countingSort(byPeriod, p.Unit, len(p.First))
	t.period = make([]int, n)
	t.y = make([]float64, n)
	for i, row := range order {
		t.period[i], t.y[i] = at[row], p.Y[row]
		if i > 0 && p.Unit[order[i-1]] == p.Unit[row] {
			if t.period[i] == t.period[i-1] && !repeats {
				return nil, refuse(ErrDuplicate, "unit %d has two rows in period %d: keep one", p.Unit[row], p.Time[row])
			}
			continue
		}
		t.start = append(t.start, i)
		t.first = append(t.first, p.First[p.Unit[row]])
	}
	t.start = append(t.start, n)
	for _, column := range p.X {
		t.x = append(t.x, permuted(column, order))
	}
	if p.Weight != nil {
		t.w = permuted(p.Weight, order)
	}
	return t, nil
}

// permuted returns xs in the given order.
func permuted(xs []float64, order []int) []float64 {
	out := make([]float64, len(xs))
	for i, row := range order {
		out[i] = xs[row]
	}
	return out
}

// checkPanel checks what can be seen row by row and returns the largest
// absolute outcome.
func checkPanel(p Panel) (float64, error) {
	if len(p.Unit) != len(p.Y) || len(p.Time) != len(p.Y) {
		return 0, refuse(ErrShape, "panel has %d units, %d times and %d outcomes: one of each a row is needed",
			len(p.Unit), len(p.Time), len(p.Y))
	}
	if len(p.Y) == 0 {
		return 0, refuse(ErrTooFewUnits, "panel has no rows")
	}
	var scale float64
	for i, y := range p.Y {
		if u := p.Unit[i]; u < 0 || u >= len(p.First) {
			return 0, refuse(ErrShape, "row %d names unit %d of %d", i+1, u, len(p.First))
		}
		if !finite(y) {
			return 0, refuse(ErrNotFinite, "row %d (unit %d, period %d): outcome is %v: leave missing rows out first", i+1, p.Unit[i], p.Time[i], y)
		}
		if abs := math.Abs(y); abs > scale {
			scale = abs
		}
	}
	for k, column := range p.X {
		if len(column) != len(p.Y) {
			return 0, refuse(ErrShape, "covariate %d has %d values for %d rows", k+1, len(column), len(p.Y))
		}
		if err := checkFinite(fmt.Sprintf("covariate %d, row", k+1), column); err != nil {
			return 0, err
		}
	}
	if err := checkWeights(p.Weight, len(p.Y)); err != nil {
		return 0, err
	}
	if scale > 1e150 {
		return 0, refuse(ErrNotFinite, "outcome of size %g is too large to be squared: rescale it", scale)
	}
	return scale, nil
}

// checkWeights wants nil, or one positive finite weight a row.
func checkWeights(weights []float64, rows int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != rows {
		return refuse(ErrShape, "%d weights for %d rows", len(weights), rows)
	}
	for i, w := range weights {
		if !finite(w) || w <= 0 {
			return refuse(ErrOption, "weight of row %d is %v: weights are positive numbers", i+1, w)
		}
	}
	return nil
}

// indexPeriods fills t.periods and returns each row's index into it.
func (t *table) indexPeriods(times []int) ([]int, error) {
	lo, hi := slices.Min(times), slices.Max(times)
	at := make([]int, len(times))
	// Period numbers are consecutive as a rule: then a table replaces a search.
	if span := uint64(hi) - uint64(lo); span < uint64(4*len(times)+1024) {
		index := make([]int, span+1)
		for _, x := range times {
			index[x-lo] = 1
		}
		for i, seen := range index {
			if seen == 1 {
				index[i] = len(t.periods)
				t.periods = append(t.periods, lo+i)
			}
		}
		for i, x := range times {
			at[i] = index[x-lo]
		}
	} else {
		t.periods = slices.Compact(slices.Sorted(slices.Values(times)))
		for i, x := range times {
			at[i], _ = slices.BinarySearch(t.periods, x)
		}
	}
	if len(t.periods) < 2 {
		return nil, refuse(ErrTooFewPeriods, "panel has 1 period: a change needs at least 2")
	}
	return at, nil
}

// countingSort returns order (nil: 0, 1, 2, …) sorted stably by key[order[i]],
// where 0 ≤ key < n.
func countingSort(order, key []int, n int) []int {
	next := make([]int, n+1)
	for _, k := range key {
		next[k+1]++
	}
	for k := range n {
		next[k+1] += next[k]
	}
	out := make([]int, len(key))
	for i := range key {
		row := i
		if order != nil {
			row = order[i]
		}
		k := key[row]
		out[next[k]] = row
		next[k]++
	}
	return out
}
