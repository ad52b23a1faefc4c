package estimate

import (
	"fmt"
	"math"

	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

// task is one run of one method: its data and options in, rows of terms out.
type task struct {
	d *Data
	o Options
	a *Answer
}

// add appends a main term.
func (t *task) add(term string, e did.Estimate) { t.result(term, e, false) }

// addPlain appends a main term that comes without uncertainty.
func (t *task) addPlain(term string, x float64) {
	t.a.Results = append(t.a.Results, Result{Term: term, Estimate: number(x)})
}

// addSide appends a term that stays out where all methods answer.
func (t *task) addSide(term string, e did.Estimate) { t.result(term, e, true) }

func (t *task) result(term string, e did.Estimate, side bool) {
	r := Result{Term: term, Estimate: number(e.Value), side: side, bare: !e.HasSE}
	if e.HasSE {
		r.SE, r.CI, r.P = number(e.SE), [2]*float64{number(e.Low), number(e.High)}, number(e.P)
	}
	t.a.Results = append(t.a.Results, r)
}

// addNumber appends a number without uncertainty, on the side.
func (t *task) addNumber(term string, x float64) {
	t.a.Results = append(t.a.Results, Result{Term: term, Estimate: number(x), side: true})
}

// addMissing appends a term for which there is no number, and says why.
func (t *task) addMissing(term, why string, side bool) {
	t.a.Results = append(t.a.Results, Result{Term: term, side: side})
	t.warn("%s: %s", term, why)
}

// addTest appends a joint test: its statistic and p-value.
func (t *task) addTest(term string, w did.Wald) {
	t.a.Results = append(t.a.Results, Result{Term: term, Estimate: number(w.Statistic), P: number(w.P), side: true})
	if w.Warning != "" {
		t.warn("%s: %s", term, w.Warning)
	}
}

// interval is an interval whose ends may be open.
type interval struct {
	low, high         float64
	lowOpen, highOpen bool
}

// ends are the ends that exist.
func (i interval) ends() [2]*float64 {
	var ci [2]*float64
	if !i.lowOpen {
		ci[0] = number(i.low)
	}
	if !i.highOpen {
		ci[1] = number(i.high)
	}
	return ci
}

// between gives a term its interval.
func (r *Result) between(i interval) {
	r.CI, r.open = i.ends(), i.lowOpen && i.highOpen
}

// number is a pointer to x, nil where x is no finite number.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// warn appends a warning, once.
func (t *task) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, w := range t.a.Warnings {
		if w == text {
			return
		}
	}
	t.a.Warnings = append(t.a.Warnings, text)
}

func (t *task) warnAll(texts []string) {
	for _, text := range texts {
		t.warn("%s", t.d.relabel(text))
	}
}

// took notes an option that the answer rests on.
func (t *task) took(option string, value any) { t.a.Choice.Options[option] = value }

// tookSeed notes the seed of random draws.
func (t *task) tookSeed() { t.took("seed", t.o.seed()) }

// dropped says what a method left out.
func (t *task) dropped(drops []did.Drop) {
	for _, d := range drops {
		what := counted(d.Rows, "row")
		if d.TreatedRows > 0 {
			what += fmt.Sprintf(" (%d treated)", d.TreatedRows)
		}
		if d.Units > 0 {
			what += ", " + counted(d.Units, "unit") + " altogether"
		}
		t.warn("left out %s: %s", what, d.Reason)
	}
}

// sample takes what a regression was run on.
func (t *task) sample(s did.Sample) {
	t.a.N = Counts{Rows: s.Rows, Units: s.Units, Periods: s.Periods}
	t.dropped(s.Dropped)
}

// events appends points by time since the start.
func (t *task) events(prefix string, points []did.EventEstimate, side bool) {
	for _, p := range points {
		if t.o.Horizons != nil && !t.o.Horizons.has(p.Event) {
			continue
		}
		term := fmt.Sprintf("%s:%d", prefix, p.Event)
		if p.Missing != "" {
			t.addMissing(term, p.Missing, side)
			continue
		}
		t.result(term, p.Estimate, side)
		if p.Reference { // 0 by definition
			t.a.Results[len(t.a.Results)-1].bare = false
		}
	}
}

// coefficients appends the covariates' coefficients, on the side.
func (t *task) coefficients(all []did.Coefficient) {
	for _, c := range all {
		term := "covariate:" + t.d.covariates[c.Covariate]
		if c.HasPeriod {
			term += " in " + t.d.label(c.Period)
		}
		if c.Missing != "" {
			t.addMissing(term, c.Missing, true)
			continue
		}
		t.addSide(term, c.Estimate)
	}
}

// unitClusters is the cluster of each unit, nil where no column was named. A
// unit in two clusters is an error.
func (d *Data) unitClusters() ([]int, error) {
	if d.cluster == nil {
		return nil, nil
	}
	out, row := make([]int, len(d.units)), make([]int, len(d.units))
	for i, u := range d.panel.Unit {
		if row[u] == 0 {
			out[u], row[u] = d.cluster[i], i+1
			continue
		}
		if earlier := row[u] - 1; out[u] != d.cluster[i] {
			return nil, &ingest.LineError{
				File: d.file, Line: int(d.line[i]), Column: d.columns.Cluster, Value: d.clusters[d.cluster[i]],
				Problem: fmt.Sprintf("is another cluster for unit %q than %q on line %d", d.units[u], d.clusters[out[u]], d.line[earlier]),
				Cure:    "give all rows of a unit the same cluster",
			}
		}
	}
	return out, nil
}

// byRow makes every row a unit of its own, in the cluster of its unit.
func (d *Data) byRow() (p did.Panel, cluster []int) {
	p = d.panel
	p.Unit, p.First = make([]int, d.rows()), make([]int, d.rows())
	for i, u := range d.panel.Unit {
		p.Unit[i], p.First[i] = i, d.panel.First[u]
	}
	if d.cluster != nil {
		return p, d.cluster
	}
	return p, d.panel.Unit
}
