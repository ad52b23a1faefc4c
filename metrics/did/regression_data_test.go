package did_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// columns of a table in testdata or shared data that make a panel.
type columns struct {
	path          string
	unit, time, y string
	first         func(row map[string]string) int
	x             []string
	weight        string
	keep          func(row map[string]string) bool
}

// read makes the panel.
func (c columns) read(t testing.TB) did.Panel {
	t.Helper()
	var b builder
	var x [][]float64
	if len(c.x) > 0 {
		x = make([][]float64, len(c.x))
	}
	var weight []float64
	for _, row := range readCSV(t, c.path) {
		if c.keep != nil && !c.keep(row) {
			continue
		}
		b.add(row[c.unit], whole(t, row[c.time]), c.first(row), number(t, row[c.y]))
		for k, name := range c.x {
			x[k] = append(x[k], number(t, row[name]))
		}
		if c.weight != "" {
			weight = append(weight, number(t, row[c.weight]))
		}
	}
	p := b.panel
	p.X, p.Weight = x, weight
	return p
}

// baseStagg and baseDid are the simulated panels of R's fixest.
func baseStagg(t testing.TB) did.Panel {
	return columns{
		path: filepath.Join("testdata", "base_stagg.csv"), unit: "id", time: "year", y: "y", x: []string{"x1"},
		first: func(row map[string]string) int {
			if row["year_treated"] == "10000" {
				return did.Never
			}
			return whole(t, row["year_treated"])
		},
	}.read(t)
}

func baseDid(t testing.TB) did.Panel {
	return columns{
		path: filepath.Join("testdata", "base_did.csv"), unit: "id", time: "period", y: "y", x: []string{"x1"},
		first: func(row map[string]string) int {
			if row["treat"] == "1" {
				return 6
			}
			return did.Never
		},
	}.read(t)
}

// homicides are the states of Cheng and Hoekstra's castle-doctrine study with
// the year in which the law was in force: its first full or partial year, where
// testdata/castle.csv has the year of the date.
func homicides(t testing.TB, weight string, x ...string) did.Panel {
	return columns{
		path: filepath.Join("testdata", "castle_controls.csv"), unit: "sid", time: "year", y: "l_homicide", x: x, weight: weight,
		first: func(row map[string]string) int { return start(t, row["effyear"]) },
	}.read(t)
}

// restaurants are Card and Krueger's: New Jersey raised its minimum wage
// between two interviews.
func restaurants(t testing.TB) did.Panel {
	return columns{
		path: filepath.Join("testdata", "card_krueger.csv"), unit: "id", time: "d", y: "fte",
		keep: func(row map[string]string) bool { return row["fte"] != "" && row["fte"] != "NA" },
		first: func(row map[string]string) int {
			if row["nj"] == "1" {
				return 1
			}
			return did.Never
		},
	}.read(t)
}

// tenStatePanel are ten states of which the first alone, or five, are treated.
func tenStatePanel(t testing.TB, design string) did.Panel {
	p := bundled(t, "fewclusters")
	if design == "D5" {
		p.First = slices.Clone(p.First)
		names := []string{"Alabama", "Arkansas", "Colorado", "Connecticut", "Delaware", "Georgia", "Idaho", "Illinois", "Indiana", "California"}
		for u, name := range names {
			if slices.Contains([]string{"Alabama", "Arkansas", "California", "Colorado", "Connecticut"}, name) {
				p.First[u] = 1989
			}
		}
	}
	return p
}

// medicaid are the states that widened Medicaid in 2014 and those that did not
// by 2015.
func medicaid(t testing.TB) did.Panel {
	return columns{
		path: filepath.Join("testdata", "ehec.csv"), unit: "unit", time: "time", y: "y",
		keep: func(row map[string]string) bool { return whole(t, row["time"]) < 2016 && row["first"] != "2015" },
		first: func(row map[string]string) int {
			if row["first"] == "2014" {
				return 2014
			}
			return did.Never
		},
	}.read(t)
}

// metrTasks are the tasks of METR's trial of 2025: 16 developers, AI allowed by
// lot. Missing times after review are imputed by the arm's mean, as published.
func metrTasks(t testing.TB) (tasks did.Tasks, ratios [2][]float64, forecast []float64) {
	t.Helper()
	rows := readCSV(t, filepath.Join("testdata", "metr.csv"))
	var sum, n [2]float64
	arm := func(row map[string]string) int { return int(number(t, row["ai_treatment"])) }
	for _, row := range rows {
		if review := row["post_review_implementation_time"]; review != "" {
			sum[arm(row)] += number(t, review)
			n[arm(row)]++
		}
	}
	tasks.X = make([][]float64, 1)
	for _, row := range rows {
		k := arm(row)
		review := sum[k] / n[k]
		if s := row["post_review_implementation_time"]; s != "" {
			review = number(t, s)
		}
		y := math.Log(number(t, row["initial_implementation_time"]) + review)
		guess := number(t, row["predicted_time_no_ai"])
		tasks.Y = append(tasks.Y, y)
		tasks.Treated = append(tasks.Treated, k == 1)
		tasks.Cluster = append(tasks.Cluster, whole(t, row["dev_id"]))
		tasks.X[0] = append(tasks.X[0], math.Log(guess))
		ratios[k] = append(ratios[k], y-math.Log(guess))
		forecast = append(forecast, number(t, row["predicted_time_ai_allowed"])/guess-1)
	}
	return tasks, ratios, forecast
}

// cursor is one outcome of the panel of repositories that adopted an AI editor
// as its reference reads it: with or without the rows that are there twice,
// with covariates, and with months as calendar months or as year·100 + month.
func cursor(t testing.TB, rows []map[string]string, outcome string, covariates, dedup, calendar bool) did.Panel {
	t.Helper()
	names := []string{outcome}
	if outcome == "static_analysis_warnings" {
		names = []string{"code_smells", "vulnerabilities", "bugs"}
	}
	need := slices.Clone(names)
	controls := []string{"age", "ncloc", "contributors", "stars", "issues"}
	var x [][]float64
	if covariates {
		need = append(need, controls...)
		x = make([][]float64, len(controls))
	}
	month := func(m int) int {
		if calendar {
			return 202401 + m/12*100 + m%12
		}
		return m
	}
	var b builder
	for _, row := range rows {
		missing := func(name string) bool { return row[name] == "" || row[name] == "NA" }
		if dedup && row["dup"] == "1" || slices.ContainsFunc(need, missing) {
			continue
		}
		var y float64
		for _, name := range names {
			y += number(t, row[name])
		}
		first := did.Never
		if row["g"] != "" {
			first = month(whole(t, row["g"]))
		}
		b.add(row["repo_name"], month(whole(t, row["t"])), first, math.Log1p(y))
		for k := range x {
			v := number(t, row[controls[k]])
			if controls[k] != "ncloc" {
				v = math.Log1p(v)
			}
			x[k] = append(x[k], v)
		}
	}
	p := b.panel
	p.X = x
	return p
}
