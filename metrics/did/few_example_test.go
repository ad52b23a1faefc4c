package did_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"steelyard/metrics/did"
)

// packsSold is the panel of the paper on synthetic control: packs sold a head
// in 39 states, 1970 to 2000; California taxed them from 1989 on.
func packsSold() did.Panel {
	data, err := os.ReadFile("testdata/california.csv")
	if err != nil {
		panic(err)
	}
	var b builder
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, ",")
		time, _ := strconv.Atoi(f[1])
		y, _ := strconv.ParseFloat(f[2], 64)
		first, err := strconv.Atoi(f[3])
		if err != nil {
			first = did.Never
		}
		b.add(f[0], time, first, y)
	}
	return b.panel
}

// insured is the event study of Medicaid's expansion of 2014: five years
// before, two from it on, with their covariance.
func insured() did.HonestInput {
	f, err := os.Open("testdata/ehec_event_study.csv")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err)
	}
	in := did.HonestInput{Before: 5}
	for _, row := range rows[1:] {
		numbers := make([]float64, len(row))
		for i, s := range row {
			numbers[i], _ = strconv.ParseFloat(s, 64)
		}
		in.Beta = append(in.Beta, numbers[1])
		in.Covariance = append(in.Covariance, numbers[2:])
	}
	return in
}

func ExampleSyntheticControls() {
	for _, method := range []did.SyntheticMethod{did.SyntheticDiD, did.SyntheticControl, did.EqualWeights} {
		r, err := did.SyntheticControls(packsSold(), did.SyntheticOptions{Method: method})
		if err != nil {
			fmt.Println(err)
			return
		}
		units := 0
		for _, w := range r.Cohorts[0].UnitWeights {
			if w.Weight > 0 {
				units++
			}
		}
		fmt.Printf("%.1f packs (%.1f), %d of 38 states, placebo p %.3f\n", r.Estimate.Value, r.Estimate.SE, units, r.P)
	}
	// Output:
	// -15.6 packs (9.4), 28 of 38 states, placebo p 0.051
	// -19.6 packs (10.6), 7 of 38 states, placebo p 0.077
	// -27.3 packs (17.3), 38 of 38 states, placebo p 0.103
}

func ExampleConformal() {
	// Weekly hours to merge, pilot less comparison; the pilot starts after 16.
	gap := []float64{2, -1, 1, 0, 2, 1, -1, 0, 1, -2, 0, 1, 2, -1, 0, 1, -4, -3, -5, -4, -3, -4}
	r, err := did.Conformal(gap, 16, did.ConformalOptions{Level: 0.9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f hours, 90 %% from %.2f to %.2f, p %.3f of at least %.3f\n", r.Value, r.Low, r.High, r.P, r.Floor)
	_, err = did.Conformal(gap[:19], 16, did.ConformalOptions{})
	fmt.Println(err)
	// Output:
	// -4.21 hours, 90 % from -5.98 to -1.69, p 0.045 of at least 0.045
	// conformal test with 19 arrangements of time: p is never under 0.053, so it cannot fall under 0.05
}

func ExampleRandomization() {
	// Percentage points by which ten teams' medians changed, three of them
	// pilots.
	changes := []float64{-33, -28, -25, -17, -12, -20, -9, -15, -11, -14}
	pilots := []bool{true, true, true, false, false, false, false, false, false, false}
	for _, statistic := range []did.RandomizationStatistic{did.MeanDifference, did.StudentisedDifference} {
		r, err := did.Randomization(changes, pilots, did.RandomizationOptions{Statistic: statistic})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f points, statistic %.2f, p %.4f over %d assignments\n", r.Value, r.Statistic, r.P, r.Assignments)
	}
	_, err := did.Randomization(changes[2:], pilots[2:], did.RandomizationOptions{})
	fmt.Println(err)
	// Output:
	// -14.7 points, statistic -14.67, p 0.0083 over 120 assignments
	// -14.7 points, statistic -5.38, p 0.0083 over 120 assignments
	// randomisation of 1 treated among 8 units: p is never under 0.125, so it cannot fall under 0.05
}

func ExampleRelativeMagnitudes() {
	in := insured()
	r, err := did.RelativeMagnitudes(in, did.HonestOptions{Bounds: []float64{0.5, 1, 1.5, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("parallel trends: %.4f, from %.4f to %.4f\n", r.Original.Value, r.Original.Low, r.Original.High)
	for _, i := range r.Intervals {
		fmt.Printf("steps up to %.1f times as large: from %.4f to %.4f\n", i.Bound, i.Low, i.High)
	}
	b, err := did.BreakdownMagnitude(in, did.HonestOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("breakdown value %.2f\n", b.Bound)
	// Output:
	// parallel trends: 0.0464, from 0.0285 to 0.0644
	// steps up to 0.5 times as large: from 0.0240 to 0.0672
	// steps up to 1.0 times as large: from 0.0170 to 0.0720
	// steps up to 1.5 times as large: from 0.0082 to 0.0797
	// steps up to 2.0 times as large: from -0.0009 to 0.0881
	// breakdown value 1.94
}

func ExampleSmoothTrend() {
	r, err := did.SmoothTrend(insured(), did.HonestOptions{Bounds: []float64{0, 0.01, 0.02, 0.03}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range r.Intervals {
		fmt.Printf("slope changes by up to %.2f: from %.4f to %.4f\n", i.Bound, i.Low, i.High)
	}
	// Output:
	// slope changes by up to 0.00: from 0.0260 to 0.0607
	// slope changes by up to 0.01: from 0.0132 to 0.0787
	// slope changes by up to 0.02: from 0.0028 to 0.0907
	// slope changes by up to 0.03: from -0.0072 to 0.1007
}

func ExampleAnytimeSequence() {
	gap := []float64{2, -1, 1, 0, 2, 1, -1, 0, 1, -2, 0, 1, 2, -1, 0, 1, -4, -3, -5, -4, -3, -4}
	r, err := did.AnytimeSequence(gap, 16, did.AnytimeOptions{Horizon: 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("autocorrelation taken out: %.2f\n", r.Autocorrelation)
	for _, look := range r.Looks {
		if look.Open {
			fmt.Printf("week %d: %.1f hours, no bound yet\n", look.Period, look.Value)
			continue
		}
		fmt.Printf("week %d: %.1f hours, from %.1f to %.1f, p %.3f\n", look.Period, look.Value, look.Low, look.High, look.P)
	}
	// Output:
	// autocorrelation taken out: 0.02
	// week 1: -4.4 hours, from -9.5 to 0.7, p 0.090
	// week 2: -3.9 hours, from -7.1 to -0.6, p 0.018
	// week 3: -4.4 hours, from -7.0 to -1.8, p 0.001
	// week 4: -4.4 hours, from -6.6 to -2.1, p 0.000
	// week 5: -4.2 hours, from -6.2 to -2.2, p 0.000
	// week 6: -4.2 hours, from -6.0 to -2.4, p 0.000
}

func ExampleProportionSampleSize() {
	// Pull requests a side to see a revert rate of 0.75 % rise, in 8 of 10 cases.
	for _, ratio := range []float64{1.5, 2, 3} {
		n, err := did.ProportionSampleSize(0.0075, 0.0075*ratio, 0.05, 0.8)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%g times as many reverts: %.0f pull requests\n", ratio, math.Ceil(n))
	}
	ratio, err := did.RateDetectable(5, 0.05, 0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("with 5 reverts expected: %.1f times as many\n", ratio)
	hours, err := did.CrossFitDetectable([]float64{2, -1, 1, 0, 2, 1, -1, 0, 1, -2, 0, 1}, 6, 3, 0.05, 0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("with these twelve weeks before and six after: %.1f hours\n", hours)
	// Output:
	// 1.5 times as many reverts: 10366 pull requests
	// 2 times as many reverts: 3104 pull requests
	// 3 times as many reverts: 1030 pull requests
	// with 5 reverts expected: 3.8 times as many
	// with these twelve weeks before and six after: 1.6 hours
}

func ExampleChoose() {
	d, err := did.DesignOf(packsSold())
	if err != nil {
		fmt.Println(err)
		return
	}
	choices, err := did.Choose(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range choices {
		if c.Role == did.Headline || c.Role == did.Beside || c.Method == "wild-bootstrap" {
			fmt.Printf("%s, %s: %s\n", c.Method, c.Role, c.Reasons[0])
		}
	}
	// Output:
	// cross-fit-t, headline: With one treated unit it is the test that keeps its size, whatever the number of comparison units and the treated unit's noise.
	// two-by-two, beside: It is the plain difference in differences, shown as a number; its interval is the headline's.
	// synthetic-did, beside: 38 comparison units and 19 periods before the start are enough to weigh them; its interval comes from placebos.
	// donald-lang, beside: It compares the treated unit's change with the spread of 38 comparison units' changes.
	// placebo, beside: It shows what would have been found had any other unit been the treated one; with 39 units p is never under 0.026.
	// honest-did, beside: It says how far trends may bend before the conclusion goes; the covariance is that of the comparison units, in as many blocks of time as they allow.
	// power, beside: Every design shows how large an effect it could have seen.
	// wild-bootstrap, refused: With one treated unit the restricted bootstrap never rejects and the unrestricted one always does.
}
