package did

import (
	"math"
	"slices"
)

// noOverlap is the fitted probability of being treated from which on there is
// nobody to compare with (R's did stops a cell there).
const noOverlap = 0.999

// trimmed is the fitted probability from which on a comparison row is left out
// (R's DRDID).
const trimmed = 0.995

// propensity is a logit of being treated, fitted by maximum likelihood.
type propensity struct {
	x       []float64
	w       []float64 // with mean 1
	width   int
	treated int       // the first rows are the treated ones
	p       []float64 // fitted probabilities
	// odds is w·p/(1 − p) of the comparison rows, 0 where trimmed.
	odds []float64
	hess *cholesky // X'W X with weights w·p·(1 − p)
	beta []float64
}

// Where the logit stops: at R's glm's change in deviance, so that the last
// digits agree, too.
const (
	logitTolerance = 1e-8
	maxLogitSteps  = 100
)

const noOverlapReason = "the covariates tell the cohort from its comparison: nobody comparable is left"

// newPropensity fits the logit of being one of the first treated rows of x. It
// says why where that cannot be done.
func newPropensity(x, w []float64, width, treated int) (f *propensity, missing string) {
	f = &propensity{x: x, w: slices.Clone(w), width: width, treated: treated}
	scaleBy(f.w, 1/mean(w))
	f.p = make([]float64, len(w))
	f.beta = make([]float64, width)
	if !f.maximise() {
		return nil, "the covariates tell the cohort from its comparison, or repeat each other"
	}
	for _, p := range f.p {
		if p >= noOverlap {
			return nil, noOverlapReason
		}
	}
	f.odds = make([]float64, len(w)-treated)
	left := false
	for i := range f.odds {
		if p := f.p[treated+i]; p < trimmed {
			f.odds[i] = f.w[treated+i] * p / (1 - p)
			left = left || f.odds[i] > 0
		}
	}
	if !left {
		return nil, noOverlapReason
	}
	return f, ""
}

// maximise takes R's glm's steps: iterated least squares from fitted values
// half way between the outcome and one half, until the deviance stands still.
func (f *propensity) maximise() bool {
	step := make([]float64, f.width)
	deviance, ok := f.begin(step)
	if !ok {
		return false
	}
	for n := range maxLogitSteps {
		addTo(f.beta, step)
		before := deviance
		gradient := make([]float64, f.width)
		hess, now := f.evaluate(gradient)
		for range 40 { // a step that went too far is halved
			if n == 0 || now-before < logitTolerance*(0.1+now) {
				break
			}
			for k := range step {
				step[k] /= 2
				f.beta[k] -= step[k]
			}
			clear(gradient)
			hess, now = f.evaluate(gradient)
		}
		deviance = now
		change := math.Abs(now-before) / (0.1 + now)
		if !finite(change) {
			return false
		}
		if !hess.factor() {
			// Some rows are so unlike the treated that their odds are as good
			// as 0: what was known a step before holds.
			return f.hess != nil && change < 1e-6
		}
		f.hess = hess
		if change < logitTolerance {
			return true
		}
		step = gradient
		hess.solve(step)
	}
	return false
}

// begin is the first step, from the fitted values glm starts at, and their
// deviance.
func (f *propensity) begin(step []float64) (deviance float64, ok bool) {
	h := &cholesky{n: f.width, l: make([]float64, f.width*f.width)}
	for i, w := range f.w {
		p, y := 0.5/(w+1), 0.0
		if i < f.treated {
			p, y = (w+0.5)/(w+1), 1
		}
		deviance -= 2 * w * math.Log(1-math.Abs(y-p))
		weight := w * p * (1 - p)
		working := weight*math.Log(p/(1-p)) + w*(y-p)
		row := f.x[i*f.width : (i+1)*f.width]
		for k, v := range row {
			step[k] += working * v
		}
		h.add(row, weight)
	}
	if !h.factor() {
		return 0, false
	}
	h.solve(step)
	return deviance, true
}

// evaluate fills p and adds up the gradient, the Hessian and the deviance at
// beta.
func (f *propensity) evaluate(gradient []float64) (h *cholesky, deviance float64) {
	h = &cholesky{n: f.width, l: make([]float64, f.width*f.width)}
	for i, w := range f.w {
		row := f.x[i*f.width : (i+1)*f.width]
		eta := dot(row, f.beta)
		rest := math.Exp(-math.Abs(eta)) // odds of what eta points away from
		likely := 1 / (1 + rest)
		unlikely := rest * likely
		p := likely
		if eta < 0 {
			p = unlikely
		}
		f.p[i] = p
		score, surprise := -w*p, math.Log1p(rest)
		if i < f.treated {
			score = w * (1 - p)
			if eta < 0 {
				surprise -= eta
			}
		} else if eta > 0 {
			surprise += eta
		}
		deviance += 2 * w * surprise
		for k, v := range row {
			gradient[k] += score * v
		}
		h.add(row, w*likely*unlikely)
	}
	return h, deviance
}
