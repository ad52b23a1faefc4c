package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"steelyard/metrics"
)

// memory is a store in memory. As the interfaces ask, an import that fails
// leaves it as it was.
type memory struct {
	definitions map[string]metrics.Definition
	kinds       map[string]metrics.PeriodKind
	panels      map[string][]metrics.PanelRow
	prs         map[string]metrics.PullRequest
	imports     []metrics.Import
	stopAfter   int // rows after which the store itself fails; 0: never
}

var errDisk = errors.New("disk is full")

func newMemory() *memory {
	return &memory{
		definitions: map[string]metrics.Definition{}, kinds: map[string]metrics.PeriodKind{},
		panels: map[string][]metrics.PanelRow{}, prs: map[string]metrics.PullRequest{},
	}
}

func (m *memory) SavePilot(_ context.Context, p metrics.Pilot, at time.Time) (metrics.Definition, error) {
	hash, err := p.Hash()
	def := metrics.Definition{Pilot: p, Hash: hash, SavedAt: at}
	m.definitions[p.ID] = def
	return def, err
}

func (m *memory) Pilot(_ context.Context, id string) (metrics.Definition, error) {
	def, ok := m.definitions[id]
	if !ok {
		return def, fmt.Errorf("pilot %s: %w", id, metrics.ErrNotFound)
	}
	return def, nil
}

func (m *memory) Pilots(context.Context) ([]metrics.Definition, error) { return nil, nil }

func (m *memory) ImportPanel(ctx context.Context, p metrics.Pilot, kind metrics.PeriodKind, rows iter.Seq2[metrics.PanelRow, error], finish func() (metrics.Import, error)) (metrics.Definition, error) {
	kept, err := collect(rows, m.stopAfter)
	if err != nil {
		return metrics.Definition{}, fmt.Errorf("save panel: %w", err)
	}
	done, err := finish()
	if err != nil {
		return metrics.Definition{}, err
	}
	m.panels[p.ID], m.kinds[p.ID], m.imports = kept, kind, append(m.imports, done)
	return m.SavePilot(ctx, p, done.At)
}

func (m *memory) Panel(context.Context, string) (*metrics.Panel, error) { return nil, nil }

func (m *memory) ImportPullRequests(_ context.Context, rows iter.Seq2[metrics.PullRequest, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	kept, err := collect(rows, m.stopAfter)
	if err != nil {
		return metrics.Import{}, fmt.Errorf("save pull requests: %w", err)
	}
	done, err := finish()
	if err != nil {
		return done, err
	}
	for _, pr := range kept {
		m.prs[pr.ID] = pr
	}
	m.imports = append(m.imports, done)
	return done, nil
}

func (m *memory) PullRequests(context.Context, []string, metrics.Window) iter.Seq2[metrics.PullRequest, error] {
	return func(func(metrics.PullRequest, error) bool) {}
}

func (m *memory) PullRequestSummary(context.Context) (metrics.PullRequestSummary, error) {
	return metrics.PullRequestSummary{}, nil
}

func collect[T any](rows iter.Seq2[T, error], stopAfter int) ([]T, error) {
	var kept []T
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if kept = append(kept, row); len(kept) == stopAfter {
			return nil, errDisk
		}
	}
	return kept, nil
}

func (m *memory) empty() bool {
	return len(m.definitions)+len(m.panels)+len(m.prs)+len(m.imports) == 0
}

// discard is a store that takes everything and keeps nothing.
type discard struct{}

func (discard) ImportPanel(_ context.Context, p metrics.Pilot, _ metrics.PeriodKind, rows iter.Seq2[metrics.PanelRow, error], finish func() (metrics.Import, error)) (metrics.Definition, error) {
	for _, err := range rows {
		if err != nil {
			return metrics.Definition{}, err
		}
	}
	_, err := finish()
	return metrics.Definition{Pilot: p}, err
}

func (discard) Panel(context.Context, string) (*metrics.Panel, error) { return nil, nil }

func (discard) ImportPullRequests(_ context.Context, rows iter.Seq2[metrics.PullRequest, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	for _, err := range rows {
		if err != nil {
			return metrics.Import{}, err
		}
	}
	return finish()
}

func (discard) PullRequests(context.Context, []string, metrics.Window) iter.Seq2[metrics.PullRequest, error] {
	return func(func(metrics.PullRequest, error) bool) {}
}

func (discard) PullRequestSummary(context.Context) (metrics.PullRequestSummary, error) {
	return metrics.PullRequestSummary{}, nil
}
