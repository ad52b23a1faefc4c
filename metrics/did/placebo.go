package did

import "math"

// PlaceboResult is the treated unit's effect among the effects of every unit
// taken as if it had been the treated one.
type PlaceboResult struct {
	// Effects[i] is unit i's change less the mean change of all the others,
	// the treated unit among them.
	Effects []float64
	// Rank is the treated unit's by size of effect, 1 = largest; units with an
	// effect as large as its own do not push it down.
	Rank int
	// P is the share of units with an effect at least as large, the treated
	// one included; Floor is the smallest P this many units can give: 1 with
	// two units, whose effects are always equally large.
	P, Floor float64
	// LeaveOutP is P where placebo effects are taken against comparison units
	// only: (1 + number at least as large) / (number of units). It needs two
	// comparison units; HasLeaveOut says whether there were.
	LeaveOutP   float64
	HasLeaveOut bool
}

// tieSlack, relative to the largest change, is how much smaller than the
// treated unit's an effect may be, by rounding, and still count as equal.
const tieSlack = 1e-12

// PlaceboRank ranks the change of unit treated among the changes of all units:
// the permutation test "in space". Under exchangeable units P is exact, but it
// is never below one over the number of units; two units say nothing.
func PlaceboRank(changes []float64, treated int) (PlaceboResult, error) {
	n := len(changes)
	if treated < 0 || treated >= n {
		return PlaceboResult{}, refuse(ErrShape, "treated unit %d of %d units", treated, n)
	}
	if n < 2 {
		return PlaceboResult{}, refuse(ErrNoComparison, "placebo rank has no comparison unit")
	}
	if err := checkFinite("change of unit", changes); err != nil {
		return PlaceboResult{}, err
	}
	var sum float64
	for _, c := range changes {
		sum += c
	}
	slack := tieSlack * size(changes...)
	res := PlaceboResult{Effects: make([]float64, n), Rank: 1, Floor: 1 / float64(n)}
	for i, c := range changes {
		res.Effects[i] = c - (sum-c)/float64(n-1)
	}
	if n == 2 {
		res.Floor = 1
	}
	own := math.Abs(res.Effects[treated])
	atLeast, leaveOut := 0, 0
	for i, e := range res.Effects {
		if math.Abs(e) >= own-slack {
			atLeast++
		}
		if math.Abs(e) > own+slack {
			res.Rank++
		}
		if i == treated || n < 3 {
			continue
		}
		alone := changes[i] - (sum-changes[treated]-changes[i])/float64(n-2)
		if math.Abs(alone) >= own-slack {
			leaveOut++
		}
	}
	res.P = float64(atLeast) / float64(n)
	if n >= 3 {
		res.HasLeaveOut = true
		res.LeaveOutP = float64(1+leaveOut) / float64(n)
	}
	return res, nil
}
