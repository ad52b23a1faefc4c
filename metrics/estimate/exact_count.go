package estimate

import (
	"fmt"
	"math"

	"steelyard/metrics"
	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

var exactCount = method{
	name: "exact-count", page: "exact-conditional",
	takes:   []string{"exposure"},
	repeats: true,
	run:     runExactCount,
}

func runExactCount(t *task) error {
	d, start, err := t.twoWindows()
	if err != nil {
		return err
	}
	c, err := d.countCells(start)
	if err != nil {
		return err
	}
	table := did.CountTable{
		TreatedAfter: int(c.events[treatedAfter]), TreatedBefore: int(c.events[treatedBefore]),
		ComparisonAfter: int(c.events[comparisonAfter]), ComparisonBefore: int(c.events[comparisonBefore]),
	}
	if d.exposure != nil {
		table.Exposure = [4]float64{c.exposure[treatedAfter], c.exposure[treatedBefore], c.exposure[comparisonAfter], c.exposure[comparisonBefore]}
	}
	r, err := did.ExactRatio(table, 0)
	if err != nil {
		return err
	}
	t.exact("ratio", r, false)
	if r.SampleRatio != nil {
		t.addNumber("ratio:as-seen", *r.SampleRatio)
	}
	t.a.Results = append(t.a.Results,
		Result{Term: "p:mid", P: number(r.MidP), side: true}, Result{Term: "p:doubled", P: number(r.PDoubled), side: true})
	for _, side := range []struct {
		term          string
		after, before int
	}{
		{"after/before:treated", treatedAfter, treatedBefore}, {"after/before:comparison", comparisonAfter, comparisonBefore},
	} {
		exposures := [2]float64{}
		if d.exposure != nil {
			exposures = [2]float64{c.exposure[side.after], c.exposure[side.before]}
		}
		own, err := did.ExactRate(int(c.events[side.after]), int(c.events[side.before]), exposures[0], exposures[1], 0)
		if err != nil {
			t.addMissing(side.term, err.Error(), true)
			continue
		}
		t.exact(side.term, own, true)
	}
	for k, term := range cellNames {
		t.addNumber("events:"+term, c.events[k])
	}
	return nil
}

// exact appends a ratio with its exact interval. The estimate is the
// conditional one.
func (t *task) exact(term string, r did.ExactResult, side bool) {
	out := Result{Term: term, P: number(r.P), side: side, Estimate: r.MLE}
	out.CI = interval{low: r.Low, high: r.High, lowOpen: r.LowOpen, highOpen: r.HighOpen}.ends()
	if r.LowOpen {
		zero := 0.0 // a ratio is never less
		out.CI[0] = &zero
	}
	t.a.Results = append(t.a.Results, out)
}

// cells are sums over the four cells of two windows.
type cells struct{ events, exposure [4]float64 }

// countCells adds the outcome up, which must count something.
func (d *Data) countCells(start int) (cells, error) {
	var c cells
	for i, y := range d.panel.Y {
		if y < 0 || y != math.Trunc(y) || d.outcome.scale == metrics.ScaleLog || d.outcome.scale == metrics.ScaleLog1p {
			return c, &ingest.LineError{
				File: d.file, Line: int(d.line[i]), Column: d.outcome.name, Value: fmt.Sprintf("%g", y),
				Problem: "is no count", Cure: "count events: whole numbers, 0 or more, on the scale count or level",
			}
		}
		k := d.cellOf(i, start)
		c.events[k] += y
		if d.exposure != nil {
			c.exposure[k] += d.exposure[i]
		}
	}
	for k, n := range c.events {
		if n > 1<<31 {
			return c, refuse(ErrColumns, "count in a larger unit", "%g events %s are too many", n, cellNames[k])
		}
	}
	return c, nil
}
