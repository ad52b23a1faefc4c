package metrics

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Computation is a report that is being computed.
type Computation struct {
	Pilot string
	// Done of Total metrics are measured; Total is 0 while the data is read.
	Done, Total int
}

// Progress says how far the reports are: Done of Total pilots have the one of
// the data as it is now, and Running are being computed by this process.
type Progress struct {
	Done, Total int
	Running     []Computation
}

// Computing says how far reports are. It is satisfied by [Reporter].
type Computing interface {
	Computing(ctx context.Context) (Progress, error)
}

var _ Computing = (*Reporter)(nil)

// Computing says how far the reports of all pilots are, without making any.
func (r *Reporter) Computing(ctx context.Context) (Progress, error) {
	revision, err := r.store.Revision(ctx)
	if err != nil {
		return Progress{}, fmt.Errorf("say how far reports are: %w", err)
	}
	defs, err := r.store.Pilots(ctx)
	if err != nil {
		return Progress{}, fmt.Errorf("say how far reports are: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Total: len(defs)}
	for _, def := range defs {
		if _, ok := r.reports[def.Pilot.ID]; ok && r.revision == revision {
			p.Done++
		}
	}
	for _, c := range r.running {
		p.Running = append(p.Running, *c)
	}
	slices.SortFunc(p.Running, func(a, b Computation) int { return strings.Compare(a.Pilot, b.Pilot) })
	return p, nil
}

// began notes that a report is being computed; what it returns takes that back.
// The newest of a pilot counts, where the data changed on the way.
func (r *Reporter) began(pilot string) (ended func()) {
	c := &Computation{Pilot: pilot}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		r.running = map[string]*Computation{}
	}
	r.running[pilot] = c
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.running[pilot] == c {
			delete(r.running, pilot)
		}
	}
}

// measured notes how far a report is.
func (r *Reporter) measured(pilot string, done, of int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.running[pilot]; c != nil {
		c.Done, c.Total = max(c.Done, done), of
	}
}
