package did

import (
	"math"
	"math/rand/v2"
)

// Tasks are tasks of which lots decided who got the treatment.
type Tasks struct {
	// Y is the logarithm of the time each task took.
	Y       []float64
	Treated []bool
	// X holds covariates, X[k][i] is covariate k of task i, such as the
	// logarithm of the time forecast before the lot was drawn.
	X [][]float64
	// Cluster[i] is who did task i, any integer; nil where that is unknown.
	Cluster []int
}

// RandomizedOptions are the choices of [Randomized].
type RandomizedOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// StudentT takes intervals from Student's t with N − K and, clustered,
	// G − 1 degrees of freedom, in place of the normal distribution.
	StudentT bool
	// MedianDraws is the number of bootstrap draws behind the standard error
	// of the median regression, of whole clusters where there are some; 0
	// means that it has none. Seed makes them repeatable.
	MedianDraws int
	Seed        uint64
	// Wild are the choices of the bootstrap over clusters; its Level and
	// Cluster are not read.
	Wild WildOptions
}

// LogEffect is a difference of means of logarithms, and what it comes to in
// percent.
type LogEffect struct {
	Log Estimate
	// Percent is 100·(exp − 1) of the effect and of the ends of its interval;
	// PercentLow and PercentHigh are 0 where there is no interval.
	Percent, PercentLow, PercentHigh float64
}

// RandomizedEffects is the answer of [Randomized].
type RandomizedEffects struct {
	// Homoskedastic, HC3 and Clustered are the same effect with three
	// standard errors. Clustered and Wild are nil without clusters; Wild also
	// with over 2,048 of them, where Clustered is as good.
	Homoskedastic, HC3 LogEffect
	Clustered          *LogEffect
	Wild               *Wild
	// Median is the coefficient of treatment in the median regression on the
	// same columns, which a few endless tasks do not move.
	Median LogEffect
	// Refusal says why the clusters give no answer; empty where they do.
	Refusal                  string
	Tasks, Treated, Clusters int
}

// Randomized is the effect of a treatment given by lot to single tasks: the
// coefficient of treatment in a regression of log time on treatment and
// covariates. Random assignment makes a comparison over time unnecessary;
// covariates only make it more precise. CR1's factor is G/(G−1)·(N−1)/(N−K).
// Normal intervals by cluster are too short where few people did the tasks:
// then Wild, their wild bootstrap, is the one to go by.
func Randomized(t Tasks, o RandomizedOptions) (*RandomizedEffects, error) {
	level, err := checkLevel(o.Level)
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	out := &RandomizedEffects{Tasks: len(t.Y)}
	treated := make([]float64, len(t.Y))
	for i, yes := range t.Treated {
		if yes {
			treated[i] = 1
			out.Treated++
		}
	}
	switch out.Treated {
	case 0:
		return nil, refuse(ErrNoTreated, "no task is treated")
	case len(t.Y):
		return nil, refuse(ErrNoComparison, "every task is treated")
	}
	f, err := newPlainFit(t.Y, append([][]float64{treated}, t.X...)...)
	if err != nil {
		return nil, err
	}
	df := 0.0
	if o.StudentT {
		df = f.left()
	}
	if out.Homoskedastic, err = logEffect(f.estimate(1, f.homoskedastic(1), df, level)); err != nil {
		return nil, err
	}
	if out.HC3, err = logEffect(f.estimate(1, f.hc3(1), df, level)); err != nil {
		return nil, err
	}
	if out.Median, err = medianEffect(t, treated, o, level); err != nil {
		return nil, err
	}
	if t.Cluster == nil {
		return out, nil
	}
	return out, out.byCluster(f, t, o, level)
}

func (t Tasks) check() error {
	n := len(t.Y)
	if len(t.Treated) != n || t.Cluster != nil && len(t.Cluster) != n {
		return refuse(ErrShape, "%d times, %d treatments and %d clusters: one of each a task is needed", n, len(t.Treated), len(t.Cluster))
	}
	if n == 0 {
		return refuse(ErrTooFewUnits, "no tasks")
	}
	if err := checkFinite("logarithm of time of task", t.Y); err != nil {
		return err
	}
	for k, column := range t.X {
		if len(column) != n {
			return refuse(ErrShape, "covariate %d has %d values for %d tasks", k+1, len(column), n)
		}
		if err := checkFinite("covariate of task", column); err != nil {
			return err
		}
		if size(column...) > 1e150 {
			return refuse(ErrNotFinite, "covariate %d is too large to be squared: rescale it", k+1)
		}
	}
	if size(t.Y...) > 1e150 {
		return refuse(ErrNotFinite, "outcome is too large to be squared: give logarithms")
	}
	return nil
}

// byCluster fills Clustered and Wild.
func (out *RandomizedEffects) byCluster(f *plainFit, t Tasks, o RandomizedOptions, level float64) error {
	number := map[int]int{}
	cluster := make([]int, len(t.Cluster))
	var with [2]map[int]bool
	with[0], with[1] = map[int]bool{}, map[int]bool{}
	for i, g := range t.Cluster {
		if _, ok := number[g]; !ok {
			number[g] = len(number)
		}
		cluster[i] = number[g]
		side := 0
		if t.Treated[i] {
			side = 1
		}
		with[side][g] = true
	}
	out.Clusters = len(number)
	if min(len(with[0]), len(with[1])) < 2 {
		out.Refusal = "one cluster alone on a side: its own noise does not show in a cluster-robust error, which is then far too small"
		return nil
	}
	df := 0.0
	if o.StudentT {
		df = float64(out.Clusters - 1)
	}
	clustered, err := logEffect(f.estimate(1, f.cr1(1, cluster, out.Clusters), df, level))
	if err != nil {
		return err
	}
	out.Clustered = &clustered
	if !clustered.Log.HasSE {
		out.Refusal = "clusters do not vary, so nothing shows the uncertainty"
		return nil
	}
	form, err := f.clusterForm(1, cluster, out.Clusters)
	if err != nil {
		return err
	}
	o.Wild.Level = level
	if err := o.Wild.check(); err != nil {
		return err
	}
	if out.Clusters > maxWildClusters {
		return nil
	}
	out.Wild, err = form.bootstrap(o.Wild)
	return err
}

// maxMedianDraws bounds the bootstrap of the median regression.
const maxMedianDraws = 100_000

// medianEffect is the treatment's coefficient in the median regression with a
// bootstrap error: tasks, or whole clusters, are drawn with replacement. Draws
// in which one side is missing are passed over.
func medianEffect(t Tasks, treated []float64, o RandomizedOptions, level float64) (LogEffect, error) {
	columns := append([][]float64{treated}, t.X...)
	beta, err := QuantileRegression(t.Y, columns, 0.5)
	if err != nil {
		return LogEffect{}, err
	}
	if o.MedianDraws < 0 || o.MedianDraws > maxMedianDraws {
		return LogEffect{}, refuse(ErrOption, "%d draws for the median regression: give 0 to %d", o.MedianDraws, maxMedianDraws)
	}
	members := t.clusterMembers()
	r := rand.New(rand.NewPCG(o.Seed, 0xd1b54a32d192ed03))
	var draws []float64
	for range o.MedianDraws {
		var y []float64
		x := make([][]float64, len(columns))
		for range members {
			for _, i := range members[r.IntN(len(members))] {
				y = append(y, t.Y[i])
				for k, column := range columns {
					x[k] = append(x[k], column[i])
				}
			}
		}
		if b, err := QuantileRegression(y, x, 0.5); err == nil {
			draws = append(draws, b[1])
		}
	}
	e := Estimate{Value: beta[1]}
	if len(draws) > 1 {
		e = newEstimate(beta[1], sampleSD(draws), 0, level, size(t.Y...))
	}
	return logEffect(e)
}

// clusterMembers are the tasks of each cluster; each task is its own where
// there are none.
func (t Tasks) clusterMembers() [][]int {
	number := map[int]int{}
	var members [][]int
	for i := range t.Y {
		g := i
		if t.Cluster != nil {
			g = t.Cluster[i]
		}
		at, ok := number[g]
		if !ok {
			at = len(members)
			number[g] = at
			members = append(members, nil)
		}
		members[at] = append(members[at], i)
	}
	return members
}

// logEffect refuses effects whose exponential has no number.
func logEffect(e Estimate) (LogEffect, error) {
	l := LogEffect{Log: e, Percent: 100 * math.Expm1(e.Value)}
	if e.HasSE {
		l.PercentLow, l.PercentHigh = 100*math.Expm1(e.Low), 100*math.Expm1(e.High)
	}
	if !finite(l.Percent) || !finite(l.PercentHigh) {
		return l, refuse(ErrNotFinite, "effect %v has no percentage: outcomes must be logarithms", e.Value)
	}
	return l, nil
}
