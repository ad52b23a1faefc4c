package ingest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"steelyard/metrics"
)

// outcomeReader reads one outcome of a row.
type outcomeReader struct {
	columns []int
	scale   metrics.Scale
}

// outcome reads an outcome of the current record: the sum of its columns, NaN
// where one is missing.
func (t *table) outcome(o outcomeReader) (float64, error) {
	sum := 0.0
	for _, c := range o.columns {
		x, f := parseNumber(t.fields[c])
		if f == nil {
			f = o.checkPart(x)
		}
		if f != nil {
			return 0, t.badField(c, *f)
		}
		sum += x
	}
	return sum, t.checkSum(o, sum)
}

// checkPart holds one column's value to what every part of a count must be.
func (o outcomeReader) checkPart(x float64) *flaw {
	switch {
	case o.scale != metrics.ScaleCount || math.IsNaN(x):
		return nil
	case x < 0:
		return &flaw{"is negative, and a count is 0 or more", "correct it, or use the scale level"}
	case x != math.Trunc(x):
		return &flaw{"is not a whole number, and a count is", "correct it, or use the scale level"}
	}
	return nil
}

// checkSum holds the outcome to the domain of its scale.
func (t *table) checkSum(o outcomeReader, x float64) error {
	var f flaw
	switch {
	case math.Abs(x) > metrics.LargestValue:
		f = flaw{"is too large to be computed with", fmt.Sprintf("outcomes go to ±%g: correct it, or count in a larger unit", metrics.LargestValue)}
	case o.scale == metrics.ScaleLogged && math.Abs(x) > metrics.LargestLogarithm:
		f = flaw{"is too large for a logarithm", fmt.Sprintf("logarithms go to ±%d: use the scale log or level if it is none", metrics.LargestLogarithm)}
	case o.scale == metrics.ScaleCount && x > metrics.LargestCount:
		f = flaw{"is too large for a count", "counts go to 1,000,000,000: correct it, or use the scale level"}
	case o.scale == metrics.ScaleLog && x <= 0:
		f = flaw{"has no logarithm", "use the scale log1p, ln(1 + x), or leave it empty where there is no value"}
	case o.scale == metrics.ScaleLog1p && x < 0:
		f = flaw{"is negative, and the scale log1p takes 0 or more", "correct it, or use the scale level"}
	default:
		return nil
	}
	if len(o.columns) == 1 {
		return t.badField(o.columns[0], f)
	}
	var names []string
	for _, c := range o.columns {
		names = append(names, t.names[c])
	}
	return &LineError{
		File: t.file, Line: t.start, Column: strings.Join(names, "+"), Value: strconv.FormatFloat(x, 'g', -1, 64),
		Problem: f.problem, Cure: f.cure,
	}
}

// exposure reads the exposure of the current record.
func (t *table) exposure(col int) (float64, error) {
	x, f := parseNumber(t.fields[col])
	switch {
	case f != nil:
	case x <= 0:
		f = &flaw{"is not above 0, and nothing can be counted over it", "leave it empty where there was nothing to count over"}
	case x < metrics.LeastExposure || x > metrics.LargestExposure:
		f = &flaw{
			"is too small or too large to count over",
			fmt.Sprintf("an exposure lies between %g and %g: correct it, or give all of them in another unit", metrics.LeastExposure, metrics.LargestExposure),
		}
	}
	if f != nil {
		return 0, t.badField(col, *f)
	}
	return x, nil
}
