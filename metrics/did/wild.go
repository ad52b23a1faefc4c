package did

import "math"

// WildWeights are the random factors that a wild bootstrap multiplies the
// residuals of each cluster by.
type WildWeights int

const (
	// Rademacher is ±1 with equal probability.
	Rademacher WildWeights = iota
	// Webb is ±√(3/2), ±1, ±√(1/2) with equal probability (Webb 2014), for
	// fewer than about twelve clusters, where signs alone give few different
	// draws.
	Webb
	// Mammen is Mammen's (1993) two points −0.618 and 1.618 with mean 0 and
	// the second and third moment 1.
	Mammen
)

// WildOptions are the choices of [WildBootstrap].
type WildOptions struct {
	// Level of confidence; 0 means 0.95.
	Level   float64
	Weights WildWeights
	// Unrestricted takes the residuals of the regression with the effect (WCU)
	// in place of those under the null (WCR). It rejects too often with few
	// clusters.
	Unrestricted bool
	// Null is the effect that is tested.
	Null float64
	// Ties counts draws exactly as large as the observed statistic, too. Where
	// all draws are enumerated that is the exact p-value of a sign test, and
	// never 0; without it the convention is that of R's and Stata's boottest.
	Ties bool
	// Draws is how many random draws are taken where not all are enumerated;
	// 0 means 9,999. Seed makes them repeatable.
	Draws int
	Seed  uint64
	// Enumerate is up to how many different draws all of them are taken, each
	// once; 0 means 2^20, negative means never.
	Enumerate int
	// NoInterval leaves the confidence interval out, which takes most of the
	// time.
	NoInterval bool
	// Cluster[u] is the cluster of unit u, parallel to [Panel.First], any
	// integers; nil means that each unit is its own.
	Cluster []int
	// ByPeriod and Repeats are those of [FixedEffectsOptions].
	ByPeriod, Repeats bool
	// FewTreated asks for an answer even with one cluster on a side, where it
	// means nothing: restricted, it hardly ever rejects, unrestricted, it
	// nearly always does.
	FewTreated bool
}

// Wild is the answer of [WildBootstrap].
type Wild struct {
	// Value is the effect, SE its cluster-robust error with the factor
	// G/(G−1)·(N−1)/(N−K), K counting all effects, and T the statistic of the
	// null with that error.
	Value, SE, T float64
	// P is the two-sided p-value by the convention asked for; StrictP counts
	// larger draws only, TiesP equal ones as well, to 1e-9.
	P, StrictP, TiesP float64
	// Low and High bound the effects whose p-value, by the convention asked
	// for, is not under 1 − level; HasInterval says whether they were asked
	// for. LowOpen and HighOpen say that no effect on that side is rejected;
	// Low or High is 0 then.
	Low, High         float64
	LowOpen, HighOpen bool
	HasInterval       bool
	Level             float64
	// Enumerated says that all draws were taken. Draws counts them, draws and
	// their negatives apart.
	Enumerated bool
	Draws      int
	Clusters   int
	// Warnings say why the effect should not be relied on.
	Warnings []string
}

const (
	defaultWildDraws = 9_999
	maxWildDraws     = 10_000_000
	defaultEnumerate = 1 << 20
	maxEnumerate     = 1 << 30
	maxWildClusters  = 2048
	// maxIntervalDraws bounds the memory of the interval.
	maxIntervalDraws = 1 << 22
	wildTie          = 1e-9
)

// WildBootstrap tests the effect of two-way fixed effects by the wild cluster
// bootstrap of its t statistic (Cameron, Gelbach and Miller 2008; Roodman,
// MacKinnon, Nielsen and Webb, "Fast and wild", 2019): residuals of whole
// clusters are multiplied by random factors, the regression is run again, and
// the observed t is placed among those of the draws. Where the number of
// different draws allows, all are taken, so that nothing is random. The
// interval is by inversion: all effects that are not rejected as the null.
//
// It wants two clusters at least on each side and refuses less.
func WildBootstrap(p Panel, o WildOptions) (*Wild, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := newPanelRegression(p, FixedEffectsOptions{
		Level: o.Level, Cluster: o.Cluster, ByPeriod: o.ByPeriod, Repeats: o.Repeats, FewTreated: o.FewTreated,
	}, nil)
	if err != nil {
		return nil, err
	}
	f, k, _, err := r.runTreatment()
	if err != nil {
		return nil, err
	}
	if why := r.refusal(); why != "" {
		return nil, refuse(ErrTooFewUnits, "wild bootstrap with %s", why)
	}
	if f.perfect() {
		return nil, refuse(ErrZeroVariance, "the regression leaves nothing unexplained, so nothing can be drawn")
	}
	form, err := f.clusterForm(k, r.clusters)
	if err != nil {
		return nil, err
	}
	form.freedom = float64(f.rows - len(f.beta) - f.effectColumns())
	form.rows = float64(f.rows)
	out, err := form.bootstrap(o)
	if err != nil {
		return nil, err
	}
	if _, _, starts := r.clusters.sides(r.t, r.used); starts > 1 {
		out.Warnings = append(out.Warnings, "Units start in different periods: two-way fixed effects compare some of them with units treated already, so the value that is tested is no effect.")
	}
	return out, nil
}

// check completes the options.
func (o *WildOptions) check() (err error) {
	if o.Level, err = checkLevel(o.Level); err != nil {
		return err
	}
	if o.Weights < Rademacher || o.Weights > Mammen {
		return refuse(ErrOption, "unknown wild bootstrap weights %d", o.Weights)
	}
	if !finite(o.Null) || math.Abs(o.Null) > 1e150 {
		return refuse(ErrOption, "null effect %v", o.Null)
	}
	if o.Draws < 0 || o.Draws > maxWildDraws {
		return refuse(ErrOption, "%d bootstrap draws: give 0 to %d", o.Draws, maxWildDraws)
	}
	if o.Draws == 0 {
		o.Draws = defaultWildDraws
	}
	if o.Enumerate > maxEnumerate {
		return refuse(ErrOption, "up to %d enumerated draws: give at most %d", o.Enumerate, maxEnumerate)
	}
	if o.Enumerate == 0 {
		o.Enumerate = defaultEnumerate
	}
	return nil
}

// clusterForm is all that the wild bootstrap needs of a regression, by
// cluster: with D̃ and ỹ treatment and outcome less everything else in the
// regression, and rows of Z whitened so that Z·Z' is the projection on that.
type clusterForm struct {
	own    []float64   // D̃'D̃
	score  []float64   // D̃'ỹ
	left   [][]float64 // Z'D̃
	right  [][]float64 // Z'ỹ
	effect float64
	total  float64 // Σ own
	// rows and freedom (rows less columns) make the small-sample factor of T.
	rows, freedom float64
	// scale is the largest a score can be, for what is nothing but rounding.
	scale float64
}

// clusterForm gathers the clusters of coefficient k. Unit effects do not
// enter: a cluster holds whole units, over which D̃ and ỹ add up to 0.
func (f *fit) clusterForm(k int, c *clustering) (*clusterForm, error) {
	if c.used > maxWildClusters {
		return nil, refuse(ErrShape, "%d clusters, over %d: a cluster-robust t-test is as good and quicker", c.used, maxWildClusters)
	}
	z, err := f.newNuisance(k)
	if err != nil {
		return nil, err
	}
	form := &clusterForm{effect: f.beta[k], total: 1 / f.inverse.At(k, k)}
	buffer := f.rowBuffer()
	for g := range c.count() {
		if !c.takesPart(g, f.table(), f.effects.used) {
			continue
		}
		var own, score float64
		sumD, sumY := z.zeros(), z.zeros()
		for _, u := range c.members(g) {
			f.eachRow(u, buffer, func(i int, row []float64) {
				var d float64
				for j, x := range row {
					d += f.inverse.At(k, j) * x
				}
				d *= form.total
				y := f.residual[i] + form.effect*d
				w := f.table().weightOf(i)
				own += w * d * d
				score += w * d * y
				z.add(sumD, i, row, w*d)
				z.add(sumY, i, row, w*y)
			})
		}
		form.own = append(form.own, own)
		form.score = append(form.score, score)
		form.left = append(form.left, z.white(sumD))
		form.right = append(form.right, z.white(sumY))
	}
	form.setScale()
	return form, nil
}

func (c *clusterForm) setScale() {
	for g, x := range c.score {
		c.scale = max(c.scale, math.Abs(x), math.Abs(c.effect)*c.own[g])
	}
}

// t is the statistic of effect null.
func (c *clusterForm) t(null float64) float64 {
	return (c.effect - null) * c.total / c.spread()
}

// spread is the root of the summed squares of the scores.
func (c *clusterForm) spread() float64 {
	var sum float64
	for g, s := range c.score {
		e := s - c.effect*c.own[g]
		sum += e * e
	}
	return math.Sqrt(sum)
}

func (c *clusterForm) bootstrap(o WildOptions) (*Wild, error) {
	g := len(c.own)
	if g < 2 {
		return nil, refuse(ErrTooFewUnits, "wild bootstrap with one cluster")
	}
	if c.spread() <= roundingNoise*c.scale*math.Sqrt(float64(g)) {
		return nil, refuse(ErrZeroVariance, "clusters' scores do not vary, so nothing can be tested")
	}
	out := &Wild{Value: c.effect, Clusters: g, Level: o.Level}
	clusters := float64(g)
	factor := clusters / (clusters - 1)
	if c.freedom > 0 {
		factor *= (c.rows - 1) / c.freedom
	}
	out.SE = c.spread() / c.total * math.Sqrt(factor)
	out.T = (c.effect - o.Null) / out.SE
	draws := newWildDraws(g, o)
	out.Enumerated, out.Draws = draws.enumerated, draws.count
	interval := !o.NoInterval
	if interval && draws.count > maxIntervalDraws {
		return nil, refuse(ErrOption, "an interval by %d draws takes too much memory: ask for fewer draws, or for no interval", draws.count)
	}
	sample := newWildSample(c, o)
	draws.run(sample)
	out.StrictP, out.TiesP = sample.shares(o.Null)
	out.P = out.StrictP
	if o.Ties {
		out.P = out.TiesP
	}
	if interval {
		out.HasInterval = true
		out.Low, out.LowOpen = sample.bound(-1)
		out.High, out.HighOpen = sample.bound(1)
	}
	return out, nil
}
