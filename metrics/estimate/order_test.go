package estimate_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"steelyard/metrics/estimate"
)

// TestOrderOfRows holds that several rows in a cell, and tasks, give the same
// bytes in whatever order they stand, draws by cluster among them.
func TestOrderOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	lines := []string{}
	for u := range 25 {
		for p := 1; p <= 4; p++ {
			for range 1 + r.IntN(3) {
				first := ""
				if u%2 == 0 {
					first = "3"
				}
				lines = append(lines, fmt.Sprintf("u%d,%d,%s,%v,%v,%d\n", u, p, first, r.ExpFloat64(), r.NormFloat64(), r.IntN(2)))
			}
		}
	}
	write := func() string { return "unit,time,first,y,x,on\n" + strings.Join(lines, "") }
	before := write()
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	after := write()
	rows := panelColumns()
	adjusted := rows
	adjusted.Covariates = []string{"x"}
	tasks := estimate.Columns{Outcome: "y:log", Treated: "on", Cluster: "unit"}
	for _, c := range []struct {
		name, method string
		columns      estimate.Columns
		repeats      bool
	}{
		{"rows", "two-by-two", rows, true},
		{"rows", "wild-bootstrap", rows, true},
		{"adjusted-rows", "twfe", adjusted, true},
		{"adjusted-rows", "callaway-santanna", adjusted, true},
		{"rows", "imputation", rows, true},
		{"rows", "kaplan-meier", rows, false},
		{"tasks", "randomized", tasks, false},
		{"tasks-of-a-panel", "randomized", estimate.Columns{Unit: "unit", Time: "time", Outcome: "y:log", Treated: "on", Cluster: "unit"}, false},
		{"tasks", "wild-bootstrap", tasks, false},
	} {
		t.Run(c.name+"/"+c.method, func(t *testing.T) {
			var got [2]bytes.Buffer
			for k, file := range []string{before, after} {
				a := ask(t, read(t, file, c.columns), c.method, estimate.Options{RepeatedCrossSections: c.repeats})
				if err := estimate.WriteJSON(&got[k], a); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got[0].Bytes(), got[1].Bytes()) {
				t.Errorf("the order of rows changes the answer: %s\n%s", &got[0], &got[1])
			}
		})
	}
}

// TestFewDraws refuses so few draws that no p-value could be small: of one draw
// a bootstrap's p-value would be 0.
func TestFewDraws(t *testing.T) {
	d := read(t, bundled(t, "castle.csv"), panelColumns())
	for _, c := range []struct {
		draws int
		want  error
	}{{1, &estimate.Error{Code: estimate.ErrOption}}, {18, &estimate.Error{Code: estimate.ErrOption}}, {19, nil}} {
		_, err := estimate.Run(d, "wild-bootstrap", estimate.Options{Draws: &c.draws})
		if !errors.Is(err, c.want) {
			t.Errorf("%d draws: got %v, want %v", c.draws, err, c.want)
		}
	}
}
