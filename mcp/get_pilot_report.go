package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/metrics"
)

type getPilotReportIn struct {
	Pilot  string `json:"pilot,omitempty" jsonschema:"id from list_pilots; may be left out where there is only one pilot"`
	Metric string `json:"metric,omitempty" jsonschema:"only this metric, by id, with every method and its whole sample"`
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
	Definition string       `json:"definition" jsonschema:"its fingerprint"`
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
	Bend       string   `json:"bend,omitempty" jsonschema:"how far trends may bend before the conclusion goes"`
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
		title: "Get a pilot's report",
		description: "One pilot's verdict with its reasons, and for each metric the pilot's own change, the comparison's, and the difference with its interval. " +
			"Use it to say whether a pilot helped and how sure that is. It never ranks people and does not give single pull requests.",
		tighten: func(p map[string]*jsonschema.Schema) {
			p["pilot"].Pattern = "^[a-z0-9][a-z0-9-]*$"
			p["pilot"].MaxLength = jsonschema.Ptr(64)
			p["metric"].Pattern = "^[A-Za-z0-9_-]+$"
			p["metric"].MaxLength = jsonschema.Ptr(64)
		},
		help: func(ctx context.Context) string {
			ids, err := s.pilotIDs(ctx)
			if err != nil || len(ids) == 0 {
				return ""
			}
			return "Pilots: " + choices("", ids) + "."
		},
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
	id, err := s.pilotNamed(ctx, in.Pilot)
	if err != nil {
		return getPilotReportOut{}, err
	}
	r, err := s.o.Reports.Report(ctx, id)
	if errors.Is(err, metrics.ErrNotFound) {
		return getPilotReportOut{}, s.notFound(ctx, id)
	}
	if build, ok := errors.AsType[*metrics.BuildError](err); ok {
		return getPilotReportOut{}, userErrorf("There is no report on %q: %s. Tell the user; calling again helps only once the data or the definition was changed.", id, line(build.Error(), 600))
	}
	if err != nil {
		return getPilotReportOut{}, fmt.Errorf("read report of %q: %w", id, err)
	}
	out := reportOf(r)
	if s.o.BaseURL != "" {
		out.URL = s.o.BaseURL + "/pilots/" + out.Pilot
	}
	if in.Metric != "" {
		if err := out.only(in.Metric); err != nil {
			return getPilotReportOut{}, err
		}
	}
	clean(&out)
	out.shorten()
	return out, nil
}

// pilotNamed returns want, or the one pilot there is where none is named.
func (s *Server) pilotNamed(ctx context.Context, want string) (string, error) {
	if want != "" {
		return want, nil
	}
	ids, err := s.pilotIDs(ctx)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", userErrorf("No pilot is defined yet, so there is no report. Tell the user to add one with `steelyard import panel` or `steelyard pilot define`.")
	case len(ids) > 1:
		return "", userErrorf("Which pilot? Ask the user, or call again with pilot set to one of: %s.", choices("", ids))
	}
	return ids[0], nil
}

// notFound says what is not there: the pilot or its data.
func (s *Server) notFound(ctx context.Context, id string) error {
	ids, err := s.pilotIDs(ctx)
	switch {
	case err != nil:
		return err
	case slices.Contains(ids, id):
		return userErrorf("Pilot %q is defined but has no data yet. Tell the user to import it with `steelyard import panel` or `steelyard import pull-requests`.", id)
	case len(ids) == 0:
		return userErrorf("There is no pilot %q: none is defined yet. Tell the user to add one with `steelyard import panel` or `steelyard pilot define`.", line(id, 64))
	}
	return userErrorf("There is no pilot %q. Call again with pilot set to one of: %s.", line(id, 64), choices(id, ids))
}

func (s *Server) pilotIDs(ctx context.Context) ([]string, error) {
	all, err := s.o.Reports.Summaries(ctx)
	if err != nil {
		return nil, fmt.Errorf("read summaries: %w", err)
	}
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	return ids, nil
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
	return userErrorf("Pilot %q has no metric %q. Leave metric out, or call again with one of: %s.", o.Pilot, line(id, 64), choices(id, ids))
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
