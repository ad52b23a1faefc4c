package mcp

import (
	"sync"
	"time"
)

// maxBuckets bounds what a limiter remembers: identities beyond that push out
// whoever has been quiet longest.
const maxBuckets = 10_000

// limiter is a token bucket for each key: rate a second on average, burst at
// once. It counts in this process alone.
type limiter struct {
	rate, burst float64
	now         func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	left float64
	at   time.Time // when left was true
}

func newLimiter(rate, burst float64, now func() time.Time) *limiter {
	return &limiter{rate: rate, burst: burst, now: now, buckets: map[string]*bucket{}}
}

// take takes n out of a key's bucket, or says how long to wait until it holds
// that much. More than a full bucket holds is let in when it is full.
func (l *limiter) take(key string, n float64) (wait time.Duration, ok bool) {
	n = min(n, l.burst)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.buckets[key]
	if b == nil {
		l.makeRoom(now)
		b = &bucket{left: l.burst, at: now}
		l.buckets[key] = b
	}
	if since := now.Sub(b.at).Seconds(); since > 0 { // a clock set back gives nothing
		b.left = min(l.burst, b.left+since*l.rate)
	}
	b.at = now
	if b.left < n {
		return time.Duration((n - b.left) / l.rate * float64(time.Second)), false
	}
	b.left -= n
	return 0, true
}

// makeRoom forgets buckets that are full again, and so say nothing; where none
// is, the one that was quiet longest.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.buckets) < maxBuckets {
		return
	}
	oldest := ""
	for key, b := range l.buckets {
		if b.left+now.Sub(b.at).Seconds()*l.rate >= l.burst {
			delete(l.buckets, key)
		} else if oldest == "" || b.at.Before(l.buckets[oldest].at) {
			oldest = key
		}
	}
	if len(l.buckets) >= maxBuckets {
		delete(l.buckets, oldest)
	}
}
