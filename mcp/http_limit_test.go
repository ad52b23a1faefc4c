package mcp_test

import (
	"fmt"
	"testing"
	"time"

	"steelyard/mcp"
)

// TestLimiter holds the arithmetic of the bucket, also where the clock is set
// back or more is asked for than it ever holds.
func TestLimiter(t *testing.T) {
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	l := mcp.NewLimiter(2, 10, func() time.Time { return at })
	for i, c := range []struct {
		later time.Duration
		n     float64
		wait  time.Duration
		ok    bool
	}{
		{0, 10, 0, true},
		{0, 1, 500 * time.Millisecond, false},
		{500 * time.Millisecond, 1, 0, true},
		{-time.Hour, 1, 500 * time.Millisecond, false}, // a clock set back gives nothing
		{time.Hour, 1, 0, true},
		{time.Hour, 50, 0, true}, // a batch beyond the bucket takes all of it
		{0, 1, 500 * time.Millisecond, false},
	} {
		at = at.Add(c.later)
		if wait, ok := l.Take("a", c.n); wait != c.wait || ok != c.ok {
			t.Errorf("step %d: %v %v, want %v %v", i, wait, ok, c.wait, c.ok)
		}
	}
}

// TestLimiterForgets holds that any number of identities takes bounded memory,
// and that who was refused is not forgotten for who has not been seen.
func TestLimiterForgets(t *testing.T) {
	at := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	l := mcp.NewLimiter(1, 5, func() time.Time { return at })
	for i := range 30_000 {
		at = at.Add(time.Millisecond)
		l.Take(fmt.Sprint("passing-", i), 1)
		if i%100 == 0 {
			l.Take("busy", 5)
		}
	}
	if l.Size() > 10_000 {
		t.Errorf("%d identities are remembered", l.Size())
	}
	if _, ok := l.Take("busy", 5); ok {
		t.Error("the one that calls all the time was forgotten")
	}
}
