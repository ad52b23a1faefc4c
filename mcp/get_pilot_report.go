package mcp

import (
	"context"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/metrics"
)

type getPilotReportIn struct {
	Pilot  string `json:"pilot,omitempty" jsonschema:"id from list_pilots; optional if there is only one"`
	Metric string `json:"metric,omitempty" jsonschema:"id from the report: only it, with every method and its sample"`
}

type getPilotReportOut struct {
	Pilot      string       `json:"pilot"`
	Title      string       `json:"title"`
	ReadFirst  []string     `json:"read_first" jsonschema:"tell the user before any number"`
	Verdict    verdict      `json:"verdict"`
	Method     string       `json:"method"`
	Why        []string     `json:"why" jsonschema:"this method"`
	Facts      []string     `json:"facts" jsonschema:"frame of the comparison"`
	Metrics    []metricPart `json:"metrics" jsonschema:"primary first"`
	LeftOut    []string     `json:"left_out" jsonschema:"data not used"`
	Through    string       `json:"through" jsonschema:"last day, or period, that the data covers"`
	ImportedAt time.Time    `json:"imported_at,omitzero"`
	Definition string       `json:"definition" jsonschema:"fingerprint"`
	URL        string       `json:"url,omitempty" jsonschema:"full report"`
	Shortened  []string     `json:"shortened" jsonschema:"left out for length"`
	// detail is set where one metric was asked for, others where the report
	// has results of other methods; dropped are the metrics that did not fit.
	detail, others bool
	dropped        []string
}

type verdict struct {
	Value       string   `json:"value"`
	Word        string   `json:"word"`
	Sentence    string   `json:"sentence"`
	Reasons     []string `json:"reasons" jsonschema:"weightiest first"`
	WouldChange []string `json:"would_change"`
}

// metricPart is one metric: three numbers and what speaks against them.
type metricPart struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Role       string   `json:"role" jsonschema:"primary, secondary or counter"`
	Better     string   `json:"better"`
	Measure    string   `json:"measure"`
	Finding    string   `json:"finding"`
	Words      string   `json:"words,omitempty" jsonschema:"both sides of a count"`
	Pilot      change   `json:"pilot"`
	Comparison change   `json:"comparison"`
	Difference effect   `json:"difference" jsonschema:"the effect: pilot minus comparison"`
	Others     []effect `json:"others" jsonschema:"other methods and scales"`
	Disagree   bool     `json:"disagree" jsonschema:"an admissible method says the opposite"`
	Against    []string `json:"against"`
	PreTrend   test     `json:"pre_trend"`
	Detectable *float64 `json:"detectable,omitempty"`
	CouldSee   string   `json:"could_see" jsonschema:"smallest effect the design would see"`
	Bend       string   `json:"bend,omitempty" jsonschema:"how far trends may bend"`
	Looks      string   `json:"looks,omitempty" jsonschema:"while the window runs"`
	HolmP      *float64 `json:"holm_p,omitempty" jsonschema:"p adjusted for several metrics"`
	Sample     sample   `json:"sample"`
}

type test struct {
	P       *float64 `json:"p,omitempty"`
	Missing string   `json:"missing,omitempty"`
	Text    string   `json:"text"`
}

type sample struct {
	TreatedUnits    int      `json:"treated_units"`
	ComparisonUnits int      `json:"comparison_units"`
	Observations    int      `json:"observations"`
	PullRequests    int      `json:"pull_requests,omitempty"`
	Authors         int      `json:"authors,omitempty"`
	Censored        int      `json:"censored,omitempty" jsonschema:"not ended when last seen"`
	LeftOut         []string `json:"left_out"`
}

func (s *Server) getPilotReport() tool[getPilotReportIn, getPilotReportOut] {
	return tool[getPilotReportIn, getPilotReportOut]{
		name:  "get_pilot_report",
		title: "Pilot report",
		description: "One pilot's verdict, its reasons and what would change it; for each metric the pilot's own change, the comparison's, and the difference with its interval. " +
			"Use it to say whether a pilot helped and how sure that is. It never ranks people and does not give single pull requests.",
		tighten: func(p map[string]*jsonschema.Schema) {
			tightenPilot(p["pilot"])
			tightenMetric(p["metric"])
		},
		help:  s.pilotsHelp,
		pilot: func(in *getPilotReportIn) *string { return &in.Pilot },
		describe: func(p map[string]*jsonschema.Schema) {
			// Spelled out once, under difference.
			p["metrics"].Items.Properties["others"].Items = &jsonschema.Schema{Type: "object", Description: "like difference"}
			p["metrics"].Items.Properties["comparison"] = &jsonschema.Schema{Type: "object", Description: "like pilot"}
		},
		answer: s.answerGetPilotReport,
		text:   pilotReportText,
	}
}

func (s *Server) answerGetPilotReport(ctx context.Context, in getPilotReportIn) (getPilotReportOut, error) {
	r, err := s.report(ctx, in.Pilot)
	if err != nil {
		return getPilotReportOut{}, err
	}
	out := reportOf(r)
	out.URL = s.pilotURL(out.Pilot)
	if in.Metric != "" {
		if err := out.only(in.Metric); err != nil {
			return getPilotReportOut{}, err
		}
	}
	clean(&out)
	out.shorten()
	return out, nil
}

// only keeps the metric id.
func (o *getPilotReportOut) only(id string) error {
	ids := make([]string, len(o.Metrics))
	for i, m := range o.Metrics {
		if m.ID == id {
			o.Metrics, o.detail = o.Metrics[i:i+1], true
			return nil
		}
		ids[i] = m.ID
	}
	return noMetric(o.Pilot, id, ids)
}

// reportOf is r as this tool shows it, nothing shortened yet.
func reportOf(r *metrics.Report) getPilotReportOut {
	p := r.Definition.Pilot
	out := getPilotReportOut{
		Pilot:     p.ID,
		Title:     p.Title,
		ReadFirst: append([]string{}, r.Health...),
		Verdict: verdict{
			Value:       string(r.Verdict.Value),
			Word:        r.Verdict.Word,
			Sentence:    r.Verdict.Sentence,
			Reasons:     reasonsOf(r.Verdict.Reasons),
			WouldChange: append([]string{}, r.Verdict.WouldChange...),
		},
		Method:     r.Design.MethodTitle,
		Why:        append([]string{}, r.Design.Why...),
		Facts:      []string{},
		Metrics:    []metricPart{},
		LeftOut:    leftOutOf(r.LeftOut),
		Through:    r.Design.Through,
		Definition: cut(r.Definition.Hash, 12),
		Shortened:  []string{},
	}
	for _, f := range r.Facts {
		out.Facts = append(out.Facts, joined(": ", f.Title, f.Text))
	}
	if r.Import != nil {
		out.ImportedAt = r.Import.At.UTC()
	}
	for _, m := range r.Metrics {
		out.Metrics = append(out.Metrics, metricPartOf(m))
		out.others = out.others || m.Ratio != nil || len(m.Others) > 0
	}
	return out
}

func metricPartOf(m metrics.MetricReport) metricPart {
	out := metricPart{
		ID:         m.Outcome.ID,
		Title:      m.Outcome.Title,
		Role:       string(m.Outcome.Role),
		Better:     string(m.Outcome.Better),
		Measure:    m.Measure,
		Finding:    m.Finding,
		Words:      m.Words,
		Pilot:      changeOf(m.Pilot),
		Comparison: changeOf(m.Comparison),
		Difference: effectOf(m.Headline),
		Others:     []effect{},
		Disagree:   m.Disagree,
		Against:    reasonsOf(m.Against),
		PreTrend:   test{finite(m.PreTrend.P), m.PreTrend.Missing, m.PreTrend.Text},
		Detectable: finite(m.Detectable),
		CouldSee:   m.DetectableText,
		Bend:       m.Bend(),
		HolmP:      finite(m.HolmP),
		Sample: sample{
			TreatedUnits:    m.Sample.TreatedUnits,
			ComparisonUnits: m.Sample.ComparisonUnits,
			Observations:    m.Sample.Observations,
			PullRequests:    m.Sample.PullRequests,
			Authors:         m.Sample.Authors,
			Censored:        m.Sample.Censored,
			LeftOut:         leftOutOf(m.Sample.LeftOut),
		},
	}
	if m.Looks != nil {
		out.Looks = m.Looks.Text
	}
	if m.Ratio != nil {
		out.Others = append(out.Others, effectOf(*m.Ratio))
	}
	for _, e := range m.Others {
		out.Others = append(out.Others, effectOf(e))
	}
	if out.Measure == "" {
		out.Measure = m.Outcome.Unit
	}
	return out
}
