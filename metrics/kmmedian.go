package metrics

import "math"

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

func (k survivalKey) ended() bool { return k&1 == 0 }

func (k survivalKey) length() float64 { return math.Float64frombits(uint64(k >> 1)) }

// levelSlack is how far from a level a curve that is level at it may lie.
const levelSlack = 1.4901161193847656e-8

// medianSurvival is the median of [did.KaplanMeier], number for number, without
// the rest of the curve: a report asks for it thousands of times. keys are sorted.
func medianSurvival(keys []survivalKey) (float64, bool) { return quantileSurvival(keys, 0.5) }

// quantileSurvival is the same for the share q that has ended.
func quantileSurvival(keys []survivalKey, q float64) (float64, bool) {
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
		case math.Abs(alive-(1-q)) < levelSlack:
			level = at
		case alive < 1-q:
			return at, true
		}
	}
	return level, !math.IsNaN(level)
}

// merged is sorted runs as one, which may be one of them.
func merged(runs [][]survivalKey) []survivalKey {
	n := 0
	for _, r := range runs {
		n += len(r)
	}
	// Each pass reads what the one before wrote, and writes to the other.
	var into, other []survivalKey
	for len(runs) > 1 {
		if into == nil {
			into = make([]survivalKey, n)
		}
		next, at := runs[:0], 0
		for ; len(runs) > 1; runs = runs[2:] {
			to := at + len(runs[0]) + len(runs[1])
			mergeTwo(into[at:to], runs[0], runs[1])
			next, at = append(next, into[at:to:to]), to
		}
		if len(runs) == 1 && len(next) > 0 { // the odd one moves along
			to := at + copy(into[at:], runs[0])
			runs[0] = into[at:to:to]
		}
		runs = append(next, runs...)
		into, other = other, into
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

// mergeTwo fills out with a and b. Which of two is less is not to be foreseen,
// so that no jump hangs on it.
func mergeTwo(out, a, b []survivalKey) {
	i, j, k := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		second := 0
		if y < x {
			second = 1
		}
		out[k] = min(x, y)
		j += second
		i += 1 - second
		k++
	}
	k += copy(out[k:], a[i:])
	copy(out[k:], b[j:])
}
