package ingest

import (
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

// outcome reads outcome k of the current record: the sum of its columns, NaN
// where one is missing.
func (p *panelReader) outcome(k int) (float64, error) {
	o := p.outcomes[k]
	sum := 0.0
	for _, c := range o.columns {
		x, f := parseNumber(p.fields[c])
		if f == nil {
			f = o.checkPart(x)
		}
		if f != nil {
			return 0, p.badField(c, *f)
		}
		sum += x
	}
	return sum, p.checkSum(o, sum)
}

// checkPart holds one column's value to what every part of a count must be.
func (o outcomeReader) checkPart(x float64) *flaw {
	switch {
	case o.scale != metrics.ScaleCount || math.IsNaN(x):
		return nil
	case x < 0:
		return &flaw{"is negative, and a count is 0 or more", "correct it, or import the outcome on the scale level"}
	case x != math.Trunc(x):
		return &flaw{"is not a whole number, and a count is", "correct it, or import the outcome on the scale level"}
	}
	return nil
}

// checkSum holds the outcome to the domain of its scale.
func (p *panelReader) checkSum(o outcomeReader, x float64) error {
	var f flaw
	switch {
	case math.IsInf(x, 0):
		f = flaw{"is too large a sum for a number", "correct it"}
	case o.scale == metrics.ScaleLog && x <= 0:
		f = flaw{"has no logarithm", "import the outcome on the scale log1p, ln(1 + x), or leave it empty where there is no value"}
	case o.scale == metrics.ScaleLog1p && x < 0:
		f = flaw{"is negative, and the scale log1p takes 0 or more", "correct it, or import the outcome on the scale level"}
	default:
		return nil
	}
	if len(o.columns) == 1 {
		return p.badField(o.columns[0], f)
	}
	var names []string
	for _, c := range o.columns {
		names = append(names, p.names[c])
	}
	return &LineError{
		File: p.file, Line: p.start, Column: strings.Join(names, "+"), Value: strconv.FormatFloat(x, 'g', -1, 64),
		Problem: f.problem, Cure: f.cure,
	}
}

// exposure reads the exposure of the current record.
func (p *panelReader) exposure() (float64, error) {
	x, f := parseNumber(p.fields[p.exposeCol])
	if f == nil && x <= 0 {
		f = &flaw{"is not above 0, and nothing can be counted over it", "leave it empty where there was nothing to count over"}
	}
	if f != nil {
		return 0, p.badField(p.exposeCol, *f)
	}
	return x, nil
}
