package metrics_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
)

func panelStore() *fakeStore {
	s := newFakeStore()
	s.put(onePanel(4, 18, 9, 3))
	s.put(staggeredPanel(12, 14, .2))
	return s
}

func TestReporterKeepsReportsOfARevision(t *testing.T) {
	s := panelStore()
	r := metrics.NewReporter(s)
	a, err := r.Report(t.Context(), "agents")
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Report(t.Context(), "agents")
	if err != nil || a != b || s.reads.Load() != 1 {
		t.Errorf("second report computed again (%d reads, %v)", s.reads.Load(), err)
	}
	p, panel := onePanel(4, 18, 9, 30)
	s.put(p, panel)
	c, err := r.Report(t.Context(), "agents")
	if err != nil || c == a || *c.Metrics[0].Headline.Estimate == *a.Metrics[0].Headline.Estimate {
		t.Errorf("new data gave the old report (%v)", err)
	}
}

func TestReporterSharesOneComputation(t *testing.T) {
	s := panelStore()
	s.gate = make(chan struct{})
	r := metrics.NewReporter(s)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := r.Report(t.Context(), "agents"); err != nil {
				t.Error(err)
			}
		})
	}
	for s.reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	close(s.gate)
	wg.Wait()
	if n := s.reads.Load(); n > 2 { // two where a late caller missed the flight
		t.Errorf("%d computations for 20 callers", n)
	}
}

// A caller who leaves gets the context's error at once; the report is still
// made for those who stay.
func TestReporterCallerMayLeave(t *testing.T) {
	s := panelStore()
	s.gate = make(chan struct{})
	r := metrics.NewReporter(s)
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := r.Report(ctx, "agents")
		left <- err
	}()
	for s.reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want the context's", err)
	}
	stayed := make(chan error, 1)
	go func() {
		_, err := r.Report(t.Context(), "agents")
		stayed <- err
	}()
	close(s.gate)
	if err := <-stayed; err != nil {
		t.Error(err)
	}
}

func TestReporterNotFound(t *testing.T) {
	if _, err := metrics.NewReporter(panelStore()).Report(t.Context(), "nobody"); !errors.Is(err, metrics.ErrNotFound) {
		t.Errorf("error = %v, want ErrNotFound", err)
	}
}

func TestSummaries(t *testing.T) {
	s := panelStore()
	broken := workedPilot()
	broken.ID = "broken"
	s.put(broken, nil)
	all, err := metrics.NewReporter(s).Summaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].ID != "agents" || all[1].ID != "broken" || all[2].ID != "waves" {
		t.Fatalf("summaries %+v", all)
	}
	if all[1].Error == "" || all[0].Error != "" {
		t.Errorf("errors %q, %q", all[0].Error, all[1].Error)
	}
	a := all[0]
	if a.Verdict.Word == "" || a.Headline.Estimate == nil || a.Counter == nil || len(a.Spark) != 27 || a.Through != "2026-03-08" {
		t.Errorf("summary %+v", a)
	}
}

// TestOneSummary holds that one pilot's summary is the same as among all, that
// the names of pilots wait for no report, and that a caller who leaves learns
// what the pilot is called.
func TestOneSummary(t *testing.T) {
	s := panelStore()
	r := metrics.NewReporter(s)
	ids, err := r.PilotIDs(t.Context())
	if err != nil || len(ids) != 2 || s.reads.Load() != 0 {
		t.Fatalf("%q, %v after %d reads", ids, err, s.reads.Load())
	}
	all, err := r.Summaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		one, err := r.Summary(t.Context(), id)
		if diff := cmp.Diff(all[i], one); err != nil || diff != "" {
			t.Errorf("%s (%v): -all +one:\n%s", id, err, diff)
		}
	}
	if _, err := r.Summary(t.Context(), "nope"); !errors.Is(err, metrics.ErrNotFound) {
		t.Errorf("a pilot that is not there: %v", err)
	}
	slow := panelStore()
	slow.gate = make(chan struct{})
	defer close(slow.gate)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if one, err := metrics.NewReporter(slow).Summary(ctx, ids[0]); !errors.Is(err, context.DeadlineExceeded) || one.ID != ids[0] || one.Title != all[0].Title {
		t.Errorf("a caller who leaves: %+v, %v", one, err)
	}
}

func TestSummariesOfNothing(t *testing.T) {
	all, err := metrics.NewReporter(newFakeStore()).Summaries(t.Context())
	if err != nil || all == nil || len(all) != 0 {
		t.Errorf("summaries of nothing: %v, %v", all, err)
	}
}

func TestData(t *testing.T) {
	s := workedStore()
	p, panel := staggeredPanel(12, 14, .2)
	s.put(p, panel)
	s.pulls[0].Team, s.pulls[0].Author = "tiny", "x"
	d, err := metrics.NewReporter(s).Data(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.DataSets) != 2 || d.DataSets[0].Pilot != "waves" || d.DataSets[1].Pilot != "worked" {
		t.Fatalf("data sets %+v", d.DataSets)
	}
	w := d.DataSets[0]
	if w.Units != 26 || w.Periods != 12 || w.First != "2025-01" || w.Last != "2025-12" || len(w.LeftOut) == 0 || w.Import == nil {
		t.Errorf("data set %+v", w)
	}
	for _, team := range d.PullRequests.Teams {
		if team.Team == "tiny" {
			t.Error("a team of one author is shown")
		}
	}
}

func TestDefinitionChangesAreToldFirst(t *testing.T) {
	p, panel := onePanel(4, 18, 9, 3)
	def := metrics.Definition{Pilot: p, Hash: "b", Changes: []metrics.DefinitionChange{
		{Hash: "a", ReplacedAt: day("2026-02-01"), AfterStart: true, What: []string{"comparison", "smallest_effect"}},
		{Hash: "0", ReplacedAt: day("2025-02-01"), What: []string{"title"}},
	}}
	r, err := metrics.Build(def, metrics.Data{Panel: panel})
	if err != nil {
		t.Fatal(err)
	}
	want := "The definition was changed on 1 Feb 2026, after the start: comparison and smallest effect."
	if len(r.Health) != 1 || r.Health[0] != want {
		t.Errorf("health %q, want %q", r.Health, want)
	}
	found := false
	for _, x := range r.Verdict.Reasons {
		found = found || x.Code == "definition_changed" && x.Text == want
	}
	if !found {
		t.Errorf("reasons %v", r.Verdict.Reasons)
	}
}

// What a database says of itself is for the log, not for a page.
func TestDatabaseErrorsAreNotShown(t *testing.T) {
	s := panelStore()
	s.broken = errors.New("dial tcp 10.0.0.7:5432: SELECT secret")
	r := metrics.NewReporter(s)
	all, err := r.Summaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	health, err := r.Data(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{all[0].Error, health.DataSets[0].Error} {
		if text == "" || strings.Contains(text, "10.0.0.7") || strings.Contains(text, "SELECT") {
			t.Errorf("error shown: %q", text)
		}
	}
	if _, err := r.Report(t.Context(), all[0].ID); !errors.Is(err, s.broken) {
		t.Errorf("error = %v, want the database's", err)
	}
}
