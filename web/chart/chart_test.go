package chart_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/web/chart"
)

var update = flag.Bool("update", false, "write the golden files again")

func f(x float64) *float64 { return &x }

var head = chart.Head{ID: "figure", Title: "What the figure finds", Desc: "How to read it."}

func span(v, lo, hi float64, text string) chart.Interval {
	return chart.Interval{Value: f(v), Low: f(lo), High: f(hi), Solid: lo > 0 || hi < 0, Text: text, RangeText: "from to"}
}

// workedExample is the three numbers of the manual's worked example.
func workedExample() chart.ThreeNumbersData {
	return chart.ThreeNumbersData{Pilot: "Payments", Comparison: "comparison", Rows: []chart.Row{
		{
			Name: "Open to merge", Note: "median hours, primary", Direction: "← lower is better", Better: -1, Unit: chart.Points,
			Pilot:      chart.Side{Value: f(-100. / 3), Text: "18 h → 12 h", ValueText: "−33 %"},
			Comparison: chart.Side{Value: f(-100. / 6), Text: "18 h → 15 h", ValueText: "−17 %"},
			Difference: span(-100./6, -41, 9, "−17 points"),
		},
		{
			Name: "Merged per author-week", Note: "pull requests", Direction: "no better side", Unit: chart.Points,
			Pilot: chart.Side{Value: f(5), Text: "1.9 → 2", ValueText: "+5 %"}, Comparison: chart.Side{Value: f(5), Text: "2 → 2.1", ValueText: "+5 %"},
			Difference: span(0, -19, 20, "0 points"),
		},
		{
			Name: "A metric whose name is long enough to take two lines of the column", Note: "score", Direction: "higher is better →", Better: 1, Unit: chart.Level, Suffix: " stars",
			Difference: span(1.5, .5, 2.5, "+1.5"),
		},
		{
			Name: "Reverts", Note: "count, counter-metric", Direction: "← lower is better", Better: -1, Unit: chart.Ratio, Words: "rose for the pilot only",
			Pilot: chart.Side{Value: f(7. / 3), Text: "3 → 7", ValueText: "× 2.33"}, Comparison: chart.Side{Value: f(1), Text: "3 → 3", ValueText: "× 1"},
			Difference: chart.Interval{Value: f(7. / 3), Low: f(.18), High: nil, OpenHigh: true, Text: "× 2.33", RangeText: "× 0.18 or more"},
		},
	}}
}

func twoGroups(start int) chart.TrendData {
	d := chart.TrendData{
		Pilot: "Payments", Comparison: "comparison", AxisTitle: "hours, median of the week", Start: start,
		PilotText: "12 h", ComparisonText: "15 h", PeriodNoun: "weeks", UnitNoun: "teams",
	}
	for i := range 24 {
		p := chart.TrendPoint{Label: fmt.Sprintf("week %d", i+1), Pilot: f(18), Comparison: f(18), Low: f(16), High: f(20)}
		if i >= 12 {
			p.Pilot, p.Comparison, p.Adopted = f(12), f(15), 1
		}
		switch i {
		case 4:
			p.Pilot = nil
		case 7:
			p.LeftOut = "freeze"
		case 12, 13:
			p.LeftOut = "ramp-up"
		}
		d.Points = append(d.Points, p)
	}
	if start >= 0 {
		d.PilotBefore, d.PilotAfter, d.ComparisonBefore, d.ComparisonAfter = f(18), f(12), f(18), f(15)
	}
	return d
}

func events() chart.EventStudyData {
	d := chart.EventStudyData{Unit: chart.Percent, Average: f(-17), AverageText: "−17 %", TimeTitle: "Fortnights from the start"}
	for t := -6; t <= 6; t++ {
		p := chart.EventPoint{Event: t, Value: f(float64(-2 * max(t, 0))), Low: f(float64(-2*max(t, 0)) - 9), High: f(float64(-2*max(t, 0)) + 9)}
		p.BandLow, p.BandHigh = f(*p.Low-6), f(*p.High+6)
		switch t {
		case -1:
			p = chart.EventPoint{Event: t, Baseline: true}
		case 3:
			p = chart.EventPoint{Event: t, Missing: "no comparison is left"}
		}
		d.Points = append(d.Points, p)
	}
	return d
}

// oneTreated is an event study without a reference period: each time is held
// against the whole time before.
func oneTreated() chart.EventStudyData {
	d := chart.EventStudyData{Unit: chart.Points, AxisTitle: "points", Average: f(-8), AverageText: "−8 points", TimeTitle: "Time from the start, in steps of 4 weeks"}
	for t := -5; t <= 4; t++ {
		v := float64(3 * (t % 2))
		d.Points = append(d.Points, chart.EventPoint{Event: t, Value: f(v), Low: f(v - 20), High: f(v + 20), BandLow: f(v - 31), BandHigh: f(v + 31)})
	}
	return d
}

// inDoubt is a pilot whose methods disagree on the first metric, and whose
// counts stand over different exposures.
func inDoubt() chart.ThreeNumbersData {
	d := workedExample()
	d.Rows[0].Difference.Doubt, d.Rows[0].Difference.Solid = "methods disagree", true
	r := &d.Rows[3]
	r.Words = "rose for the pilot and fell for the comparison"
	r.Pilot.Text, r.Comparison.Text = "1,203 in 12,156 team-weeks → 987 in 10,070", "3,344 in 41,002 team-weeks → 3,120 in 39,870"
	return d
}

func someMethods() []chart.Method {
	return []chart.Method{
		{Title: "Cross-fit t, K = 3", Headline: true, Unit: chart.Points, Effect: span(-17, -41, 9, "−17 points"), PText: "p = 0.11"},
		{Title: "Donald–Lang", Unit: chart.Points, Effect: span(-17, -36, 3, "−17 points"), PText: "p = 0.08"},
		{Title: "Placebo rank", Unit: chart.Points, Effect: chart.Interval{Value: f(-17), Text: "−17 points"}, PText: "p = 0.25"},
		{Title: "Cross-fit t on the gap of mean logs, K = 3", Unit: chart.Ratio, Effect: span(.8, .57, 1.13, "× 0.80"), PText: "p = 0.12"},
		{Title: "Not computed", Unit: chart.Ratio, Effect: chart.Interval{Text: "no estimate"}},
	}
}

func placebos() chart.PlaceboData {
	d := chart.PlaceboData{Unit: chart.Points, Suffix: " points", Pilot: "Payments", RankText: "number 2 of 8 by size"}
	for _, v := range []float64{-21, -11, -10.5, -6, 3, 7, 12} {
		d.Units = append(d.Units, chart.PlaceboUnit{Value: v})
	}
	d.Units = append(d.Units, chart.PlaceboUnit{Value: -17, Pilot: true})
	return d
}

// figures is one of everything, by the name of its golden file.
func figures() map[string]string {
	shared := chart.SharedSpan(chart.Points, " points", []chart.Interval{span(-17, -41, 9, ""), span(4, -80, 60, "")})
	out := map[string]string{
		"strip.svg":         chart.Strip(head, shared, span(-17, -41, 9, "−17 points"), nil, ""),
		"strip-doubt.svg":   chart.Strip(head, shared, doubted(span(-17, -41, -9, "−17 points")), nil, ""),
		"strip-early.svg":   chart.Strip(head, shared, chart.Interval{}, f(24), "would see 24 or more"),
		"strip-none.svg":    chart.Strip(head, shared, chart.Interval{}, nil, ""),
		"spark.svg":         chart.Spark(head, []*float64{f(1), f(-2), nil, f(3), f(4)}, 3),
		"spark-empty.svg":   chart.Spark(head, nil, -1),
		"squares.svg":       chart.Squares(head, 3, 22),
		"squares-many.svg":  chart.Squares(head, 12, 400),
		"trend-empty.svg":   chart.Trend(head, chart.Wide, chart.TrendData{}),
		"event-empty.svg":   chart.EventStudy(head, chart.Wide, chart.EventStudyData{}),
		"methods-empty.svg": chart.Methods(head, chart.Wide, nil),
		"placebo-empty.svg": chart.Placebo(head, chart.Wide, chart.PlaceboData{}),
		"three-no-rows.svg": chart.ThreeNumbers(head, chart.Wide, chart.ThreeNumbersData{}),
	}
	for name, l := range map[string]chart.Layout{"wide": chart.Wide, "narrow": chart.Narrow} {
		out["three-"+name+".svg"] = chart.ThreeNumbers(head, l, workedExample())
		out["three-doubt-"+name+".svg"] = chart.ThreeNumbers(head, l, inDoubt())
		out["event-one-"+name+".svg"] = chart.EventStudy(head, l, oneTreated())
		out["trend-"+name+".svg"] = chart.Trend(head, l, twoGroups(12))
		out["trend-staggered-"+name+".svg"] = chart.Trend(head, l, twoGroups(-1))
		out["event-"+name+".svg"] = chart.EventStudy(head, l, events())
		out["methods-"+name+".svg"] = chart.Methods(head, l, someMethods())
		out["placebo-"+name+".svg"] = chart.Placebo(head, l, placebos())
	}
	return out
}

func doubted(v chart.Interval) chart.Interval {
	v.Doubt = "methods disagree"
	return v
}

// TestDoubtIsNoAnswer draws a number that the methods disagree on hollow and
// grey, with the reason in bold and the number small.
func TestDoubtIsNoAnswer(t *testing.T) {
	d := workedExample()
	d.Rows = d.Rows[:1]
	d.Rows[0].Difference = doubted(span(-17, -41, -9, "−17 points"))
	shared := chart.SharedSpan(chart.Points, "", []chart.Interval{d.Rows[0].Difference})
	for name, svg := range map[string]string{
		"strip":  chart.Strip(head, shared, d.Rows[0].Difference, nil, ""),
		"wide":   chart.ThreeNumbers(head, chart.Wide, d),
		"narrow": chart.ThreeNumbers(head, chart.Narrow, d),
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range []string{`class="small bold"`, ">methods disagree<", `<path class="diamond other" d="`, "−17 points"} {
				if !strings.Contains(svg, want) {
					t.Errorf("%q is missing", want)
				}
			}
			for _, bad := range []string{"solid", `class="whisker low"`, `class="value"`, "xlarge", `bold">−17 points`} {
				if strings.Contains(svg, bad) {
					t.Errorf("%q stands in the figure", bad)
				}
			}
		})
	}
}

// TestLongCountsAreWhole writes counts with what they are counted over.
func TestLongCountsAreWhole(t *testing.T) {
	for name, l := range map[string]chart.Layout{"wide": chart.Wide, "narrow": chart.Narrow} {
		t.Run(name, func(t *testing.T) {
			svg := chart.ThreeNumbers(head, l, inDoubt())
			checkFigure(t, svg)
			texts := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(svg, "</text>", " "), "")
			if cut := regexp.MustCompile(`[0-9][^…]{0,40}…`).FindString(texts); cut != "" {
				t.Errorf("a count is cut: %s", cut)
			}
			for _, want := range []string{"987 in", "10,070", "39,870"} {
				if !strings.Contains(texts, want) {
					t.Errorf("%q is missing", want)
				}
			}
		})
	}
}

func TestGolden(t *testing.T) {
	all := figures()
	maps.Copy(all, moreFigures())
	for name, got := range all {
		t.Run(name, func(t *testing.T) {
			checkFigure(t, got)
			file := filepath.Join("testdata", name)
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(lines(got)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), lines(got)); diff != "" {
				t.Errorf("figure differs from its golden file (-want +got):\n%s", diff)
			}
		})
	}
}

// lines breaks a figure after each element, for readable differences.
func lines(svg string) string { return strings.ReplaceAll(svg, "><", ">\n<") + "\n" }

// checkFigure fails where a figure is not well-formed, has no name, repeats an
// id, styles itself, or holds a coordinate that is no number.
func checkFigure(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	ids := map[string]bool{}
	named := map[string]bool{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("figure is not well-formed: %v", err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		named[e.Name.Local] = true
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "id":
				if ids[a.Value] {
					t.Errorf("id %q stands twice", a.Value)
				}
				ids[a.Value] = true
			case "style", "onload", "onclick", "href":
				t.Errorf("figure has the attribute %s", a.Name.Local)
			case "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height":
				v, err := strconv.ParseFloat(strings.TrimSuffix(a.Value, "%"), 64)
				if err != nil || math.Abs(v) > 1e5 {
					t.Errorf("%s of %s is %q", a.Name.Local, e.Name.Local, a.Value)
				}
			}
		}
	}
	if !named["title"] || !named["desc"] || !strings.Contains(svg, `role="img"`) {
		t.Error("figure lacks title, desc or role")
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		at := max(strings.Index(svg, "NaN"), strings.Index(svg, "Inf"))
		t.Errorf("figure holds a number that is none: …%s…", svg[max(0, at-60):min(len(svg), at+60)])
	}
}

var mark = regexp.MustCompile(`<(circle|path|line) class="([^"]*)"([^>]*) data-v="([^"]+)"`)

// positions reads where the marks of a figure stand, as value → pixel on the
// given axis ("cx" or "cy" and their like).
func positions(svg, axis string) map[float64]float64 {
	out := map[float64]float64{}
	number := regexp.MustCompile(`(?:^| )` + axis + `1?="([-0-9.]+)"`)
	diamond := regexp.MustCompile(`d="M([-0-9.]+) ([-0-9.]+)l([-0-9.]+)`)
	for _, m := range mark.FindAllStringSubmatch(svg, -1) {
		v, _ := strconv.ParseFloat(m[4], 64)
		if n := number.FindStringSubmatch(m[3]); n != nil {
			out[v], _ = strconv.ParseFloat(n[1], 64)
		} else if n := regexp.MustCompile(` c` + axis + `="([-0-9.]+)"`).FindStringSubmatch(m[3]); n != nil {
			out[v], _ = strconv.ParseFloat(n[1], 64)
		} else if n := diamond.FindStringSubmatch(m[3]); n != nil && axis == "x" {
			out[v], _ = strconv.ParseFloat(n[1], 64)
		}
	}
	return out
}

// TestMarksStandWhereTheirNumbersAre holds pixels against numbers: on one axis
// the pixel is a straight line of the value (of its logarithm for ratios).
func TestMarksStandWhereTheirNumbersAre(t *testing.T) {
	ratios := []chart.Method{{Title: "r", Headline: true, Unit: chart.Ratio, Effect: span(2, .5, 8, "")}, {Title: "s", Unit: chart.Ratio, Effect: span(1.5, .3, 4, "")}}
	for _, c := range []struct {
		name, svg, axis string
		scale           func(float64) float64
	}{
		{"placebo", chart.Placebo(head, chart.Wide, placebos()), "x", func(v float64) float64 { return v }},
		{"methods-points", chart.Methods(head, chart.Narrow, someMethods()[:2]), "x", func(v float64) float64 { return v }},
		{"methods-ratio", chart.Methods(head, chart.Wide, ratios), "x", math.Log},
		{"trend", chart.Trend(head, chart.Wide, twoGroups(-1)), "y", func(v float64) float64 { return v }},
		{"event", chart.EventStudy(head, chart.Wide, events()), "y", func(v float64) float64 { return v }},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := positions(c.svg, c.axis)
			if len(at) < 3 {
				t.Fatalf("only %d marks found", len(at))
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			for v := range at {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
			slope := (at[hi] - at[lo]) / (c.scale(hi) - c.scale(lo))
			for v, px := range at {
				want := at[lo] + slope*(c.scale(v)-c.scale(lo))
				if math.Abs(px-want) > .2 {
					t.Errorf("%g stands at %g px, not %.1f", v, px, want)
				}
			}
		})
	}
}

// TestNothingIsCut draws intervals of any size and looks that both ends lie
// inside the figure.
func TestNothingIsCut(t *testing.T) {
	for _, hi := range []float64{1e-9, .4, 9, 99, 101, 512.3, 7e4, 1e12, 1e300, math.MaxFloat64} {
		for _, u := range []chart.Unit{chart.Percent, chart.Points, chart.Ratio, chart.Level} {
			lo := -hi * 3
			if u == chart.Ratio {
				lo = 1 / (1 + hi)
			}
			d := workedExample()
			d.Rows = append(d.Rows, chart.Row{Name: "Extreme", Unit: u, Difference: chart.Interval{Value: f(hi / 2), Low: f(lo), High: f(hi)}})
			for _, l := range []chart.Layout{chart.Wide, chart.Narrow} {
				svg := chart.ThreeNumbers(head, l, d)
				checkFigure(t, svg)
				w := map[chart.Layout]float64{chart.Wide: 1120, chart.Narrow: 358}[l]
				for v, px := range positions(svg, "x") {
					if px < 0 || px > w {
						t.Errorf("unit %d up to %g: %g stands at %g px of %g", u, hi, v, px, w)
					}
				}
			}
		}
	}
}

func TestAbsurdInput(t *testing.T) {
	nan, inf := f(math.NaN()), f(math.Inf(1))
	same := chart.TrendData{Start: 40, Points: []chart.TrendPoint{{Label: "1", Pilot: f(1e12), Comparison: f(1e12)}, {Label: "2", Pilot: f(1e12), Comparison: f(1e12 + 1)}}}
	for name, svg := range map[string]string{
		"trend-equal":   chart.Trend(head, chart.Wide, same),
		"trend-nan":     chart.Trend(head, chart.Narrow, chart.TrendData{Start: -9, PilotAfter: inf, Points: []chart.TrendPoint{{Pilot: nan, Comparison: inf, Low: nan, High: inf, LeftOut: "x"}}}),
		"trend-zero":    chart.Trend(head, chart.Wide, chart.TrendData{Start: 0, Points: []chart.TrendPoint{{Pilot: f(0), Comparison: f(0)}}}),
		"event-far":     chart.EventStudy(head, chart.Wide, chart.EventStudyData{Unit: chart.Ratio, Points: []chart.EventPoint{{Event: math.MinInt32, Value: f(0), Low: f(-1), High: f(1e300)}, {Event: math.MaxInt32, Value: nan}}}),
		"methods-nan":   chart.Methods(head, chart.Wide, []chart.Method{{Effect: chart.Interval{Value: nan, Low: inf, High: f(-math.MaxFloat64), OpenLow: true, OpenHigh: true}}}),
		"placebo-nan":   chart.Placebo(head, chart.Narrow, chart.PlaceboData{Unit: chart.Ratio, Units: []chart.PlaceboUnit{{Value: math.NaN()}, {Value: -3}, {Value: 0, Pilot: true}}}),
		"spark-extreme": chart.Spark(head, []*float64{f(-math.MaxFloat64), nan, f(math.MaxFloat64)}, 1),
		"squares-none":  chart.Squares(head, 0, 0),
		"hostile":       chart.Trend(chart.Head{ID: `"><script>`, Title: "<b>\x00\xff", Desc: "&"}, chart.Wide, chart.TrendData{Pilot: "<script>", AxisTitle: "]]>", Points: []chart.TrendPoint{{Label: "<i>", Pilot: f(1)}}}),
	} {
		t.Run(name, func(t *testing.T) {
			checkFigure(t, svg)
			if strings.Contains(svg, "<script") {
				t.Error("text became markup")
			}
		})
	}
}

// FuzzFigures draws every figure from arbitrary numbers and words.
func FuzzFigures(f *testing.F) {
	f.Add(1.0, -2.0, 3.0, 5, "Payments")
	f.Add(1e12, 1e12, 1e12, 0, "")
	f.Add(math.NaN(), math.Inf(-1), math.MaxFloat64, -3, "<&\">")
	f.Add(5e-324, -5e-324, 0.0, 400, strings.Repeat("wide ", 60))
	f.Fuzz(func(t *testing.T, a, b, c float64, n int, word string) {
		iv := chart.Interval{Value: &a, Low: &b, High: &c, Text: word, RangeText: word}
		for _, l := range []chart.Layout{chart.Wide, chart.Narrow} {
			for _, u := range []chart.Unit{chart.Percent, chart.Points, chart.Ratio, chart.Level} {
				h := chart.Head{ID: "x", Title: word, Desc: word}
				checkFigure(t, chart.ThreeNumbers(h, l, chart.ThreeNumbersData{Pilot: word, Comparison: word, Rows: []chart.Row{{
					Name: word, Note: word, Unit: u, Suffix: word,
					Pilot: chart.Side{Value: &b, Text: word, ValueText: word}, Comparison: chart.Side{Value: &c, Text: word, ValueText: word}, Difference: iv,
				}}}))
				checkFigure(t, chart.EventStudy(h, l, chart.EventStudyData{Unit: u, Average: &b, Points: []chart.EventPoint{{Event: n % 1000, Value: &a, Low: &b, High: &c, BandLow: &b, BandHigh: &c}, {Event: n%1000 + 1, Baseline: true}}}))
				checkFigure(t, chart.Methods(h, l, []chart.Method{{Title: word, Unit: u, Effect: iv, PText: word}}))
				checkFigure(t, chart.Placebo(h, l, chart.PlaceboData{Unit: u, Pilot: word, RankText: word, Units: []chart.PlaceboUnit{{Value: a}, {Value: b, Pilot: true}, {Value: c}}}))
				checkFigure(t, chart.Strip(h, chart.SharedSpan(u, word, []chart.Interval{iv}), iv, &b, word))
			}
			checkFigure(t, chart.Trend(chart.Head{ID: "x"}, l, chart.TrendData{
				Pilot: word, Comparison: word, AxisTitle: word, PilotText: word, Start: n % 4, PilotBefore: &a, ComparisonAfter: &b,
				Points: []chart.TrendPoint{{Label: word, Pilot: &a, Comparison: &b, Low: &b, High: &c}, {Label: word, LeftOut: word, Pilot: &c}, {Label: word, Comparison: &a, Adopted: n}},
			}))
		}
		checkFigure(t, chart.Spark(head, []*float64{&a, &b, nil, &c}, 2))
		checkFigure(t, chart.Squares(head, n%50, 50))
	})
}

// TestLeftOutOutlier keeps the windows readable beside a left-out week that is
// far away, and still draws that week, as an arrow with its number.
func TestLeftOutOutlier(t *testing.T) {
	d := twoGroups(12)
	d.Points[3].LeftOut, d.Points[3].Pilot = "holidays", f(4000)
	for name, l := range map[string]chart.Layout{"wide": chart.Wide, "narrow": chart.Narrow} {
		t.Run(name, func(t *testing.T) {
			svg := chart.Trend(head, l, d)
			checkFigure(t, svg)
			if !strings.Contains(svg, `beyond" d="M`) || !strings.Contains(svg, `data-v="4000"`) || !strings.Contains(svg, ">4,000</text>") {
				t.Error("the week is not drawn as beyond the axis, with its number")
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, m := range regexp.MustCompile(`class="pilot-point" cx="[0-9.]+" cy="([0-9.]+)"`).FindAllStringSubmatch(svg, -1) {
				y, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				low, high = math.Min(low, y), math.Max(high, y)
			}
			if high-low < 50 {
				t.Errorf("the weeks in the windows lie within %g pixels", high-low)
			}
		})
	}
}

// TestLongWordsBreak gives a column whose title is one long word.
func TestLongWordsBreak(t *testing.T) {
	d := workedExample()
	d.Pilot = "elastic/docs-builder-tools"
	d.Rows[0].Words = "rose for the pilot and fell for the comparison while nobody looked"
	d.Rows[0].Name = "Static-analysis warnings of all kinds"
	d.Rows[0].Difference.RangeText = "+27\u202f% to +1,234\u202f%"
	svg := chart.ThreeNumbers(head, chart.Wide, d)
	checkFigure(t, svg)
	for _, end := range []string{">builder-tools<", "nobody looked<", "of all kinds<", ">+1,234\u202f%<"} {
		if !strings.Contains(svg, end) {
			t.Errorf("a label does not end in %q", end)
		}
	}
}
