package metrics_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"steelyard/metrics"
)

// besideStore is a store with answers and costs, too.
type besideStore struct {
	*fakeStore
	metrics.SurveyStore
	metrics.CostStore
	answers []metrics.Answer
	costs   []metrics.Cost
}

func (s *besideStore) Answers(_ context.Context, teams []string) ([]metrics.Answer, error) {
	var out []metrics.Answer
	for _, a := range s.answers {
		if slices.Contains(teams, a.Team) {
			out = append(out, a)
		}
	}
	return out, nil
}

func (s *besideStore) Costs(_ context.Context, teams []string, w metrics.Window) ([]metrics.Cost, error) {
	var out []metrics.Cost
	for _, c := range s.costs {
		if slices.Contains(teams, c.Team) && w.Contains(c.Day) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (s *besideStore) MergesOf(_ context.Context, teams []string, w metrics.Window) (int, error) {
	n := 0
	for _, p := range s.pulls {
		if slices.Contains(teams, p.Team) && !p.Merged.IsZero() && w.Contains(p.Merged) && !p.AuthorBot {
			n++
		}
	}
	return n, nil
}

// answer is one person's answer some days from the start.
func answer(person, days int, question string, value float64) metrics.Answer {
	a := metrics.Answer{
		Respondent: fmt.Sprint("r", person), Day: day(workedStart).AddDate(0, 0, days), Team: "payments", Question: question, Value: value, Low: 1, High: 5,
	}
	if question == metrics.BelievedChange {
		a.Low, a.High = 0, 0
	}
	return a
}

func besideReport(t *testing.T, s *besideStore) *metrics.Report {
	t.Helper()
	r, err := metrics.NewReporter(s).Report(t.Context(), "worked")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The belief stands beside the measurement, and the gap is named.
func TestBeliefAndMeasurement(t *testing.T) {
	s := &besideStore{fakeStore: workedStore()}
	for person := range 6 {
		s.answers = append(s.answers,
			answer(person, -20, "focus", 3), answer(person, 30, "focus", 4), answer(person, 40, "focus", 5),
			answer(person, 20, metrics.BelievedChange, 0), answer(person, 50, metrics.BelievedChange, float64(-30-person)))
		if person < 3 {
			s.answers = append(s.answers, answer(person, 30, "mood", 2))
		}
	}
	r := besideReport(t, s)
	if r.Felt == nil || r.Felt.Belief == nil || len(r.Felt.Questions) != 1 {
		t.Fatalf("felt %+v", r.Felt)
	}
	b := r.Felt.Belief
	if b.People != 6 || b.Median != -32.5 || b.Mean != -32.5 || !near(b.Own, -100./3, 1e-9) || !near(b.Effect, -100./6, 1e-9) || !near(b.Gap, -32.5+100./6, 1e-9) {
		t.Errorf("belief %+v", b)
	}
	for _, part := range []string{"6 people think that open to merge changed by −32", "it changed by −33", "against the comparison by −17 points", "points under the estimate"} {
		if !strings.Contains(b.Text, part) {
			t.Errorf("%q does not say %q", b.Text, part)
		}
	}
	q := r.Felt.Questions[0]
	if q.Question != "focus" || len(q.Sides) != 1 || q.Sides[0].Before.Mean != 3 || q.Sides[0].After.Mean != 4.5 || q.Sides[0].After.People != 6 {
		t.Errorf("question %+v", q)
	}
	if len(r.Felt.Hidden) != 1 || !strings.Contains(r.Felt.Hidden[0], "fewer than 5 people") {
		t.Errorf("hidden %q", r.Felt.Hidden)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text": func(b *bytes.Buffer) error { return metrics.WriteText(b, r) }, "markdown": func(b *bytes.Buffer) error { return metrics.WriteMarkdown(b, r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, "What people felt") || strings.Contains(text, "mood") || strings.Contains(text, "r0") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// Four people are not shown, whatever they said.
func TestFewAnswersAreHidden(t *testing.T) {
	s := &besideStore{fakeStore: workedStore()}
	for person := range 4 {
		s.answers = append(s.answers, answer(person, 20, metrics.BelievedChange, -50), answer(person, 20, "focus", 4))
	}
	r := besideReport(t, s)
	if r.Felt == nil || r.Felt.Belief != nil || len(r.Felt.Questions) != 0 || len(r.Felt.Hidden) != 1 || !strings.HasPrefix(r.Felt.Hidden[0], "2 figures not shown") {
		t.Errorf("felt %+v", r.Felt)
	}
}

// Where the definition names no comparison, every other team is it, also in
// what people felt and in what was spent.
func TestOthersAreTheComparisonBesideToo(t *testing.T) {
	s := &besideStore{fakeStore: workedStore()}
	p := workedPilot()
	p.Comparison = nil
	s.put(p, nil)
	for person := range 12 {
		a := answer(person, 30, "focus", 4)
		if person >= 6 {
			a.Team, a.Value = "search", 2
		}
		s.answers = append(s.answers, a)
	}
	s.costs = append(s.costs, metrics.Cost{Team: "billing", Day: day(workedStart).AddDate(0, 0, 7*workedRamp+3), Unit: "EUR", Amount: 10})
	r := besideReport(t, s)
	if r.Felt == nil || len(r.Felt.Questions) != 1 || len(r.Felt.Questions[0].Sides) != 2 {
		t.Fatalf("felt %+v; want both sides", r.Felt)
	}
	if side := r.Felt.Questions[0].Sides[1]; side.Label != "comparison" || side.After == nil || side.After.People != 6 || side.After.Mean != 2 {
		t.Errorf("comparison %+v; want 6 people at 2", side)
	}
	if len(r.Spent) != 1 || r.Spent[0].Label != "comparison" || r.Spent[0].Amount != 10 {
		t.Errorf("spent %+v; want 10 in the comparison", r.Spent)
	}
}

// What was spent is shown per merged pull request and moves no verdict.
func TestCostPerMerge(t *testing.T) {
	s := &besideStore{fakeStore: workedStore()}
	before := besideReport(t, s)
	start := day(workedStart)
	for i := range 40 {
		s.costs = append(s.costs, metrics.Cost{Team: "payments", Day: start.AddDate(0, 0, i), Unit: "credits", Amount: 10})
	}
	s.costs = append(s.costs, metrics.Cost{Team: "payments", Day: start.AddDate(0, 0, -5), Unit: "credits", Amount: 1e6})
	s.revision++
	r := besideReport(t, s)
	if len(r.Spent) != 1 || r.Spent[0].Unit != "credits" {
		t.Fatalf("spent %+v", r.Spent)
	}
	c := r.Spent[0]
	days := int(c.To.Sub(c.From).Hours() / 24)
	merged, err := s.MergesOf(t.Context(), []string{"payments"}, metrics.Window{From: c.From, To: c.To})
	if err != nil || c.Amount != float64(10*days) || c.Merged != merged || merged == 0 || !near(c.PerMerge, c.Amount/float64(merged), 1e-12) {
		t.Errorf("%d days, spent %+v", days, c)
	}
	if r.Verdict.Value != before.Verdict.Value || len(r.Verdict.Reasons) != len(before.Verdict.Reasons) {
		t.Error("the cost moved the verdict")
	}
}

// Marks in the comparison are a reason against the verdict once they are many.
func TestAssistedComparison(t *testing.T) {
	for _, c := range []struct {
		every int
		said  bool
	}{{20, false}, {4, true}} {
		r := measured(t, func(i int, p *metrics.PullRequest, after bool) {
			if after && i%c.every == 0 {
				p.Assisted = "authored"
			}
		}, "open_to_merge")
		said := slices.ContainsFunc(r.Verdict.Reasons, func(x metrics.Reason) bool { return x.Code == "comparison_assisted" })
		if said != c.said || r.Exposure == nil || len(r.Exposure.Sides) != 2 {
			t.Errorf("one in %d: said %v, exposure %+v", c.every, said, r.Exposure)
			continue
		}
		other := r.Exposure.Sides[1]
		if other.Before.Assisted != 0 || other.After.Share <= 0 {
			t.Errorf("comparison %+v, %+v", other.Before, other.After)
		}
	}
	r := measured(t, func(_ int, p *metrics.PullRequest, _ bool) { p.Lacks = metrics.FieldSet(metrics.FieldAssisted) }, "open_to_merge")
	if r.Exposure != nil {
		t.Errorf("nobody looked, and the exposure is %+v", r.Exposure)
	}
}

// Back-ports and imports are counted, not measured.
func TestSetApartIsCounted(t *testing.T) {
	n := 0
	r := measured(t, func(i int, p *metrics.PullRequest, _ bool) {
		if p.Team == "payments" && i%10 == 0 && !p.AuthorBot {
			p.SetApart = "back-port"
			n++
		}
	}, "open_to_merge")
	if !slices.ContainsFunc(r.LeftOut, func(l metrics.LeftOut) bool {
		return l.Reason == "it is set apart: back-port" && l.Count > 0 && l.Count <= n
	}) {
		t.Errorf("left out %+v, want up to %d back-ports", r.LeftOut, n)
	}
}
