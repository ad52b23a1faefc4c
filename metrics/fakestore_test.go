package metrics_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"steelyard/metrics"
)

// fakeStore keeps everything in memory. It satisfies metrics.Store as far as
// a Reporter reads it.
type fakeStore struct {
	metrics.PilotStore
	mu       sync.Mutex
	defs     map[string]metrics.Definition
	panels   map[string]*metrics.Panel
	pulls    []metrics.PullRequest
	imports  []metrics.Import
	revision int
	reads    atomic.Int64
	// broken, where set, is what reading a panel fails with.
	broken error
	// gate, where set, holds readers of panels until it is closed.
	gate chan struct{}
}

func newFakeStore() *fakeStore {
	return &fakeStore{defs: map[string]metrics.Definition{}, panels: map[string]*metrics.Panel{}}
}

func (s *fakeStore) put(p metrics.Pilot, panel *metrics.Panel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash, err := p.Hash()
	if err != nil {
		panic(err)
	}
	s.defs[p.ID] = metrics.Definition{Pilot: p, Hash: hash, SavedAt: time.Date(2026, 7, 24, 9, 0, 0, 0, time.UTC)}
	s.panels[p.ID] = panel
	s.revision++
}

func (s *fakeStore) Revision(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.revision), nil
}

func (s *fakeStore) Pilot(_ context.Context, id string) (metrics.Definition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.defs[id]
	if !ok {
		return metrics.Definition{}, fmt.Errorf("pilot %q: %w", id, metrics.ErrNotFound)
	}
	return d, nil
}

func (s *fakeStore) Pilots(context.Context) ([]metrics.Definition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []metrics.Definition
	for _, d := range s.defs {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b metrics.Definition) int {
		if a.Pilot.ID < b.Pilot.ID {
			return -1
		}
		return 1
	})
	return out, nil
}

func (s *fakeStore) Panel(ctx context.Context, pilot string) (*metrics.Panel, error) {
	s.reads.Add(1)
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	p := s.panels[pilot]
	if p == nil {
		return nil, fmt.Errorf("panel of %q: %w", pilot, metrics.ErrNotFound)
	}
	return p, nil
}

func (s *fakeStore) ImportPanel(context.Context, metrics.Pilot, metrics.PeriodKind, iter.Seq2[metrics.PanelRow, error], func() (metrics.Import, error)) (metrics.Definition, error) {
	return metrics.Definition{}, fmt.Errorf("the fake store imports nothing")
}

func (s *fakeStore) ImportPullRequests(context.Context, iter.Seq2[metrics.PullRequest, error], func() (metrics.Import, error)) (metrics.Import, error) {
	return metrics.Import{}, fmt.Errorf("the fake store imports nothing")
}

func (s *fakeStore) PullRequests(_ context.Context, teams []string, w metrics.Window) iter.Seq2[metrics.PullRequest, error] {
	return func(yield func(metrics.PullRequest, error) bool) {
		for _, p := range s.pulls {
			if len(teams) > 0 && !slices.Contains(teams, p.Team) || !w.Contains(p.Opened) && (p.Merged.IsZero() || !w.Contains(p.Merged)) {
				continue
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (s *fakeStore) PullRequestSummary(context.Context) (metrics.PullRequestSummary, error) {
	out := metrics.PullRequestSummary{Total: len(s.pulls), Imports: s.imports}
	teams := map[string]map[string]bool{}
	size := map[string]int{}
	for _, p := range s.pulls {
		if p.Team == "" {
			out.Unplaced++
			continue
		}
		if teams[p.Team] == nil {
			teams[p.Team] = map[string]bool{}
		}
		teams[p.Team][p.Author] = true
		size[p.Team]++
	}
	for name, authors := range teams {
		out.Teams = append(out.Teams, metrics.TeamSize{Team: name, PullRequests: size[name], Authors: len(authors)})
	}
	slices.SortFunc(out.Teams, func(a, b metrics.TeamSize) int {
		if a.Team < b.Team {
			return -1
		}
		return 1
	})
	return out, nil
}
