package did

import "math"

// TwoByTwoOptions are the choices of [TwoByTwo].
type TwoByTwoOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// FewTreated asks for a cluster-robust error even with one cluster on a
	// side; see [FixedEffectsOptions].
	FewTreated bool
}

// CellMean is the mean of the rows of one side before or after the start.
type CellMean struct {
	Mean float64
	// SE is the standard error of a mean of independent rows, 0 where HasSE is
	// false.
	SE    float64
	HasSE bool
	Rows  int
}

// TwoByTwoEffects is the answer of [TwoByTwo].
type TwoByTwoEffects struct {
	TreatedBefore, TreatedAfter, ComparisonBefore, ComparisonAfter CellMean
	// Homoskedastic, HC1 and Clustered are the same difference in differences
	// of the four means with three standard errors.
	Homoskedastic, HC1, Clustered Estimate
	// Refusal says why Clustered has no standard error where one would
	// mislead; empty where it has one.
	Refusal string
	// Balanced compares the changes of units seen on both sides of the start;
	// nil where a side has none.
	Balanced *BalancedEffects
}

// BalancedEffects compares the mean changes of two groups of units.
type BalancedEffects struct {
	// Pooled takes both groups to be equally noisy; Welch does not, with
	// Satterthwaite's degrees of freedom. Neither has a standard error where a
	// group has one unit.
	Pooled, Welch       Estimate
	Treated, Comparison int
}

// TwoByTwo is the plain difference in differences of four means: rows of units
// that start, and rows of units that do not, before and after the one start.
// Its pooled form is least squares on treated, after and their product, with
// every row: N − 4 degrees of freedom, HC1 with N/(N−4), clusters with
// G/(G−1)·(N−1)/(N−4) and G − 1. Units with several rows before or after have
// the mean of these in Balanced.
func TwoByTwo(p Panel, o TwoByTwoOptions) (*TwoByTwoEffects, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	t, err := newTable(p)
	if err != nil {
		return nil, err
	}
	cluster, err := clusters(p, o.Cluster)
	if err != nil {
		return nil, err
	}
	start, err := t.oneStart()
	if err != nil {
		return nil, err
	}
	q := &twoByTwo{t: t, start: start, cluster: cluster, level: level}
	return q.run(o.FewTreated)
}

// oneStart is the period in which all treated units start.
func (t *table) oneStart() (int, error) {
	start, found := 0, false
	for _, g := range t.first {
		if !t.treated(g) {
			continue
		}
		if g <= t.periods[0] {
			return 0, refuse(ErrTooFewPeriods, "a unit is treated from the first period on: it has nothing before to be compared with, leave it out first")
		}
		if found && g != start {
			return 0, refuse(ErrNotIdentified, "units start in periods %d and %d: one start is needed, see CallawaySantAnna", min(g, start), max(g, start))
		}
		start, found = g, true
	}
	if !found {
		return 0, refuse(ErrNoTreated, "no unit is treated by the last period")
	}
	return start, nil
}

// cell numbers the four cells: comparison before and after, treated before and
// after.
type twoByTwo struct {
	t       *table
	start   int
	cluster []int
	level   float64
	n, mean [4]float64
	squares [4]float64 // about the mean
}

func (q *twoByTwo) cell(u, i int) int {
	c := 0
	if q.t.treated(q.t.first[u]) {
		c = 2
	}
	if q.t.periods[q.t.period[i]] >= q.start {
		c++
	}
	return c
}

func (q *twoByTwo) each(do func(u, i, cell int)) {
	for u := range q.t.first {
		for i := q.t.start[u]; i < q.t.start[u+1]; i++ {
			do(u, i, q.cell(u, i))
		}
	}
}

func (q *twoByTwo) run(fewTreated bool) (*TwoByTwoEffects, error) {
	q.each(func(_, i, c int) {
		q.n[c]++
		q.mean[c] += q.t.y[i]
	})
	for c, name := range [4]string{"comparison rows before", "comparison rows after", "treated rows before", "treated rows after"} {
		if q.n[c] == 0 {
			code := ErrTooFewPeriods
			if q.n[0]+q.n[1] == 0 {
				code = ErrNoComparison
			}
			return nil, refuse(code, "no %s the start in period %d", name, q.start)
		}
		q.mean[c] /= q.n[c]
	}
	q.each(func(_, i, c int) {
		d := q.t.y[i] - q.mean[c]
		q.squares[c] += d * d
	})
	out := &TwoByTwoEffects{
		ComparisonBefore: q.cellMean(0), ComparisonAfter: q.cellMean(1),
		TreatedBefore: q.cellMean(2), TreatedAfter: q.cellMean(3),
	}
	q.pooled(out, fewTreated)
	out.Balanced = q.balanced()
	return out, nil
}

func (q *twoByTwo) cellMean(c int) CellMean {
	m := CellMean{Mean: q.mean[c], Rows: int(q.n[c])}
	if q.n[c] < 2 {
		return m
	}
	se := math.Sqrt(q.squares[c] / (q.n[c] - 1) / q.n[c])
	if se > roundingNoise*q.t.scale {
		m.SE, m.HasSE = se, true
	}
	return m
}

// pooled fills the estimates from all rows. The coefficient's influence of row
// i is ±(y − mean of its cell)/rows of its cell.
func (q *twoByTwo) pooled(out *TwoByTwoEffects, fewTreated bool) {
	value := q.mean[3] - q.mean[2] - (q.mean[1] - q.mean[0])
	rows := float64(q.t.rows())
	var squares, inverse, robust float64
	for c := range q.n {
		squares += q.squares[c]
		inverse += 1 / q.n[c]
		robust += q.squares[c] / (q.n[c] * q.n[c])
	}
	var homoskedastic, hc1 float64
	if rows > 4 {
		homoskedastic = math.Sqrt(squares / (rows - 4) * inverse)
		hc1 = math.Sqrt(robust * rows / (rows - 4))
	}
	out.Homoskedastic = newEstimate(value, homoskedastic, rows-4, q.level, q.t.scale)
	out.HC1 = newEstimate(value, hc1, rows-4, q.level, q.t.scale)
	out.Clustered = Estimate{Value: value}
	sides := q.clusterSides()
	if min(sides[0], sides[1]) < 2 && !fewTreated {
		out.Refusal = "one cluster alone on a side: its own noise does not show in a cluster-robust error, which is then far too small"
		return
	}
	sums := make([]float64, q.t.units())
	seen := make([]bool, q.t.units())
	sign := [4]float64{1, -1, -1, 1}
	q.each(func(u, i, c int) {
		sums[q.cluster[u]] += sign[c] * (q.t.y[i] - q.mean[c]) / q.n[c]
		seen[q.cluster[u]] = true
	})
	var meat, g float64
	for k, s := range sums {
		meat += s * s
		if seen[k] {
			g++
		}
	}
	if g > 1 && rows > 4 {
		se := math.Sqrt(meat * g / (g - 1) * (rows - 1) / (rows - 4))
		out.Clustered = newEstimate(value, se, g-1, q.level, q.t.scale)
	}
}

// clusterSides counts the clusters with comparison and with treated units.
func (q *twoByTwo) clusterSides() [2]int {
	var sides [2]int
	for side := range sides {
		seen := map[int]bool{}
		for u, g := range q.t.first {
			if q.t.treated(g) == (side == 1) {
				seen[q.cluster[u]] = true
			}
		}
		sides[side] = len(seen)
	}
	return sides
}

// balanced compares changes of units seen on both sides of the start.
func (q *twoByTwo) balanced() *BalancedEffects {
	var changes [2][]float64 // comparison, treated
	for u, g := range q.t.first {
		var n, sum [2]float64
		for i := q.t.start[u]; i < q.t.start[u+1]; i++ {
			after := q.cell(u, i) % 2
			n[after]++
			sum[after] += q.t.y[i]
		}
		if n[0] == 0 || n[1] == 0 {
			continue
		}
		side := 0
		if q.t.treated(g) {
			side = 1
		}
		changes[side] = append(changes[side], sum[1]/n[1]-sum[0]/n[0])
	}
	if len(changes[0]) == 0 || len(changes[1]) == 0 {
		return nil
	}
	b := &BalancedEffects{Comparison: len(changes[0]), Treated: len(changes[1])}
	value := mean(changes[1]) - mean(changes[0])
	b.Pooled, b.Welch = Estimate{Value: value}, Estimate{Value: value}
	n0, n1 := float64(b.Comparison), float64(b.Treated)
	if min(n0, n1) < 2 {
		return b
	}
	v0, v1 := sampleSD(changes[0]), sampleSD(changes[1])
	v0, v1 = v0*v0, v1*v1
	pooled := ((n0-1)*v0 + (n1-1)*v1) / (n0 + n1 - 2)
	b.Pooled = newEstimate(value, math.Sqrt(pooled*(1/n0+1/n1)), n0+n1-2, q.level, q.t.scale)
	if s0, s1 := v0/n0, v1/n1; s0+s1 > 0 {
		share := s0 / (s0 + s1)
		df := 1 / (share*share/(n0-1) + (1-share)*(1-share)/(n1-1))
		b.Welch = newEstimate(value, math.Sqrt(s0+s1), df, q.level, q.t.scale)
	}
	return b
}
