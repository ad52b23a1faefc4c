package github

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"strings"
	"testing"
	"time"
)

type answering func(*http.Request) (*http.Response, error)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"30": 30 * time.Second, " 0 ": 0, "999999999999": maxAsked,
		"Mon, 02 Mar 2026 09:00:30 GMT": 30 * time.Second, "Mon, 02 Mar 2026 08:00:00 GMT": 0,
	} {
		if got, ok := retryAfter(text, now); !ok || got != want {
			t.Errorf("%q: got %s, %v, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "soon", "-5", "1.5"} {
		if got, ok := retryAfter(text, now); ok {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

// TestBackoff grows, stays within half and one and a half, and is the same for
// the same seed.
func TestBackoff(t *testing.T) {
	waits := func(seed uint64) (out []time.Duration) {
		c, err := New(Options{Seed: seed, Sleep: noSleep, Notify: func(n Notice) { out = append(out, n.Wait) }})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 9 {
			if err := c.exchange.backoff(t.Context(), i, 0, "x"); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	a, b, other := waits(1), waits(1), waits(2)
	differs := false
	for i := range a {
		base := min(firstBackoff<<i, maxBackoff)
		if a[i] < base/2 || a[i] > base*3/2 || a[i] != b[i] {
			t.Errorf("wait %d is %s, then %s; about %s", i, a[i], b[i], base)
		}
		differs = differs || a[i] != other[i]
	}
	if !differs {
		t.Error("another seed waits the same")
	}
}

// TestSigningForAnApp makes a token with the claims that GitHub wants.
func TestSigningForAnApp(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	a := &appCredentials{id: 77, key: key}
	got, err := a.sign(time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(got, ".")
	if len(parts) != 3 || parts[0] != encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) || parts[1] != encode([]byte(`{"exp":1700000480,"iat":1699999940,"iss":"77"}`)) {
		t.Errorf("got %s", got)
	}
}

// TestWrongClock waits by GitHub's clock, not by ours.
func TestWrongClock(t *testing.T) {
	ours := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) // years behind
	var waited []time.Duration
	asked := 0
	c, err := New(Options{
		Clock: func() time.Time { return ours },
		Sleep: func(_ context.Context, d time.Duration) error {
			waited = append(waited, d)
			ours = ours.Add(d)
			return nil
		},
		Transport: answering(func(r *http.Request) (*http.Response, error) {
			asked++
			h := http.Header{"Content-Type": {"application/json"}, "Date": {"Mon, 02 Mar 2026 09:00:00 GMT"}}
			if asked == 1 {
				h.Set("X-RateLimit-Limit", "60")
				h.Set("X-RateLimit-Remaining", "0")
				h.Set("X-RateLimit-Reset", "1772442600") // ten minutes later
				return &http.Response{StatusCode: http.StatusForbidden, Header: h, Body: http.NoBody, Request: r}, nil
			}
			return &http.Response{StatusCode: http.StatusNotFound, Header: h, Body: http.NoBody, Request: r}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.Repository(t.Context(), RepositoryRef{Owner: "a", Name: "b"})
	if len(waited) != 1 || waited[0] != 10*time.Minute+margin {
		t.Errorf("waited %v", waited)
	}
}
