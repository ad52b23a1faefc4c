package did_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"steelyard/metrics/did"
)

// several is a cell of the simulation with several treated units and one start:
// 26 weeks before, 13 after.
type several struct {
	treated, comparisons   int
	rho, sd, shock, effect float64
}

const (
	severalBefore = 26
	severalAfter  = 13
)

// severalDraw is a history of all units, the treated ones first, as methods
// read it.
type severalDraw struct {
	panel   did.Panel
	changes []float64
	gap     []float64
	treated int
}

func (s several) draw(random *rand.Rand) severalDraw {
	w := world{random: random, rho: s.rho}
	d := severalDraw{gap: make([]float64, severalBefore+severalAfter), treated: s.treated}
	for u := range s.treated + s.comparisons {
		sd, shift, first, share := 1.0, s.shock*random.NormFloat64(), did.Never, -1/float64(s.comparisons)
		if u < s.treated {
			sd, shift, first, share = s.sd, shift+s.effect, severalBefore, 1/float64(s.treated)
		}
		y := w.series(severalBefore+severalAfter, sd)
		d.panel.First = append(d.panel.First, first)
		for t := range y {
			if t >= severalBefore {
				y[t] += shift
			}
			d.gap[t] += share * y[t]
			d.panel.Unit, d.panel.Time, d.panel.Y = append(d.panel.Unit, u), append(d.panel.Time, t), append(d.panel.Y, y[t])
		}
		d.changes = append(d.changes, average(y[severalBefore:])-average(y[:severalBefore]))
	}
	return d
}

func (d severalDraw) bootstrap() (float64, error) {
	r, err := did.CompareChanges(d.changes[:d.treated], d.changes[d.treated:], did.ChangesOptions{NoInterval: true})
	if err != nil {
		return 0, err
	}
	return r.Bootstrap.P, nil
}

func (d severalDraw) crossFit() (float64, error) {
	r, err := did.CrossFitGap(d.gap, severalBefore, 3, 0)
	return r.Estimate.P, err
}

// headline is what the design of the draw makes speak.
func (d severalDraw) headline() (float64, error) {
	design, err := did.DesignOf(d.panel)
	if err != nil {
		return 0, err
	}
	choices, err := did.Choose(design)
	if err != nil {
		return 0, err
	}
	switch choices[0].Method {
	case "two-by-two":
		return d.bootstrap()
	case "cross-fit-t":
		return d.crossFit()
	}
	return 0, fmt.Errorf("headline %s", choices[0].Method)
}

func (d severalDraw) clustered() (float64, error) {
	r, err := did.TwoWayFixedEffects(d.panel, did.FixedEffectsOptions{})
	if err != nil {
		return 0, err
	}
	return r.Effect.P, nil
}

func (d severalDraw) webb() (float64, error) {
	var p did.Panel
	for u, x := range d.changes {
		first := did.Never
		if u < d.treated {
			first = 1
		}
		p.First = append(p.First, first)
		p.Unit, p.Time, p.Y = append(p.Unit, u, u), append(p.Time, 0, 1), append(p.Y, 0, x)
	}
	r, err := did.WildBootstrap(p, did.WildOptions{Weights: did.Webb, Ties: true, NoInterval: true, Enumerate: 1 << 16})
	if err != nil {
		return 0, err
	}
	return r.P, nil
}

// randomisation never rejects where no assignment can reach the level.
func (d severalDraw) randomisation() (float64, error) {
	marks := make([]bool, len(d.changes))
	for u := range d.treated {
		marks[u] = true
	}
	r, err := did.Randomization(d.changes, marks, did.RandomizationOptions{Statistic: did.StudentisedDifference, Level: 0.5, Draws: 999})
	return r.P, err
}

// rates are how often each method has p < .05.
func (s several) rates(t *testing.T, draws int, methods ...func(severalDraw) (float64, error)) []float64 {
	t.Helper()
	workers := runtime.GOMAXPROCS(0)
	counts := make([][]int, workers)
	var group sync.WaitGroup
	for w := range workers {
		counts[w] = make([]int, len(methods))
		group.Go(func() {
			for k := w; k < draws; k += workers {
				d := s.draw(rand.New(rand.NewPCG(uint64(k), uint64(s.treated)<<32|uint64(s.comparisons)<<16|uint64(10*s.sd))))
				for m, method := range methods {
					p, err := method(d)
					if err != nil {
						t.Errorf("%+v, method %d: %v", s, m, err)
						return
					}
					if p < 0.05 {
						counts[w][m]++
					}
				}
			}
		})
	}
	group.Wait()
	rates := make([]float64, len(methods))
	for _, c := range counts {
		for m, n := range c {
			rates[m] += float64(n) / float64(draws)
		}
	}
	return rates
}

// severalBar is how often the headline may reject where nothing happened, at a
// nominal 5 %.
const severalBar = 0.08

// TestSizeOfSeveral holds the headline of several treated units to its size in
// the cells where it is hardest: few units, few of them treated, noisy ones.
func TestSizeOfSeveral(t *testing.T) {
	for _, s := range []several{
		{treated: 2, comparisons: 4, sd: 1},
		{treated: 3, comparisons: 3, sd: 1},
		{treated: 2, comparisons: 8, sd: 1},
		{treated: 6, comparisons: 6, sd: 1},
		{treated: 2, comparisons: 6, sd: 2},
		{treated: 5, comparisons: 15, sd: 1},
	} {
		s.rho = 0.4
		if rate := s.rates(t, 1000, severalDraw.headline)[0]; rate > severalBar {
			t.Errorf("%d treated and %d others, sd %g: the headline rejects %.3f of draws without an effect, over %v", s.treated, s.comparisons, s.sd, rate, severalBar)
		}
	}
}

// severalCells are the numbers of treated units and of others in docs/methods.
var severalCells = [][2]int{{2, 4}, {3, 3}, {2, 6}, {3, 5}, {4, 4}, {2, 8}, {5, 5}, {2, 10}, {3, 9}, {6, 6}, {2, 18}, {5, 15}, {10, 10}, {18, 2}}

// writeSeveral says how often the headline of several treated units is wrong,
// and what it sees.
func writeSeveral(t *testing.T, page *strings.Builder) {
	page.WriteString("## Several treated units with one start\n\nHow often p < .05 with two treated units or more, one start, 26 weeks before and 13 after, ρ = .4. The headline is what the [design](choosing.md) makes speak: the 2×2 with the restricted wild bootstrap of the units' changes (all signs to 14 units, ties counted), or, where at most three units on the smaller side varied over 1.5 times as much before the start as those on the other, the cross-fit t on the mean. The bar for it is .08 where all teams are alike; the run that makes this page fails where it is not met. Randomisation on t cannot reach the level with two of six or three of six.\n\n")
	methods := []struct {
		name string
		p    func(severalDraw) (float64, error)
	}{
		{"cluster-robust, t(G − 1)", severalDraw.clustered},
		{"wild bootstrap, Webb", severalDraw.webb},
		{"wild bootstrap, signs", severalDraw.bootstrap},
		{"randomisation on t", severalDraw.randomisation},
		{"cross-fit t on the mean", severalDraw.crossFit},
		{"**headline**", severalDraw.headline},
	}
	for _, part := range []struct {
		heading string
		cell    several
		bar     float64
	}{
		{"All teams alike, nothing happened", several{sd: 1}, severalBar},
		{"Treated teams twice as noisy, nothing happened", several{sd: 2}, 0},
		{"Each team shifted by chance after the start, sd .3", several{sd: 1, shock: 0.3}, severalBar},
		{"All teams alike, an effect of one standard deviation of a team's week", several{sd: 1, effect: 1}, 0},
	} {
		fmt.Fprintf(page, "### %s\n\n| treated, others |", part.heading)
		for _, m := range methods {
			fmt.Fprintf(page, " %s |", m.name)
		}
		page.WriteString("\n|" + strings.Repeat(" --- |", len(methods)+1) + "\n")
		for _, units := range severalCells {
			s := part.cell
			s.treated, s.comparisons, s.rho = units[0], units[1], 0.4
			fmt.Fprintf(page, "| %d, %d |", s.treated, s.comparisons)
			ps := make([]func(severalDraw) (float64, error), len(methods))
			for m := range methods {
				ps[m] = methods[m].p
			}
			rates := s.rates(t, simulateDraws, ps...)
			for _, rate := range rates {
				fmt.Fprintf(page, " %s |", decimal(rate, 3))
			}
			page.WriteString("\n")
			if rate := rates[len(rates)-1]; part.bar > 0 && rate > part.bar {
				t.Errorf("%+v: the headline rejects %.3f, over %v", s, rate, part.bar)
			}
		}
		page.WriteString("\n")
	}
}
