package chart

import "math"

// Steps draws counts at the ends of weeks as a line of steps, from 0 to most,
// which several such figures may share. The last is marked. The first weeks of
// which nothing is known, unknown of them, stay empty.
func Steps(h Head, counts []int, unknown, most int) string {
	const w, height = 208.0, 32.0
	c := newCanvas(h, "spark", w, height)
	c.line("grid", 0, height-2, w, height-2)
	if len(counts) == 0 || unknown >= len(counts) {
		return c.end()
	}
	y := func(n int) float64 { return height - 2 - (height-8)*float64(n)/math.Max(1, float64(most)) }
	step := (w - 6) / float64(len(counts))
	var points []*point
	for i, n := range counts {
		if i < unknown {
			continue
		}
		points = append(points, &point{step * float64(i), y(n)}, &point{step * float64(i+1), y(n)})
	}
	c.polylines("pilot-line", points)
	last := counts[len(counts)-1]
	c.dot("pilot-point", w-6, y(last), 2.5, float64(last))
	return c.end()
}
