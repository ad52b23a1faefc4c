package estimate

import "steelyard/metrics/did"

// The four cells of a comparison of two windows.
const (
	treatedBefore = iota
	treatedAfter
	comparisonBefore
	comparisonAfter
)

var cellNames = [4]string{"treated-before", "treated-after", "comparison-before", "comparison-after"}

// twoWindows is the data without units that were treated from the beginning,
// which have no before, and the one start of the others.
func (t *task) twoWindows() (*Data, int, error) {
	start, err := t.d.oneStart()
	if err != nil {
		return nil, 0, err
	}
	first := t.d.periods()[0]
	keep, left := make([]bool, t.d.rows()), 0
	for i, u := range t.d.panel.Unit {
		keep[i] = t.d.panel.First[u] > first
		if !keep[i] {
			left++
		}
	}
	if left == 0 {
		return t.d, start, nil
	}
	t.warn("left out %s of units treated in or before the first period, which have no time before", counted(left, "row"))
	d := t.d.only(keep)
	t.a.N = d.counts()
	return d, start, nil
}

// cellOf is the cell of row i.
func (d *Data) cellOf(i, start int) int {
	cell := comparisonBefore
	if d.panel.First[d.panel.Unit[i]] == start {
		cell = treatedBefore
	}
	if d.panel.Time[i] >= start {
		cell++
	}
	return cell
}

// only is the data with some of its rows.
func (d *Data) only(keep []bool) *Data {
	out := *d
	out.panel = did.Panel{
		Unit: picked(d.panel.Unit, keep), Time: picked(d.panel.Time, keep), Y: picked(d.panel.Y, keep),
		First: d.panel.First, Weight: picked(d.panel.Weight, keep),
	}
	for _, x := range d.panel.X {
		out.panel.X = append(out.panel.X, picked(x, keep))
	}
	out.exposure, out.cluster = picked(d.exposure, keep), picked(d.cluster, keep)
	out.censored, out.treated, out.line = picked(d.censored, keep), picked(d.treated, keep), picked(d.line, keep)
	return &out
}

// picked are the values that are kept; nil stays nil.
func picked[T any](xs []T, keep []bool) []T {
	if xs == nil {
		return nil
	}
	out := make([]T, 0, len(xs))
	for i, x := range xs {
		if keep[i] {
			out = append(out, x)
		}
	}
	return out
}
