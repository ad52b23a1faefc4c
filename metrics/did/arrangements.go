package did

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// binomial is n over k, or limit + 1 where it is more than limit.
func binomial(n, k, limit int) int {
	k = min(k, n-k)
	count := 1.0
	for i := 1; i <= k; i++ {
		count = count * float64(n-k+i) / float64(i)
		if count > float64(limit)+0.5 {
			return limit + 1
		}
	}
	return int(math.Round(count))
}

// arrangementsOf are sets of len(truth) of n places: truth first, then all
// others where there are at most limit, else random ones.
func arrangementsOf(truth []int, n, limit, draws int, seed uint64) (sets [][]int32, exact bool) {
	k := len(truth)
	first := make([]int32, k)
	for i, t := range truth {
		first[i] = int32(t)
	}
	sets = append(sets, first)
	if binomial(n, k, limit) <= limit {
		set := make([]int32, k)
		for i := range set {
			set[i] = int32(i)
		}
		for {
			if !slices.Equal(set, first) {
				sets = append(sets, slices.Clone(set))
			}
			if !nextSet(set, n) {
				return sets, true
			}
		}
	}
	if draws == 0 {
		draws = defaultArrangements
	}
	random := rand.New(rand.NewPCG(seed, 0xd1342543de82ef95))
	places := make([]int32, n)
	for i := range places {
		places[i] = int32(i)
	}
	for range draws {
		for i := range k {
			j := i + random.IntN(n-i)
			places[i], places[j] = places[j], places[i]
		}
		sets = append(sets, slices.Clone(places[:k]))
	}
	return sets, false
}

// nextSet moves an ascending set of places under n on; false after the last.
func nextSet(set []int32, n int) bool {
	k := len(set)
	for i := k - 1; i >= 0; i-- {
		if set[i] < int32(n-k+i) {
			set[i]++
			for j := i + 1; j < k; j++ {
				set[j] = set[j-1] + 1
			}
			return true
		}
	}
	return false
}

// sweep counts how many of several unions of closed intervals hold each
// number.
type sweep struct{ ends []end }

type end struct {
	at   float64
	open bool // an interval begins here
}

func (s *sweep) interval(from, to float64) {
	s.ends = append(s.ends, end{from, true}, end{to, false})
}

// add adds where a function is at least 0 (or −slack): it has the given values
// at the knots, is linear between them, and its slope beyond the last is slope,
// before the first −slope.
func (s *sweep) add(knots, value []float64, slope, slack float64) {
	inside := func(v float64) bool { return v >= -slack }
	last := len(knots) - 1
	from := math.Inf(-1)
	in := slope > 0 || slope == 0 && inside(value[0]) || math.Abs(slope) < 1e-12 && inside(value[0])
	if cross := inside(value[0]); cross != in {
		at := knots[0] + value[0]/slope
		if in {
			s.interval(from, at)
		} else {
			from = at
		}
		in = cross
	}
	for k := range last {
		next := inside(value[k+1])
		if next == in {
			continue
		}
		share := value[k] / (value[k] - value[k+1])
		at := knots[k] + min(max(share, 0), 1)*(knots[k+1]-knots[k])
		if in {
			s.interval(from, at)
		} else {
			from = at
		}
		in = next
	}
	beyond := slope > 0 || math.Abs(slope) < 1e-12 && in
	switch {
	case in && beyond:
		s.interval(from, math.Inf(1))
	case in:
		s.interval(from, knots[last]-value[last]/slope)
	case beyond:
		s.interval(knots[last]-value[last]/slope, math.Inf(1))
	}
}

// hull is the first and the last number that more than least unions hold.
func (s *sweep) hull(least float64) (low, high float64, ok bool) {
	slices.SortFunc(s.ends, func(a, b end) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		// Intervals are closed: one that begins counts before one that ends.
		switch {
		case a.open == b.open:
			return 0
		case a.open:
			return -1
		}
		return 1
	})
	count := 0
	for _, e := range s.ends {
		before := count
		if e.open {
			count++
		} else {
			count--
		}
		if float64(count) > least && !ok {
			low, ok = e.at, true
		}
		if float64(before) > least && float64(count) <= least {
			high = e.at
		}
	}
	return low, high, ok
}
