package did_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// TestQuantileDiDReferences compares with R's quantreg 5.94 (rq with method
// "br", summary with se = "nid").
func TestQuantileDiDReferences(t *testing.T) {
	p, _, size := durations(t)
	wide := p
	wide.X = [][]float64{apply(size, math.Log)}
	checked := 0
	for _, row := range readCSV(t, filepath.Join("testdata", "references_quantile.csv")) {
		q := p
		switch row["method"] {
		case "quantile":
		case "quantile-size":
			q = wide
		default:
			continue
		}
		r, err := did.QuantileDiD(q, did.QuantileDiDOptions{Quantile: number(t, row["quantile"])})
		if err != nil {
			t.Fatal(err)
		}
		e := r.Independent
		if row["term"] != "effect" {
			e = r.Covariates[0]
		}
		checked++
		near(t, row["method"]+" "+row["quantile"]+" "+row["term"], e.Value, number(t, row["estimate"]), 1e-8)
		near(t, row["method"]+" "+row["quantile"]+" "+row["term"]+" standard error", e.SE, number(t, row["se"]), 1e-6)
	}
	if checked != 7 {
		t.Errorf("%d rows were compared, want 7", checked)
	}
}

// TestQuantileDiDCells: the effect is that of the four ordinary medians, and a
// constant or a group's own level changes nothing.
func TestQuantileDiDCells(t *testing.T) {
	p, _, _ := durations(t)
	r, err := did.QuantileDiD(p, did.QuantileDiDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "effect", r.Independent.Value, r.TreatedAfter.Value-r.TreatedBefore.Value-r.ComparisonAfter.Value+r.ComparisonBefore.Value, 1e-12)
	if r.Clustered.DF != 13 || !r.Clustered.HasSE || r.Refusal != "" {
		t.Errorf("clustered: %+v, refusal %q", r.Clustered, r.Refusal)
	}
	moved, err := did.QuantileDiD(changed(p, func(i int) float64 {
		y := 1e6 * (p.Y[i] + 100)
		if p.First[p.Unit[i]] != did.Never {
			y += 7e6
		}
		return y
	}), did.QuantileDiDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "moved", moved.Independent.Value, 1e6*r.Independent.Value, 1e-9)
	near(t, "moved standard error", moved.Independent.SE, 1e6*r.Independent.SE, 1e-9)
	near(t, "moved clustered error", moved.Clustered.SE, 1e6*r.Clustered.SE, 1e-9)

	even := did.Panel{First: []int{1, did.Never}}
	for _, row := range [][3]float64{{0, 0, 1}, {0, 0, 3}, {0, 1, 10}, {0, 1, 30}, {1, 0, 5}, {1, 0, 6}, {1, 1, 5}, {1, 1, 9}} {
		even.Unit = append(even.Unit, int(row[0]))
		even.Time = append(even.Time, int(row[1]))
		even.Y = append(even.Y, row[2])
	}
	r, err = did.QuantileDiD(even, did.QuantileDiDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Independent.Value != 20-2-(7-5.5) || r.TreatedAfter.Value != 20 || r.ComparisonBefore.Rows != 2 {
		t.Errorf("got %+v", r)
	}
}

// TestQuantileDiDRefusals names what is refused, and what has no error.
func TestQuantileDiDRefusals(t *testing.T) {
	p, _, size := durations(t)
	weighed := p
	weighed.Weight = size
	for _, c := range []struct {
		name  string
		panel did.Panel
		o     did.QuantileDiDOptions
		code  did.ErrorCode
	}{
		{"Good", p, did.QuantileDiDOptions{Quantile: 0.9}, ""},
		{"Quantile", p, did.QuantileDiDOptions{Quantile: 1}, did.ErrOption},
		{"NegativeQuantile", p, did.QuantileDiDOptions{Quantile: -0.5}, did.ErrOption},
		{"Level", p, did.QuantileDiDOptions{Level: 7}, did.ErrOption},
		{"Weights", weighed, did.QuantileDiDOptions{}, did.ErrOption},
		{"Clusters", p, did.QuantileDiDOptions{Cluster: []int{1}}, did.ErrShape},
		{"Staggered", grid([]int{2, 3, did.Never}, 5), did.QuantileDiDOptions{}, did.ErrNotIdentified},
		{"NoComparison", grid([]int{2, 2}, 5), did.QuantileDiDOptions{}, did.ErrNoComparison},
		{"NoneTreated", grid([]int{did.Never, did.Never}, 5), did.QuantileDiDOptions{}, did.ErrNoTreated},
		{"NoRows", did.Panel{}, did.QuantileDiDOptions{}, did.ErrTooFewUnits},
		{"NaN", with(grid([]int{2, did.Never}, 5), math.NaN()), did.QuantileDiDOptions{}, did.ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := did.QuantileDiD(c.panel, c.o)
			wantCode(t, "QuantileDiD", err, c.code)
			checkAnswer(t, "QuantileDiD", r, err)
		})
	}
	same, err := did.QuantileDiD(changed(p, func(i int) float64 { return 4 }), did.QuantileDiDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if same.Independent.HasSE || !strings.Contains(same.Refusal, "repeat so often") {
		t.Errorf("values that are all the same: %+v", same)
	}
	one := grid([]int{2, did.Never, did.Never}, 40)
	r, err := did.QuantileDiD(one, did.QuantileDiDOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Clustered.HasSE || r.Refusal == "" {
		t.Errorf("one treated unit has a clustered error: %+v", r)
	}
}
