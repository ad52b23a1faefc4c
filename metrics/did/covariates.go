package did

import (
	"fmt"
	"math"
)

// addCovariates lays out the covariates, each with mean 0 and variance 1 over
// all rows, which changes no estimate but keeps its digits. A covariate that
// is the same in all rows is left out, with a warning.
func (c *cohorts) addCovariates(t *table, order []int) (warnings []string) {
	if len(t.x) == 0 {
		return nil
	}
	var columns [][]float64
	for k, column := range t.x {
		if standardised, ok := c.standardise(t, order, column); ok {
			columns = append(columns, standardised)
		} else {
			warnings = append(warnings, fmt.Sprintf("Covariate %d is the same in all rows and was left out.", k+1))
		}
	}
	if len(columns) == 0 {
		return warnings
	}
	c.width = 1 + len(columns)
	c.steadyX = true
	start := make([]int, len(order))
	for i := range start {
		start[i] = -1
	}
	c.eachRow(t, order, func(i, r int) {
		s := &c.rows[t.period[r]]
		s.x = append(s.x, 1)
		if start[i] < 0 {
			start[i] = r
		}
		for _, column := range columns {
			s.x = append(s.x, column[r])
			c.steadyX = c.steadyX && column[r] == column[start[i]]
		}
	})
	return warnings
}

// standardise returns column less its mean over its standard deviation, both
// taken over the rows used; false where it does not vary there.
func (c *cohorts) standardise(t *table, order []int, column []float64) ([]float64, bool) {
	var top, n, sum, squares float64
	c.eachRow(t, order, func(_, r int) { top = max(top, math.Abs(column[r])) })
	if top == 0 {
		return nil, false
	}
	c.eachRow(t, order, func(_, r int) {
		sum += column[r] / top
		n++
	})
	mean := sum / n
	c.eachRow(t, order, func(_, r int) { squares += (column[r]/top - mean) * (column[r]/top - mean) })
	sd := math.Sqrt(squares / n)
	if sd <= roundingNoise {
		return nil, false
	}
	out := make([]float64, len(column))
	c.eachRow(t, order, func(_, r int) { out[r] = (column[r]/top - mean) / sd })
	return out, true
}
