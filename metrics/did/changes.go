package did

import "slices"

// ChangesOptions are the choices of [CompareChanges].
type ChangesOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Draws is how many random sign draws are taken where there are more than
	// 14 units; 0 means 9,999, and fewer from 448 units on, whose every draw
	// takes long, but at least 999. Seed makes them repeatable.
	Draws int
	Seed  uint64
	// NoInterval leaves the bootstrap's interval out, which takes most of the
	// time.
	NoInterval bool
}

// ChangesTest is the answer of [CompareChanges].
type ChangesTest struct {
	// Welch is the difference of the mean changes, with Welch's error and
	// Satterthwaite's degrees of freedom, and their interval and p-value.
	Welch Estimate
	// Bootstrap tests the same difference by the restricted wild bootstrap, a
	// unit being a cluster; its interval is by inversion.
	Bootstrap *Wild
}

// enumeratedChanges is up to how many sign draws are all taken: 14 units. It
// keeps an interval under a tenth of a second.
const enumeratedChanges = 1 << 14

const (
	// changesWork bounds the draws times the squared units: about a second.
	changesWork = 2_000_000_000
	// fewestChanges keeps p-values to three decimals.
	fewestChanges = 999
)

// CompareChanges compares the changes of treated units with those of others:
// the 2×2 of one start, with one number a unit. The interval and p-value that
// speak are those of the restricted wild cluster bootstrap (Cameron, Gelbach and
// Miller 2008), with Rademacher signs, all of them up to 14 units, ties counted.
// Webb's six weights would give more different draws, and with three units on
// each side reject a little too often; the sizes are in docs/methods.
//
// The order of units changes nothing. It refuses fewer than two units on a side
// and changes that do not vary.
func CompareChanges(treated, others []float64, o ChangesOptions) (*ChangesTest, error) {
	p, err := panelOfChanges(treated, others)
	if err != nil {
		return nil, err
	}
	four, err := TwoByTwo(p, TwoByTwoOptions{Level: o.Level})
	if err != nil {
		return nil, err
	}
	if n := len(treated) + len(others); o.Draws == 0 {
		o.Draws = min(max(changesWork/(n*n), fewestChanges), defaultWildDraws)
	}
	out := &ChangesTest{Welch: four.Balanced.Welch}
	out.Bootstrap, err = WildBootstrap(p, WildOptions{
		Level: o.Level, Ties: true, Draws: o.Draws, Seed: o.Seed, Enumerate: enumeratedChanges, NoInterval: o.NoInterval,
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// WelchDifference is the difference of the mean changes of two groups of units,
// with Welch's error and Satterthwaite's degrees of freedom. It refuses fewer
// than two units on a side.
func WelchDifference(treated, others []float64, level float64) (Estimate, error) {
	p, err := panelOfChanges(treated, others)
	if err != nil {
		return Estimate{}, err
	}
	four, err := TwoByTwo(p, TwoByTwoOptions{Level: level})
	if err != nil {
		return Estimate{}, err
	}
	return four.Balanced.Welch, nil
}

// panelOfChanges is two periods, 0 in the first and the change in the second.
func panelOfChanges(treated, others []float64) (Panel, error) {
	if len(treated) < 2 || len(others) < 2 {
		return Panel{}, refuse(ErrTooFewUnits, "comparing the changes of %d treated and %d other units: it needs 2 of each", len(treated), len(others))
	}
	var p Panel
	for side, changes := range [][]float64{treated, others} {
		// Random signs go by place, so that places must not go by name.
		for _, y := range slices.Sorted(slices.Values(changes)) {
			first := 1
			if side == 1 {
				first = Never
			}
			u := len(p.First)
			p.First = append(p.First, first)
			p.Unit, p.Time, p.Y = append(p.Unit, u, u), append(p.Time, 0, 1), append(p.Y, 0, y)
		}
	}
	return p, nil
}
