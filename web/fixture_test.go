package web

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
)

// The numbers of the fixtures are made up and only shaped like real ones; the
// pages are also tested on the demo's reports.

func f(x float64) *float64 { return &x }

func at(day string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", day)
	if err != nil {
		panic(err)
	}
	return t
}

// effect is an estimate with its interval and words.
func effect(method, title string, u metrics.EffectUnit, estimate, low, high, p float64) metrics.Effect {
	e := metrics.Effect{Method: method, Title: title, Unit: u, Estimate: f(estimate), Low: f(low), High: f(high), Level: .95, P: f(p), SE: f((high - low) / 4), Admissible: true}
	e.EstimateText = metrics.FormatEffect(estimate, u, e.SE)
	e.IntervalText = metrics.FormatInterval(e.Low, e.High, u, e.SE)
	e.Text = fmt.Sprintf("%s, 95\u202f%% interval %s, %s", e.EstimateText, e.IntervalText, metrics.FormatP(p))
	return e
}

func change(label string, before, after float64, unit string) metrics.Change {
	v := 100 * (after/before - 1)
	return metrics.Change{
		Label: label, Before: f(before), After: f(after), Value: f(v),
		Text: metrics.FormatChange(before, after, unit), ValueText: metrics.FormatPercent(v),
	}
}

// smallPilot is one team against seven, by week.
func smallPilot() *metrics.Report {
	p := metrics.Pilot{
		ID: "payments", Title: "Payments and the assistant", Subject: "Payments", Description: "One team of nine had the assistant from August on; seven teams went without.",
		Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week", SmallestEffect: .1, Seed: 20260803,
		Sources: []metrics.Source{{Title: "Worked example", MadeUp: true, Note: "The numbers show how a report reads."}},
	}
	r := &metrics.Report{
		Version: 1, Health: []string{"Made-up numbers: this pilot shows how a report reads, it measures nothing.", "The definition was changed after the start."},
		Definition: metrics.Definition{
			Pilot: p, Hash: strings.Repeat("7c1e40d2", 8), SavedAt: at("2026-07-24 09:00"),
			Changes: []metrics.DefinitionChange{{Hash: strings.Repeat("11aa22bb", 8), SavedAt: at("2026-07-20 09:00"), ReplacedAt: at("2026-08-19 10:00"), AfterStart: true, What: []string{"comparison"}}},
		},
		Verdict: metrics.Verdict{
			Value: metrics.VerdictCannotSayYet, Word: "Cannot say yet",
			Sentence: "Payments merges a third faster, but half of that happened without the assistant too; the other 17 points may be chance.",
			Reasons: []metrics.Reason{
				{Code: "interval_includes_no_change", Title: "The interval includes no change", Text: "The difference is −17 points, 95\u202f% interval −41 to +9, p = 0.11."},
				{Code: "small_design", Title: "The design is small", Text: "One pilot team and 12 weeks would have seen 31 points or more in 8 cases out of 10."},
				{Code: "pre_trend", Title: "Nothing speaks against the comparison", Text: "Before the start both groups moved alike (pre-trend test, p = 0.47)."},
				{Code: "counter", Title: "Reverts rose for the pilot only", Text: "3 → 7 against 3 → 3, which is too few to tell (exact p = 0.61)."},
			},
			WouldChange: []string{"About 30 more weeks like these would show an effect of 17 points in 8 cases out of 10.", "An interval that lies below no change would make it improved."},
		},
		Design: metrics.Design{
			Kind: metrics.DesignOneTreated, Method: "cross-fit-t", MethodTitle: "Cross-fit t, K = 3",
			Why:          []string{"With one treated team, cluster-robust and wild-bootstrap errors call noise an effect.", "The cross-fit t holds its level in this design."},
			TreatedUnits: 1, ComparisonUnits: 7, Starts: []string{"3 Aug 2026"}, FirstPeriod: "13 Apr 2026", LastPeriod: "23 Nov 2026", Periods: 33, PeriodsBefore: 15, PeriodsAfter: 12,
		},
		LeftOut: []metrics.LeftOut{{Count: 9, What: "pull requests", Reason: "their author had no team yet"}},
		Facts: []metrics.Fact{
			{Title: "Started", Text: "3 Aug 2026"},
			{Title: "Before", Text: "13 Apr to 2 Aug 2026, 15 weeks"},
			{Title: "After", Text: "17 Aug to 8 Nov 2026, 12 weeks"},
			{Title: "Against", Text: "7 teams"},
			{Title: "Data through", Text: "23 Nov 2026"},
			{Title: "Definition", Text: "saved 24 Jul 2026, changed once"},
		},
		Computed: []metrics.Fact{{Title: "Sample", Text: "Pull requests by team when opened; bots apart."}, {Title: "Method", Text: "Difference-in-differences on team-week medians; cross-fit t for the interval."}, {Title: "Seed", Text: "20260803"}},
		Import:   &metrics.Import{File: "pulls.csv.gz", SHA256: strings.Repeat("ab12cd34", 8), Rows: 2736, At: at("2026-11-29 06:10"), Fields: []string{"id", "author", "team", "opened", "merged"}, Notes: []string{"No row has a first review."}},
		Seed:     20260803, Command: "steelyard report payments --as-of 2026-11-29 --seed 20260803",
	}
	metric := func(id, title, unit, measure string, b metrics.Better, role metrics.Role, pb, pa, cb, ca, low, high, p float64) metrics.MetricReport {
		m := metrics.MetricReport{
			Outcome: metrics.Outcome{ID: id, Title: title, Unit: unit, Better: b, Role: role}, Measure: measure, ChangeUnit: metrics.UnitPercent,
			Pilot: change("Payments", pb, pa, unit), Comparison: change("comparison", cb, ca, unit),
		}
		d := *m.Pilot.Value - *m.Comparison.Value
		m.Headline = effect("cross-fit-t", "Cross-fit t, K = 3", metrics.UnitPoints, d, low, high, p)
		m.Others = []metrics.Effect{effect("donald-lang", "Donald–Lang", metrics.UnitPoints, d, low+5, high-6, p*.8)}
		ratio := effect("cross-fit-t-logs", "Cross-fit t on the gap of mean logs", metrics.UnitRatio, (pa/pb)/(ca/cb), .57, 1.13, .12)
		m.Ratio = &ratio
		m.Finding = title + ": " + m.Pilot.ValueText + " for Payments, " + m.Comparison.ValueText + " for the comparison."
		m.PreTrend = metrics.Test{Title: "Pre-trend", P: f(.47), Text: "Before the start both groups moved alike, p = 0.47."}
		m.Detectable, m.DetectableText = f(31), "31 points or more, in 8 cases out of 10."
		m.Sample = metrics.Sample{TreatedUnits: 1, ComparisonUnits: 7, Observations: 216, PullRequests: 2736, Authors: 50, Censored: 31}
		m.Trend = smallTrend(pb, pa, cb, ca)
		m.EventStudy = smallEvents(d)
		m.Placebo = &metrics.Placebo{Finding: "One comparison team moved further than Payments, without an assistant.", Caption: "Each team as if it were the pilot.", Unit: metrics.UnitPoints, Rank: 2, P: f(.25), Floor: .125}
		for i, v := range []float64{-21, d, -11, -6, 3, 7, 12, 16} {
			m.Placebo.Units = append(m.Placebo.Units, metrics.PlaceboAt{Unit: fmt.Sprintf("team %d", i), Effect: v, Treated: i == 1})
		}
		return m
	}
	r.Metrics = []metrics.MetricReport{
		metric("open_to_merge", "Open to merge", "hours", "median hours", metrics.BetterLower, metrics.RolePrimary, 18, 12, 18, 15, -41, 9, .11),
		metric("time_to_first_review", "Time to first review", "hours", "median hours", metrics.BetterLower, metrics.RoleSecondary, 5.2, 3.1, 5.0, 4.6, -55, -10, .02),
		metric("merged_per_author_week", "Merged per author-week", "", "pull requests", metrics.BetterNeutral, metrics.RoleSecondary, 1.9, 2.0, 2.0, 2.1, -19, 20, .9),
		metric("size", "Size", "lines", "median lines changed", metrics.BetterNeutral, metrics.RoleSecondary, 84, 112, 88, 92, 6, 52, .03),
	}
	r.Metrics[0].Finding = "Half of the drop in merge time is shared by teams without the assistant"
	r.Metrics[1].HolmP = f(.13)
	first := &r.Metrics[0]
	first.Spread = &metrics.Spread{Finding: "Open to merge: the median went 18\u202fh → 12\u202fh, the slowest tenth begins at 90\u202fh → 120\u202fh", Caption: "All pull requests of a side together.", Unit: "hours", Sides: []metrics.SpreadSide{
		{Label: "Payments", Before: &metrics.Quantile{PullRequests: 257, P10: f(2), P25: f(7), P50: f(18), P75: f(41), P90: f(90)}, After: &metrics.Quantile{PullRequests: 216, NotEnded: 31, P10: f(1.5), P25: f(5), P50: f(12), P75: f(44)}},
		{Label: "comparison", Before: &metrics.Quantile{PullRequests: 1230, P10: f(2.1), P25: f(7.4), P50: f(18.2), P75: f(40), P90: f(88)}, After: &metrics.Quantile{PullRequests: 1033, NotEnded: 12, P10: f(1.8), P25: f(6), P50: f(15), P75: f(37), P90: f(80)}},
	}}
	first.Breakdown = &metrics.Breakdown{Bound: f(.4), Before: 6, After: 4, Step: 3, Text: "Trends may bend 0.4 times as far as they ever did before the start until the conclusion goes."}
	r.Exposure = &metrics.Exposure{Sides: []metrics.ExposureSide{
		{Label: "Payments", Before: &metrics.AssistedShare{PullRequests: 257, Assisted: 2, Share: 2. / 257, Text: "0.8\u202f% (2 of 257)"}, After: &metrics.AssistedShare{PullRequests: 216, Assisted: 91, Share: 91. / 216, Text: "42\u202f% (91 of 216)"}},
		{Label: "comparison", After: &metrics.AssistedShare{PullRequests: 1033, Assisted: 40, Share: 40. / 1033, Text: "3.9\u202f% (40 of 1,033)"}},
	}}
	r.Felt = &metrics.Felt{
		Belief:    &metrics.Belief{People: 8, Mean: -29, Median: -30, Own: first.Pilot.Value, Effect: first.Headline.Estimate, EffectUnit: metrics.UnitPoints, Gap: f(-30 - *first.Headline.Estimate), Text: "8 people think that open to merge changed by −30\u202f% (median)."},
		Questions: []metrics.FeltQuestion{{Question: "Reviews became harder", Low: 1, High: 5, Sides: []metrics.FeltSide{{Label: "Payments", Before: &metrics.FeltMean{People: 8, Mean: 2.5, Text: "2.5 (8 people)"}, After: &metrics.FeltMean{People: 8, Mean: 3.2, Text: "3.2 (8 people)"}}}}},
	}
	r.Spent = []metrics.Spent{{Label: "Payments", Unit: "EUR", Amount: 412.5, From: at("2026-08-17 00:00"), To: at("2026-11-09 00:00"), Merged: 216, PerMerge: f(412.5 / 216), Text: "412.5 EUR from 17 Aug to 8 Nov 2026, and 216 merged pull requests by one team: 1.91 EUR each"}}
	reverts := metric("reverts", "Reverts within 30 days", "", "count", metrics.BetterLower, metrics.RoleCounter, 3, 7, 3, 3, 0, 1, .61)
	reverts.ChangeUnit, reverts.Words = metrics.UnitRatio, "rose for the pilot only"
	reverts.Pilot.Value, reverts.Comparison.Value = f(7./3), f(1)
	reverts.Pilot.ValueText, reverts.Comparison.ValueText = "×\u202f2.33", "×\u202f1"
	reverts.Headline = effect("exact", "Exact conditional interval", metrics.UnitRatio, 7./3, .18, 29.5, .61)
	reverts.Spread, reverts.Breakdown = nil, nil
	reverts.Others, reverts.Ratio, reverts.Placebo, reverts.EventStudy = nil, nil, nil, nil
	reverts.Against = []metrics.Reason{{Code: "few", Title: "Few events", Text: "Sixteen reverts in all cannot tell a doubling from chance."}}
	r.Metrics = append(r.Metrics, reverts)
	return r
}

func smallTrend(pb, pa, cb, ca float64) *metrics.Trend {
	t := &metrics.Trend{
		Finding: "Both groups ran alike; after the start Payments runs lower, and so does the comparison", Caption: "Weekly medians. Thick lines are the values of the two windows.",
		AxisTitle: "hours, median of the week", StartIndex: 16, PilotBefore: f(pb), PilotAfter: f(pa), ComparisonBefore: f(cb), ComparisonAfter: f(ca),
	}
	start := at("2026-04-13 00:00")
	for i := range 33 {
		p := metrics.TrendPoint{Start: start.AddDate(0, 0, 7*i), Label: start.AddDate(0, 0, 7*i).Format("2 Jan")}
		a, b := pb, cb
		if i >= 16 {
			a, b, p.Adopted = pa, ca, 1
		}
		a *= 1 + .18*math.Sin(float64(i)*2.3)
		b *= 1 + .06*math.Cos(float64(i)*1.7)
		p.Pilot, p.Comparison, p.ComparisonLow, p.ComparisonHigh = f(a), f(b), f(b*.88), f(b*1.13)
		switch {
		case i == 10:
			p.LeftOut = "freeze"
		case i == 16 || i == 17:
			p.LeftOut = "ramp-up"
		case i > 29:
			p.LeftOut = "not yet known"
		}
		if i == 5 {
			p.Pilot = nil
		}
		t.Points = append(t.Points, p)
	}
	return t
}

func smallEvents(d float64) *metrics.EventStudy {
	e := &metrics.EventStudy{
		Finding: "No fortnight after the start stands clear once all are looked at together", Caption: "Difference to the comparison, held against the whole time before the start.",
		Method: "cross-fit-t", Unit: metrics.UnitPoints, PeriodNoun: "2 weeks", Step: 2, AxisTitle: "Time from the start, in steps of 2 weeks", Average: f(d),
	}
	for t := -8; t <= 6; t++ {
		p := metrics.EventPoint{Event: t}
		switch t {
		case 0:
			p.Missing = "ramp-up is left out"
		default:
			v := 5 * math.Sin(float64(t)*1.9)
			if t > 0 {
				v += d
			}
			p.Estimate, p.Low, p.High = f(v), f(v-20), f(v+20)
			p.BandLow, p.BandHigh = f(v-33), f(v+33)
		}
		e.Points = append(e.Points, p)
	}
	return e
}

// largePilot is many repositories with staggered starts, by month.
func largePilot() *metrics.Report {
	subject := "Repositories that adopted the editor"
	p := metrics.Pilot{
		ID: "editor", Title: "An AI editor in open source", Subject: subject, Description: "Open-source repositories that adopted an AI editor, and matched ones that did not.",
		Level: metrics.LevelPanel, UnitNoun: "repository", PeriodNoun: "month", SmallestEffect: .1, Seed: 1,
		Sources: []metrics.Source{{Title: "A public panel of repositories", URL: "https://example.org/panel", Licence: "CC BY 4.0"}},
	}
	r := &metrics.Report{
		Version: 1, Health: []string{}, Definition: metrics.Definition{Pilot: p, Hash: strings.Repeat("0a1b2c3d", 8), SavedAt: at("2026-01-02 12:00")},
		Verdict: metrics.Verdict{
			Value: metrics.VerdictImprovedAtACost, Word: "Improved, at a cost", Sentence: "Repositories that adopted the editor commit a quarter more, and their static-analysis warnings rose as well.",
			Reasons: []metrics.Reason{{Title: "The interval excludes no change", Text: "The effect is +24\u202f%, 95\u202f% interval +9\u202f% to +41\u202f%, p < 0.001."}, {Title: "A counter-metric got worse", Text: "Warnings rose by 30\u202f%."}}, WouldChange: []string{},
		},
		Design: metrics.Design{
			Kind: metrics.DesignStaggered, Method: "callaway-santanna", MethodTitle: "Callaway–Sant'Anna", Why: []string{"Starts are staggered, so a plain two-way comparison would compare adopters with adopters."},
			TreatedUnits: 806, ComparisonUnits: 1380, Starts: []string{"2024-03", "2024-04", "2025-03"}, FirstPeriod: "2024-01", LastPeriod: "2025-08", Periods: 20,
		},
		LeftOut:  []metrics.LeftOut{{Count: 121, What: "repositories", Reason: "they have fewer than two months before adoption"}},
		Facts:    []metrics.Fact{{Title: "Started", Text: "2024-03 to 2025-03, 12 starts"}, {Title: "Against", Text: "1,380 repositories"}, {Title: "Definition", Text: "saved 2 Jan 2026, never changed"}},
		Computed: []metrics.Fact{{Title: "Sample", Text: "806 repositories that started against 1,380, 38,112 repository-months."}},
		Import:   &metrics.Import{File: "panel_monthly.csv.gz", SHA256: strings.Repeat("00ff00ff", 8), Rows: 38112, Exposure: "commits", Notes: []string{"51 rows stand twice; the first of each is kept."}, At: at("2026-11-29 06:10")}, Command: "steelyard report editor --format text",
	}
	for i, o := range []metrics.Outcome{
		{ID: "commits", Title: "Commits", Better: metrics.BetterHigher, Scale: metrics.ScaleLog1p, Role: metrics.RolePrimary},
		{ID: "lines_added", Title: "Lines added", Better: metrics.BetterNeutral, Scale: metrics.ScaleLog1p, Role: metrics.RoleSecondary},
		{ID: "warnings", Title: "Static-analysis warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RoleCounter},
	} {
		k := float64(i + 1)
		m := metrics.MetricReport{
			Outcome: o, Measure: "mean of ln(1 + x)", ChangeUnit: metrics.UnitPercent, Finding: o.Title + " rose more where the editor was adopted",
			Pilot:      metrics.Change{Label: subject, Value: f(12 * k), ValueText: metrics.FormatPercent(12 * k)},
			Comparison: metrics.Change{Label: "repositories without it", Value: f(-9 * k), ValueText: metrics.FormatPercent(-9 * k)},
			Headline:   effect("callaway-santanna", "Callaway–Sant'Anna, not yet treated", metrics.UnitPercent, 24*k, 9*k, 41*k, .0004),
			Others:     []metrics.Effect{effect("imputation", "Imputation (Borusyak–Jaravel–Spiess)", metrics.UnitPercent, 11*k, -2, 26*k, .09)},
			PreTrend:   metrics.Test{Text: "Before the start the effects are close to zero, p = 0.32."}, DetectableText: "A change of 9\u202f% or more, in 8 cases out of 10.",
			Sample: metrics.Sample{TreatedUnits: 806, ComparisonUnits: 1380, Observations: 38112},
		}
		m.Others = append(m.Others, metrics.Effect{Method: "twfe", Title: "Two-way fixed effects", Unit: metrics.UnitPercent, Missing: "not shown for staggered starts", Text: "no estimate"})
		m.Trend = &metrics.Trend{Finding: "Adopters commit more from the month they start", Caption: "Starts are staggered, so no single line separates before from after.", AxisTitle: "commits, geometric mean", StartIndex: -1}
		for t := range 20 {
			m.Trend.Points = append(m.Trend.Points, metrics.TrendPoint{Label: fmt.Sprintf("%d-%02d", 2024+t/12, t%12+1), Pilot: f(40 + 2*float64(t) + 5*math.Sin(float64(t))), Comparison: f(38 - .4*float64(t)), Adopted: min(806, max(0, t-2)*74)})
		}
		m.EventStudy = &metrics.EventStudy{Finding: "The effect appears in the month of adoption and fades", Caption: "Effect by months since adoption.", Unit: metrics.UnitPercent, PeriodNoun: "month", Step: 1, AxisTitle: "Months from the start", Average: f(24 * k)}
		for t := -12; t <= 14; t++ {
			v := 3 * math.Sin(float64(t))
			if t >= 0 {
				v += 40 * k * math.Exp(-float64(t)/9)
			}
			se := 4 + .5*math.Abs(float64(t))
			m.EventStudy.Points = append(m.EventStudy.Points, metrics.EventPoint{Event: t, Estimate: f(v), Low: f(v - 2*se), High: f(v + 2*se), BandLow: f(v - 3*se), BandHigh: f(v + 3*se), Baseline: false})
		}
		r.Metrics = append(r.Metrics, m)
	}
	added := &r.Metrics[1]
	added.Disagree, added.Others[0] = true, effect("imputation", "Imputation (Borusyak–Jaravel–Spiess)", metrics.UnitPercent, -21, -33, -9, .001)
	added.Finding = "Lines added: Callaway–Sant'Anna says +48\u202f%, while imputation says −21\u202f%; they point to opposite sides, so neither is taken as the answer"
	return r
}

// whyRefused is why refusedPilot has no number.
const whyRefused = "No team of the comparison has a pull request before the start."

// refusedPilot has no number for any metric, for one reason.
func refusedPilot() *metrics.Report {
	r := smallPilot()
	r.Definition.Pilot.ID, r.Definition.Pilot.Title = "refused", "A pilot without a comparison"
	r.Verdict = metrics.Verdict{
		Value: metrics.VerdictCannotSayYet, Word: "Cannot say yet", Sentence: "There is no comparison.",
		Reasons: []metrics.Reason{{Code: "no_comparison", Title: "There is no comparison", Text: whyRefused}},
	}
	r.Exposure, r.Felt, r.Spent = nil, nil, nil
	for i := range r.Metrics {
		refuse(&r.Metrics[i], whyRefused)
		r.Metrics[i].Finding = r.Metrics[i].Outcome.Title + ": no number here; the verdict says why"
	}
	return r
}

// refuse takes all numbers from a metric.
func refuse(m *metrics.MetricReport, why string) {
	*m = metrics.MetricReport{
		Outcome: m.Outcome, Measure: m.Measure, ChangeUnit: m.ChangeUnit, Sample: m.Sample, Finding: m.Outcome.Title + ": " + why,
		Pilot: metrics.Change{Label: "Payments", Missing: why, ValueText: "–"}, Comparison: metrics.Change{Label: "comparison", Missing: why, ValueText: "–"},
		Headline: metrics.Effect{Method: "cross-fit-t", Title: "Cross-fit t, K = 3", Unit: metrics.UnitPoints, Missing: why, Text: "no estimate: " + why},
		Others:   []metrics.Effect{}, PreTrend: metrics.Test{Title: "Pre-trend", Missing: "there is no estimate"},
	}
}

// hostilePilot holds in every text what must not become markup.
func hostilePilot() *metrics.Report {
	const bad = `<script>alert(1)</script>"'&`
	r := smallPilot()
	p := &r.Definition.Pilot
	p.ID, p.Title, p.Subject, p.Description = "hostile", bad, bad, bad
	p.Sources = []metrics.Source{{Title: bad, URL: "javascript:alert(1)", Licence: bad, Note: bad}}
	r.Health, r.Verdict.Word, r.Verdict.Sentence = []string{bad}, bad, bad
	r.Facts, r.Computed = []metrics.Fact{{Title: bad, Text: bad}}, []metrics.Fact{{Title: bad, Text: bad}}
	r.Command, r.Import.File = bad, bad
	m := &r.Metrics[0]
	m.Outcome.Title, m.Finding, m.Measure, m.Pilot.Label = bad, bad, bad, bad
	m.Trend.Finding, m.Trend.Points[10].LeftOut, m.Trend.Points[0].Label = bad, bad, bad
	m.Headline.Title, m.Headline.EstimateText = bad, bad
	return r
}

// memoryReports satisfies metrics.Reports from finished values.
type memoryReports struct {
	reports []*metrics.Report
	failed  []metrics.Summary
	err     error // returned by everything
	ingest  *metrics.Ingest
}

// someIngest has a repository in each state.
func someIngest() *metrics.Ingest {
	return &metrics.Ingest{
		Repositories: []metrics.RepositoryHealth{
			{Name: "acme/ledger", Pulls: 2412, Total: 2412, Whole: true, Until: at("2026-11-29 05:50"), Ran: at("2026-11-29 05:50")},
			{Name: "acme/checkout-web", Pulls: 311, Total: 9120, Until: at("2026-11-29 05:50"), Ran: at("2026-11-29 05:50")},
			{Name: "acme/old", Pulls: 4, Total: 4, Whole: true, Until: at("2026-11-20 05:50"), Ran: at("2026-11-20 05:50")},
			{Name: "acme/private", Pulls: 80, Total: 80, Whole: true, Until: at("2026-11-26 02:40"), Ran: at("2026-11-29 02:40"), Problem: "GitHub has refused the token since 26 November: bad credentials", Partial: 3, Missing: []metrics.Missing{{Number: 7, What: "reviews"}, {Number: 9, What: "reviews"}}},
			{Name: "acme/gone", Pulls: 12, Total: 12, Whole: true, Until: at("2026-10-01 02:40"), Gone: at("2026-10-02 02:40")},
		},
		Unplaced:     []metrics.LeftOut{{Count: 7, What: "pull requests", Reason: "the author was in no team then"}, {Count: 2, What: "pull requests", Reason: "its author’s account was deleted"}},
		SetApart:     []metrics.LeftOut{{Count: 214, What: "pull requests", Reason: "bot"}, {Count: 12, What: "pull requests", Reason: "back-port"}},
		Unresolved:   []metrics.LeftOut{{Count: 3, What: "candidates", Reason: "the number is not one of this repository"}},
		TeamProblems: []string{"search: GitHub does not show the team acme/search to these credentials"},
	}
}

func (m memoryReports) Report(_ context.Context, id string) (*metrics.Report, error) {
	if m.err != nil {
		return nil, m.err
	}
	for _, r := range m.reports {
		if r.Definition.Pilot.ID == id {
			return r, nil
		}
	}
	for _, s := range m.failed {
		if s.ID == id {
			return nil, fmt.Errorf("build report: %s", s.Error)
		}
	}
	return nil, fmt.Errorf("pilot %q: %w", id, metrics.ErrNotFound)
}

func (m memoryReports) Summaries(context.Context) ([]metrics.Summary, error) {
	if m.err != nil {
		return nil, m.err
	}
	var out []metrics.Summary
	for _, r := range m.reports {
		first := r.Metrics[0]
		s := metrics.Summary{
			ID: r.Definition.Pilot.ID, Title: r.Definition.Pilot.Title, Subject: r.Definition.Pilot.Subject, MadeUp: len(r.Health) > 0,
			Verdict: r.Verdict, Primary: first.Outcome.Title, Better: first.Outcome.Better, Headline: first.Headline, Design: r.Design,
			Through: r.Design.LastPeriod, Disagree: first.Disagree, UnitNoun: r.Definition.Pilot.UnitNoun, ImportedAt: r.Import.At, Counter: &metrics.CounterNote{Title: "Reverts 3 → 7", Text: "comparison 3 → 3; too few to tell (×\u202f0.18 to 29.5)"},
		}
		if first.Trend == nil {
			out = append(out, s)
			continue
		}
		for _, p := range first.Trend.Points {
			var gap *float64
			if p.Pilot != nil && p.Comparison != nil {
				gap = f(*p.Pilot - *p.Comparison)
			}
			s.Spark = append(s.Spark, gap)
		}
		out = append(out, s)
	}
	return append(out, m.failed...), nil
}

func (m memoryReports) Data(context.Context) (*metrics.DataHealth, error) {
	if m.err != nil {
		return nil, m.err
	}
	h := &metrics.DataHealth{Ingest: m.ingest}
	for _, r := range m.reports {
		p := r.Definition.Pilot
		h.DataSets = append(h.DataSets, metrics.DataSet{Pilot: p.ID, Title: p.Title, Level: p.Level, Sources: p.Sources, Import: r.Import, Units: 8, Periods: r.Design.Periods, Used: min(27, r.Design.Periods), UnitNoun: p.UnitNoun, PeriodNoun: p.PeriodNoun, First: r.Design.FirstPeriod, Last: r.Design.LastPeriod, LeftOut: r.LeftOut})
		h.PullRequests = metrics.PullRequestSummary{
			Total: 2959, Unplaced: 9, Bots: 214, Open: 31, First: at("2026-04-13 07:10"), Last: at("2026-11-29 05:50"),
			Teams: []metrics.TeamSize{{Team: "payments", PullRequests: 473, Authors: 9}, {Team: "search", PullRequests: 391, Authors: 8}, {Team: "tiny", PullRequests: 17, Authors: 2}}, Imports: []metrics.Import{*r.Import},
		}
	}
	return h, nil
}

// memoryFindings satisfies lint.FindingStore.
type memoryFindings struct{ scans []lint.Scan }

func (m memoryFindings) Findings(_ context.Context, q lint.FindingFilter) (lint.FindingPage, error) {
	var p lint.FindingPage
	for _, s := range m.scans {
		for _, x := range s.Findings {
			if (q.Rule == "" || q.Rule == x.Rule) && (q.Repository == "" || q.Repository == s.Repository) && (q.Severity == "" || q.Severity == x.Severity) {
				p.Findings = append(p.Findings, lint.StoredFinding{Repository: s.Repository, Finding: x})
			}
		}
	}
	p.Total = len(p.Findings)
	p.Findings = p.Findings[min(q.Offset, p.Total):min(q.Offset+q.Limit, p.Total)]
	return p, nil
}

func (m memoryFindings) Scans(context.Context) ([]lint.ScanSummary, error) {
	var out []lint.ScanSummary
	for _, s := range m.scans {
		sum := lint.ScanSummary{Repository: s.Repository, Commit: s.Commit, At: s.At, Files: s.Files, Findings: map[rules.Severity]int{}, ByRule: map[string]int{}}
		for _, x := range s.Findings {
			sum.Findings[x.Severity]++
			sum.ByRule[x.Rule]++
		}
		out = append(out, sum)
	}
	return out, nil
}

func someFindings() memoryFindings {
	find := func(rule, name string, s rules.Severity, path string, line int, message string) lint.Finding {
		return lint.Finding{Rule: rule, Name: name, Severity: s, Path: path, Line: line, Column: 3, Message: message}
	}
	return memoryFindings{[]lint.Scan{
		{Repository: "acme/checkout-web", Commit: "4be1f0c2a9d8", At: at("2026-11-29 06:10"), Files: 12, Findings: []lint.Finding{
			find("MC001", "mcp-literal-secret", rules.Error, ".mcp.json", 9, `"GITHUB_TOKEN" holds a literal secret (GitHub token ending in f9Qa)`),
			find("MC002", "mcp-unpinned-server", rules.Error, ".vscode/mcp.json", 4, `server "browser" runs "@acme/browser-server@latest"`),
			find("CO001", "unowned-governed-file", rules.Warning, ".github/instructions/a/very/long/path/that/has/to/wrap/payments.instructions.md", 1, `no owner in CODEOWNERS for "payments.instructions.md"`),
		}},
		{Repository: "acme/ledger", At: at("2026-11-28 23:10"), Files: 3, Findings: nil},
	}}
}
