package registry

import (
	"context"
	"sync"
	"time"
)

// intervals are the least times between two requests that registries ask for.
var intervals = map[string]time.Duration{
	"crates.io":    time.Second,
	"rubygems.org": 100 * time.Millisecond,
}

// hostState is what a run knows of one host.
type hostState struct {
	slots chan struct{}

	mu       sync.Mutex
	next     time.Time // when the next request may go out
	until    time.Time // the host asked not to be asked before
	why      string    // its answer then
	failures int       // connections that failed in a row
}

// refuses says why a host is not asked any more.
func (h *hostState) refuses(now time.Time) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failures >= hostFailures || now.Before(h.until) {
		return h.why
	}
	return ""
}

// enter waits for a free slot and for the host's least interval.
func (h *hostState) enter(ctx context.Context, c *client, name string) error {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	interval := intervals[name]
	if interval == 0 {
		return nil
	}
	h.mu.Lock()
	now := c.now()
	at := h.next
	if at.Before(now) {
		at = now
	}
	h.next = at.Add(interval)
	h.mu.Unlock()
	if wait := at.Sub(now); wait > 0 {
		if err := c.sleep(ctx, wait); err != nil {
			<-h.slots
			return err
		}
	}
	return nil
}
