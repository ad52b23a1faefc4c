package did

// RRandom lets tests draw what R drew for a reference.
type RRandom struct{ r *rRandom }

func NewRRandom(seed uint32) RRandom { return RRandom{newRRandom(seed)} }

func (r RRandom) Uniform() float64 { return r.r.uniform() }
func (r RRandom) Normal() float64  { return r.r.normal() }

// Sample is sample(1:n) less 1.
func (r RRandom) Sample(n int) []int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	out := make([]int, n)
	for i := range out {
		j := r.r.index(len(left))
		out[i] = left[j]
		left[j] = left[len(left)-1]
		left = left[:len(left)-1]
	}
	return out
}

// TruncatedQuantile and FoldedQuantile let tests check tails.
func TruncatedQuantile(p, low, high float64) float64 { return truncatedQuantile(p, low, high) }
func FoldedQuantile(p, mu float64) float64           { return foldedQuantile(p, mu) }

// Maximise solves one linear program after another.
func Maximise(a [][]float64, b []float64, objectives [][]float64) (values []float64, ok bool) {
	p, ok := newProgram(a, b)
	if !ok {
		return nil, false
	}
	for _, c := range objectives {
		values = append(values, p.maximise(c))
	}
	return values, true
}
