package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// paced asks n times, rate times a second whether or not earlier ones are
// answered, and returns how long after it was due each was answered.
func paced(n, rate int, ask func(i int)) []time.Duration {
	took := make([]time.Duration, n)
	var all sync.WaitGroup
	begin := time.Now()
	for i := range n {
		due := begin.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		all.Go(func() {
			ask(i)
			took[i] = time.Since(due)
		})
	}
	all.Wait()
	return took
}

// most is how often a second eight callers are answered well who ask again at
// once.
func most(d time.Duration, ask func(i int) bool) float64 {
	var n, well atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for range 8 {
		all.Go(func() {
			for time.Since(begin) < d {
				if ask(int(n.Add(1))) {
					well.Add(1)
				}
			}
		})
	}
	all.Wait()
	return float64(well.Load()) / time.Since(begin).Seconds()
}

// latencies are how long the answers of one kind took.
type latencies []time.Duration

// at is the time that a share of the answers did not exceed.
func (t latencies) at(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[int(share*float64(len(sorted)-1))]
}

func (t latencies) String() string {
	ms := func(share float64) float64 { return t.at(share).Seconds() * 1e3 }
	return fmt.Sprintf("%5d answers, p50 %.1f ms, p99 %.1f ms, longest %.1f ms", len(t), ms(0.5), ms(0.99), ms(1))
}

// faults counts what was not answered well, and keeps the first of each kind.
type faults struct {
	mu    sync.Mutex
	n     int
	kinds map[string]string
}

func (f *faults) add(kind, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.kinds == nil {
		f.kinds = map[string]string{}
	}
	if _, known := f.kinds[kind]; !known {
		f.kinds[kind] = text
	}
}

// log says how many there were, and the first of each kind.
func (f *faults) log(b *testing.B) {
	b.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n == 0 {
		b.Log("every answer was as it should be")
	}
	for kind, text := range f.kinds {
		b.Logf("NOT ANSWERED WELL, %d in all, the first of %s: %s", f.n, kind, text)
	}
}

// spent is the processor time that a process took so far, of all its threads; 0
// where the system does not say.
func spent(pid string) time.Duration {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0
	}
	return time.Duration(user+system) * time.Second / 100 // the kernel counts in hundredths here
}

// shares measures how many processors the server and whoever asks it take.
type shares struct {
	server       string
	begin        time.Time
	theirs, ours time.Duration
}

func startShares(pid int) shares {
	s := shares{server: fmt.Sprint(pid), begin: time.Now()}
	s.theirs, s.ours = spent(s.server), spent("self")
	return s
}

// report says what both took since the start.
func (s shares) report(b *testing.B) {
	b.Helper()
	wall := time.Since(s.begin).Seconds()
	b.ReportMetric((spent(s.server)-s.theirs).Seconds()/wall, "server-cpus")
	b.ReportMetric((spent("self")-s.ours).Seconds()/wall, "client-cpus")
}
