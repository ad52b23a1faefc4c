// Package did estimates difference-in-differences: what treated units did
// after they started, less what the comparison did in the same time.
//
// Numbers go in and estimates with their uncertainty come out. The package has
// never heard of pull requests, files, databases or the clock; random draws
// come from a seed the caller gives. Every method names its paper and its
// conventions (reference period, degrees of freedom, ties), because those
// decide the last digits. Results never hold NaN or an infinity: what cannot
// be estimated is an [Error], or is listed as such in the result.
package did

import "math"

// Never is the first treated period of a unit that is never treated.
const Never = math.MaxInt32

// Panel is a table in long form: row i is unit Unit[i] in period Time[i] with
// outcome Y[i]. Rows may be in any order and units may miss periods; a unit
// has at most one row a period. A NaN or infinite outcome is an error: drop
// such rows first.
type Panel struct {
	// Unit holds indices into First, 0 ≤ Unit[i] < len(First).
	Unit []int
	// Time holds period numbers; consecutive periods differ by one.
	Time []int
	Y    []float64
	// First[u] is the first treated period of unit u, or [Never].
	First []int
	// X holds covariates, X[k][i] is covariate k of row i; nil for none.
	X [][]float64
	// Weight holds a positive weight a row; nil weighs all rows alike.
	// Methods that take no covariates or no weights refuse them with
	// [ErrOption] rather than leave them out silently.
	Weight []float64
}

// Estimate is an estimate with its uncertainty.
type Estimate struct {
	Value float64
	// SE is the standard error, 0 where HasSE is false.
	SE    float64
	HasSE bool
	// DF are the degrees of freedom of the t distribution behind the interval
	// and P; 0 means the normal distribution.
	DF float64
	// Low and High bound the interval of Level; P is the two-sided p-value of
	// no effect. All are 0 where HasSE is false.
	Low, High, Level, P float64
}
