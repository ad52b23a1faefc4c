package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
)

// reports is a [metrics.Reports] of finished values; a test may replace what a
// method does.
type reports struct {
	all       []*metrics.Report
	summaries func(context.Context) ([]metrics.Summary, error)
	report    func(context.Context, string) (*metrics.Report, error)
}

func (r reports) Summaries(ctx context.Context) ([]metrics.Summary, error) {
	if r.summaries != nil {
		return r.summaries(ctx)
	}
	var all []metrics.Summary
	for _, rep := range r.all {
		p := rep.Definition.Pilot
		all = append(all, metrics.Summary{
			ID: p.ID, Title: p.Title, Subject: p.Subject, MadeUp: true, Verdict: rep.Verdict,
			Primary: rep.Metrics[0].Outcome.Title, Better: rep.Metrics[0].Outcome.Better,
			Headline: rep.Metrics[0].Headline, Design: rep.Design, Through: rep.Design.Through,
			ImportedAt: rep.Import.At, Counter: &metrics.CounterNote{Title: "Reverts", Text: "rose for the pilot only"},
		})
	}
	return all, nil
}

func (r reports) Report(ctx context.Context, id string) (*metrics.Report, error) {
	if r.report != nil {
		return r.report(ctx, id)
	}
	for _, rep := range r.all {
		if rep.Definition.Pilot.ID == id {
			return rep, nil
		}
	}
	return nil, fmt.Errorf("pilot %q: %w", id, metrics.ErrNotFound)
}

func (r reports) Data(context.Context) (*metrics.DataHealth, error) {
	return sampleData(), nil
}

func at(day int) time.Time { return time.Date(2026, time.August, day, 9, 30, 0, 0, time.UTC) }

func ptr(f float64) *float64 { return &f }

// workedExample is the report of measurement.md's example.
func workedExample() *metrics.Report {
	return &metrics.Report{
		Version: metrics.ReportVersion,
		Health:  []string{"These numbers are made up to show how a report reads."},
		Definition: metrics.Definition{
			Hash: strings.Repeat("ab", 32), SavedAt: at(1),
			Pilot: metrics.Pilot{ID: "worked-example", Title: "Worked example", Subject: "Payments"},
		},
		Verdict: metrics.Verdict{
			Value: metrics.VerdictCannotSayYet, Word: "Cannot say yet",
			Sentence: "The interval of the primary metric reaches from a large improvement to a small loss.",
			Reasons: []metrics.Reason{
				{Code: "interval_wide", Title: "The interval is wide", Text: "It reaches from −41 to +9 points."},
				{Code: "few_teams", Title: "Few teams", Text: "One team is compared with three."},
			},
			WouldChange: []string{"About 14 more weeks at this noise would show an effect of 17 points."},
		},
		Design: metrics.Design{
			Kind: metrics.DesignOneTreated, Method: "cross-fit-t", MethodTitle: "Cross-fit t (K = 3)",
			Why:          []string{"One treated team: cluster-robust errors would call noise an effect."},
			TreatedUnits: 1, ComparisonUnits: 3, FirstPeriod: "2026-W01", LastPeriod: "2026-W39", Through: "2026-W39",
		},
		Metrics: []metrics.MetricReport{openToMerge(), reverts()},
		LeftOut: []metrics.LeftOut{{Count: 12, What: "pull requests", Reason: "a bot opened them"}},
		Facts:   []metrics.Fact{{Title: "Started", Text: "6 Jul 2026"}, {Title: "Against", Text: "3 teams"}},
		Import:  &metrics.Import{File: "example.csv", At: at(2)},
	}
}

func openToMerge() metrics.MetricReport {
	return metrics.MetricReport{
		Outcome:    metrics.Outcome{ID: "open_to_merge", Title: "Open to merge", Unit: "hours", Better: metrics.BetterLower, Role: metrics.RolePrimary},
		Measure:    "median hours",
		Finding:    "Both fell; the pilot fell 17 points more.",
		ChangeUnit: metrics.UnitPercent,
		Pilot:      metrics.Change{Label: "Payments", Before: ptr(18), After: ptr(12), Value: ptr(-100.0 / 3), Text: "18 h → 12 h", ValueText: "−33 %"},
		Comparison: metrics.Change{Label: "comparison", Before: ptr(18), After: ptr(15), Value: ptr(-100.0 / 6), Text: "18 h → 15 h", ValueText: "−17 %"},
		Headline: metrics.Effect{
			Method: "cross-fit-t", Title: "Cross-fit t (K = 3)", Unit: metrics.UnitPoints, Level: 0.95,
			Estimate: ptr(-100.0 / 6), Low: ptr(-41.2), High: ptr(8.9), P: ptr(0.11), Admissible: true,
			Text: "−17 points, 95 % interval −41 to +9, p = 0.11", Notes: []string{"The interval's centre is −16 points."},
		},
		Ratio: &metrics.Effect{
			Method: "ratio-of-ratios", Title: "Ratio of ratios", Unit: metrics.UnitRatio, Level: 0.95,
			Estimate: ptr(0.8), Low: ptr(0.55), High: ptr(1.16), Text: "0.80, 95 % interval 0.55 to 1.16",
		},
		Others: []metrics.Effect{{
			Method: "donald-lang", Title: "Donald–Lang", Unit: metrics.UnitPoints, Level: 0.95,
			Estimate: ptr(-16.7), Low: ptr(-52), High: ptr(18), P: ptr(0.17), Admissible: true, Text: "−17 points, 95 % interval −52 to +18, p = 0.17",
		}},
		Against:        []metrics.Reason{{Code: "spread", Title: "Unequal spread", Text: "The pilot varied 1.6 times as much before the start."}},
		PreTrend:       metrics.Test{Title: "Slope before the start", P: ptr(0.42), Text: "no trend against the comparison (p = 0.42)"},
		Trend:          trend(60),
		Detectable:     ptr(24),
		DetectableText: "an effect of 24 points or more",
		Sample:         metrics.Sample{TreatedUnits: 1, ComparisonUnits: 3, Observations: 156, PullRequests: 612, Authors: 31, Censored: 4},
	}
}

func reverts() metrics.MetricReport {
	return metrics.MetricReport{
		Outcome:    metrics.Outcome{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Role: metrics.RoleCounter},
		Measure:    "count",
		Words:      "rose for the pilot only",
		Finding:    "Rose for the pilot only, far from conclusive.",
		ChangeUnit: metrics.UnitRatio,
		Pilot:      metrics.Change{Label: "Payments", Before: ptr(3), After: ptr(7), Value: ptr(7.0 / 3), Text: "3 → 7", ValueText: "×2.33"},
		Comparison: metrics.Change{Label: "comparison", Before: ptr(3), After: ptr(3), Value: ptr(1), Text: "3 → 3", ValueText: "×1.00"},
		Headline: metrics.Effect{
			Method: "exact", Title: "Exact conditional", Unit: metrics.UnitRatio, Level: 0.95,
			Estimate: ptr(7.0 / 3), Low: ptr(0.1796), High: ptr(29.52), P: ptr(0.6133),
			Text: "2.33, 95 % interval 0.18 to 29.5, p = 0.61",
		},
		PreTrend: metrics.Test{Missing: "counts are too small"},
		Sample:   metrics.Sample{TreatedUnits: 1, ComparisonUnits: 3, Observations: 4},
	}
}

// second is another pilot with nothing but a verdict that is missing numbers.
func second() *metrics.Report {
	r := workedExample()
	r.Definition.Pilot.ID, r.Definition.Pilot.Title = "agents-weekly", "Agents, by week"
	r.Health = nil
	r.Metrics = r.Metrics[:1]
	r.Metrics[0].Headline = metrics.Effect{Method: "cross-fit-t", Title: "Cross-fit t (K = 3)", Unit: metrics.UnitPoints, Level: 0.95, Missing: "fewer than 6 weeks before the start", Text: "cannot be estimated: fewer than 6 weeks before the start"}
	return r
}

// findings is a [lint.FindingStore] of values.
type findings struct {
	all   []lint.StoredFinding
	scans []lint.ScanSummary
	err   error
}

func (f findings) Findings(_ context.Context, q lint.FindingFilter) (lint.FindingPage, error) {
	if f.err != nil {
		return lint.FindingPage{}, f.err
	}
	page := lint.FindingPage{}
	for _, x := range f.all {
		if q.Repository != "" && x.Repository != q.Repository || q.Rule != "" && x.Rule != q.Rule || q.Severity != "" && x.Severity != q.Severity {
			continue
		}
		page.Total++
		if page.Total > q.Offset && len(page.Findings) < q.Limit {
			page.Findings = append(page.Findings, x)
		}
	}
	return page, nil
}

func (f findings) Scans(context.Context) ([]lint.ScanSummary, error) { return f.scans, f.err }

func sampleFindings() findings {
	unpinned := lint.StoredFinding{Repository: "acme/shop", Finding: lint.Finding{
		Rule: "MC002", Name: "mcp-unpinned-server", Severity: rules.Warning, Path: ".mcp.json", Line: 7, Column: 5,
		Message: `server "tracker" runs "tracker-mcp" without an exact version`,
	}}
	secret := lint.StoredFinding{Repository: "acme/shop", Finding: lint.Finding{
		Rule: "MC001", Name: "mcp-literal-secret", Severity: rules.Error, Path: ".mcp.json", Line: 9, Column: 24,
		Message: `"API_TOKEN" holds a literal token ending in "9f3c"`,
		Related: []lint.Related{{Path: "docs/setup.md", Line: 3}},
	}}
	return findings{
		all: []lint.StoredFinding{secret, unpinned},
		scans: []lint.ScanSummary{
			{Repository: "acme/empty", At: at(3), Files: 2},
			{Repository: "acme/shop", Commit: "0123456789abcdef", At: at(4), Files: 5},
		},
	}
}

func rulePages() ([]rules.Page, error) {
	return []rules.Page{
		{
			ID: "MC001", Name: "mcp-literal-secret", Title: "A secret stands in an MCP configuration", Severity: rules.Error,
			Lifecycle: rules.Stable, Fix: rules.FixNone, Since: "0.1.0",
			Why:      "Everyone who can read the repository can use it.\n\nHistory keeps it.",
			Bad:      []rules.Example{{Path: ".mcp.json", Text: "{\n  \"env\": {\"API_TOKEN\": \"…\"}\n}\n"}},
			Good:     []rules.Example{{Path: ".mcp.json", Text: "{\n  \"env\": {\"API_TOKEN\": \"${API_TOKEN}\"}\n}\n"}},
			HowToFix: "Revoke it, then name an environment variable.",
		},
		{
			ID: "MC002", Name: "mcp-unpinned-server", Title: "A server runs without an exact version", Severity: rules.Warning,
			Lifecycle: rules.Preview, Fix: rules.FixNone, Since: "0.1.0", Why: "Its next release runs unseen.", HowToFix: "Name a version.",
		},
	}, nil
}
