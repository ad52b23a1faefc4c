package did_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// durations are the hours that pull requests of 14 teams took, five of which
// start in period 5; some are still open. size is their number of lines.
func durations(t testing.TB) (p did.Panel, ended []bool, size []float64) {
	t.Helper()
	var b builder
	for _, row := range readCSV(t, filepath.Join("testdata", "durations.csv")) {
		b.add(row["unit"], whole(t, row["time"]), start(t, row["first"]), number(t, row["hours"]))
		ended = append(ended, row["ended"] == "1")
		size = append(size, number(t, row["size"]))
	}
	return b.panel, ended, size
}

// TestRestrictedMeanReferences compares with R's survival 3.5 (survfit, rmean).
func TestRestrictedMeanReferences(t *testing.T) {
	p, ended, _ := durations(t)
	checked := 0
	for _, row := range readCSV(t, filepath.Join("testdata", "references_quantile.csv")) {
		if row["method"] != "restricted-mean" {
			continue
		}
		var hours []float64
		var marks []bool
		for i, u := range p.Unit {
			name := "comparison"
			if p.First[u] != did.Never {
				name = "treated"
			}
			if when := p.Time[i] >= 5; row["term"] == name+map[bool]string{true: " after", false: " before"}[when] {
				hours = append(hours, p.Y[i])
				marks = append(marks, ended[i])
			}
		}
		s, err := did.KaplanMeier(hours, marks)
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.RestrictedMean(number(t, row["quantile"]), 0)
		if err != nil {
			// R draws the curve on as a level line; here that is refused.
			wantCode(t, row["term"], err, did.ErrNotIdentified)
			continue
		}
		checked++
		near(t, row["term"], e.Value, number(t, row["estimate"]), 1e-12)
		near(t, row["term"]+" standard error", e.SE, number(t, row["se"]), 1e-12)
	}
	if checked < 8 {
		t.Errorf("only %d rows were compared", checked)
	}
}

// TestRestrictedMeanDiD puts the four means together and holds clustered errors
// to Greenwood's where every row is its own cluster.
func TestRestrictedMeanDiD(t *testing.T) {
	p, ended, _ := durations(t)
	r, err := did.RestrictedMeanDiD(p, ended, did.RestrictedMeanOptions{Until: 40})
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, "RestrictedMeanDiD", r, err)
	value := r.TreatedAfter.Mean.Value - r.TreatedBefore.Mean.Value - r.ComparisonAfter.Mean.Value + r.ComparisonBefore.Mean.Value
	near(t, "difference", r.Difference.Clustered.Value, value, 1e-12)
	ratio := r.TreatedAfter.Mean.Value / r.TreatedBefore.Mean.Value / (r.ComparisonAfter.Mean.Value / r.ComparisonBefore.Mean.Value)
	near(t, "ratio", math.Exp(r.LogRatio.Independent.Value), ratio, 1e-12)
	var squares float64
	for _, c := range []did.CellSurvival{r.TreatedAfter, r.TreatedBefore, r.ComparisonAfter, r.ComparisonBefore} {
		squares += c.Mean.SE * c.Mean.SE
	}
	near(t, "independent error", r.Difference.Independent.SE, math.Sqrt(squares), 1e-12)
	if r.Refusal != "" || r.Difference.Clustered.DF != 13 {
		t.Errorf("clustered: %+v, refusal %q", r.Difference.Clustered, r.Refusal)
	}
	alone := did.Panel{Time: p.Time, Y: p.Y}
	for i, u := range p.Unit {
		alone.Unit = append(alone.Unit, i)
		alone.First = append(alone.First, p.First[u])
	}
	rows, err := did.RestrictedMeanDiD(alone, ended, did.RestrictedMeanOptions{Until: 40})
	if err != nil {
		t.Fatal(err)
	}
	// Greenwood divides by those at risk less the events, hence a little more.
	if share := rows.Difference.Clustered.SE / rows.Difference.Independent.SE; share < 0.95 || share > 1.02 {
		t.Errorf("rows as clusters have an error %v times Greenwood's", share)
	}
	whole, err := did.RestrictedMeanDiD(p, ended, did.RestrictedMeanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if whole.Until <= 40 || whole.Until > 127 {
		t.Errorf("watched until %v", whole.Until)
	}
}

// TestRestrictedMeanWithoutCensoring is the mean of what is cut off at the end.
func TestRestrictedMeanWithoutCensoring(t *testing.T) {
	hours := []float64{1, 2, 2, 5, 9, 30}
	s, err := did.KaplanMeier(hours, []bool{true, true, true, true, true, true})
	if err != nil {
		t.Fatal(err)
	}
	for until, want := range map[float64]float64{4: (1 + 2 + 2 + 4 + 4 + 4) / 6.0, 5: (1 + 2 + 2 + 5 + 5 + 5) / 6.0, 100: 49 / 6.0, 0.5: 0.5} {
		e, err := s.RestrictedMean(until, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mean", e.Value, want, 1e-14)
	}
	for _, until := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := s.RestrictedMean(until, 0)
		wantCode(t, "until", err, did.ErrOption)
	}
	_, err = s.RestrictedMean(5, 2)
	wantCode(t, "level", err, did.ErrOption)
	open, err := did.KaplanMeier([]float64{1, 3}, []bool{true, false})
	if err != nil {
		t.Fatal(err)
	}
	_, err = open.RestrictedMean(4, 0)
	wantCode(t, "beyond what was watched", err, did.ErrNotIdentified)
}

// TestRestrictedMeanRefusals names what is refused.
func TestRestrictedMeanRefusals(t *testing.T) {
	p, ended, size := durations(t)
	wide := p
	wide.X = [][]float64{size}
	weighed := p
	weighed.Weight = size
	negative := changed(p, func(i int) float64 { return p.Y[i] - 5 })
	still := changed(p, func(int) float64 { return 0 })
	for _, c := range []struct {
		name  string
		panel did.Panel
		ended []bool
		o     did.RestrictedMeanOptions
		code  did.ErrorCode
	}{
		{"Good", p, ended, did.RestrictedMeanOptions{}, ""},
		{"Marks", p, ended[1:], did.RestrictedMeanOptions{}, did.ErrShape},
		{"Covariates", wide, ended, did.RestrictedMeanOptions{}, did.ErrOption},
		{"Weights", weighed, ended, did.RestrictedMeanOptions{}, did.ErrOption},
		{"Until", p, ended, did.RestrictedMeanOptions{Until: -3}, did.ErrOption},
		{"TooLong", p, make([]bool, len(ended)), did.RestrictedMeanOptions{Until: 1000}, did.ErrNotIdentified},
		{"Negative", negative, ended, did.RestrictedMeanOptions{}, did.ErrShape},
		{"NoTime", still, make([]bool, len(ended)), did.RestrictedMeanOptions{}, did.ErrZeroVariance},
		{"Staggered", grid([]int{2, 3, did.Never}, 5), make([]bool, 15), did.RestrictedMeanOptions{}, did.ErrNotIdentified},
		{"NoComparison", grid([]int{2, 2}, 5), make([]bool, 10), did.RestrictedMeanOptions{}, did.ErrNoComparison},
		{"NoneTreated", grid([]int{did.Never, did.Never}, 5), make([]bool, 10), did.RestrictedMeanOptions{}, did.ErrNoTreated},
		{"Clusters", p, ended, did.RestrictedMeanOptions{Cluster: []int{1}}, did.ErrShape},
		{"Level", p, ended, did.RestrictedMeanOptions{Level: -1}, did.ErrOption},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.RestrictedMeanDiD(c.panel, c.ended, c.o)
			wantCode(t, "RestrictedMeanDiD", err, c.code)
			checkAnswer(t, "RestrictedMeanDiD", r, err)
		})
	}
	one := p
	one.First = append([]int{}, p.First...)
	for u := range one.First {
		one.First[u] = did.Never
	}
	one.First[0] = 5
	r, err := did.RestrictedMeanDiD(one, ended, did.RestrictedMeanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Refusal, "one cluster alone") || r.Difference.Clustered.HasSE || r.LogRatio.Clustered.HasSE {
		t.Errorf("one treated team has a clustered error: %+v", r)
	}
}

// FuzzRows feeds durations and quantiles of every shape.
func FuzzRows(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 2, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4}, uint8(0))
	f.Add([]byte{2, 1, 9, 0, 0, 5, 0, 1, 5, 1, 0, 5, 1, 1, 5}, uint8(3))
	f.Add([]byte{4, 1, 1, 9, 9, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 4, 0, 0, 8, 1, 1, 0, 2, 0, 7, 3, 1, 252}, uint8(77))
	f.Fuzz(func(t *testing.T, data []byte, options uint8) {
		if len(data) == 0 || len(data) > 400 {
			return
		}
		p := panelOf(data)
		r := rand.New(rand.NewPCG(uint64(len(data)), uint64(options)))
		ended := make([]bool, len(p.Y))
		for i := range ended {
			ended[i] = r.IntN(4) > 0
		}
		means, err := did.RestrictedMeanDiD(p, ended, did.RestrictedMeanOptions{Until: float64(options >> 3), FewTreated: options&4 == 4})
		checkAnswer(t, "RestrictedMeanDiD", means, err)
		if options&1 == 1 {
			p.X = [][]float64{make([]float64, len(p.Y))}
			for i := range p.Y {
				p.X[0][i] = math.Floor(3 * r.NormFloat64())
			}
		}
		quantiles, err := did.QuantileDiD(p, did.QuantileDiDOptions{Quantile: float64(options>>3) / 32, FewTreated: options&4 == 4})
		checkAnswer(t, "QuantileDiD", quantiles, err)
	})
}
