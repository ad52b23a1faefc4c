package metrics_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"steelyard/metrics"
)

// oddPanel is a small panel with whatever a file may hold: gaps, missing and
// constant values, zeros where logarithms are taken, units that start before,
// in or after the data, and few or many of them.
func oddPanel(r *rand.Rand) (metrics.Pilot, *metrics.Panel) {
	kinds := []metrics.PeriodKind{metrics.PeriodInteger, metrics.PeriodYear, metrics.PeriodMonth, metrics.PeriodDay}
	scales := []metrics.Scale{metrics.ScaleLevel, metrics.ScaleLog, metrics.ScaleLog1p, metrics.ScaleLogged, metrics.ScaleCount}
	kind := kinds[r.IntN(len(kinds))]
	base := map[metrics.PeriodKind]int{metrics.PeriodInteger: -2, metrics.PeriodYear: 2000, metrics.PeriodMonth: 12 * 2024, metrics.PeriodDay: 20000}[kind]
	units, periods := 1+r.IntN(26), 1+r.IntN(14)
	b := newPanel(kind, "a", "b")
	dense := r.Float64()
	for u := range units {
		first := metrics.Never
		if r.Float64() < .5 {
			first = base + r.IntN(periods+4) - 2
		}
		for t := range periods {
			if r.Float64() > .3+dense {
				continue
			}
			value := func() float64 {
				switch r.IntN(12) {
				case 0:
					return math.NaN()
				case 1:
					return 0
				case 2:
					return -3
				case 3:
					return 1e300
				}
				return float64(r.IntN(9))
			}
			b.add(fmt.Sprintf("u%02d", u), base+t, first, value(), value())
			b.panel.Exposure = append(b.panel.Exposure, float64(r.IntN(4)))
		}
	}
	if r.IntN(2) == 0 {
		b.panel.Exposure = nil
	}
	outcome := func(id string, role metrics.Role) metrics.Outcome {
		return metrics.Outcome{ID: id, Title: id, Better: metrics.BetterLower, Scale: scales[r.IntN(len(scales))], Role: role}
	}
	return metrics.Pilot{
		ID: "odd", Title: "Odd", Level: metrics.LevelPanel, UnitNoun: "unit", PeriodNoun: "period", Seed: 1,
		Outcomes: []metrics.Outcome{outcome("a", metrics.RolePrimary), outcome("b", metrics.RoleCounter)},
	}, &b.panel
}

// Whatever the data, a report is made or an error says why; it is whole, holds
// only finite numbers, and reads the same twice.
func TestOddPanels(t *testing.T) {
	if testing.Short() {
		t.Skip("short: hundreds of reports")
	}
	made := 0
	for seed := range uint64(400) {
		p, panel := oddPanel(rand.New(rand.NewPCG(seed, 1)))
		r, err := metrics.Build(metrics.Definition{Pilot: p}, metrics.Data{Panel: panel})
		if err != nil {
			continue
		}
		made++
		checkWhole(t, fmt.Sprintf("seed %d", seed), r)
	}
	if made < 300 {
		t.Errorf("only %d reports were made", made)
	}
}

func checkWhole(t *testing.T, name string, r *metrics.Report) {
	t.Helper()
	var js, txt, md bytes.Buffer
	if err := metrics.WriteJSON(&js, r); err != nil { // refuses NaN and infinities
		t.Fatalf("%s: %v", name, err)
	}
	if err := metrics.WriteText(&txt, r); err != nil {
		t.Fatal(err)
	}
	if err := metrics.WriteMarkdown(&md, r); err != nil {
		t.Fatal(err)
	}
	var back metrics.Report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, word := range []string{"NaN", "Inf", "%!", "<nil>"} {
		if bytes.Contains(txt.Bytes(), []byte(word)) || bytes.Contains(md.Bytes(), []byte(word)) {
			t.Errorf("%s: the text holds %q\n%s", name, word, txt.String())
		}
	}
	if r.Verdict.Word == "" || len(r.Verdict.Reasons) == 0 {
		t.Errorf("%s: no verdict", name)
	}
	for _, m := range r.Metrics {
		h := m.Headline
		if h.Estimate == nil && h.Missing == "" || h.Text == "" || m.Finding == "" {
			t.Errorf("%s: %s has neither a number nor a reason: %+v", name, m.Outcome.ID, h)
		}
		if (h.Low != nil || h.High != nil) && (h.Low != nil && h.High != nil && *h.Low > *h.High) {
			t.Errorf("%s: interval %v to %v", name, *h.Low, *h.High)
		}
		if m.Others == nil || m.Against == nil || m.Sample.LeftOut == nil {
			t.Errorf("%s: a list of %s is nil", name, m.Outcome.ID)
		}
	}
	for _, table := range r.Tables() {
		if err := table.WriteJSON(&js); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Teams that start at different times, counts and rates among them: too few to
// trust, but every metric has its numbers or its reason.
func TestStaggeredPullRequests(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.Treated = append(p.Treated, metrics.Adoption{Unit: "billing", Start: day(workedStart).AddDate(0, 0, 21)})
	p.Comparison = p.Comparison[1:]
	s.put(p, nil)
	r := reportOf(t, s, "worked")
	if r.Design.Kind != metrics.DesignStaggered || r.Verdict.Value != metrics.VerdictCannotSayYet || r.Verdict.Reasons[0].Code != "few_units" {
		t.Errorf("design %s, verdict %s: %v", r.Design.Kind, r.Verdict.Value, r.Verdict.Reasons)
	}
	checkWhole(t, "staggered pull requests", r)
	if h := metricOf(t, r, "open_to_merge").Headline; h.Unit != metrics.UnitPercent || h.Estimate == nil {
		t.Errorf("open to merge: %s", h.Text)
	}
}

func TestFewTreatedTeams(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.Treated = append(p.Treated, metrics.Adoption{Unit: "billing", Start: day(workedStart)})
	p.Comparison = p.Comparison[1:]
	s.put(p, nil)
	r := reportOf(t, s, "worked")
	m := metricOf(t, r, "open_to_merge")
	// The mean of 12 h and 15 h against 15 h.
	if r.Design.Kind != metrics.DesignFewTreated || !near(m.Pilot.After, 13.5, 1e-9) || !near(m.Headline.Estimate, -25+100./6, 1e-9) {
		t.Errorf("design %s, %s, %s", r.Design.Kind, m.Pilot.Text, m.Headline.Text)
	}
	checkWhole(t, "few treated teams", r)
}

// Pull requests as odd as a file may hold them.
func TestOddPullRequests(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := workedStore()
		for i := range s.pulls {
			p := &s.pulls[i]
			switch r.IntN(14) {
			case 0:
				p.Merged, p.Closed = time.Time{}, time.Time{}
			case 1:
				p.Merged = time.Time{}
			case 2:
				p.Merged = p.Opened.Add(-time.Hour)
			case 3:
				p.FirstReview, p.Additions = time.Time{}, -1
			case 4:
				p.Author = ""
			case 5:
				p.Ready = p.Opened.AddDate(0, 0, r.IntN(40))
			case 6:
				p.Merged, p.Closed, p.FirstReview = p.Opened, p.Opened, p.Opened
			}
		}
		if seed%3 == 0 {
			s.pulls = slices.DeleteFunc(s.pulls, func(metrics.PullRequest) bool { return r.IntN(10) < 8 })
		}
		report, err := metrics.NewReporter(s).Report(t.Context(), "worked")
		if err != nil {
			continue
		}
		checkWhole(t, fmt.Sprintf("seed %d", seed), report)
	}
}
