package did

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// effects are values with their influence functions, nil where there is no
// estimate.
type effects struct {
	values     []float64
	influences [][]float64
}

func (e *effects) add(value float64, influence []float64) {
	e.values = append(e.values, value)
	e.influences = append(e.influences, influence)
}

// finished are effects with their uncertainty.
type finished struct {
	points   []Estimate
	overall  Estimate
	critical float64 // of simultaneous bands for the points, 0 for none
}

// band is the simultaneous band of point i.
func (f finished) band(i int) (low, high float64) {
	e := f.points[i]
	if f.critical == 0 || !e.HasSE {
		return 0, 0
	}
	return e.Value - f.critical*e.SE, e.Value + f.critical*e.SE
}

// finish gives effects and their overall mean their standard errors and, with
// draws, the points simultaneous bands.
func (g *GroupTime) finish(e effects, value float64, overall []float64) finished {
	e.add(value, overall)
	estimates := make([]Estimate, len(e.values))
	columns := make([][]float64, len(e.values))
	for i, influence := range e.influences {
		if influence == nil {
			continue
		}
		columns[i] = slices.Clone(g.data.byCluster(influence))
		scaleBy(columns[i], 1/float64(g.Units))
		estimates[i] = g.estimate(e.values[i], rootSquares(columns[i]))
	}
	last := len(estimates) - 1
	f := finished{points: estimates[:last], overall: estimates[last]}
	f.critical = g.resample(estimates, columns, last)
	f.overall = estimates[last]
	return f
}

// estimate completes an effect from its standard error.
func (g *GroupTime) estimate(value, se float64) Estimate {
	return newEstimate(value, se, 0, g.options.Level, g.data.scale)
}

func rootSquares(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// resample gives some estimates what the draws tell: with [GroupTimeOptions]
// BootstrapErrors their standard errors, and the critical value of simultaneous
// bands for the first points of them, 0 for none. columns are what each unit or
// cluster adds to the error of each estimate, and are used up.
func (g *GroupTime) resample(estimates []Estimate, columns [][]float64, points int) (critical float64) {
	if g.options.Draws == 0 {
		return 0
	}
	var at []int
	var chosen [][]float64
	banded := 0
	for i, e := range estimates {
		if e.HasSE {
			at = append(at, i)
			chosen = append(chosen, columns[i])
			if i < points {
				banded++
			}
		}
	}
	if !g.options.BootstrapErrors {
		return g.supremum(studentise(chosen[:banded], estimates, at))
	}
	if len(chosen)*g.options.Draws <= keptSums {
		sums := keepSums(chosen, g.options)
		g.replaceErrors(estimates, at, sums)
		return g.keptSupremum(sums[:banded], estimates, at)
	}
	for from := 0; from < len(at); from += columnsAtOnce {
		to := min(from+columnsAtOnce, len(at))
		g.replaceErrors(estimates, at[from:to], keepSums(chosen[from:to], g.options))
	}
	return g.supremum(studentise(chosen[:banded], estimates, at))
}

const (
	// keptSums bounds how many draws are kept in memory, in numbers.
	keptSums = 4_000_000
	// columnsAtOnce is how many columns are drawn at a time beyond that.
	columnsAtOnce = 16
)

// keepSums is Σ ±column of every draw, by column.
func keepSums(columns [][]float64, o GroupTimeOptions) [][]float64 {
	sums := make([][]float64, len(columns))
	for j := range sums {
		sums[j] = make([]float64, 0, o.Draws)
	}
	eachDraw(columns, o, func(draw []float64) {
		for j, x := range draw {
			sums[j] = append(sums[j], x)
		}
	})
	return sums
}

// replaceErrors takes the standard errors of the estimates at from their draws.
func (g *GroupTime) replaceErrors(estimates []Estimate, at []int, sums [][]float64) {
	sorted := make([]float64, g.options.Draws)
	for j, i := range at {
		copy(sorted, sums[j])
		slices.Sort(sorted)
		estimates[i] = g.estimate(estimates[i].Value, spread(sorted))
	}
}

// spread is the range between the quartiles of sorted draws, over that of a
// normal distribution with standard deviation 1.
func spread(sorted []float64) float64 {
	at := func(q float64) float64 { return sorted[int(math.Ceil(q*float64(len(sorted))))-1] }
	return (at(0.75) - at(0.25)) / (2 * quantile(0.75, 0))
}

// studentise divides columns by the standard errors of their estimates.
func studentise(columns [][]float64, estimates []Estimate, at []int) [][]float64 {
	var out [][]float64
	for j, column := range columns {
		if e := estimates[at[j]]; e.HasSE {
			scaleBy(column, 1/e.SE)
			out = append(out, column)
		}
	}
	return out
}

// supremum is the critical value of max |Σ ±column| over the columns, for
// random signs by unit; 0 for no columns.
func (g *GroupTime) supremum(columns [][]float64) float64 {
	if len(columns) == 0 {
		return 0
	}
	largest := make([]float64, 0, g.options.Draws)
	eachDraw(columns, g.options, func(sums []float64) {
		var top float64
		for _, x := range sums {
			top = max(top, math.Abs(x))
		}
		largest = append(largest, top)
	})
	return g.criticalOf(largest)
}

// keptSupremum is supremum from draws that were kept.
func (g *GroupTime) keptSupremum(sums [][]float64, estimates []Estimate, at []int) float64 {
	largest := make([]float64, g.options.Draws)
	used := false
	for j, column := range sums {
		e := estimates[at[j]]
		if !e.HasSE {
			continue
		}
		used = true
		for k, x := range column {
			largest[k] = max(largest[k], math.Abs(x)/e.SE)
		}
	}
	if !used {
		return 0
	}
	return g.criticalOf(largest)
}

// criticalOf is the quantile of the largest values of the draws, and at least
// the critical value of one point alone.
func (g *GroupTime) criticalOf(largest []float64) float64 {
	slices.Sort(largest)
	at := int(math.Ceil(g.options.Level*float64(len(largest)))) - 1
	return max(largest[max(at, 0)], quantile(1-(1-g.options.Level)/2, 0))
}

// eachDraw hands over Σ ±column by column, for random signs by row that
// depend on the seed and the draw alone.
func eachDraw(columns [][]float64, o GroupTimeOptions, do func(sums []float64)) {
	random := rand.New(rand.NewPCG(o.Seed, 0x5851f42d4c957f2d))
	for done := 0; done < o.Draws; done += drawsAtOnce {
		sums := signedSums(columns, min(drawsAtOnce, o.Draws-done), random)
		for draw := range slices.Chunk(sums, len(columns)) {
			do(draw)
		}
	}
}

const (
	// signsAtOnce is how many units' signs are looked up together.
	signsAtOnce = 8
	// drawsAtOnce bounds the memory of the draws that run side by side.
	drawsAtOnce = 1024
)

// signedSums is Σ ±column of each of some draws, column by column. Eight units at
// a time, all 256 sums that their signs can give are written down once, and a
// draw then adds one of them instead of eight numbers. Only units with sign +
// are added up: the signed sum is twice that less the total.
func signedSums(columns [][]float64, draws int, random *rand.Rand) []float64 {
	n, k := len(columns[0]), len(columns)
	sums := make([]float64, draws*k)
	table := make([]float64, k<<signsAtOnce)
	for base := 0; base < n; base += signsAtOnce {
		for mask := 1; mask < 1<<signsAtOnce; mask++ {
			unit := base + bits.TrailingZeros(uint(mask))
			rest := table[(mask&(mask-1))*k:]
			for j, column := range columns {
				x := rest[j]
				if unit < n {
					x += column[unit]
				}
				table[mask*k+j] = x
			}
		}
		var signs uint64
		for draw := range draws {
			if draw%8 == 0 {
				signs = random.Uint64()
			}
			add := table[int(signs&0xff)*k:]
			signs >>= 8
			sum := sums[draw*k : draw*k+k : draw*k+k]
			add = add[:len(sum)]
			for j := range sum {
				sum[j] += add[j]
			}
		}
	}
	totals := make([]float64, k)
	for j, column := range columns {
		for _, x := range column {
			totals[j] += x
		}
	}
	for draw := range draws {
		for j, total := range totals {
			sums[draw*k+j] = 2*sums[draw*k+j] - total
		}
	}
	return sums
}
