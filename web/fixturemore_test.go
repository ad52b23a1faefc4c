package web

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/rules"
)

// fullOptions is a dashboard with everything on it.
func fullOptions() Options {
	reports := fullReports()
	reports.ingest = someIngest()
	return Options{
		Reports: reports, Findings: someFindings(), Rules: rules.All, Version: "1.2.3",
		Editor: memoryEditor{}, Pulls: memoryPulls{}, Work: someWork, Notes: someNotes,
		Now: func() time.Time { return at("2026-11-29 06:30") },
	}
}

// memoryEditor satisfies Editor. It knows one pilot, and stores nothing.
type memoryEditor struct {
	saved func(metrics.Pilot, metrics.Edit) error
}

func editable() metrics.Pilot {
	p := smallPilot().Definition.Pilot
	p.Treated = []metrics.Adoption{{Unit: "payments", Start: at("2026-08-03 00:00")}}
	p.Comparison = []string{"search", "ledger"}
	p.Before = metrics.Window{From: at("2026-04-13 00:00"), To: at("2026-08-03 00:00")}
	p.After = metrics.Window{From: at("2026-08-17 00:00"), To: at("2026-11-09 00:00")}
	p.LeftOut = []metrics.Exclusion{{Window: metrics.Window{From: at("2026-08-03 00:00"), To: at("2026-08-17 00:00")}, Reason: "ramp-up"}}
	first, _ := metrics.CatalogueOutcome("open_to_merge")
	first.Role = metrics.RolePrimary
	second, _ := metrics.CatalogueOutcome("reverts")
	p.Outcomes = []metrics.Outcome{first, second}
	return p
}

func (memoryEditor) Definition(_ context.Context, id string) (metrics.Definition, error) {
	def := smallPilot().Definition
	switch id {
	case "payments", "hostile", "refused":
		def.Pilot = editable()
		def.Pilot.ID = id
	case "editor":
		def = largePilot().Definition
		def.Pilot.Outcomes = []metrics.Outcome{{ID: "commits", Title: "Commits", Better: metrics.BetterHigher, Scale: metrics.ScaleLog1p, Role: metrics.RolePrimary}}
	default:
		return def, fmt.Errorf("pilot %q: %w", id, metrics.ErrNotFound)
	}
	return def, nil
}

func (memoryEditor) Blank(context.Context) (metrics.Pilot, error) {
	p := editable()
	return metrics.Pilot{Level: p.Level, UnitNoun: "team", PeriodNoun: "week", Outcomes: p.Outcomes, SmallestEffect: .1, Seed: 1}, nil
}

func (memoryEditor) Teams(context.Context) ([]string, error) {
	return []string{"checkout", "ledger", "payments", "search"}, nil
}

func (memoryEditor) Preview(_ context.Context, p metrics.Pilot) (*metrics.Preview, error) {
	if p.Level == metrics.LevelPanel {
		return nil, nil
	}
	m := smallPilot().Metrics[0]
	trend := *m.Trend
	trend.StartIndex, trend.Points = -1, trend.Points[:16]
	trend.PilotBefore, trend.PilotAfter, trend.ComparisonBefore, trend.ComparisonAfter = nil, nil, nil, nil
	return &metrics.Preview{
		AsIf: at("2026-05-11 00:00"), PeriodNoun: "week", Periods: 8, Planned: 12,
		Metrics: []metrics.PreviewMetric{
			{Title: "Open to merge", Detectable: f(31), Unit: metrics.UnitPoints, Text: "One pilot team and 8 weeks would have seen 31 points or more in 8 cases out of 10.", PreTrend: m.PreTrend, Trend: &trend},
			{Title: "Reverts within 30 days", Text: "About ×\u202f3 or more.", PreTrend: metrics.Test{Missing: "counts this small have no trend"}},
		},
	}, nil
}

func (e memoryEditor) Save(_ context.Context, p metrics.Pilot, edit metrics.Edit) (metrics.Definition, error) {
	if e.saved != nil {
		if err := e.saved(p, edit); err != nil {
			return metrics.Definition{}, err
		}
	}
	return metrics.Definition{Pilot: p, Hash: strings.Repeat("ab", 32)}, nil
}

func (memoryEditor) Trail(_ context.Context, pilot string, _ int) ([]metrics.TrailEntry, error) {
	if pilot != "" && pilot != "payments" {
		return nil, nil
	}
	return []metrics.TrailEntry{
		{Pilot: "payments", At: at("2026-08-19 10:00"), By: "this machine", Hash: strings.Repeat("7c1e40d2", 8), What: []string{"comparison", "left_out"}},
		{Pilot: "payments", At: at("2026-07-24 09:00"), By: "this machine", Hash: strings.Repeat("11aa22bb", 8), What: []string{}},
	}, nil
}

// memoryPulls satisfies metrics.PilotPulls with 120 pull requests of one pilot.
type memoryPulls struct{}

func (memoryPulls) PilotPulls(_ context.Context, pilot string, q metrics.PullFilter) (*metrics.PilotPullPage, error) {
	switch pilot {
	case "payments", "hostile", "refused":
	case "editor":
		return nil, fmt.Errorf("list: %w", metrics.ErrNoPulls)
	default:
		return nil, fmt.Errorf("pilot %q: %w", pilot, metrics.ErrNotFound)
	}
	if q.Team != "" && !strings.EqualFold(q.Team, "payments") && q.Team != "search" {
		return nil, &metrics.ChoiceError{What: "team", Value: q.Team, Choices: []string{"payments", "search"}}
	}
	page := &metrics.PilotPullPage{Pilot: editable()}
	page.Pilot.ID = pilot
	page.All = []metrics.PullTeam{{Name: "payments", Side: metrics.SidePilot}, {Name: "search", Side: metrics.SideComparison}, {Name: "tiny", Side: metrics.SideComparison}}
	for _, t := range page.All {
		if (q.Team == "" || strings.EqualFold(q.Team, t.Name)) && (q.Side == "" || q.Side == t.Side) {
			page.Teams = append(page.Teams, t)
			if t.Name == "tiny" {
				page.Small = []string{"tiny"}
			}
		}
	}
	var all []metrics.PullRow
	for i := range 120 {
		opened := at("2026-11-28 17:10").Add(-time.Duration(i) * 7 * time.Hour)
		r := metrics.PullRow{
			Repository: "acme/payments", Number: 900 - i, Team: []string{"payments", "search"}[i%2], OnGitHub: i%3 > 0, Opened: opened,
			Additions: 12 + i, Deletions: i % 9, Looked: i%4 > 0,
		}
		switch i % 5 {
		case 0:
			r.Additions, r.Deletions = -1, -1
		case 1:
			r.Closed = opened.Add(30 * time.Hour)
		case 2:
			r.Merged, r.Closed, r.RevertedAt, r.Signal = opened.Add(3*time.Hour), opened.Add(3*time.Hour), opened.Add(60*time.Hour), "agent_authored"
		default:
			r.Merged, r.Closed = opened.Add(17*time.Hour), opened.Add(17*time.Hour)
		}
		if (q.Team == "" || strings.EqualFold(q.Team, r.Team)) && (q.State == "" || q.State == r.State()) {
			all = append(all, r)
		}
	}
	for _, r := range all {
		if q.After.At.IsZero() || r.Opened.Before(q.After.At) {
			page.Rows = append(page.Rows, r)
		}
		if len(page.Rows) == q.Limit {
			page.Next = metrics.PullPlace{At: r.Opened, ID: fmt.Sprint(r.Number)}
			break
		}
	}
	return page, nil
}

func someWork(context.Context) (Work, error) {
	return Work{
		Tasks: []Task{
			{Name: "Read all of acme/checkout-web", State: TaskRunning, Phase: "pull requests", Done: 311, Total: 9120, Started: at("2026-11-29 06:02"), WaitUntil: at("2026-11-29 06:40")},
			{Name: "Read the teams of acme", State: TaskWaiting, Asked: at("2026-11-29 06:03")},
			{Name: "Update acme/private", State: TaskFailed, Error: "GitHub has refused the token: bad credentials", Next: at("2026-11-29 07:03"), Note: "3 pull requests are without some of their parts"},
		},
		Budget: []Allowance{{Resource: "GraphQL", Remaining: 4180, Limit: 5000, Reset: at("2026-11-29 06:58")}},
	}, nil
}

func someNotes() ([]Note, error) {
	return []Note{
		{Name: "dashboard", Title: "The dashboard", Text: "What [cross-fit t](methods/cross-fit-t.md#how) is, [a rule](rules/MC002.md), [a file](../web/web.go) and [elsewhere](https://example.org/).\n\n<script>alert(1)</script>\n"},
		{Name: "methods", Title: "Methods", Text: "| design | headline |\n| --- | --- |\n| one unit | [cross-fit t](cross-fit-t.md) |\n"},
		{Name: "methods/cross-fit-t", Title: "Cross-fit t", Text: "**What it assumes.** Much.\n\n## How\n\n```\nmean(τ) ± t · sd\n```\n\nBack to [the list](README.md) and [the dashboard](../dashboard.md).\n"},
	}, nil
}
