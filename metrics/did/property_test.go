package did_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// random is a staggered panel with an effect and unit and period effects;
// share is how many of its rows are there.
func random(seed uint64, share float64) did.Panel {
	r := rand.New(rand.NewPCG(seed, 11))
	starts := []int{did.Never, did.Never, 4, 5, 7, did.Never}
	var b builder
	for u := range 40 {
		first := starts[u%len(starts)]
		level := 3 * r.NormFloat64()
		for time := range 9 {
			y := level + 0.3*float64(time) + r.NormFloat64()
			if time >= first {
				y += 1 + 0.2*float64(time-first)
			}
			if r.Float64() < share {
				b.add(string(rune('A'+u)), time, first, y)
			}
		}
	}
	return b.panel
}

// changed copies p with its outcomes replaced.
func changed(p did.Panel, y func(i int) float64) did.Panel {
	q := p
	q.Y = make([]float64, len(p.Y))
	for i := range q.Y {
		q.Y[i] = y(i)
	}
	return q
}

// answers are all estimates of p.
func answers(t *testing.T, p did.Panel) (groupTime, imputation []did.Estimate) {
	t.Helper()
	for _, control := range []did.Control{did.NeverTreated, did.NotYetTreated} {
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Control: control})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Cells {
			groupTime = append(groupTime, c.Estimate)
		}
		simple, err := g.Simple()
		if err != nil {
			t.Fatal(err)
		}
		dynamic, err := g.Dynamic(-3, 5)
		if err != nil {
			t.Fatal(err)
		}
		groupTime = append(groupTime, simple.Estimate, dynamic.Overall)
	}
	r, err := did.Impute(p, did.ImputationOptions{Horizons: true, PreTrends: 2})
	if err != nil {
		t.Fatal(err)
	}
	imputation = append(imputation, r.Static)
	for _, e := range append(r.Horizons, r.PreTrends...) {
		imputation = append(imputation, e.Estimate)
	}
	return groupTime, imputation
}

func same(t *testing.T, what string, got, want []did.Estimate, factor float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d estimates, want %d", what, len(got), len(want))
	}
	for i := range got {
		near(t, what, got[i].Value, factor*want[i].Value, 1e-9)
		near(t, what+" standard error", got[i].SE, factor*want[i].SE, 1e-9)
		near(t, what+" p", got[i].P, want[i].P, 1e-8)
	}
}

// TestInvariance changes panels in ways that must not change the answer, or
// must scale it.
func TestInvariance(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64
	}{{"balanced", 1}, {"gaps", 0.8}} {
		t.Run(c.name, func(t *testing.T) {
			p := random(1, c.share)
			cells, imputation := answers(t, p)
			check := func(what string, q did.Panel, factor float64, levels bool) {
				t.Helper()
				gotCells, gotImputation := answers(t, q)
				if !levels || c.share == 1 {
					same(t, what+", group-time", gotCells, cells, factor)
				}
				same(t, what+", imputation", gotImputation, imputation, factor)
			}
			check("constant", changed(p, func(i int) float64 { return p.Y[i] + 1000 }), 1, false)
			check("period effects", changed(p, func(i int) float64 { return p.Y[i] + float64(p.Time[i]*p.Time[i]) }), 1, false)
			check("scale", changed(p, func(i int) float64 { return p.Y[i] * 1e-6 }), 1e-6, false)
			// Levels of units matter to repeated cross-sections: who is seen
			// changes with time.
			check("unit effects", changed(p, func(i int) float64 { return p.Y[i] + 1000*float64(p.Unit[i]%7) }), 1, true)

			shifted := p
			shifted.Time = slices.Clone(p.Time)
			shifted.First = slices.Clone(p.First)
			for i := range shifted.Time {
				shifted.Time[i] += 24000
			}
			for u, first := range p.First {
				if first != did.Never {
					shifted.First[u] += 24000
				}
			}
			check("later calendar", shifted, 1, false)
			check("other order and names", shuffled(p), 1, false)
		})
	}
}

// shuffled renames the units of p and puts its rows in another order.
func shuffled(p did.Panel) did.Panel {
	r := rand.New(rand.NewPCG(5, 6))
	name := r.Perm(len(p.First))
	q := did.Panel{First: make([]int, len(p.First))}
	for u, first := range p.First {
		q.First[name[u]] = first
	}
	for _, i := range r.Perm(len(p.Y)) {
		q.Unit = append(q.Unit, name[p.Unit[i]])
		q.Time = append(q.Time, p.Time[i])
		q.Y = append(q.Y, p.Y[i])
	}
	return q
}

// TestUnitsWithoutRows asks that a unit nobody saw changes nothing.
func TestUnitsWithoutRows(t *testing.T) {
	p := random(2, 0.9)
	cells, imputation := answers(t, p)
	q := p
	q.First = append(slices.Clone(p.First), 4, did.Never)
	gotCells, gotImputation := answers(t, q)
	same(t, "group-time", gotCells, cells, 1)
	same(t, "imputation", gotImputation, imputation, 1)
}

// TestKnownEffect gives panels without noise, whose effect must come out.
func TestKnownEffect(t *testing.T) {
	p := random(3, 1)
	exact := changed(p, func(i int) float64 {
		y := float64(5*p.Unit[i] + p.Time[i]*p.Time[i])
		if p.Time[i] >= p.First[p.Unit[i]] {
			y += 2
		}
		return y
	})
	cells, imputation := answers(t, exact)
	for _, e := range cells {
		if e.HasSE || e.P != 0 || e.Low != 0 {
			t.Errorf("an effect without noise has a standard error: %+v", e)
		}
	}
	near(t, "imputation", imputation[0].Value, 2, 1e-12)
	if imputation[0].HasSE {
		t.Errorf("an effect without noise has a standard error: %+v", imputation[0])
	}
}

// TestBandsHoldForAllPoints asks for bands that are wider than the intervals,
// repeatable, and near what independent points would need.
func TestBandsHoldForAllPoints(t *testing.T) {
	dynamic := func(seed uint64) did.Dynamic {
		g, err := did.CallawaySantAnna(bundled(t, "mpdta"), did.GroupTimeOptions{Draws: 2000, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		d, err := g.Dynamic(-3, 3)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := dynamic(1)
	if d.BandCritical != dynamic(1).BandCritical {
		t.Error("the same seed gave another band")
	}
	if other := dynamic(2).BandCritical; other == d.BandCritical {
		t.Error("another seed gave the same band")
	}
	// Seven independent points need 2.69; R's did gives about 2.6 here.
	if d.BandCritical < 2.3 || d.BandCritical > 2.75 {
		t.Errorf("critical value %v", d.BandCritical)
	}
	for _, e := range d.Points {
		if e.BandLow >= e.Estimate.Low || e.BandHigh <= e.Estimate.High {
			t.Errorf("event %d: band %v to %v does not hold the interval %v to %v", e.Event, e.BandLow, e.BandHigh, e.Estimate.Low, e.Estimate.High)
		}
	}
}
