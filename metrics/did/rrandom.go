package did

import "gonum.org/v1/gonum/stat/distuv"

// rRandom draws the numbers that R draws after set.seed with its default
// generators (Mersenne Twister, normal variables by inversion), so that a
// critical value the reference package simulates can be the same here, not
// only near it.
type rRandom struct {
	state [624]uint32
	next  int
}

func newRRandom(seed uint32) *rRandom {
	r := &rRandom{next: 624}
	for range 50 {
		seed = 69069*seed + 1
	}
	seed = 69069*seed + 1 // R's own counter, which it then overwrites
	for i := range r.state {
		seed = 69069*seed + 1
		r.state[i] = seed
	}
	return r
}

// uniform is a number between 0 and 1, never one of them.
func (r *rRandom) uniform() float64 {
	if r.next == len(r.state) {
		r.twist()
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	y ^= y >> 18
	const least = 2.328306437080797e-10
	return min(max(float64(y)*2.3283064365386963e-10, least), 1-least)
}

func (r *rRandom) twist() {
	const n, m = 624, 397
	for i := range n {
		y := r.state[i]&0x80000000 | r.state[(i+1)%n]&0x7fffffff
		x := r.state[(i+m)%n] ^ y>>1
		if y&1 != 0 {
			x ^= 0x9908b0df
		}
		r.state[i] = x
	}
	r.next = 0
}

// normal is a standard normal variable: the quantile of 53 random bits.
func (r *rRandom) normal() float64 {
	const big = 134217728
	u := float64(int(big*r.uniform())) + r.uniform()
	return distuv.UnitNormal.Quantile(u / big)
}

// index is a number from 0 to n − 1, as sample() draws it.
func (r *rRandom) index(n int) int {
	bits := 0
	for 1<<bits < n {
		bits++
	}
	for {
		v := 0
		for k := 0; k <= bits; k += 16 {
			v = v<<16 + int(65536*r.uniform())
		}
		if v &= 1<<bits - 1; v < n {
			return v
		}
	}
}
