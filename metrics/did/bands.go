package did

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// addBands gives each point of d a band such that all hold at once.
func (g *GroupTime) addBands(d *Dynamic, influences [][]float64) {
	var columns [][]float64
	for i, p := range d.Points {
		if p.Estimate.HasSE {
			studentised := slices.Clone(influences[i])
			scaleBy(studentised, 1/(p.Estimate.SE*float64(g.Units)))
			columns = append(columns, studentised)
		}
	}
	if g.options.Draws == 0 || len(columns) == 0 {
		return
	}
	d.BandCritical = supremum(columns, g.options)
	for i, p := range d.Points {
		if p.Estimate.HasSE {
			half := d.BandCritical * p.Estimate.SE
			d.Points[i].BandLow, d.Points[i].BandHigh = p.Estimate.Value-half, p.Estimate.Value+half
		}
	}
}

// supremum is the quantile of max |Σ ±column| over the columns, for random
// signs by unit, and at least the critical value of one point alone.
func supremum(columns [][]float64, o GroupTimeOptions) float64 {
	random := rand.New(rand.NewPCG(o.Seed, 0x5851f42d4c957f2d))
	largest := make([]float64, 0, o.Draws)
	for len(largest) < o.Draws {
		largest = appendLargest(largest, columns, min(drawsAtOnce, o.Draws-len(largest)), random)
	}
	slices.Sort(largest)
	at := int(math.Ceil(o.Level*float64(o.Draws))) - 1
	return max(largest[max(at, 0)], quantile(1-(1-o.Level)/2, 0))
}

const (
	// signsAtOnce is how many units' signs are looked up together.
	signsAtOnce = 8
	// drawsAtOnce bounds the memory of the draws that run side by side.
	drawsAtOnce = 1024
)

// appendLargest appends max |Σ ±column| of each of some draws. Eight units at
// a time, all 256 sums that their signs can give are written down once, and a
// draw then adds one of them instead of eight numbers. Only units with sign +
// are added up: the signed sum is twice that less the total.
func appendLargest(largest []float64, columns [][]float64, draws int, random *rand.Rand) []float64 {
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
		var top float64
		for j, total := range totals {
			top = max(top, math.Abs(2*sums[draw*k+j]-total))
		}
		largest = append(largest, top)
	}
	return largest
}
