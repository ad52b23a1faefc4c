package web

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// homeView is what the first page shows.
type homeView struct {
	Bold, Rest string // the headline
	Cards      []card
	Table      metrics.Table
	Guard      guardView
	// MayDefine is true where the reader may define a pilot here.
	MayDefine bool
	// Doubt is true where a card's number is not the answer.
	Doubt bool
}

// card is one pilot on the first page.
type card struct {
	metrics.Summary
	Strip string
	// Spark hides the summary's numbers behind their drawing.
	Spark string
	// EffectLabel says what the strip's axis counts, SparkLabel what the line
	// shows, Against who was compared with whom, Started when.
	EffectLabel, SparkLabel, Against, Started string
	// CounterText is the counter-metric's finding, under its title.
	CounterText string
	// Warning is what must be read before the number: data that is incomplete
	// or a definition that changed after the start.
	Warning []string
}

func (d *dashboard) home(c echo.Context) error {
	ctx := c.Request().Context()
	all, late, err := soon(ctx, d.Patience, d.Reports.Summaries)
	switch {
	case late:
		return d.computing(c, "")
	case err != nil:
		return fmt.Errorf("read summaries: %w", err)
	}
	g, err := d.guard(ctx)
	if err != nil {
		return err
	}
	v := homeView{Cards: cards(all), Table: summaryTable(all), Guard: g}
	for i := range v.Cards {
		d.spark(ctx, i+1, &v.Cards[i])
		v.Doubt = v.Doubt || v.Cards[i].Disagree
	}
	v.MayDefine = d.Editor != nil && d.visitor(c).MayChange
	v.Bold, v.Rest = homeHeadline(all)
	return d.render(c, http.StatusOK, homePage(d.shell("Pilots", "/"), v))
}

// homeFigure serves the numbers of the first page: /figures/pilots.csv.
func (d *dashboard) homeFigure(c echo.Context) error {
	file := c.Param("file")
	ext := path.Ext(file)
	if strings.TrimSuffix(file, ext) != "pilots" {
		return echo.ErrNotFound
	}
	all, err := d.Reports.Summaries(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read summaries: %w", err)
	}
	return sendTable(c, "pilots", ext, summaryTable(all))
}

// homeHeadline counts the verdicts in words.
func homeHeadline(all []metrics.Summary) (bold, rest string) {
	said := []struct {
		value     metrics.VerdictValue
		one, many string
	}{
		{metrics.VerdictImproved, "improved", "improved"},
		{metrics.VerdictImprovedAtACost, "improved at a cost", "improved at a cost"},
		{metrics.VerdictWorsened, "got worse", "got worse"},
		{metrics.VerdictRose, "rose", "rose"},
		{metrics.VerdictFell, "fell", "fell"},
		{metrics.VerdictNoClearChange, "shows no clear change", "show no clear change"},
		{metrics.VerdictCannotSayYet, "cannot be judged yet", "cannot be judged yet"},
		{"", "could not be computed", "could not be computed"},
	}
	var parts []string
	for _, s := range said {
		n := 0
		for _, p := range all {
			v := p.Verdict.Value
			if p.Error != "" {
				v = ""
			}
			if v == s.value {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, "one "+s.one)
		case n > 1:
			parts = append(parts, count(n)+" "+s.many)
		}
	}
	if len(parts) == 0 {
		return "No pilot yet.", "Steelyard weighs an AI-assistance pilot against teams that went without it; it needs data, and a definition."
	}
	if len(all) == 1 {
		return "One pilot:", sentence(strings.TrimPrefix(parts[0], "one "))
	}
	if len(parts) == 1 {
		verdict := strings.TrimPrefix(parts[0], count(len(all))+" ")
		none, every := "None of the "+count(len(all))+" pilots", "All "+count(len(all))+" pilots"
		if len(all) == 2 {
			none, every = "Neither pilot", "Both pilots"
		}
		if all[0].Verdict.Value == metrics.VerdictCannotSayYet && all[0].Error == "" {
			return none, "can be judged yet."
		}
		return every, sentence(verdict)
	}
	bold = "Of " + count(len(all)) + " pilots, " + parts[0]
	return bold + ",", sentence(list(parts[1:]))
}

// cards draws the strips of one unit on one shared axis.
func cards(all []metrics.Summary) []card {
	type axis struct {
		unit   metrics.EffectUnit
		suffix string
	}
	effects := map[axis][]chart.Interval{}
	of := func(s metrics.Summary) axis { return axis{s.Headline.Unit, suffix(s.Headline.Unit, "")} }
	for _, s := range all {
		effects[of(s)] = append(effects[of(s)], interval(s.Headline))
	}
	var out []card
	for i, s := range all {
		k := card{Summary: s}
		if s.Counter != nil {
			k.CounterText = untitled(s.Counter.Title, s.Counter.Text)
		}
		if s.Error == "" {
			id := fmt.Sprintf("pilot-%d", i+1)
			span := chart.SharedSpan(unitOf(s.Headline.Unit), suffix(s.Headline.Unit, ""), effects[of(s)])
			k.Strip = chart.Strip(chart.Head{
				ID:    id + "-effect",
				Title: s.Primary + ": " + orNone(s.Headline.EstimateText),
				Desc:  sentence(capital(effectText(s.Headline, s.Disagree))),
			}, span, weighed(s.Headline, s.Disagree), nil, "")
			k.EffectLabel = s.Primary + ", " + unitWords(s.Headline.Unit) + ", " + strings.Trim(better(s.Better), "←→ ")
			k.Against = against(s.Design, s.UnitNoun)
			k.Started = started(s.Design)
		}
		out = append(out, k)
	}
	return out
}

// untitled is a finding that stands under its own title, without it.
func untitled(title, finding string) string {
	for _, between := range []string{": ", " "} {
		if rest, ok := strings.CutPrefix(finding, title+between); ok && rest != "" {
			return capital(rest)
		}
	}
	return finding
}

// spark draws a card's gap over time. The report, where it can be had, says
// which periods are in the windows and when the pilot started.
func (d *dashboard) spark(ctx context.Context, n int, k *card) {
	if k.Error != "" {
		return
	}
	gaps, began := k.Summary.Spark, -1
	if r, err := d.Reports.Report(ctx, k.ID); err == nil {
		for _, h := range r.Health {
			if !k.MadeUp || !strings.HasPrefix(strings.ToLower(h), "made-up") { // the label says that
				k.Warning = append(k.Warning, h)
			}
		}
		if len(r.Metrics) > 0 && r.Metrics[0].Trend != nil {
			gaps, began = windowGaps(r.Metrics[0].Trend)
		}
	}
	k.SparkLabel = "Gap over time"
	if !slices.ContainsFunc(gaps, func(g *float64) bool { return g != nil }) {
		return
	}
	desc := "One point a period; the horizontal line is no gap."
	if began >= 0 {
		k.SparkLabel = "Gap over time, start marked"
		desc += " The vertical line is the start."
	}
	k.Spark = chart.Spark(chart.Head{
		ID: fmt.Sprintf("pilot-%d-gap", n), Title: "Gap between pilot and comparison, " + k.Primary, Desc: desc,
	}, gaps, began)
}

// windowGaps is pilot minus comparison from the first to the last period of
// the windows, nil where one is missing or left out, and the index of the
// start (−1 where starts are staggered).
func windowGaps(t *metrics.Trend) (gaps []*float64, began int) {
	points, began := t.Points, t.StartIndex
	for began > 0 && len(points) > 0 && points[0].LeftOut != "" {
		points, began = points[1:], began-1
	}
	for began < len(points) && len(points) > 0 && points[len(points)-1].LeftOut != "" {
		points = points[:len(points)-1]
	}
	for _, p := range points {
		var gap *float64
		if p.Pilot != nil && p.Comparison != nil && p.LeftOut == "" {
			x := *p.Pilot - *p.Comparison
			gap = &x
		}
		gaps = append(gaps, gap)
	}
	return gaps, began
}

// against says who was compared with whom.
func against(d metrics.Design, unit string) string {
	return some(d.TreatedUnits, unit) + " against " + metrics.FormatCount(d.ComparisonUnits)
}

// started says when, for one start or several.
func started(d metrics.Design) string {
	switch n := len(d.Starts); n {
	case 0:
		return ""
	case 1:
		return when(d.Starts[0])
	case 2:
		return when(d.Starts[0]) + " and " + when(d.Starts[1])
	default:
		return when(d.Starts[0]) + " to " + when(d.Starts[n-1]) + ", " + some(n, "start")
	}
}

// summaryTable is the first page's numbers.
func summaryTable(all []metrics.Summary) metrics.Table {
	t := metrics.Table{
		ID: "pilots", Title: "Pilots", Caption: "Each pilot's primary effect with its 95\u202f% interval.",
		Columns: []metrics.Column{
			{Name: "pilot", Title: "Pilot"},
			{Name: "verdict", Title: "Verdict"},
			{Name: "metric", Title: "Metric"},
			{Name: "unit", Title: "Unit"},
			{Name: "estimate", Title: "Estimate", Numeric: true},
			{Name: "low", Title: "Low", Numeric: true},
			{Name: "high", Title: "High", Numeric: true},
			{Name: "p", Title: "p", Numeric: true},
			{Name: "through", Title: "Data to"},
			{Name: "note", Title: "Note"},
		},
	}
	text := func(s string) metrics.Cell { return metrics.Cell{Value: s, Text: s} }
	for _, s := range all {
		e := s.Headline
		number := func(x *float64) metrics.Cell {
			if x == nil {
				return metrics.Cell{Text: "–"}
			}
			return metrics.Cell{Value: *x, Text: metrics.FormatEffect(*x, e.Unit, e.SE)}
		}
		p := metrics.Cell{Text: "–"}
		if e.P != nil {
			p = metrics.Cell{Value: *e.P, Text: strings.TrimPrefix(metrics.FormatP(*e.P), "p = ")}
		}
		word := s.Verdict.Word
		if s.Error != "" {
			word = "could not be computed"
		}
		note := ""
		if s.Disagree {
			note = "methods disagree, no number is the answer"
		}
		t.Rows = append(t.Rows, []metrics.Cell{
			text(s.ID), text(word), text(s.Primary), text(string(e.Unit)),
			number(e.Estimate), number(e.Low), number(e.High), p, text(s.Through), text(note),
		})
	}
	return t
}
