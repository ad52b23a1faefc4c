package estimate

import (
	"math"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// Columns says what the columns of a file are, and which rows to read.
type Columns struct {
	// Unit and Time name the columns of the unit and the period; both may be
	// empty for tasks that were assigned by lot, which have neither.
	Unit, Time string
	// Outcome is a column, or several joined by "+", which are added up; behind
	// a colon may stand its scale: level (as it is, the default), log, log1p,
	// logged (logarithms already) or count.
	Outcome string
	// FirstTreated is the column of the unit's first treated period: empty, NA,
	// never, Inf and, where periods are years or whole numbers, 0 mean never.
	FirstTreated string
	// Treated is the column that is 1 in treated unit-periods, else 0. Starts
	// are first treated periods by unit. Give one of the three.
	Treated string
	Starts  map[string]string
	// Covariates are columns, each with its scale behind a colon: level, log,
	// log1p, or factor for names, which become one column of 0 and 1 each.
	Covariates []string
	// Weights and Exposure are columns of numbers above 0.
	Weights, Exposure string
	// Cluster is the column of names by which rows are taken to depend on each
	// other.
	Cluster string
	// Censored is the column that is 1 where a duration had not ended yet when
	// it was last seen; as COL=VALUE it is VALUE there.
	Censored string
	// Drop leaves out rows, Only all units but the named ones. From and To are
	// the first and the last period to read.
	Drop     []ingest.Filter
	Only     []string
	From, To string
}

// check refuses what no file could fit.
func (c Columns) check() error {
	starts := 0
	for _, given := range []bool{c.FirstTreated != "", c.Treated != "", len(c.Starts) > 0} {
		if given {
			starts++
		}
	}
	switch {
	case c.Outcome == "":
		return refuse(ErrColumns, "name it with --outcome COL", "no column is the outcome")
	case starts == 0:
		return refuse(ErrColumns,
			"name the column of the first treated period with --first-treated COL, or that of 1 in treated unit-periods with --treated COL",
			"nothing says what was treated")
	case starts > 1:
		return refuse(ErrColumns, "give one of --first-treated, --treated and --start", "treatment is given in %d ways", starts)
	case c.Unit == "" && c.Time != "":
		return refuse(ErrColumns, "name the column of the unit with --unit COL", "periods without units")
	case c.Unit == "" && len(c.Only) > 0:
		return refuse(ErrColumns, "name the column of the unit with --unit COL", "units to read without a column of the unit")
	case c.Time == "" && (c.From != "" || c.To != ""):
		return refuse(ErrColumns, "name the column of the period with --time COL", "periods to read without a column of the time")
	case c.Time == "" && c.Treated == "":
		return refuse(ErrColumns, "name the column of the period with --time COL", "no column is the time")
	}
	return nil
}

// factor is the scale of covariates that are names.
const factor metrics.Scale = "factor"

var (
	outcomeScales = []metrics.Scale{
		metrics.ScaleLevel, metrics.ScaleLog, metrics.ScaleLog1p, metrics.ScaleLogged, metrics.ScaleCount,
	}
	covariateScales = []metrics.Scale{metrics.ScaleLevel, metrics.ScaleLog, metrics.ScaleLog1p, factor}
)

// field is the columns that a value is read from, and its scale.
type field struct {
	name  string
	cols  []int
	scale metrics.Scale
	// scaled says that the scale was given.
	scaled bool
}

// findField resolves "COL[+COL…][:SCALE]". A column whose own name has a colon
// or a plus in it is found as it is written.
func findField(t *ingest.Table, text, what string, scales []metrics.Scale) (field, error) {
	f := field{name: text, scale: metrics.ScaleLevel}
	if i := strings.LastIndexByte(text, ':'); i > 0 && !t.Has(text) {
		if s := metrics.Scale(text[i+1:]); slices.Contains(scales, s) {
			f.name, f.scale, f.scaled = text[:i], s, true
		} else if t.Has(text[:i]) {
			return f, refuse(ErrOption, "the scales are "+scaleNames(scales), "%s %q: there is no scale %q", what, text, text[i+1:])
		}
	}
	names := []string{f.name}
	if !t.Has(f.name) && f.scale != factor {
		names = strings.Split(f.name, "+")
	}
	for _, name := range names {
		col, err := t.Column(name, what)
		if err != nil {
			return f, err
		}
		f.cols = append(f.cols, col)
	}
	return f, nil
}

func scaleNames(scales []metrics.Scale) string {
	var names []string
	for _, s := range scales {
		names = append(names, string(s))
	}
	return list(names)
}

// transformed puts a value on its scale.
func (f field) transformed(x float64) float64 {
	if f.scale == metrics.ScaleLog {
		return math.Log(x)
	}
	if f.scale == metrics.ScaleLog1p {
		return math.Log1p(x)
	}
	return x
}
