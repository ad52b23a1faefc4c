package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// poisson holds one run of PoissonRatio. Coefficients are those of the periods
// that are free, then of the columns.
type poisson struct {
	r      *panelRegression
	offset []float64   // log exposure by row
	column [][]float64 // by row: being treated, then covariates, of size around 1
	unit   []float64   // by column: what a covariate was divided by
	of     []int       // by covariate: its column, −1 where it is lost

	theta  []float64
	mean   []float64 // by row: fitted, with its weight
	hess   normedCholesky
	events float64 // with their weights
	value  float64 // of the likelihood
}

func (m *poisson) periods() int { return m.r.effects.equations }

// choose lists the columns that can be told from effects and each other.
func (m *poisson) choose(class []int) error {
	f, err := m.r.run(class, 1)
	if err != nil {
		return err
	}
	if _, ok := f.coefficient(0); !ok {
		return refuse(ErrNotIdentified, "being treated cannot be told from %s", m.r.beside())
	}
	treated := make([]float64, m.r.t.rows())
	var events float64
	for i, c := range class {
		if c == 0 {
			treated[i] = 1
			events += m.r.t.y[i]
		}
		if m.r.used[i] {
			m.events += m.r.t.weightOf(i) * m.r.t.y[i]
		}
	}
	if events == 0 {
		return refuse(ErrNotIdentified, "no treated row has an event: the ratio is 0, and its interval needs the exact method for counts")
	}
	m.column, m.unit = [][]float64{treated}, []float64{1}
	for k, x := range m.r.x {
		m.of = append(m.of, -1)
		if f.column[k] < 0 {
			continue
		}
		m.of[k] = len(m.column)
		column, unit := spreadOut(x)
		m.column, m.unit = append(m.column, column), append(m.unit, unit)
	}
	return nil
}

// spreadOut is x less its mean, divided by its largest distance from it.
func spreadOut(x []float64) (out []float64, unit float64) {
	out = make([]float64, len(x))
	var centre float64
	for _, v := range x {
		centre += v / float64(len(x))
	}
	for i, v := range x {
		out[i] = v - centre
	}
	unit = size(out...)
	scaleBy(out, 1/unit)
	return out, unit
}

const (
	maxPoissonSteps = 200
	// farthest is a coefficient that no finite maximum has: a factor of e^50.
	farthest = 50
)

// maximise takes Newton's steps until they no longer matter.
func (m *poisson) maximise() error {
	m.theta = make([]float64, m.periods()+len(m.column))
	m.mean = make([]float64, m.r.t.rows())
	step := make([]float64, len(m.theta))
	before := math.Inf(-1)
	for range maxPoissonSteps {
		gradient, hess := m.evaluate()
		if !(m.value >= before-1e-12*(math.Abs(before)+m.events)) { // too far
			for k := range step {
				step[k] /= 2
				m.theta[k] -= step[k]
			}
			continue
		}
		if !m.hess.factorise(hess) {
			break
		}
		step = m.hess.solve(gradient)
		gain := dot(gradient, step)
		if !finite(gain) || size(m.theta[m.periods():]...) > farthest {
			break
		}
		if gain <= 1e-18*m.events {
			return nil
		}
		before = m.value
		addTo(m.theta, step)
	}
	return noFiniteRatio()
}

func noFiniteRatio() error {
	return refuse(ErrNotIdentified, "the ratio has no finite value: units have events only before treatment, or only after, so that nothing is left to compare")
}

// identified says that units with rows before and after treatment tell the
// effect. Where they do not, each step goes on as far as the last, and what
// the data know of it vanishes beside their events.
func (m *poisson) identified() bool {
	direction := m.direction(0)
	var events float64
	for u := range m.r.t.units() {
		if m.r.t.switches(u, m.r.used) {
			for _, mu := range m.mean[m.r.t.start[u]:m.r.t.start[u+1]] {
				events += mu
			}
		}
	}
	return direction[m.periods()]*events < 1e10
}

// direction is the column of the inverse second derivative that belongs to
// column j.
func (m *poisson) direction(j int) []float64 {
	unit := make([]float64, len(m.theta))
	unit[m.periods()+j] = 1
	return m.hess.solve(unit)
}

// evaluate fills the fitted means and returns the gradient and the negative
// second derivative of the likelihood from which unit effects are gone.
func (m *poisson) evaluate() (gradient []float64, hess *mat.SymDense) {
	t, n := m.r.t, len(m.theta)
	gradient = make([]float64, n)
	cells := make([]float64, n*n)
	m.value = 0
	for u := range t.units() {
		m.unitMeans(u)
		m.addUnit(u, gradient, cells, n)
	}
	return gradient, mat.NewSymDense(n, cells)
}

// unitMeans fills the fitted means of one unit, which add up to its events.
func (m *poisson) unitMeans(u int) {
	t := m.r.t
	from, to := t.start[u], t.start[u+1]
	top := math.Inf(-1)
	var events float64
	for i := from; i < to; i++ {
		if !m.r.used[i] {
			continue
		}
		eta := m.offset[i]
		if k := m.r.effects.free[t.period[i]]; k >= 0 {
			eta += m.theta[k]
		}
		for j, column := range m.column {
			eta += m.theta[m.periods()+j] * column[i]
		}
		m.mean[i] = eta
		top = max(top, eta)
		events += t.weightOf(i) * t.y[i]
	}
	var sum float64
	for i := from; i < to; i++ {
		if m.r.used[i] {
			w := t.weightOf(i)
			m.value += w * t.y[i] * (m.mean[i] - top)
			m.mean[i] = w * math.Exp(m.mean[i]-top)
			sum += m.mean[i]
		}
	}
	if sum == 0 {
		return // no row takes part
	}
	m.value -= events * math.Log(sum)
	scaleBy(m.mean[from:to], events/sum)
}

// addUnit adds what one unit says to the derivatives. Its own effect takes
// from every column the mean weighted by fitted values.
func (m *poisson) addUnit(u int, gradient, cells []float64, n int) {
	t, periods := m.r.t, m.periods()
	var events float64
	centre := make([]float64, len(m.column))
	for i := t.start[u]; i < t.start[u+1]; i++ {
		if !m.r.used[i] {
			continue
		}
		events += m.mean[i]
		for j, column := range m.column {
			centre[j] += m.mean[i] * column[i]
		}
	}
	if events == 0 {
		return
	}
	scaleBy(centre, 1/events)
	for i := t.start[u]; i < t.start[u+1]; i++ {
		if !m.r.used[i] {
			continue
		}
		mu := m.mean[i]
		score := t.weightOf(i)*t.y[i] - mu
		for a := range m.column {
			x := m.column[a][i] - centre[a]
			gradient[periods+a] += score * x
			row := cells[(periods+a)*n+periods:]
			for b := a; b < len(m.column); b++ {
				row[b] += mu * x * (m.column[b][i] - centre[b])
			}
		}
		k := m.r.effects.free[t.period[i]]
		if k < 0 {
			continue
		}
		gradient[k] += score
		row := cells[k*n : (k+1)*n]
		row[k] += mu
		for a := range m.column {
			row[periods+a] += mu * (m.column[a][i] - centre[a])
		}
		for later := i; later < t.start[u+1]; later++ {
			l := m.r.effects.free[t.period[later]]
			if l < 0 || !m.r.used[later] {
				continue
			}
			both := mu * m.mean[later] / events
			if l == k && later != i {
				both *= 2 // two rows of one period, taken once
			}
			row[l] -= both
		}
	}
}

// normedCholesky factors a positive definite matrix whose rows may be of very
// different size: each is divided by the root of its diagonal first.
type normedCholesky struct {
	chol mat.Cholesky
	norm []float64
}

// factorise replaces the cells of a.
func (c *normedCholesky) factorise(a *mat.SymDense) bool {
	n := a.SymmetricDim()
	c.norm = make([]float64, n)
	for j := range n {
		if d := a.At(j, j); d > 0 {
			c.norm[j] = 1 / math.Sqrt(d)
		} else {
			return false
		}
	}
	for j := range n {
		for k := j; k < n; k++ {
			a.SetSym(j, k, a.At(j, k)*c.norm[j]*c.norm[k])
		}
	}
	return c.chol.Factorize(a)
}

// solve is the solution for right-hand side b. A nearly singular matrix gives
// what its digits allow.
func (c *normedCholesky) solve(b []float64) []float64 {
	v := mat.NewVecDense(len(b), nil)
	for j, x := range b {
		v.SetVec(j, x*c.norm[j])
	}
	// The only error is a warning of poor conditioning; v is solved for.
	_ = c.chol.SolveVecTo(v, v)
	out := v.RawVector().Data
	for j := range out {
		out[j] *= c.norm[j]
	}
	return out
}
