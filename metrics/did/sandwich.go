package did

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Covariance is how the covariance of regression coefficients is estimated,
// and with which degrees of freedom.
type Covariance int

const (
	// CR1 is robust to anything within a cluster, with fixest's factor
	// G/(G−1)·(N−1)/(N−K); K counts coefficients and period effects, but not
	// unit effects, which are nested in clusters. G − 1 degrees of freedom.
	CR1 Covariance = iota
	// CR2 is the bias-reduced version of Bell and McCaffrey (2002), with their
	// degrees of freedom, one number a coefficient: the one to use where
	// clusters are few or unlike. Weights are read as inverse variances.
	CR2
	// Homoskedastic takes all rows to be independent and equally noisy. It
	// has N − K degrees of freedom, K counting all effects, as have the next.
	Homoskedastic
	// HC1 lets the noise differ between independent rows, with N/(N−K).
	HC1
	// HC2 divides a row's squared residual by 1 − its leverage.
	HC2
	// HC3 divides by its square.
	HC3
)

func (c Covariance) clustered() bool { return c == CR1 || c == CR2 }

func (c Covariance) check() error {
	if c < CR1 || c > HC3 {
		return refuse(ErrOption, "unknown covariance %d", c)
	}
	return nil
}

// uncertainty is the covariance of a fit's coefficients.
type uncertainty struct {
	v *mat.SymDense // nil where there is none
	// df holds the degrees of freedom by target, joint those of a test of
	// several.
	df    []float64
	joint float64
	// refusal says why there is none.
	refusal string
}

// covariance estimates the covariance of the coefficients and the degrees of
// freedom of targets, which are combinations of them, one a column; nil means
// the coefficients themselves. Clusters may be nil for kinds that need none.
func (f *fit) covariance(kind Covariance, c *clustering, targets *mat.Dense) (uncertainty, error) {
	if len(f.beta) == 0 || f.perfect() {
		return uncertainty{refusal: "the regression leaves nothing unexplained, so nothing shows its uncertainty"}, nil
	}
	var u uncertainty
	var err error
	switch kind {
	case CR1:
		u = f.cr1(c)
	case CR2:
		return f.cr2(c, targets)
	default:
		u, err = f.independent(kind)
	}
	if targets != nil {
		_, n := targets.Dims()
		u.df = constant(n, u.joint)
	}
	return u, err
}

func constant(n int, x float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// perfect reports whether the residual is nothing but rounding.
func (f *fit) perfect() bool {
	return math.Sqrt(f.product(f.residual, f.residual)/f.weight) <= roundingNoise*f.table().scale
}

// effectColumns is how many independent columns the effects are.
func (f *fit) effectColumns() int {
	return f.effects.usedBlocks() + f.effects.usedPeriods() - f.effects.parts()
}

// independent is the covariance with independent rows.
func (f *fit) independent(kind Covariance) (uncertainty, error) {
	left := f.rows - len(f.beta) - f.effectColumns()
	if left < 1 {
		return uncertainty{refusal: "there are as many coefficients and effects as rows"}, nil
	}
	if kind == Homoskedastic {
		sigma := f.product(f.residual, f.residual) / float64(left)
		v := mat.NewSymDense(len(f.beta), nil)
		v.ScaleSym(sigma, f.inverse)
		return f.uncertainty(v, float64(left)), nil
	}
	power := map[Covariance]int{HC1: 0, HC2: 1, HC3: 2}[kind]
	var h *leverage
	if power > 0 {
		var err error
		if h, err = f.newLeverage(); err != nil {
			return uncertainty{}, err
		}
	}
	meat := mat.NewSymDense(len(f.beta), nil)
	score := mat.NewVecDense(len(f.beta), nil)
	buffer := f.rowBuffer()
	for b := range f.effects.weight {
		if power > 0 {
			h.setBlock(b)
		}
		f.eachRow(b, buffer, func(i int, row []float64) {
			factor := f.table().weightOf(i) * f.residual[i]
			if power > 0 {
				rest := 1 - h.row(i, row)
				if rest < collinearShare {
					return // an effect of its own uses the row up: its residual is 0
				}
				factor /= math.Pow(rest, float64(power)/2)
			}
			for k, x := range row {
				score.SetVec(k, factor*x)
			}
			meat.SymRankOne(meat, 1, score)
		})
	}
	factor := 1.0
	if kind == HC1 {
		factor = float64(f.rows) / float64(left)
	}
	return f.uncertainty(f.sandwich(factor, meat), float64(left)), nil
}

// sandwich is factor·M·meat·M, M being the inverse.
func (f *fit) sandwich(factor float64, meat *mat.SymDense) *mat.SymDense {
	n := len(f.beta)
	var half, full mat.Dense
	half.Mul(f.inverse, meat)
	full.Mul(&half, f.inverse)
	v := mat.NewSymDense(n, nil)
	for a := range n {
		for b := a; b < n; b++ {
			v.SetSym(a, b, factor*(full.At(a, b)+full.At(b, a))/2)
		}
	}
	return v
}

// uncertainty has the same degrees of freedom for every coefficient.
func (f *fit) uncertainty(v *mat.SymDense, df float64) uncertainty {
	return uncertainty{v: v, joint: df, df: constant(len(f.beta), df)}
}

// cr1 is the cluster sandwich.
func (f *fit) cr1(c *clustering) uncertainty {
	left := f.rows - len(f.beta) - f.effects.usedPeriods()
	switch {
	case c.used < 2:
		return uncertainty{refusal: "there is one cluster alone"}
	case left < 1:
		return uncertainty{refusal: "there are as many coefficients and period effects as rows"}
	}
	n := len(f.beta)
	meat := mat.NewSymDense(n, nil)
	score := make([]float64, n)
	for g := range c.count() {
		clear(score)
		for _, u := range c.members(g) {
			f.addScore(score, u)
		}
		meat.SymRankOne(meat, 1, mat.NewVecDense(n, score))
	}
	clusters := float64(c.used)
	factor := clusters / (clusters - 1) * float64(f.rows-1) / float64(left)
	return f.uncertainty(f.sandwich(factor, meat), clusters-1)
}

// addScore adds X̃'We of block b. Residuals of a block add up to 0, so that
// unit effects of dummies need not be taken out.
func (f *fit) addScore(score []float64, b int) {
	e, t, d := f.effects, f.table(), f.dummies()
	for i := e.start[b]; i < e.start[b+1]; i++ {
		if !e.used[i] {
			continue
		}
		v := t.weightOf(i) * f.residual[i]
		for k, tilde := range f.tilde {
			score[k] += v * tilde[i]
		}
		if k, ok := f.dummyOf(i); ok {
			score[f.covariates+k] += v
		}
		out := score[f.covariates:]
		for k, x := range f.period[t.period[i]*d : (t.period[i]+1)*d] {
			out[k] -= v * x
		}
	}
}

// estimate is coefficient k with its uncertainty.
func (f *fit) estimate(k int, u uncertainty, level float64) Estimate {
	if u.v == nil || u.df[k] <= 0 {
		return Estimate{Value: f.beta[k]}
	}
	return newEstimate(f.beta[k], math.Sqrt(max(0, u.v.At(k, k))), u.df[k], level, f.scale(f.inverse.At(k, k)))
}

// target is column k of targets with its uncertainty.
func (f *fit) target(targets *mat.Dense, k int, u uncertainty, level float64) Estimate {
	c := targets.ColView(k)
	value := mat.Dot(c, mat.NewVecDense(len(f.beta), f.beta))
	if u.v == nil || u.df[k] <= 0 {
		return Estimate{Value: value}
	}
	se := math.Sqrt(max(0, mat.Inner(c, u.v, c)))
	return newEstimate(value, se, u.df[k], level, f.scale(mat.Inner(c, f.inverse, c)))
}

// scale is how large a coefficient can be that is nothing but rounding, over
// roundingNoise: as large as the outcome over the spread of its column.
func (f *fit) scale(inverse float64) float64 {
	return f.table().scale * math.Sqrt(inverse*f.weight/float64(f.rows))
}
