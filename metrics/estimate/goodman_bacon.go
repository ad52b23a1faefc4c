package estimate

import (
	"fmt"

	"steelyard/metrics/did"
)

var goodmanBacon = method{name: "goodman-bacon", run: runGoodmanBacon}

func runGoodmanBacon(t *task) error {
	if err := t.d.checkGrid(false); err != nil {
		return err
	}
	r, err := did.GoodmanBacon(t.d.panel)
	if err != nil {
		return err
	}
	t.addPlain("effect", r.Effect)
	for _, kind := range []did.ComparisonKind{did.TreatedVsUntreated, did.EarlierVsLater, did.LaterVsEarlier, did.LaterVsAlways} {
		effect, weight := r.Kind(kind)
		if weight == 0 {
			continue
		}
		t.addNumber(fmt.Sprintf("effect:%v", kind), effect)
		t.addNumber(fmt.Sprintf("weight:%v", kind), weight)
	}
	for _, c := range r.Parts {
		pair := fmt.Sprintf("%s vs %s", t.d.label(c.Treated), t.d.label(c.Comparison))
		t.addNumber("effect:"+pair, c.Effect)
		t.addNumber("weight:"+pair, c.Weight)
	}
	if w := r.Forbidden(); w > 0 {
		t.warn("%.3g of the weight lies on comparisons with units that are treated already", w)
	}
	return nil
}
