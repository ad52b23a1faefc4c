package did_test

import (
	"fmt"
	"math"
	"slices"

	"steelyard/metrics/did"
)

// restaurantStaff is how many people 410 restaurants employed, New Jersey's
// before (0) and after (1) it raised its minimum wage, and Pennsylvania's.
func restaurantStaff() did.Panel {
	names, numbers := table("card_krueger.csv")
	var b builder
	for i, name := range names {
		first := did.Never
		if numbers["nj"][i] == 1 {
			first = 1
		}
		if y := numbers["fte"][i]; !math.IsNaN(y) {
			b.add(name, int(numbers["d"][i]), first, y)
		}
	}
	return b.panel
}

// coverage is the share of people with health insurance by state and year: some
// states widened Medicaid in 2014, the others not by 2015.
func coverage() did.Panel {
	names, numbers := table("ehec.csv")
	var b builder
	for i, name := range names {
		first, time := did.Never, int(numbers["time"][i])
		if numbers["first"][i] == 2014 {
			first = 2014
		}
		if time < 2016 && numbers["first"][i] != 2015 {
			b.add(name, time, first, numbers["y"][i])
		}
	}
	return b.panel
}

// killings are the logarithms of homicides by state and year; 21 states widened
// the right to self-defence between 2005 and 2009.
func killings() did.Panel {
	names, numbers := table("castle_controls.csv")
	var b builder
	for i, name := range names {
		first := did.Never
		if year := numbers["effyear"][i]; year > 0 {
			first = int(year)
		}
		b.add(name, int(numbers["year"][i]), first, numbers["l_homicide"][i])
	}
	return b.panel
}

// fiveOfTen is packs of cigarettes sold in ten states, of which the first five
// by name, California among them, are taken to be treated.
func fiveOfTen() did.Panel {
	names, numbers := table("fewclusters.csv")
	treated := []string{"Alabama", "Arkansas", "California", "Colorado", "Connecticut"}
	var b builder
	for i, name := range names {
		first := did.Never
		if slices.Contains(treated, name) {
			first = 1989
		}
		b.add(name, int(numbers["time"][i]), first, numbers["y"][i])
	}
	return b.panel
}

// assistedTasks are METR's 246 tasks of 16 developers (2025): lots decided
// whether AI was allowed. The second result is the time taken over the time
// forecast, as logarithms, without and with AI.
func assistedTasks() (did.Tasks, [2][]float64) {
	_, numbers := table("metr.csv")
	arm, review := numbers["ai_treatment"], numbers["post_review_implementation_time"]
	var sum, n [2]float64
	for i, minutes := range review {
		if !math.IsNaN(minutes) {
			sum[int(arm[i])] += minutes
			n[int(arm[i])]++
		}
	}
	tasks := did.Tasks{X: make([][]float64, 1)}
	var ratios [2][]float64
	for i, minutes := range review {
		k := int(arm[i])
		if math.IsNaN(minutes) { // as published: the mean of the others
			minutes = sum[k] / n[k]
		}
		y := math.Log(numbers["initial_implementation_time"][i] + minutes)
		forecast := math.Log(numbers["predicted_time_no_ai"][i])
		tasks.Y = append(tasks.Y, y)
		tasks.X[0] = append(tasks.X[0], forecast)
		tasks.Treated = append(tasks.Treated, k == 1)
		tasks.Cluster = append(tasks.Cluster, int(numbers["dev_id"][i]))
		ratios[k] = append(ratios[k], y-forecast)
	}
	return tasks, ratios
}

func ExampleTwoByTwo() {
	r, err := did.TwoByTwo(restaurantStaff(), did.TwoByTwoOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("New Jersey %.2f → %.2f, Pennsylvania %.2f → %.2f\n",
		r.TreatedBefore.Mean, r.TreatedAfter.Mean, r.ComparisonBefore.Mean, r.ComparisonAfter.Mean)
	fmt.Printf("difference %.2f: %.2f if rows were independent, %.2f by restaurant\n",
		r.HC1.Value, r.HC1.SE, r.Clustered.SE)
	b := r.Balanced
	fmt.Printf("the %d seen twice: %.2f (%.2f), Welch, %.0f degrees of freedom\n",
		b.Treated+b.Comparison, b.Welch.Value, b.Welch.SE, b.Welch.DF)
	// Output:
	// New Jersey 20.44 → 21.03, Pennsylvania 23.33 → 21.17
	// difference 2.75: 1.80 if rows were independent, 1.31 by restaurant
	// the 384 seen twice: 2.75 (1.34), Welch, 97 degrees of freedom
}

func ExampleTwoWayFixedEffects() {
	for _, kind := range []did.Covariance{did.CR1, did.CR2} {
		r, err := did.TwoWayFixedEffects(fiveOfTen(), did.FixedEffectsOptions{Covariance: kind})
		if err != nil {
			fmt.Println(err)
			return
		}
		e := r.Effect
		fmt.Printf("%.2f packs (%.2f), 95 %% from %.1f to %.1f, %.1f degrees of freedom\n", e.Value, e.SE, e.Low, e.High, e.DF)
	}
	// Starts that differ: the value is no effect, and says so.
	r, err := did.TwoWayFixedEffects(killings(), did.FixedEffectsOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f: %s\n", r.Effect.Value, r.Warnings[0])
	// Output:
	// -2.44 packs (10.31), 95 % from -25.8 to 20.9, 9.0 degrees of freedom
	// -2.44 packs (10.37), 95 % from -26.4 to 21.5, 8.0 degrees of freedom
	// 0.0818: Units start in different periods: two-way fixed effects compare some of them with units treated already, so this value is no effect. 3.2 % of its weight lies on such comparisons.
}

func ExampleEventStudy() {
	r, err := did.EventStudy(coverage(), did.EventStudyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range r.Points {
		if e.Reference {
			fmt.Printf("%+d: reference\n", e.Event)
			continue
		}
		fmt.Printf("%+d: %.4f, from %.4f to %.4f\n", e.Event, e.Estimate.Value, e.Estimate.Low, e.Estimate.High)
	}
	fmt.Printf("before the start F(%v, %v) %.3f, p %.3f\n", r.PreTest.DF, r.PreTest.DF2, r.PreTest.Statistic, r.PreTest.P)
	// Output:
	// -6: -0.0053, from -0.0227 to 0.0122
	// -5: -0.0113, from -0.0285 to 0.0059
	// -4: -0.0027, from -0.0170 to 0.0117
	// -3: -0.0014, from -0.0142 to 0.0113
	// -2: 0.0003, from -0.0146 to 0.0153
	// -1: reference
	// +0: 0.0464, from 0.0280 to 0.0649
	// +1: 0.0692, from 0.0483 to 0.0901
	// before the start F(5, 42) 0.829, p 0.536
}

func ExampleGoodmanBacon() {
	b, err := did.GoodmanBacon(killings())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("two-way fixed effects %.4f, from %d comparisons\n", b.Effect, len(b.Parts))
	for _, kind := range []did.ComparisonKind{did.TreatedVsUntreated, did.EarlierVsLater, did.LaterVsEarlier} {
		effect, weight := b.Kind(kind)
		fmt.Printf("%s: effect %.4f, weight %.3f\n", kind, effect, weight)
	}
	// Output:
	// two-way fixed effects 0.0818, from 25 comparisons
	// Treated vs Untreated: effect 0.0880, weight 0.908
	// Earlier vs Later Treated: effect -0.0055, weight 0.060
	// Later vs Earlier Treated: effect 0.0703, weight 0.032
}

func ExampleSunAbraham() {
	r, err := did.SunAbraham(counties(), did.SunAbrahamOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("all treated rows %.4f (%.4f)\n", r.ATT.Value, r.ATT.SE)
	for _, e := range r.Events {
		if e.Reference {
			continue
		}
		fmt.Printf("event %+d: %.4f (%.4f), %d units\n", e.Event, e.Estimate.Value, e.Estimate.SE, e.Units)
	}
	for _, g := range r.Cohorts {
		fmt.Printf("cohort %d: %.4f (%.4f)\n", g.Label, g.Estimate.Value, g.Estimate.SE)
	}
	// Output:
	// all treated rows -0.0400 (0.0118)
	// event -4: 0.0033 (0.0246), 131 units
	// event -3: 0.0250 (0.0182), 171 units
	// event -2: 0.0245 (0.0143), 171 units
	// event +0: -0.0199 (0.0119), 191 units
	// event +1: -0.0510 (0.0169), 60 units
	// event +2: -0.1373 (0.0366), 20 units
	// event +3: -0.1008 (0.0345), 20 units
	// cohort 2004: -0.0797 (0.0265)
	// cohort 2006: -0.0229 (0.0168)
	// cohort 2007: -0.0261 (0.0167)
}

func ExampleTwoStage() {
	r, err := did.TwoStage(counties(), did.TwoStageOptions{Events: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("effect %.4f (%.4f) on %d treated rows\n", r.Static.Value, r.Static.SE, r.TreatedRows)
	for _, e := range r.Events {
		if e.Reference {
			continue
		}
		fmt.Printf("event %+d: %.4f (%.4f)\n", e.Event, e.Estimate.Value, e.Estimate.SE)
	}
	// Output:
	// effect -0.0477 (0.0135) on 291 treated rows
	// event -4: -0.0098 (0.0090)
	// event -3: 0.0095 (0.0064)
	// event -2: 0.0076 (0.0060)
	// event +0: -0.0311 (0.0136)
	// event +1: -0.0522 (0.0190)
	// event +2: -0.1361 (0.0353)
	// event +3: -0.1047 (0.0338)
}

func ExampleWildBootstrap() {
	p := fiveOfTen()
	w, err := did.WildBootstrap(p, did.WildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f packs, t %.2f, %d draws, all there are: p %.4f, with ties %.4f\n", w.Value, w.T, w.Draws, w.StrictP, w.TiesP)
	fmt.Printf("95 %% from %.1f to %.1f\n", w.Low, w.High)
	webb, err := did.WildBootstrap(p, did.WildOptions{Weights: did.Webb, Draws: 99_999, Seed: 1, NoInterval: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("Webb's weights, %d random draws: p %.2f\n", webb.Draws, webb.P)
	for u := range p.First { // one treated state
		if u != 9 {
			p.First[u] = did.Never
		}
	}
	_, err = did.WildBootstrap(p, did.WildOptions{})
	fmt.Println(err)
	// Output:
	// -2.44 packs, t -0.23, 1024 draws, all there are: p 0.8105, with ties 0.8125
	// 95 % from -26.2 to 21.3
	// Webb's weights, 99999 random draws: p 0.82
	// wild bootstrap with one treated cluster alone: its own noise does not show in a cluster-robust error, which is then far too small
}

func ExampleRandomized() {
	tasks, ratios := assistedTasks()
	r, err := did.Randomized(tasks, did.RandomizedOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d tasks, %d with AI, %d developers\n", r.Tasks, r.Treated, r.Clusters)
	for _, e := range []did.LogEffect{r.Homoskedastic, r.HC3, *r.Clustered} {
		fmt.Printf("time %+.2f %%, 95 %% from %.1f to %.1f\n", e.Percent, e.PercentLow, e.PercentHigh)
	}
	w := r.Wild
	fmt.Printf("wild bootstrap over developers: p %.4f, from %.1f to %.1f %%\n",
		w.P, 100*math.Expm1(w.Low), 100*math.Expm1(w.High))
	shift, err := did.HodgesLehmann(ratios[1], ratios[0], 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("median regression %+.1f %%; ratio to the forecast %+.1f %%, p %.3f\n",
		r.Median.Percent, 100*math.Expm1(shift.Value), shift.P)
	// Output:
	// 246 tasks, 136 with AI, 16 developers
	// time +18.84 %, 95 % from 1.3 to 39.5
	// time +18.84 %, 95 % from 1.3 to 39.4
	// time +18.84 %, 95 % from 1.6 to 39.0
	// wild bootstrap over developers: p 0.0519, from -0.2 to 42.5 %
	// median regression +13.9 %; ratio to the forecast +18.8 %, p 0.038
}
