package estimate

import (
	"slices"

	"steelyard/metrics"
	"steelyard/metrics/did"
)

// Data is what [Read] kept of a file: rows without a missing value.
type Data struct {
	columns Columns
	outcome field
	// panel has units in the order of their names, and periods counted from 0
	// in steps; Y and X are transformed. Tasks without periods have Y, X and
	// Weight alone.
	panel did.Panel
	units []string
	// kind says what the file's periods are. The panel's run in steps of 1 from
	// the first one, which is origin there and base in the panel: the same
	// where periods are consecutive numbers, so that errors name them as the
	// file does, and else 0.
	kind               metrics.PeriodKind
	origin, base, step int
	// covariates names the columns of panel.X.
	covariates []string
	// exposure, cluster, censored and treated are by row, nil where there is no
	// such column; clusters names the clusters.
	exposure          []float64
	cluster           []int
	clusters          []string
	censored, treated []bool
	line              []int32
	// notes say what was left out and what was taken otherwise than written.
	notes []string
	// ends is why treated has no first treated periods; nil where it has.
	ends error
	file string
}

// rows is the number of rows kept.
func (d *Data) rows() int { return len(d.panel.Y) }

// tasks reports whether the rows have no periods.
func (d *Data) tasks() bool { return d.columns.Time == "" }

// label is how the file writes period t.
func (d *Data) label(t int) string {
	if t == did.Never {
		return "never"
	}
	return d.kind.Label(d.origin + (t-d.base)*d.step)
}

// periods are the periods that have a row, ascending.
func (d *Data) periods() []int {
	if len(d.panel.Time) == 0 {
		return nil
	}
	width := slices.Max(d.panel.Time) - d.base + 1
	if width > 4*d.rows()+1024 { // a table would be mostly empty
		return slices.Compact(slices.Sorted(slices.Values(d.panel.Time)))
	}
	seen := make([]bool, width)
	for _, t := range d.panel.Time {
		seen[t-d.base] = true
	}
	var out []int
	for t, yes := range seen {
		if yes {
			out = append(out, d.base+t)
		}
	}
	return out
}

// seenUnits counts the units that have a row.
func (d *Data) seenUnits() int {
	n := 0
	for _, has := range d.withRows() {
		if has {
			n++
		}
	}
	return n
}

// counts are the rows, units and periods of the file. Tasks are units of their
// own at one time.
func (d *Data) counts() Counts {
	if d.tasks() {
		return Counts{Rows: d.rows(), Units: d.rows(), Periods: 1}
	}
	return Counts{Rows: d.rows(), Units: d.seenUnits(), Periods: len(d.periods())}
}

// columnSet lists the optional columns that were named, as options are called.
func (d *Data) columnSet() []string {
	var out []string
	for _, c := range []struct {
		option string
		given  bool
	}{
		{"covariates", len(d.columns.Covariates) > 0},
		{"weights", d.columns.Weights != ""},
		{"exposure", d.columns.Exposure != ""},
		{"cluster", d.columns.Cluster != ""},
		{"censored", d.columns.Censored != ""},
	} {
		if c.given {
			out = append(out, c.option)
		}
	}
	return out
}

// withRows says which units have a row.
func (d *Data) withRows() []bool {
	has := make([]bool, len(d.units))
	for _, u := range d.panel.Unit {
		has[u] = true
	}
	return has
}
