package estimate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"steelyard/metrics/estimate"
	"steelyard/metrics/ingest"
)

// FuzzEstimate reads any file and asks every method: no panic, and no answer
// with a number that is none.
func FuzzEstimate(f *testing.F) {
	head := "u,t,y,g,x,d\n"
	f.Add(head+"a,1,1,3,1,0\na,2,2,3,2,0\na,3,4,3,1,1\nb,1,1,,1,0\nb,2,1,,2,0\nb,3,2,,3,0\nc,1,3,,1,0\nc,2,4,,1,0\nc,3,4,,1,0\n", uint8(0))
	f.Add(head+"a,2024-01-01,1,2024-01-15,1,0\na,2024-01-08,2,2024-01-15,2,0\na,2024-01-15,4,2024-01-15,1,1\nb,2024-01-01,1,,1,0\nb,2024-01-08,1,,2,0\nb,2024-01-15,2,,3,0\n", uint8(3))
	f.Add(head+"a,1,1e150,2,1,0\na,2,-1e150,2,2,1\nb,1,0,,1,0\nb,2,0,,2,0\n", uint8(1))
	f.Add(head+"a,1,1,2,1,0\na,999999999,1,2,2,1\nb,1,1,,1,0\nb,999999999,1,,2,0\n", uint8(2))
	f.Add(head+"a,1,0,2,0,0\na,2,7,2,0,1\nb,1,0,0,0,0\nb,2,0,0,0,1\n", uint8(4))
	f.Fuzz(func(t *testing.T, file string, how uint8) {
		if len(file) > 2048 {
			t.Skip("small files are enough")
		}
		c := estimate.Columns{Unit: "u", Time: "t", Outcome: "y", FirstTreated: "g"}
		switch how % 5 {
		case 1:
			c.Covariates, c.Outcome = []string{"x"}, "y:level"
		case 2:
			c.FirstTreated, c.Treated = "", "d"
		case 3:
			c.Weights, c.Cluster = "x", "d"
		case 4:
			c = estimate.Columns{Outcome: "y", Treated: "d", Covariates: []string{"x"}, Cluster: "g"}
		}
		d, err := estimate.Read(context.Background(), strings.NewReader(file), "f.csv", c, ingest.Limits{Rows: 48})
		if err != nil {
			return
		}
		for _, name := range append(estimate.Names(), "all") {
			draws := 20
			a, err := estimate.Run(d, name, estimate.Options{Draws: &draws})
			if err != nil {
				a, err = estimate.Run(d, name, estimate.Options{})
			}
			if err != nil {
				continue
			}
			checkNumbers(t, a)
		}
	})
}

// checkNumbers holds an answer's numbers to being some.
func checkNumbers(t *testing.T, a *estimate.Answer) {
	var b bytes.Buffer
	if err := estimate.WriteJSON(&b, a); err != nil || !json.Valid(b.Bytes()) {
		t.Fatalf("%s: %v", a.Method, err)
	}
	for _, r := range a.Results {
		for _, x := range []*float64{r.Estimate, r.SE, r.CI[0], r.CI[1], r.P} {
			if x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) {
				t.Errorf("%s: %s has %v", a.Method, r.Term, *x)
			}
		}
		if r.SE != nil && *r.SE < 0 || r.P != nil && (*r.P < 0 || *r.P > 1) {
			t.Errorf("%s: %s has a standard error of %v and a p of %v", a.Method, r.Term, r.SE, r.P)
		}
		if r.CI[0] != nil && r.CI[1] != nil && *r.CI[0] > *r.CI[1] {
			t.Errorf("%s: %s has an interval from %v to %v", a.Method, r.Term, *r.CI[0], *r.CI[1])
		}
	}
	if err := estimate.WriteText(&b, a); err != nil {
		t.Error(err)
	}
}
