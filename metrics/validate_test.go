package metrics_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func window(from, to string) metrics.Window {
	return metrics.Window{From: day(from), To: day(to)}
}

func validPilot() metrics.Pilot {
	return metrics.Pilot{
		ID: "payments", Title: "Payments", Level: metrics.LevelPanel, UnitNoun: "team", PeriodNoun: "week",
		Treated:    []metrics.Adoption{{Unit: "payments", Start: day("2026-08-03")}},
		Comparison: []string{"search", "checkout"},
		Before:     window("2026-04-13", "2026-08-03"), After: window("2026-08-17", "2026-11-09"),
		LeftOut: []metrics.Exclusion{{Window: window("2026-06-22", "2026-06-29"), Reason: "freeze"}},
		Outcomes: []metrics.Outcome{
			{ID: "hours", Title: "Hours", Unit: "hours", Better: metrics.BetterLower, Scale: metrics.ScaleLevel, Role: metrics.RolePrimary},
			{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Scale: metrics.ScaleCount, Role: metrics.RoleCounter},
		},
		SmallestEffect: 0.1, Seed: 1,
		Sources: []metrics.Source{{Title: "Ourselves", URL: "https://example.com/data"}},
	}
}

func TestValidateAccepts(t *testing.T) {
	if err := validPilot().Validate(); err != nil {
		t.Fatal(err)
	}
	pulls := validPilot()
	pulls.Level = metrics.LevelPullRequests
	pulls.Outcomes = []metrics.Outcome{{ID: "open_to_merge", Better: metrics.BetterLower, Role: metrics.RolePrimary}}
	if err := pulls.Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	tests := []struct {
		name  string
		field string
		spoil func(p *metrics.Pilot)
	}{
		{"empty-id", "id", func(p *metrics.Pilot) { p.ID = "" }},
		{"upper-case-id", "id", func(p *metrics.Pilot) { p.ID = "Payments" }},
		{"long-id", "id", func(p *metrics.Pilot) { p.ID = strings.Repeat("a", 65) }},
		{"path-id", "id", func(p *metrics.Pilot) { p.ID = "../etc" }},
		{"no-title", "title", func(p *metrics.Pilot) { p.Title = " " }},
		{"long-title", "title", func(p *metrics.Pilot) { p.Title = strings.Repeat("a", 201) }},
		{"escape-in-title", "title", func(p *metrics.Pilot) { p.Title = "a\x1b[2Jb" }},
		{"bidi-in-subject", "subject", func(p *metrics.Pilot) { p.Subject = "a\u202eb" }},
		{"broken-utf8", "description", func(p *metrics.Pilot) { p.Description = "a\xff" }},
		{"no-level", "level", func(p *metrics.Pilot) { p.Level = "" }},
		{"no-unit-noun", "unit_noun", func(p *metrics.Pilot) { p.UnitNoun = "" }},
		{"no-period-noun", "period_noun", func(p *metrics.Pilot) { p.PeriodNoun = "" }},
		{"uncountable-period", "period_noun", func(p *metrics.Pilot) { p.Level, p.PeriodNoun = metrics.LevelPullRequests, "sprint" }},
		{"nobody-treated", "treated", func(p *metrics.Pilot) { p.Level, p.Treated = metrics.LevelPullRequests, nil }},
		{"treated-twice", "treated[1].unit", func(p *metrics.Pilot) { p.Treated = append(p.Treated, p.Treated[0]) }},
		{"no-start", "treated[0].start", func(p *metrics.Pilot) { p.Treated[0].Start = time.Time{} }},
		{"slipped-year", "treated[0].start", func(p *metrics.Pilot) { p.Treated[0].Start = day("0206-08-03") }},
		{"both-sides", "comparison[0]", func(p *metrics.Pilot) { p.Comparison[0] = "payments" }},
		{"compared-twice", "comparison[1]", func(p *metrics.Pilot) { p.Comparison[1] = "search" }},
		{"nameless-comparison", "comparison[0]", func(p *metrics.Pilot) { p.Comparison[0] = "" }},
		{"window-backwards", "before", func(p *metrics.Pilot) { p.Before = window("2026-08-03", "2026-04-13") }},
		{"windows-overlap", "after", func(p *metrics.Pilot) { p.After.From = day("2026-07-01") }},
		{"before-after-start", "before", func(p *metrics.Pilot) {
			p.Before = window("2026-08-10", "2026-08-12")
		}},
		{"after-before-start", "after", func(p *metrics.Pilot) {
			p.Before, p.After = metrics.Window{}, metrics.Window{To: day("2026-08-01")}
		}},
		{"open-exclusion", "left_out[0]", func(p *metrics.Pilot) { p.LeftOut[0].To = time.Time{} }},
		{"unexplained-exclusion", "left_out[0].reason", func(p *metrics.Pilot) { p.LeftOut[0].Reason = "" }},
		{"no-outcomes", "outcomes", func(p *metrics.Pilot) { p.Outcomes = nil }},
		{"no-primary", "outcomes[0].role", func(p *metrics.Pilot) { p.Outcomes[0].Role = metrics.RoleSecondary }},
		{"two-primaries", "outcomes[1].role", func(p *metrics.Pilot) { p.Outcomes[1].Role = metrics.RolePrimary }},
		{"outcome-twice", "outcomes[1].id", func(p *metrics.Pilot) { p.Outcomes[1].ID = "hours" }},
		{"odd-outcome-id", "outcomes[0].id", func(p *metrics.Pilot) { p.Outcomes[0].ID = "a b" }},
		{"no-scale", "outcomes[0].scale", func(p *metrics.Pilot) { p.Outcomes[0].Scale = "" }},
		{"no-side", "outcomes[0].better", func(p *metrics.Pilot) { p.Outcomes[0].Better = "" }},
		{"neutral-counter", "outcomes[1].better", func(p *metrics.Pilot) { p.Outcomes[1].Better = metrics.BetterNeutral }},
		{"unknown-metric", "outcomes[0].id", func(p *metrics.Pilot) { p.Level = metrics.LevelPullRequests }},
		{"effect-over-one", "smallest_effect", func(p *metrics.Pilot) { p.SmallestEffect = 10 }},
		{"script-url", "sources[0].url", func(p *metrics.Pilot) { p.Sources[0].URL = "javascript:alert(1)" }},
		{"source-without-title", "sources[0].title", func(p *metrics.Pilot) { p.Sources[0].Title = "" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := validPilot()
			tt.spoil(&p)
			err := p.Validate()
			var field *metrics.FieldError
			if !errors.As(err, &field) {
				t.Fatalf("Validate() = %v, want a FieldError", err)
			}
			if field.Field != tt.field || field.Problem == "" || field.Cure == "" {
				t.Errorf("Validate() = %v, want field %s with a problem and a cure", err, tt.field)
			}
		})
	}
}

func TestHashIgnoresOrderThatMeansNothing(t *testing.T) {
	p, q := validPilot(), validPilot()
	q.Comparison = []string{"checkout", "search"}
	q.Before.From = q.Before.From.In(time.FixedZone("CEST", 2*60*60))
	a, err := p.Hash()
	if err != nil {
		t.Fatal(err)
	}
	b, err := q.Hash()
	if err != nil {
		t.Fatal(err)
	}
	if a != b || len(p.Diff(q)) != 0 {
		t.Errorf("hashes %s and %s, differences %v; want none", a, b, p.Diff(q))
	}
	if p.Comparison[0] != "search" {
		t.Error("Hash sorted the pilot it was called on")
	}
}

func TestDiffNamesChangedFields(t *testing.T) {
	p, q := validPilot(), validPilot()
	q.Comparison = q.Comparison[:1]
	q.SmallestEffect = 0.2
	q.Description = "new"
	got := strings.Join(p.Diff(q), " ")
	if want := "comparison description smallest_effect"; got != want {
		t.Errorf("Diff() = %q, want %q", got, want)
	}
	a, _ := p.Hash()
	if b, _ := q.Hash(); a == b {
		t.Error("different pilots have the same hash")
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Payments: AI editor 2025!": "payments-ai-editor-2025",
		"  --  ":                    "",
		"Größe":                     "gr-e",
		strings.Repeat("ab ", 60):   strings.TrimSuffix(strings.Repeat("ab-", 21), "-"),
	} {
		got := metrics.Slug(in)
		if len(got) > 64 || want != "" && !strings.HasPrefix(got, want[:min(len(want), 12)]) || want == "" && got != "" {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCatalogueIsValid(t *testing.T) {
	all := metrics.Catalogue()
	if len(all) != 14 {
		t.Errorf("%d metrics in the catalogue, want 14", len(all))
	}
	for _, o := range all {
		m, ok := metrics.CatalogueMetric(o.ID)
		if !ok || m.Definition == "" || m.Measure == "" || m.Title == "" {
			t.Errorf("metric %q is not whole: %+v", o.ID, m)
		}
	}
	if o, _ := metrics.CatalogueOutcome("reverts"); o.Role != metrics.RoleCounter {
		t.Error("reverts are not a counter-metric")
	}
	if _, ok := metrics.CatalogueOutcome("velocity"); ok {
		t.Error("the catalogue knows velocity")
	}
}
