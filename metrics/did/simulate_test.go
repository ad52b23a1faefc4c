package did_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"steelyard/metrics/did"
)

// Set STEELYARD_SIMULATE to write docs/methods/size.md anew; it takes some
// minutes. The draws do not depend on the number of processors.
const simulateVariable = "STEELYARD_SIMULATE"

// setting is a cell of the simulation: a pilot among teams, where nothing
// happened or something did.
type setting struct {
	comparisons, before, after int
	rho, sd, shock, effect     float64
}

func (s setting) String() string { return fmt.Sprintf("%+v", struct{ setting }{s}) }

// draw is one history of all teams, the pilot first.
func (s setting) draw(random *rand.Rand) [][]float64 {
	w := world{random: random, rho: s.rho}
	teams := make([][]float64, s.comparisons+1)
	for i := range teams {
		sd, effect := 1.0, 0.0
		if i == 0 {
			sd, effect = s.sd, s.effect
		}
		teams[i] = w.series(s.before+s.after, sd)
		shift := effect + s.shock*random.NormFloat64()
		for t := s.before; t < len(teams[i]); t++ {
			teams[i][t] += shift
		}
	}
	return teams
}

// study is a draw as the methods read it.
type study struct {
	setting
	teams   [][]float64
	gap     []float64
	changes []float64
	panel   did.Panel
}

func (s setting) study(random *rand.Rand) study {
	d := study{setting: s, teams: s.draw(random)}
	d.gap = append([]float64{}, d.teams[0]...)
	for u, y := range d.teams {
		d.changes = append(d.changes, average(y[s.before:])-average(y[:s.before]))
		first := did.Never
		if u == 0 {
			first = s.before
		}
		d.panel.First = append(d.panel.First, first)
		for t, x := range y {
			d.panel.Unit = append(d.panel.Unit, u)
			d.panel.Time = append(d.panel.Time, t)
			d.panel.Y = append(d.panel.Y, x)
			if u > 0 {
				d.gap[t] -= x / float64(s.comparisons)
			}
		}
	}
	return d
}

// simulateDraws is how many draws a cell has.
const simulateDraws = 2000

// eachDraw runs do on every draw of a setting; draw k is the same whoever runs
// it.
func (s setting) eachDraw(draws int, do func(k int, d study)) {
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for k := w; k < draws; k += workers {
				random := rand.New(rand.NewPCG(uint64(k), uint64(s.comparisons)<<32|uint64(100*s.rho)<<16|uint64(10*s.sd)))
				do(k, s.study(random))
			}
		})
	}
	group.Wait()
}

// rejectionRates is how often each method has p < .05.
func (s setting) rejectionRates(t *testing.T, draws int, methods []simulatedMethod) []float64 {
	t.Helper()
	p := make([][]float64, len(methods))
	for m := range p {
		p[m] = make([]float64, draws)
	}
	s.eachDraw(draws, func(k int, d study) {
		for m, method := range methods {
			p[m][k] = 1
			if s.comparisons < method.fewest {
				continue
			}
			x, err := method.p(d)
			if err != nil {
				t.Errorf("%s on %v: %v", method.name, s, err)
			}
			p[m][k] = x
		}
	})
	rates := make([]float64, len(methods))
	for m := range p {
		for _, x := range p[m] {
			if x < 0.05 {
				rates[m] += 1 / float64(draws)
			}
		}
	}
	return rates
}

var simulatedScenarios = []struct {
	name, reference, heading string
	sd, shock, bar           float64
}{
	{"alike", "homosk", "all teams alike", 1, 0, 0.08},
	{"noisier", "treated sd x2", "pilot twice as noisy", 2, 0, 0.08},
	{"shocks", "random team shocks sd .3", "each team shifted by chance after the start, sd .3", 1, 0.3, 0.10},
}

var simulatedTeams = []int{1, 3, 5, 10}

// TestWriteSizes makes docs/methods/size.md.
func TestWriteSizes(t *testing.T) {
	if os.Getenv(simulateVariable) == "" {
		t.Skipf("set %s=1 to simulate sizes and write docs/methods/size.md (some minutes)", simulateVariable)
	}
	var page strings.Builder
	page.WriteString(sizeIntroduction)
	writeSizes(t, &page)
	writeCoverage(t, &page)
	writePower(t, &page)
	writeLooks(t, &page)
	writeSeveral(t, &page)
	if t.Failed() {
		return
	}
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "methods", "size.md"), []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const sizeIntroduction = `# How often each method is wrong, and what it sees

Made by

` + "```sh\n" + simulateVariable + "=1 go test ./metrics/did -run TestWriteSizes -timeout 60m\n```" + `

Every figure is a share of 2,000 draws (a standard error of about .005 at .05); nothing here is copied from a paper. In brackets beside some of them: the same cell of an earlier simulation with the R packages and scripts that the methods come from, 1,500 draws (800 with 10 comparison teams).

A draw has one pilot team and some comparison teams, 26 weeks before the start and 13 after. A team's weeks are an autocorrelated series (ρ = 0 or .4, unit variance, 50 weeks of burn-in) times the team's standard deviation: 1, and 2 for the pilot in the second scenario. In the third, each team's weeks after the start are shifted by one number with standard deviation .3, which no method can tell from an effect. The tests are two-sided at a nominal 5 %.

`

func writeSizes(t *testing.T, page *strings.Builder) {
	methods := simulatedMethods()
	reference := firstSimulation(t)
	for _, effect := range []float64{0, 1} {
		if effect == 0 {
			page.WriteString("## Size: nothing happened\n\nHow often p < .05. The bar for the headline: at most .08 in the first two scenarios, .10 in the third; the run that makes this page fails where it is not met. The restricted wild bootstrap (all sign draws, ties counted) and the placebo rank hardly ever reject with so few teams, which is why they cannot speak; clustered and ordinary errors call noise an effect, and so do eight lags of Newey and West. Donald–Lang and synthetic DiD take the pilot to be as noisy as the others and fail where it is not. Placebos “started warm” begin from the pilot's own weights, as the package synthdid does: with fewer teams than weeks before, those fit the placebo team already, and the error is far too small; ours find weights anew.\n\n")
		} else {
			page.WriteString("## Power: an effect of one standard deviation of a team's week\n\nHow often p < .05 where the pilot's weeks after the start are 1 higher. Rates of methods that reject too often above mean nothing.\n\n")
		}
		for _, scenario := range simulatedScenarios {
			for _, rho := range []float64{0, 0.4} {
				fmt.Fprintf(page, "### %s, ρ = %s\n\n| method | 1 team | 3 teams | 5 teams | 10 teams |\n| --- | --- | --- | --- | --- |\n",
					strings.ToUpper(scenario.heading[:1])+scenario.heading[1:], decimal(rho, 1))
				columns := make([][]float64, len(simulatedTeams))
				for c, teams := range simulatedTeams {
					s := setting{comparisons: teams, before: 26, after: 13, rho: rho, sd: scenario.sd, shock: scenario.shock, effect: effect}
					columns[c] = s.rejectionRates(t, simulateDraws, methods)
				}
				for m, method := range methods {
					fmt.Fprintf(page, "| %s |", method.name)
					for c, teams := range simulatedTeams {
						rate := columns[c][m]
						if teams < method.fewest {
							page.WriteString(" – |")
							continue
						}
						fmt.Fprintf(page, " %s", decimal(rate, 3))
						key := fmt.Sprintf("%d,%.1f,%s,%.1f,%s", teams, rho, scenario.reference, effect, method.reference)
						if r, ok := reference[key]; ok {
							fmt.Fprintf(page, " (%s)", decimal(r, 3))
						}
						page.WriteString(" |")
						if method.name == headlineName && effect == 0 && rate > scenario.bar {
							t.Errorf("the headline rejects %.3f with %d teams, %s, ρ = %v: over %v", rate, teams, scenario.name, rho, scenario.bar)
						}
					}
					page.WriteString("\n")
				}
				page.WriteString("\n")
			}
		}
	}
}

// firstSimulation reads the earlier rates by cell.
func firstSimulation(t *testing.T) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for _, row := range readCSV(t, shared(t, "sim_one_treated_team.csv")) {
		out[strings.Join([]string{row["n_controls"], row["ar1"], row["scenario"], row["effect_sd"], row["method"]}, ",")] = number(t, row["reject_5pct"])
	}
	return out
}

// decimal writes a number under 1 as .058.
func decimal(x float64, digits int) string {
	s := fmt.Sprintf("%.*f", digits, x)
	if x == 0 {
		return "0"
	}
	return strings.Replace(s, "0.", ".", 1)
}

// writeCoverage says how often the headline's interval holds the true effect,
// and how wide it is.
func writeCoverage(t *testing.T, page *strings.Builder) {
	page.WriteString("## Coverage of the headline's interval\n\nHow often the 95 % interval of the cross-fit t holds the true effect (1 here; any other gives the same), and in brackets its median width, in standard deviations of a team's week. Three comparison teams.\n\n")
	for _, scenario := range simulatedScenarios {
		fmt.Fprintf(page, "### %s\n\n| weeks before / after | ρ = 0 | ρ = .4 | ρ = .7 |\n| --- | --- | --- | --- |\n", strings.ToUpper(scenario.heading[:1])+scenario.heading[1:])
		for _, weeks := range [][2]int{{9, 4}, {12, 6}, {26, 6}, {26, 13}, {26, 26}, {52, 13}, {52, 26}} {
			fmt.Fprintf(page, "| %d / %d |", weeks[0], weeks[1])
			for _, rho := range []float64{0, 0.4, 0.7} {
				s := setting{comparisons: 3, before: weeks[0], after: weeks[1], rho: rho, sd: scenario.sd, shock: scenario.shock, effect: 1}
				held := make([]float64, simulateDraws)
				width := make([]float64, simulateDraws)
				s.eachDraw(simulateDraws, func(k int, d study) {
					r, err := did.CrossFitGap(d.gap, d.before, 3, 0)
					if err != nil {
						t.Errorf("%v: %v", s, err)
					}
					if e := r.Estimate; e.Low <= s.effect && s.effect <= e.High {
						held[k] = 1
					}
					width[k] = r.Estimate.High - r.Estimate.Low
				})
				fmt.Fprintf(page, " %s (%.1f) |", decimal(average(held), 3), middle(width))
			}
			page.WriteString("\n")
		}
		page.WriteString("\n")
	}
}

// middle is the median.
func middle(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// writePower says how large an effect the headline sees.
func writePower(t *testing.T, page *strings.Builder) {
	effects := []float64{0, 0.5, 1, 1.5, 2, 3, 4}
	page.WriteString("## Power of the headline by size of effect\n\nHow often the cross-fit t has p < .05, by the effect in standard deviations of a team's week; all teams alike, ρ = .4. Medians of many pull requests vary less than single ones, so an effect of several of these standard deviations need not be large in hours.\n\n| teams, weeks before / after |")
	for _, e := range effects {
		fmt.Fprintf(page, " %g |", e)
	}
	page.WriteString("\n|" + strings.Repeat(" --- |", len(effects)+1) + "\n")
	for _, c := range []setting{
		{comparisons: 1, before: 26, after: 13},
		{comparisons: 3, before: 26, after: 13},
		{comparisons: 5, before: 26, after: 13},
		{comparisons: 10, before: 26, after: 13},
		{comparisons: 3, before: 12, after: 6},
		{comparisons: 3, before: 26, after: 26},
		{comparisons: 3, before: 52, after: 26},
	} {
		fmt.Fprintf(page, "| %d, %d / %d |", c.comparisons, c.before, c.after)
		for _, effect := range effects {
			c.rho, c.sd, c.effect = 0.4, 1, effect
			methods := simulatedMethods()
			rates := c.rejectionRates(t, simulateDraws, methods[len(methods)-1:])
			fmt.Fprintf(page, " %s |", decimal(rates[0], 3))
		}
		page.WriteString("\n")
	}
	page.WriteString("\n")
}

// writeLooks says how often the anytime sequence raises an alarm, and how often
// looking every week at an ordinary test does.
func writeLooks(t *testing.T, page *strings.Builder) {
	page.WriteString("## Looking every week\n\nHow often, where nothing happened, at least one of the weekly looks has p < .05; one comparison team, 26 weeks before. The anytime sequence takes out an autocorrelation that it estimates on the weeks before; “as if independent” does not. The last column looks every week at the cross-fit t, from the third week on, as one must not.\n\n| ρ | weekly looks | anytime sequence | as if independent | cross-fit t every week |\n| --- | --- | --- | --- | --- |\n")
	for _, rho := range []float64{0, 0.2, 0.4, 0.6, 0.8} {
		for _, after := range []int{13, 52} {
			s := setting{comparisons: 1, before: 26, after: after, rho: rho, sd: 1}
			alarms := [3][]float64{}
			for i := range alarms {
				alarms[i] = make([]float64, simulateDraws)
			}
			s.eachDraw(simulateDraws, func(k int, d study) {
				for i, independent := range []bool{false, true} {
					r, err := did.AnytimeSequence(d.gap, d.before, did.AnytimeOptions{Independent: independent})
					if err != nil {
						t.Errorf("%v: %v", s, err)
						return
					}
					if r.Looks[after-1].P < 0.05 {
						alarms[i][k] = 1
					}
				}
				for week := 3; week <= after; week++ {
					r, err := did.CrossFitGap(d.gap[:d.before+week], d.before, 3, 0)
					if err != nil {
						t.Errorf("%v: %v", s, err)
						return
					}
					if r.Estimate.P < 0.05 {
						alarms[2][k] = 1
					}
				}
			})
			fmt.Fprintf(page, "| %s | %d | %s | %s | %s |\n", decimal(rho, 1), after,
				decimal(average(alarms[0]), 3), decimal(average(alarms[1]), 3), decimal(average(alarms[2]), 3))
		}
	}
}
