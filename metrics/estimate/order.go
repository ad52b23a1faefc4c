package estimate

import (
	"cmp"
	"slices"
	"strings"
)

// sortClusters numbers clusters in the order of their names: draws by cluster
// do not depend on which stands first in the file.
func (d *Data) sortClusters() {
	order := make([]int, len(d.clusters))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(d.clusters[a], d.clusters[b]) })
	place := make([]int, len(order))
	for at, k := range order {
		place[k] = at
	}
	d.clusters = permuted(d.clusters, order)
	for i, k := range d.cluster {
		d.cluster[i] = place[k]
	}
}

// sortRows puts rows in an order that their values alone decide, where several
// may stand in one cell: sums depend on the order, in their last digits.
func (d *Data) sortRows() {
	order := make([]int, d.rows())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, d.compareRows)
	p := &d.panel
	p.Unit, p.Time = permuted(p.Unit, order), permuted(p.Time, order)
	p.Y, p.Weight = permuted(p.Y, order), permuted(p.Weight, order)
	for k, x := range p.X {
		p.X[k] = permuted(x, order)
	}
	d.exposure, d.cluster, d.line = permuted(d.exposure, order), permuted(d.cluster, order), permuted(d.line, order)
	d.censored, d.treated = permuted(d.censored, order), permuted(d.treated, order)
}

// compareRows orders two rows by all of their values.
func (d *Data) compareRows(a, b int) int {
	p := d.panel
	c := cmp.Or(
		at(p.Unit, a, b), at(p.Time, a, b), at(d.cluster, a, b), on(d.treated, a, b),
		at(p.Y, a, b), at(p.Weight, a, b), at(d.exposure, a, b), on(d.censored, a, b),
	)
	for k := 0; c == 0 && k < len(p.X); k++ {
		c = at(p.X[k], a, b)
	}
	return c
}

// at compares two values of a column, which may be absent.
func at[T cmp.Ordered](column []T, a, b int) int {
	if column == nil {
		return 0
	}
	return cmp.Compare(column[a], column[b])
}

// on compares two flags of a column, which may be absent.
func on(column []bool, a, b int) int {
	switch {
	case column == nil || column[a] == column[b]:
		return 0
	case column[a]:
		return 1
	}
	return -1
}

// permuted is a column in another order; an absent one stays so.
func permuted[T any](column []T, order []int) []T {
	if column == nil {
		return nil
	}
	out := make([]T, len(order))
	for to, from := range order {
		out[to] = column[from]
	}
	return out
}
