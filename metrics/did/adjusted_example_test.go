package did_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

// table reads a file of testdata into its columns; empty cells and names are
// NaN among numbers.
func table(file string) (names []string, numbers map[string][]float64) {
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	header := strings.Split(lines[0], ",")
	numbers = map[string][]float64{}
	for _, line := range lines[1:] {
		for k, cell := range strings.Split(line, ",") {
			if k == 0 {
				names = append(names, cell)
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				x = math.NaN()
			}
			numbers[header[k]] = append(numbers[header[k]], x)
		}
	}
	return names, numbers
}

// panel makes a panel of a table's columns time, first and an outcome.
func panel(names []string, numbers map[string][]float64, outcome string) did.Panel {
	var b builder
	for i, unit := range names {
		first := did.Never
		if g := numbers["first"][i]; g > 0 {
			first = int(g)
		}
		b.add(unit, int(numbers["time"][i]), first, numbers[outcome][i])
	}
	return b.panel
}

func ExampleCallawaySantAnna_covariates() {
	// Counties by the logarithm of their population: large ones may have had
	// another trend, and more of them raised the minimum wage.
	names, numbers := table("mpdta.csv")
	p := panel(names, numbers, "y")
	p.X = [][]float64{numbers["lpop"]}
	for _, method := range []struct {
		name string
		is   did.Adjustment
	}{{"doubly robust", did.DoublyRobust}, {"regression", did.OutcomeRegression}, {"weighting", did.InverseProbability}} {
		g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Method: method.is})
		if err != nil {
			fmt.Println(err)
			return
		}
		simple, err := g.Simple()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-13s %.4f (%.4f): treated %.4f, comparison %.4f\n", method.name,
			simple.Estimate.Value, simple.Estimate.SE, simple.TreatedChange, simple.ComparisonChange)
	}
	// Output:
	// doubly robust -0.0418 (0.0115): treated -0.0259, comparison 0.0159
	// regression    -0.0420 (0.0114): treated -0.0259, comparison 0.0161
	// weighting     -0.0418 (0.0115): treated -0.0259, comparison 0.0159
}

func ExamplePoissonRatio() {
	// Homicides of 50 American states, out of their population, and the year in
	// which a state extended the right to self-defence.
	names, numbers := table("castle_counts.csv")
	r, err := did.PoissonRatio(panel(names, numbers, "homicides"), did.PoissonOptions{Exposure: numbers["population"]})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rate times %.3f, 95 %% from %.3f to %.3f, p %.3f\n", r.Ratio.Value, r.Ratio.Low, r.Ratio.High, r.Effect.P)
	fmt.Printf("%d rows of %d states\n", r.Sample.Rows, r.Sample.Units)
	fmt.Println(r.Warnings[0])
	// Output:
	// rate times 1.061, 95 % from 1.009 to 1.117, p 0.022
	// 550 rows of 50 states
	// Units start in different periods: the ratio compares some of them with units treated already.
}

func ExampleQuantileDiD() {
	// Hours that pull requests of 14 teams took; five teams start in period 5.
	names, numbers := table("durations.csv")
	r, err := did.QuantileDiD(panel(names, numbers, "hours"), did.QuantileDiDOptions{Quantile: 0.75})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("three quarters within %.1f → %.1f hours, the comparison's %.1f → %.1f\n",
		r.TreatedBefore.Value, r.TreatedAfter.Value, r.ComparisonBefore.Value, r.ComparisonAfter.Value)
	fmt.Printf("%.1f hours, 95 %% from %.1f to %.1f by team, p %.3f\n",
		r.Clustered.Value, r.Clustered.Low, r.Clustered.High, r.Clustered.P)
	// Output:
	// three quarters within 24.4 → 16.0 hours, the comparison's 22.9 → 19.3
	// -4.8 hours, 95 % from -15.2 to 5.6 by team, p 0.340
}

func ExampleRestrictedMeanDiD() {
	// The same pull requests, some of which are still open; a duration counts
	// up to 40 hours.
	names, numbers := table("durations.csv")
	var merged []bool
	for _, x := range numbers["ended"] {
		merged = append(merged, x == 1)
	}
	r, err := did.RestrictedMeanDiD(panel(names, numbers, "hours"), merged, did.RestrictedMeanOptions{Until: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f → %.1f hours, the comparison %.1f → %.1f; %d still open\n",
		r.TreatedBefore.Mean.Value, r.TreatedAfter.Mean.Value, r.ComparisonBefore.Mean.Value, r.ComparisonAfter.Mean.Value,
		r.TreatedBefore.Running+r.TreatedAfter.Running+r.ComparisonBefore.Running+r.ComparisonAfter.Running)
	for _, e := range []did.Estimate{r.Difference.Independent, r.Difference.Clustered} {
		fmt.Printf("%.1f hours, 95 %% from %.1f to %.1f, p %.3f\n", e.Value, e.Low, e.High, e.P)
	}
	// Output:
	// 17.0 → 11.6 hours, the comparison 17.1 → 14.5; 14 still open
	// -2.8 hours, 95 % from -8.1 to 2.5, p 0.296
	// -2.8 hours, 95 % from -8.8 to 3.1, p 0.324
}
