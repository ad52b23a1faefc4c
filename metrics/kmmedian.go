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
	for len(runs) > 1 {
		all := make([]survivalKey, 0, n)
		next := runs[:0]
		for ; len(runs) > 1; runs = runs[2:] {
			from := len(all)
			all = mergeTwo(all, runs[0], runs[1])
			next = append(next, all[from:len(all):len(all)])
		}
		runs = append(next, runs...)
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

func mergeTwo(out, a, b []survivalKey) []survivalKey {
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}
