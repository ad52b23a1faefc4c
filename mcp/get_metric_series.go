package mcp

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/metrics"
)

// The numbers of points of a series: by default, and at most.
const (
	defaultPoints = 52
	maxPoints     = 104
)

type getMetricSeriesIn struct {
	Pilot  string `json:"pilot,omitempty" jsonschema:"id from list_pilots; optional if there is only one"`
	Metric string `json:"metric,omitempty" jsonschema:"id from get_pilot_report; default: the primary one"`
	Points int    `json:"points,omitempty" jsonschema:"the newest so many"`
}

type getMetricSeriesOut struct {
	Pilot      string        `json:"pilot"`
	Metric     string        `json:"metric"`
	Title      string        `json:"title"`
	Axis       string        `json:"axis" jsonschema:"what a value is, with its unit"`
	Better     string        `json:"better"`
	ReadFirst  []string      `json:"read_first"`
	Started    string        `json:"started,omitempty" jsonschema:"first treated period, if all started together"`
	Points     []seriesPoint `json:"points" jsonschema:"oldest first"`
	Earlier    int           `json:"earlier" jsonschema:"points left out before the first"`
	Means      seriesMeans   `json:"means"`
	Difference effect        `json:"difference"`
	Missing    string        `json:"missing,omitempty" jsonschema:"why there are no points"`
	URL        string        `json:"url,omitempty"`
}

// seriesPoint is one period. A value that does not exist is left out; Note says
// why, where it is known.
type seriesPoint struct {
	Period     string   `json:"period"`
	Pilot      *float64 `json:"pilot,omitempty"`
	Comparison *float64 `json:"comparison,omitempty"`
	Note       string   `json:"note,omitempty" jsonschema:"why it is in neither window"`
}

// seriesMeans are both sides' values over each window.
type seriesMeans struct {
	PilotBefore      *float64 `json:"pilot_before,omitempty"`
	PilotAfter       *float64 `json:"pilot_after,omitempty"`
	ComparisonBefore *float64 `json:"comparison_before,omitempty"`
	ComparisonAfter  *float64 `json:"comparison_after,omitempty"`
}

func (s *Server) getMetricSeries() tool[getMetricSeriesIn, getMetricSeriesOut] {
	return tool[getMetricSeriesIn, getMetricSeriesOut]{
		name:  "get_metric_series",
		title: "Metric over time",
		description: "One metric of a pilot week by week (or by its own period), for the pilot's teams and the comparison: when did it start, when did it move, a trend, an outlier? " +
			"A gap between the lines is not the effect; the difference with its interval comes along.",
		tighten: func(p map[string]*jsonschema.Schema) {
			tightenPilot(p["pilot"])
			tightenMetric(p["metric"])
			tightenNumber(p["points"], maxPoints, defaultPoints)
		},
		describe: func(p map[string]*jsonschema.Schema) { p["difference"] = likeDifference() },
		help:     s.pilotsHelp,
		pilot:    func(in *getMetricSeriesIn) *string { return &in.Pilot },
		answer:   s.answerGetMetricSeries,
		text:     metricSeriesText,
	}
}

func (s *Server) answerGetMetricSeries(ctx context.Context, in getMetricSeriesIn) (getMetricSeriesOut, error) {
	r, err := s.report(ctx, in.Pilot)
	if err != nil {
		return getMetricSeriesOut{}, err
	}
	m, err := metricOf(r, in.Metric)
	if err != nil {
		return getMetricSeriesOut{}, err
	}
	out := getMetricSeriesOut{
		Pilot: r.Definition.Pilot.ID, Metric: m.Outcome.ID, Title: m.Outcome.Title, Better: string(m.Outcome.Better),
		Axis: m.Measure, ReadFirst: append([]string{}, r.Health...), Points: []seriesPoint{}, Difference: effectOf(m.Headline),
		URL: s.pilotURL(r.Definition.Pilot.ID),
	}
	if m.Trend == nil || len(m.Trend.Points) == 0 {
		out.Missing = joined(": ", "There is no series of this metric", firstText(m.Headline.Missing, "the report draws none"))
	} else {
		out.fill(m.Trend, in.Points)
	}
	clean(&out)
	for limit := 300; size(out) > maxBytes && limit > 10; limit /= 2 { // hostile lengths
		bound(&out, limit)
	}
	for size(out) > maxBytes && len(out.Points) > 1 {
		out.Points, out.Earlier = out.Points[1:], out.Earlier+1
	}
	return out, nil
}

// fill takes the newest points.
func (o *getMetricSeriesOut) fill(t *metrics.Trend, points int) {
	o.Axis = firstText(t.AxisTitle, o.Axis)
	if t.StartIndex >= 0 && t.StartIndex < len(t.Points) {
		o.Started = t.Points[t.StartIndex].Label
	}
	o.Earlier = max(0, len(t.Points)-points)
	for _, p := range t.Points[o.Earlier:] {
		o.Points = append(o.Points, seriesPoint{
			Period: p.Label, Pilot: shortened(p.Pilot), Comparison: shortened(p.Comparison), Note: line(p.LeftOut, 60),
		})
	}
	o.Means = seriesMeans{shortened(t.PilotBefore), shortened(t.PilotAfter), shortened(t.ComparisonBefore), shortened(t.ComparisonAfter)}
}

// shortened is a value with four digits that count: a series is read for its
// shape.
func shortened(f *float64) *float64 {
	if finite(f) == nil || *f == 0 {
		return finite(f)
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(*f))))
	x := math.Round(*f*scale) / scale
	return finite(&x)
}

func metricSeriesText(o getMetricSeriesOut) string {
	pieces := []piece{{text: fmt.Sprintf("%s [%s] of %s: %s, %s.", o.Title, o.Metric, o.Pilot, o.Axis, betterText(o.Better))}}
	for _, h := range o.ReadFirst {
		pieces = append(pieces, piece{text: "Read first: " + cut(h, 300)})
	}
	pieces = append(pieces, piece{text: "The effect is not the gap between the lines. Difference to the comparison: " + cut(o.Difference.String(), 500)})
	if o.Missing != "" {
		return compose(append(pieces, piece{text: sentence(o.Missing)}), nil, maxText, "")
	}
	if o.Started != "" {
		pieces = append(pieces, piece{text: "The pilot started in " + o.Started + "."})
	} else {
		pieces = append(pieces, piece{text: "The pilot's teams started at different times."})
	}
	if m := o.Means; m != (seriesMeans{}) {
		pieces = append(pieces, piece{rank: 1, what: "the means of the windows", text: fmt.Sprintf("Before → after: pilot %s → %s, comparison %s → %s.",
			number4(m.PilotBefore), number4(m.PilotAfter), number4(m.ComparisonBefore), number4(m.ComparisonAfter))})
	}
	pieces = append(pieces, piece{text: "Period: pilot / comparison (– is no value, * is in neither window)"})
	var lines []string
	for i, p := range o.Points {
		mark := ""
		if p.Note != "" {
			mark = "*"
		}
		lines = append(lines, fmt.Sprintf("%s%s: %s / %s", shortPeriod(o.Points, i), mark, number4(p.Pilot), number4(p.Comparison)))
	}
	pieces = append(pieces, piece{text: strings.Join(lines, "; ")})
	if notes := periodNotes(o.Points); notes != "" {
		pieces = append(pieces, piece{text: notes, rank: 2, what: "why periods are in neither window"})
	}
	if o.Earlier > 0 {
		pieces = append(pieces, piece{text: fmt.Sprintf("%d earlier periods are not shown: ask with points up to %d, or read the report resource as JSON.", o.Earlier, maxPoints)})
	}
	budget := maxText
	if len(o.Points) > defaultPoints {
		budget *= 2 // somebody asked for so many
	}
	return compose(pieces, nil, budget, "The structured content has it.")
}

// shortPeriod is a period's label, a date without its year where the one before
// is of the same.
func shortPeriod(points []seriesPoint, i int) string {
	label := points[i].Period
	if i > 0 && len(label) == len("2006-01-02") && label[4] == '-' && strings.HasPrefix(points[i-1].Period, label[:5]) {
		return label[5:]
	}
	return label
}

// periodNotes names each reason for leaving periods out once.
func periodNotes(points []seriesPoint) string {
	var notes []string
	for _, p := range points {
		if p.Note != "" && (len(notes) == 0 || notes[len(notes)-1] != p.Note) {
			notes = append(notes, p.Note)
		}
	}
	if len(notes) == 0 {
		return ""
	}
	return "* because: " + sentence(cut(strings.Join(notes, "; "), 300))
}

// number4 is a value in words.
func number4(f *float64) string {
	if f == nil {
		return "–"
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

// metricOf is one metric of a report, the primary one where none is named.
func metricOf(r *metrics.Report, id string) (*metrics.MetricReport, error) {
	var ids []string
	for i := range r.Metrics {
		if id == "" || r.Metrics[i].Outcome.ID == id {
			return &r.Metrics[i], nil
		}
		ids = append(ids, r.Metrics[i].Outcome.ID)
	}
	return nil, noMetric(r.Definition.Pilot.ID, id, ids)
}

func noMetric(pilot, id string, ids []string) error {
	return userErrorf("Pilot %q has no metric %q. Leave metric out, or call again with one of: %s.", pilot, line(id, 64), choices(id, ids))
}

// firstText is the first that is not empty.
func firstText(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}
