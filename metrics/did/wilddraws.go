package did

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// wildDraws says which draws are taken.
type wildDraws struct {
	clusters   int
	values     []float64 // ascending
	chance     []float64 // of each value
	symmetric  bool      // draws and their negatives give the same |t|
	enumerated bool
	count      int
	seed       uint64
}

func newWildDraws(clusters int, o WildOptions) wildDraws {
	d := wildDraws{clusters: clusters, count: o.Draws, seed: o.Seed, symmetric: o.Weights != Mammen}
	root5 := math.Sqrt(5)
	switch o.Weights {
	case Webb:
		d.values = []float64{-math.Sqrt(1.5), -1, -math.Sqrt(0.5), math.Sqrt(0.5), 1, math.Sqrt(1.5)}
		d.chance = []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}
	case Mammen:
		d.values = []float64{(1 - root5) / 2, (1 + root5) / 2}
		d.chance = []float64{(root5 + 1) / (2 * root5), (root5 - 1) / (2 * root5)}
	default:
		d.values = []float64{-1, 1}
		d.chance = []float64{0.5, 0.5}
	}
	all := 1
	for range clusters {
		if all > o.Enumerate/len(d.values) {
			return d
		}
		all *= len(d.values)
	}
	d.count, d.enumerated = all, true
	return d
}

// run feeds every draw to s.
func (d wildDraws) run(s *wildSample) {
	switch {
	case d.enumerated:
		d.enumerate(s)
	case len(d.values) == 2 && d.values[1] == 1:
		d.signs(s)
	default:
		d.random(s)
	}
}

// refresh is how many steps of an enumeration are taken before sums are added
// up afresh, so that rounding does not pile up.
const refresh = 1024

// enumerate walks through all draws, changing one cluster's value at a time
// (Knuth's loopless reflected Gray code, 7.2.1.1 H). Of a draw and its
// negative one is taken: the first cluster's value is negative.
func (d wildDraws) enumerate(s *wildSample) {
	var moving, radix []int // clusters that take more than one value
	for g := range d.clusters {
		values := len(d.values)
		if g == 0 && d.symmetric {
			values /= 2
		}
		if values > 1 {
			moving, radix = append(moving, g), append(radix, values)
		}
	}
	n := len(moving)
	digit := make([]int, d.clusters)
	focus := make([]int, n+1)
	up := make([]int, n)
	for j := range focus {
		focus[j] = j
	}
	for j := range up {
		up[j] = 1
	}
	v := make([]float64, d.clusters)
	for step := 0; ; step++ {
		if step%refresh == 0 {
			for g := range v {
				v[g] = d.values[digit[g]]
			}
			s.set(v)
		}
		s.take(d.probability(digit), d.allOnes(digit))
		j := focus[0]
		focus[0] = 0
		if j == n {
			return
		}
		g := moving[j]
		before := d.values[digit[g]]
		digit[g] += up[j]
		s.move(g, d.values[digit[g]]-before)
		if digit[g] == 0 || digit[g] == radix[j]-1 {
			up[j] = -up[j]
			focus[j] = focus[j+1]
			focus[j+1] = j + 1
		}
	}
}

// allOnes reports whether a draw is 1 throughout, or −1 throughout: the
// residuals as they were.
func (d wildDraws) allOnes(digit []int) bool {
	if math.Abs(d.values[digit[0]]) != 1 {
		return false
	}
	for _, k := range digit[1:] {
		if k != digit[0] {
			return false
		}
	}
	return true
}

// probability of a draw, 1 where all are as likely.
func (d wildDraws) probability(digit []int) float64 {
	p := 1.0
	if d.symmetric {
		return p
	}
	for _, k := range digit {
		p *= d.chance[k]
	}
	return p
}

// random draws the values of each cluster.
func (d wildDraws) random(s *wildSample) {
	r := rand.New(rand.NewPCG(d.seed, 0x9e3779b97f4a7c15))
	v := make([]float64, d.clusters)
	digit := make([]int, d.clusters)
	for range d.count {
		for g := range v {
			u := r.Float64()
			k := 0
			for u >= d.chance[k] && k < len(d.chance)-1 {
				u -= d.chance[k]
				k++
			}
			v[g], digit[g] = d.values[k], k
		}
		s.set(v)
		s.take(1, d.allOnes(digit))
	}
}

// signs draws ±1 for each cluster, eight clusters at a time from tables.
func (d wildDraws) signs(s *wildSample) {
	r := rand.New(rand.NewPCG(d.seed, 0x9e3779b97f4a7c15))
	width := len(s.at)
	minus := make([]float64, width)
	var tables [][]float64
	for g := 0; g < d.clusters; g += 8 {
		bits := min(8, d.clusters-g)
		table := make([]float64, width<<bits)
		for k := range bits {
			column := s.columns[g+k]
			floats.Sub(minus, column)
			half := width << k
			for at := 0; at < half; at += width {
				row := table[half+at : half+at+width]
				copy(row, table[at:at+width])
				floats.AddScaled(row, 2, column)
			}
		}
		tables = append(tables, table)
	}
	// A table is read for many draws at once, while it is near the processor.
	words := (len(tables) + 7) / 8
	var bits [signBatch][]uint64
	var at [signBatch][]float64
	var plus, none [signBatch]bool
	for from := 0; from < d.count; from += signBatch {
		batch := min(signBatch, d.count-from)
		for i := range batch {
			bits[i], at[i] = bits[i][:0], append(at[i][:0], minus...)
			for range words {
				bits[i] = append(bits[i], r.Uint64())
			}
			plus[i], none[i] = true, true
		}
		for k, table := range tables {
			rows := len(table) / width // a power of two
			for i := range batch {
				row := int(bits[i][k/8]>>(8*(k%8))) & (rows - 1)
				plus[i], none[i] = plus[i] && row == rows-1, none[i] && row == 0
				floats.Add(at[i], table[row*width:(row+1)*width])
			}
		}
		for i := range batch {
			copy(s.at, at[i])
			s.take(1, plus[i] || none[i])
		}
	}
}

// signBatch is how many draws of signs are added up side by side.
const signBatch = 64
