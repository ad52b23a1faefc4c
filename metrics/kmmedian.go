package metrics

import (
	"math"
	"slices"
)

// survivalKey is a duration, and whether it had ended, as one number: sorting
// such numbers sorts durations, and at the same duration those that ended
// first. Durations are not negative.
type survivalKey uint64

func keyOf(length float64, ended bool) survivalKey {
	k := survivalKey(math.Float64bits(math.Abs(length)) << 1) // of −0, too
	if !ended {
		k++
	}
	return k
}

func (k survivalKey) length() float64 { return math.Float64frombits(uint64(k >> 1)) }

// levelSlack is how far from one half a curve that is level at it may lie.
const levelSlack = 1.4901161193847656e-8

// medianSurvival is the median of [did.KaplanMeier], number for number, without
// the rest of the curve: a report asks for it thousands of times. It sorts keys.
func medianSurvival(keys []survivalKey) (float64, bool) {
	slices.Sort(keys)
	alive, level := 1.0, math.NaN()
	for i := 0; i < len(keys); {
		first, events := i, 0
		for ; i < len(keys) && keys[i]>>1 == keys[first]>>1; i++ {
			events += int(1 - keys[i]&1)
		}
		if events == 0 {
			continue
		}
		at, atRisk := keys[first].length(), len(keys)-first
		alive *= float64(atRisk-events) / float64(atRisk)
		switch {
		case !math.IsNaN(level): // the next step down from where it was level
			return (level + at) / 2, true
		case math.Abs(alive-0.5) < levelSlack:
			level = at
		case alive < 0.5:
			return at, true
		}
	}
	return level, !math.IsNaN(level)
}
