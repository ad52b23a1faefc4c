package metrics_test

import (
	"testing"
	"time"

	"steelyard/metrics"
)

// A report says how far it is while it is computed, and counts once it is
// there.
func TestComputing(t *testing.T) {
	s := panelStore()
	s.gate = make(chan struct{})
	r := metrics.NewReporter(s)
	how := func() metrics.Progress {
		t.Helper()
		p, err := r.Computing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := how(); p.Done != 0 || p.Total == 0 || len(p.Running) != 0 {
		t.Errorf("before: %+v", p)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := r.Report(t.Context(), "agents")
		ended <- err
	}()
	for s.reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if p := how(); p.Done != 0 || len(p.Running) != 1 || p.Running[0] != (metrics.Computation{Pilot: "agents"}) {
		t.Errorf("while the data is read: %+v", p)
	}
	close(s.gate)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if p := how(); p.Done != 1 || len(p.Running) != 0 {
		t.Errorf("after: %+v", p)
	}
}

// Build tells how many metrics are measured.
func TestBuildTellsHowFarItIs(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	s.put(p, nil)
	told := make(chan [2]int, 100)
	data := metrics.Data{PullRequests: s.PullRequests(t.Context(), nil, metrics.Window{}), Measured: func(done, of int) { told <- [2]int{done, of} }}
	if _, err := metrics.Build(metrics.Definition{Pilot: p}, data); err != nil {
		t.Fatal(err)
	}
	close(told)
	most := -1
	for n := range told {
		if n[1] != len(p.Outcomes) {
			t.Errorf("%d of %d, of %d metrics", n[0], n[1], len(p.Outcomes))
		}
		most = max(most, n[0])
	}
	if most != len(p.Outcomes) {
		t.Errorf("told of %d metrics, not of %d", most, len(p.Outcomes))
	}
}
