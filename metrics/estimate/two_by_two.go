package estimate

import "steelyard/metrics/did"

var twoByTwo = method{
	name:  "two-by-two",
	takes: []string{"cluster", "repeated-cross-sections"},
	run:   runTwoByTwo,
}

// fewestClusters is how many the choice of methods wants to cluster by.
const fewestClusters = 6

// runTwoByTwo leaves errors of single rows out where those by cluster are
// refused: they would be smaller still.
func runTwoByTwo(t *task) error {
	d, _, err := t.twoWindows()
	if err != nil {
		return err
	}
	p, o := d.panel, did.TwoByTwoOptions{}
	if o.Cluster, err = d.unitClusters(); err != nil {
		return err
	}
	if t.o.RepeatedCrossSections {
		p, o.Cluster = d.byRow()
	}
	r, err := did.TwoByTwo(p, o)
	if err != nil {
		return err
	}
	t.add("effect", r.Clustered)
	t.refusal("effect", r.Refusal)
	if r.Refusal == "" {
		if n := d.clusterCount(); n < fewestClusters {
			t.warn("effect: %d clusters are too few for their error to be relied on; see the headline's interval", n)
		}
		t.addSide("effect:hc1", r.HC1)
		t.addSide("effect:homoskedastic", r.Homoskedastic)
	}
	if r.Balanced != nil && r.Balanced.Welch.HasSE && !t.o.RepeatedCrossSections {
		t.addSide("effect:changes-welch", r.Balanced.Welch)
		t.addSide("effect:changes-pooled", r.Balanced.Pooled)
	}
	for _, c := range []struct {
		term string
		mean did.CellMean
	}{
		{"mean:treated-before", r.TreatedBefore},
		{"mean:treated-after", r.TreatedAfter},
		{"mean:comparison-before", r.ComparisonBefore},
		{"mean:comparison-after", r.ComparisonAfter},
	} {
		t.addNumber(c.term, c.mean.Mean)
	}
	return nil
}

// clusterCount counts the clusters: those named, or the units.
func (d *Data) clusterCount() int {
	if d.cluster == nil {
		return d.seenUnits()
	}
	seen := map[int]bool{}
	for _, c := range d.cluster {
		seen[c] = true
	}
	return len(seen)
}
