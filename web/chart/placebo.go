package chart

import "math"

// PlaceboUnit is one unit's effect as if it had been the pilot.
type PlaceboUnit struct {
	Value float64
	Pilot bool
}

// PlaceboData is what [Placebo] draws.
type PlaceboData struct {
	Unit   Unit
	Suffix string
	Units  []PlaceboUnit
	// Pilot names the treated unit, RankText says where it stands: "2 of 8".
	Pilot, RankText string
}

// Placebo draws every comparison unit's effect as a grey dot, stacked where
// they meet, and the pilot's as a diamond.
func Placebo(h Head, l Layout, d PlaceboData) string {
	w, left, right := 834.0, 24.0, 810.0
	if l == Narrow {
		w, left, right = 358, 12, 346
	}
	var values []float64
	for _, u := range d.Units {
		values = append(values, present(&u.Value)...)
	}
	a := effectAxis(d.Unit, d.Suffix, values, 8).over(left, right)
	a.zeroInWords = true
	a.labelEvery = sparse(a)
	const size = 9.0
	stack := map[int]int{}
	var pilot *PlaceboUnit
	type mark struct {
		x, v float64
		up   int
	}
	var marks []mark
	tallest := 1
	for i, u := range d.Units {
		if !known(&u.Value) {
			continue
		}
		if u.Pilot {
			pilot = &d.Units[i]
			continue
		}
		x := a.at(u.Value)
		slot := int(math.Round(x / size))
		marks = append(marks, mark{x, u.Value, stack[slot]})
		stack[slot]++
		tallest = max(tallest, stack[slot])
	}
	rise := math.Min(size, 150/float64(tallest))
	plot := math.Max(44, rise*float64(tallest)+22)
	height := 34 + plot + 44
	c := newCanvas(h, "fig", w, height)
	bottom := 34 + plot
	for _, t := range a.ticks() {
		c.line(gridClass(t), t.at, 34, t.at, bottom)
	}
	c.line("rule", 0, bottom, w, bottom)
	c.axisOnTop(a, 22, w)
	for _, m := range marks {
		c.dot("placebo", m.x, bottom-8-rise*float64(m.up), 3.6, m.v)
	}
	if pilot != nil {
		x := a.at(pilot.Value)
		c.line("whisker", x, bottom-8, x, bottom+12)
		c.diamond("diamond solid", x, bottom-8, 6.5, pilot.Value)
		// Bold runs wider than the estimate.
		text := fit(d.Pilot+", "+d.RankText, w, 13.5)
		half := width(text, 13.5) / 2
		c.text("small accent bold", middle, math.Min(math.Max(x, half), w-half), bottom+28, text)
	}
	return c.end()
}
