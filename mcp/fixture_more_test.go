package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/mcp"
	"steelyard/metrics"
)

// pulls is a [metrics.PilotPulls] of values, in the order of the list.
type pulls struct {
	rows  []metrics.PullRow
	small []string
	err   error
}

func (p pulls) PilotPulls(_ context.Context, pilot string, f metrics.PullFilter) (*metrics.PilotPullPage, error) {
	switch {
	case p.err != nil:
		return nil, p.err
	case pilot == "agents-weekly":
		return nil, fmt.Errorf("list: %w", metrics.ErrNoPulls)
	case pilot != "worked-example":
		return nil, fmt.Errorf("pilot %q: %w", pilot, metrics.ErrNotFound)
	case f.Team != "" && f.Team != "Payments" && f.Team != "Ledger":
		return nil, &metrics.ChoiceError{What: "team", Value: f.Team, Choices: []string{"Payments", "Ledger"}}
	}
	page := &metrics.PilotPullPage{
		PullPage: metrics.PullPage{Small: p.small},
		Pilot:    metrics.Pilot{ID: pilot}, Window: metrics.Window{From: at(1), To: at(29)},
		All: []metrics.PullTeam{{Name: "Payments", Side: metrics.SidePilot}, {Name: "Ledger", Side: metrics.SideComparison}},
	}
	behind := f.After == metrics.PullPlace{}
	for _, r := range p.rows {
		switch {
		case !behind:
			behind = r.Place == f.After
		case f.State != "" && r.State() != f.State || f.Team != "" && r.Team != f.Team:
		case len(page.Rows) == f.Limit:
			page.Next = page.Rows[f.Limit-1].Place
			return page, nil
		default:
			page.Rows = append(page.Rows, r)
		}
	}
	return page, nil
}

func samplePulls() pulls {
	row := func(number int, team string, day int, then func(*metrics.PullRow)) metrics.PullRow {
		r := metrics.PullRow{Repository: "acme/shop", Number: number, Team: team, OnGitHub: true, Opened: at(day), Additions: 30, Deletions: 12, Looked: true}
		r.Place = metrics.PullPlace{At: r.Opened, ID: fmt.Sprint("PR_", number)}
		then(&r)
		return r
	}
	return pulls{small: []string{"Trio"}, rows: []metrics.PullRow{
		row(44, "Payments", 20, func(r *metrics.PullRow) { r.Additions, r.Signal = -1, "co-authored" }),
		row(43, "Ledger", 18, func(r *metrics.PullRow) {
			r.FirstReview, r.Merged = r.Opened.Add(3*time.Hour), r.Opened.Add(30*time.Hour)
			r.Closed = r.Merged
		}),
		row(41, "Payments", 11, func(r *metrics.PullRow) {
			r.Merged, r.RevertedAt, r.Looked = r.Opened.Add(time.Hour), r.Opened.Add(50*time.Hour), false
			r.OnGitHub, r.Repository = false, "internal"
		}),
		row(40, "Payments", 10, func(r *metrics.PullRow) { r.Closed = r.Opened.Add(90 * time.Hour) }),
	}}
}

// inventory is a [lint.InventoryStore] of servers.
type inventory []lint.StoredServer

func (inventory) Inventory(context.Context, string) (lint.Inventory, error) {
	return lint.Inventory{}, nil
}

func (i inventory) Servers(_ context.Context, repository string) ([]lint.StoredServer, error) {
	out := []lint.StoredServer{}
	for _, s := range i {
		if repository == "" || s.Repository == repository {
			out = append(out, s)
		}
	}
	return out, nil
}

func (inventory) Trend(context.Context, string) ([]lint.TrendPoint, error) { return nil, nil }

func sampleServers() inventory {
	return inventory{
		{Repository: "acme/empty", Since: at(3), SeenServer: lint.SeenServer{
			Path: ".vscode/mcp.json", Line: 4, Host: "vscode", Name: "docs", Kind: "host", Target: "mcp.docs.example", Pinned: true, Secrets: "none",
			Approval: &lint.CommittedDecision{Reason: "our own", Owner: "platform"},
		}},
		{Repository: "acme/shop", Since: at(2), SeenServer: lint.SeenServer{
			Path: ".mcp.json", Line: 7, Host: "claude-code", Name: "tracker", Kind: "package", Target: "npm:tracker-mcp", Secrets: "literal",
		}},
		{Repository: "acme/shop", Since: at(4), SeenServer: lint.SeenServer{
			Path: ".mcp.json", Line: 15, Host: "claude-code", Name: "db", Kind: "program", Target: "db-tools", Pinned: true, Off: true, Secrets: "reference",
		}},
	}
}

// decisions is a [lint.DecisionStore] of one decision.
type decisions struct{ all []lint.Decision }

func (d decisions) Decisions(_ context.Context, f lint.DecisionFilter) (lint.DecisionPage, error) {
	return lint.DecisionPage{Decisions: d.all[min(f.Offset, len(d.all)):], Total: len(d.all)}, nil
}

func (decisions) Decide(context.Context, lint.Decision) (lint.Decision, error) {
	panic("a read-only server decided something")
}

func sampleDecisions() decisions {
	return decisions{[]lint.Decision{{ID: 3, Kind: lint.AboutServer, Subject: "package:npm:tracker-mcp", Verdict: lint.Refused, Reason: "it keeps what it is asked", Owner: "security", At: at(5)}}}
}

// instructed is an [mcp.InstructionReader] of one repository.
type instructed struct {
	names []string
	got   mcp.Instructions
}

func (i instructed) Repositories(context.Context) ([]string, error) { return i.names, nil }

func (i instructed) Effective(_ context.Context, repository, surface, file string) (mcp.Instructions, error) {
	if strings.HasPrefix(file, "/") {
		return mcp.Instructions{}, fmt.Errorf("read %q: %w", file, mcp.ErrNoFile)
	}
	out := i.got
	out.Repository, out.Title = repository, "The "+surface
	return out, nil
}

func sampleInstructions() instructed {
	return instructed{names: []string{"acme/empty", "acme/shop"}, got: mcp.Instructions{
		Commit: "0123456789abcdef", At: at(4), Bytes: 5200,
		Texts: []mcp.InstructionText{
			{Path: "CLAUDE.md", Because: "always", Bytes: 1200, Read: 1200},
			{Path: "services/pay/CLAUDE.md", Because: "always", Bytes: 9000, Read: 4000},
		},
		Left: []mcp.InstructionText{{Path: "docs/CLAUDE.md", Because: "it is read when it is asked for"}},
		Conflicts: []mcp.InstructionConflict{{
			Topic: "Indentation", Follows: "services/pay/CLAUDE.md",
			First: mcp.InstructionOrder{Path: "CLAUDE.md", Line: 3, Text: "Use tabs."}, Then: mcp.InstructionOrder{Path: "services/pay/CLAUDE.md", Line: 9, Text: "Use two spaces.\u202e"},
		}},
	}}
}

// sampleData is a state of the data with a gap of each kind.
func sampleData() *metrics.DataHealth {
	return &metrics.DataHealth{
		DataSets: []metrics.DataSet{
			{Pilot: "agents-weekly", Title: "Agents, by week", Level: metrics.LevelPanel, Error: "the panel has no row after the start"},
			{
				Pilot: "worked-example", Title: "Worked example", Level: metrics.LevelPullRequests, Units: 4, UnitNoun: "team", Periods: 39, Used: 37, PeriodNoun: "week",
				First: "2026-W01", Last: "2026-W39", Sources: []metrics.Source{{MadeUp: true}}, Import: &metrics.Import{File: "example.csv", At: at(2)},
				LeftOut: []metrics.LeftOut{{Count: 12, What: "pull requests", Reason: "a bot opened them"}},
			},
		},
		PullRequests: metrics.PullRequestSummary{
			Total: 812, Open: 4, Unplaced: 9, Bots: 101, Teams: []metrics.TeamSize{{Team: "Payments", PullRequests: 400, Authors: 9}}, First: at(1), Last: at(28),
			Incomplete: []string{"acme/shop is read to 40 %."},
		},
		Ingest: &metrics.Ingest{
			Repositories: []metrics.RepositoryHealth{
				{Name: "acme/old", Whole: true, Until: at(3), Ran: at(4), Gone: at(5)},
				{Name: "acme/pay", Whole: true, Until: at(27), Ran: at(28)},
				{Name: "acme/shop", Ran: at(26), Problem: "GitHub answered 502 five times"},
			},
			Unplaced:     []metrics.LeftOut{{Count: 9, What: "pull requests", Reason: "their author was in no team then"}},
			TeamProblems: []string{"The team acme/web could not be read: 404."},
		},
	}
}

// trend is a series with a value that is not there and a period left out.
func trend(points int) *metrics.Trend {
	t := &metrics.Trend{AxisTitle: "hours, weekly median", StartIndex: points / 2, PilotBefore: ptr(18), PilotAfter: ptr(12), ComparisonBefore: ptr(18), ComparisonAfter: ptr(15)}
	for i := range points {
		start := time.Date(2025, time.January, 6, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 7*i)
		p := metrics.TrendPoint{Label: start.Format(time.DateOnly), Start: start, Pilot: ptr(18 - float64(i)/7), Comparison: ptr(17.123456 + float64(i%5))}
		switch i {
		case points - 3:
			p.Pilot = nil
		case points - 5:
			p.LeftOut = "holidays"
		}
		t.Points = append(t.Points, p)
	}
	return t
}
