package metrics_test

import (
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

// measured is the report of the worked example by the metrics given, after
// edit had each of its pull requests in turn; after says whether it was opened
// after the start.
func measured(t *testing.T, edit func(i int, p *metrics.PullRequest, after bool), ids ...string) *metrics.Report {
	t.Helper()
	s := workedStore()
	start := day(workedStart)
	for i := range s.pulls {
		edit(i, &s.pulls[i], !s.pulls[i].Opened.Before(start))
	}
	p := workedPilot()
	p.Outcomes = nil
	for i, id := range ids {
		o, ok := metrics.CatalogueOutcome(id)
		if !ok {
			t.Fatalf("no metric %q", id)
		}
		if i == 0 {
			o.Role = metrics.RolePrimary
		}
		p.Outcomes = append(p.Outcomes, o)
	}
	s.put(p, nil)
	return reportOf(t, s, p.ID)
}

// sidesOf holds the values of both sides before and after against what is
// wanted.
func sidesOf(t *testing.T, r *metrics.Report, id string, want [4]float64) {
	t.Helper()
	m := metricOf(t, r, id)
	for i, got := range []*float64{m.Pilot.Before, m.Pilot.After, m.Comparison.Before, m.Comparison.After} {
		if !near(got, want[i], 1e-9) {
			t.Errorf("%s: value %d is %v (%s / %s), want %v", id, i, got, m.Pilot.Text, m.Comparison.Text, want[i])
		}
	}
}

func TestReviewFigures(t *testing.T) {
	r := measured(t, func(i int, p *metrics.PullRequest, after bool) {
		p.ReviewRounds, p.ReviewerComments, p.Additions, p.Deletions = 1, 6, 150, 50
		p.BotThreads, p.BotThreadsActedOn = 4, 1
		if after && p.Team == "payments" {
			p.ReviewRounds, p.ReviewerComments, p.BotThreadsActedOn = 2, 4, 3
		}
		if i%7 == 0 { // what is not known is left out, not nought
			p.ReviewRounds, p.ReviewerComments, p.BotThreads, p.BotThreadsActedOn = -1, -1, -1, -1
		}
	}, "review_rounds", "reviewer_comments", "bot_review_acted_on")
	// Merges straddle the start, so the exact values after it are those of
	// pull requests opened before it, too; the sides without a change are exact.
	for id, want := range map[string]float64{"review_rounds": 1, "reviewer_comments": 3, "bot_review_acted_on": .25} {
		m := metricOf(t, r, id)
		if !near(m.Pilot.Before, want, 1e-9) || !near(m.Comparison.Before, want, 1e-9) || !near(m.Comparison.After, want, 1e-9) {
			t.Errorf("%s: %s against %s, want %v but for the pilot after", id, m.Pilot.Text, m.Comparison.Text, want)
		}
		if !leavesOut(m.Sample.LeftOut, "the figure is not known of it") {
			t.Errorf("%s does not say what is not known: %v", id, m.Sample.LeftOut)
		}
	}
	if m := metricOf(t, r, "review_rounds"); m.Pilot.After == nil || *m.Pilot.After < 1.9 || *m.Pilot.After > 2 {
		t.Errorf("rounds after = %v, want nearly 2", m.Pilot.After)
	}
	if m := metricOf(t, r, "bot_review_acted_on"); m.Pilot.After == nil || *m.Pilot.After < .7 || *m.Pilot.After > .75 {
		t.Errorf("acted on after = %v, want nearly .75", m.Pilot.After)
	}
}

func TestDeliveryTimes(t *testing.T) {
	r := measured(t, func(i int, p *metrics.PullRequest, after bool) {
		coding, deploy := 2*time.Hour, 30*time.Minute
		if after && p.Team == "payments" {
			coding, deploy = time.Hour, 10*time.Minute
		}
		p.FirstCommit, p.Deployed = p.Opened.Add(-coding), p.Merged.Add(deploy)
		switch i % 9 {
		case 0: // rebased, and deployed before it was merged
			p.FirstCommit, p.Deployed = p.Opened.Add(time.Hour), p.Merged.Add(-time.Hour)
		}
	}, "coding_time", "deploy_time", "cycle_time")
	sidesOf(t, r, "coding_time", [4]float64{120, 60, 120, 120})
	sidesOf(t, r, "deploy_time", [4]float64{30, 10, 30, 30})
	for _, id := range []string{"coding_time", "deploy_time"} {
		if m := metricOf(t, r, id); !leavesOut(m.Sample.LeftOut, "the end lies before the beginning") {
			t.Errorf("%s does not say what was negative: %v", id, m.Sample.LeftOut)
		}
	}
	if m := metricOf(t, r, "cycle_time"); m.Pilot.Before == nil || *m.Pilot.Before < 18*60 {
		t.Errorf("cycle time before = %v, want at least the 18 h to the merge", m.Pilot.Before)
	}
}

// A merge that no deployment holds yet lasts until the last deployment known,
// and what came after that is left out.
func TestWaitingForADeployment(t *testing.T) {
	last := day(workedStart).AddDate(0, 0, 60)
	deployed := func(p *metrics.PullRequest) bool { return p.Merged.Before(last) && p.Number%3 != 0 }
	n, held := 0, 0
	r := measured(t, func(i int, p *metrics.PullRequest, _ bool) {
		p.Repository, p.Number = "acme/all", i
		if deployed(p) {
			p.Deployed = p.Merged.Add(30 * time.Minute)
			n++
		}
		held++
	}, "deploy_time")
	m := metricOf(t, r, "deploy_time")
	if m.Sample.Censored == 0 || !leavesOut(m.Sample.LeftOut, "no deployment is known after its merge") || n == held {
		t.Errorf("censored %d, left out %v", m.Sample.Censored, m.Sample.LeftOut)
	}
	// No file with deployments at all: not measured, and the cycle ends at the
	// merge.
	r = measured(t, func(_ int, p *metrics.PullRequest, _ bool) {
		p.FirstCommit = p.Opened.Add(-time.Hour)
		p.Lacks = metrics.FieldSet(metrics.FieldDeployed)
	}, "deploy_time", "cycle_time")
	if m := metricOf(t, r, "deploy_time"); m.Headline.Missing != "Not measured: no import has a deployed column, and no deployments are imported (“steelyard import deployments” reads them)." {
		t.Errorf("deploy_time without deployments: %q", m.Headline.Missing)
	}
	m = metricOf(t, r, "cycle_time")
	if !near(m.Pilot.Before, 19*60, 1e-9) {
		t.Errorf("cycle time before without deployments = %v, want 19 h", m.Pilot.Before)
	}
	var caveats []string
	for _, a := range m.Against {
		caveats = append(caveats, a.Text)
	}
	if !strings.Contains(strings.Join(caveats, " "), "so the time ends at the merge") {
		t.Errorf("against: %q", caveats)
	}
}

// What is open in data that ended a month earlier has been seen a month less,
// and the team's later weeks are not quiet ones.
func TestSourcesEndOnTheirOwnDay(t *testing.T) {
	early := workedPilot().After.To.AddDate(0, 0, -28)
	edit := func(seen bool) func(int, *metrics.PullRequest, bool) {
		return func(i int, p *metrics.PullRequest, _ bool) {
			if p.Team == "payments" && i%3 > 0 && p.Opened.After(day(workedStart)) && p.Opened.Before(early) {
				p.Merged, p.Closed, p.RevertedAt = time.Time{}, time.Time{}, time.Time{}
			}
			if p.Team == "payments" && seen {
				if p.Opened.After(early) {
					p.Team = "" // the export did not have it
					return
				}
				if p.Merged.After(early) {
					p.Merged, p.Closed = time.Time{}, time.Time{}
				}
				p.Seen = early
			}
		}
	}
	r := measured(t, edit(true), "open_to_merge")
	all := strings.Join(r.Health, " ")
	for _, reason := range r.Verdict.Reasons {
		all += " " + reason.Text
	}
	if !strings.Contains(all, "The data of 1 team ends before that of the others") {
		t.Errorf("nothing says that the pilot's data ends early: %s", all)
	}
	if r.Verdict.Value != metrics.VerdictCannotSayYet {
		t.Errorf("verdict %q on data that ends early", r.Verdict.Value)
	}
}

func TestCycleTimes(t *testing.T) {
	at := func(minute int) time.Time { return day("2026-01-05").Add(time.Duration(minute) * time.Minute) }
	whole := metrics.PullRequest{FirstCommit: at(0), Opened: at(10), FirstReview: at(12), Merged: at(20), Deployed: at(50).Add(time.Second)}
	negative := whole
	negative.FirstCommit, negative.FirstReview, negative.Deployed = at(11), at(9), at(19)
	for name, c := range map[string]struct {
		p    metrics.PullRequest
		want [5]int // −1: nil
	}{
		"whole":    {whole, [5]int{10, 2, 8, 31, 51}},
		"negative": {negative, [5]int{-1, -1, 11, -1, 10}},
		"open":     {metrics.PullRequest{FirstCommit: at(0), Opened: at(10)}, [5]int{-1, -1, -1, -1, -1}},
	} {
		got := c.p.CycleTimes()
		for i, part := range []*int{got.Coding, got.Pickup, got.Review, got.Deploy, got.Cycle} {
			n := -1
			if part != nil {
				n = *part
			}
			if n != c.want[i] {
				t.Errorf("%s: part %d is %d, want %d", name, i, n, c.want[i])
			}
		}
	}
}
