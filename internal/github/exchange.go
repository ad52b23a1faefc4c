package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	standardMaxWait = 70 * time.Minute // a whole hourly budget and some
	standardRetries = 6
	standardTimeout = time.Minute
	firstBackoff    = time.Second
	maxBackoff      = time.Minute
	// concurrent bounds the requests under way at once; GitHub's secondary
	// limit is 100.
	concurrent = 16
)

// exchange sends requests and stays with them until there is an answer that
// can be used: it adds credentials, asks only for what has changed, waits for
// limits and asks again after faults. It is an http.RoundTripper, so that
// go-github stands on it too.
type exchange struct {
	base        http.RoundTripper
	api         *url.URL
	credentials credentials
	clock       func() time.Time
	sleep       func(context.Context, time.Duration) error
	maxWait     time.Duration
	timeout     time.Duration
	retries     int
	notify      func(Notice)
	meter       *meter
	cache       *cache
	slots       chan struct{}

	mu     sync.Mutex
	random *rand.Rand
}

func newExchange(o Options, api *url.URL) *exchange {
	x := &exchange{
		base: o.Transport, api: api, clock: o.Clock, sleep: o.Sleep,
		maxWait: o.MaxWait, timeout: o.Timeout, retries: o.Retries, notify: o.Notify,
		meter: newMeter(), cache: newCache(),
		slots: make(chan struct{}, concurrent),
	}
	if x.base == nil {
		x.base = http.DefaultTransport
	}
	if x.clock == nil {
		x.clock = time.Now
	}
	if o.Seed == 0 {
		o.Seed = uint64(x.clock().UnixNano())
	}
	x.random = rand.New(rand.NewPCG(o.Seed, 0x57ee1))
	if x.sleep == nil {
		x.sleep = sleep
	}
	if x.maxWait <= 0 {
		x.maxWait = standardMaxWait
	}
	if x.timeout <= 0 {
		x.timeout = standardTimeout
	}
	if x.retries == 0 {
		x.retries = standardRetries
	}
	if x.notify == nil {
		x.notify = func(Notice) {}
	}
	return x
}

// sleep waits for d or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// answer is a whole answer, its body read.
type answer struct {
	status int
	header http.Header
	body   []byte
	at     time.Time // GitHub's clock, ours where it does not say
}

// RoundTrip sends the request until it is answered. It returns whatever a
// caller must judge itself (200, 301, 404 …); what is left of limits and
// faults after the last retry is an error.
func (x *exchange) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := takeBody(r)
	if err != nil {
		return nil, err
	}
	got, err := x.ask(r, body)
	if err != nil {
		return nil, err
	}
	return got.response(r), nil
}

// ask is RoundTrip with the answer as a value.
func (x *exchange) ask(r *http.Request, body []byte) (*answer, error) {
	ctx := r.Context()
	renewed := false
	limits, faults := 0, 0
	for {
		if err := x.gate(ctx, r); err != nil {
			return nil, err
		}
		got, err := x.once(r, body)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && got.status == http.StatusUnauthorized && !renewed && x.credentials.refused(ctx) {
			renewed = true
			continue
		}
		verdict := x.judge(r, got, err)
		switch {
		case verdict.limit != nil:
			limits++
			if err := x.hold(ctx, r, *verdict.limit, limits); err != nil {
				return nil, err
			}
		case verdict.fault != nil && (!verdict.again || isSentOnce(ctx)):
			return nil, verdict.fault
		case verdict.fault != nil:
			if faults >= x.retries || (isHeavy(ctx) && verdict.heavy) {
				return nil, verdict.final(faults + 1)
			}
			if err := x.backoff(ctx, faults, verdict.wait, verdict.fault.Error()); err != nil {
				return nil, err
			}
			faults++
		default:
			return got, nil
		}
	}
}

// once sends the request one time and reads the whole answer.
func (x *exchange) once(r *http.Request, body []byte) (*answer, error) {
	ctx, cancel := context.WithTimeout(r.Context(), x.timeout)
	defer cancel()
	out := r.Clone(ctx)
	out.Body, out.ContentLength, out.GetBody = nil, 0, nil
	if body != nil {
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	out.Header.Set("User-Agent", userAgent)
	out.Header.Del("Authorization")
	if out.URL.Host == x.api.Host && out.URL.Scheme == x.api.Scheme {
		if err := x.credentials.apply(r.Context(), out.Header); err != nil {
			return nil, &credentialError{err}
		}
	}
	kept := x.cache.condition(out)

	select {
	case x.slots <- struct{}{}:
		defer func() { <-x.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	response, err := x.base.RoundTrip(out) //nolint:bodyclose // read closes it
	x.meter.sent(isGraphQL(out))
	if err != nil {
		return nil, err
	}
	now := x.clock()
	got, err := read(response, now)
	if err != nil {
		return nil, err
	}
	x.meter.ahead(now.Sub(got.at))
	got.body = withoutCredential(got.body, out.Header)
	x.meter.saw(x.credentials.budget(r.Context()), isGraphQL(out), got, x.clock())
	if got.status == http.StatusNotModified && kept != nil {
		x.meter.notModified()
		return kept.again(got), nil
	}
	x.cache.keep(out, got)
	return got, nil
}

// withoutCredential takes the credential that a request went with out of its
// answer: a proxy may repeat it in an error, and errors are shown and stored.
func withoutCredential(body []byte, sent http.Header) []byte {
	_, secret, _ := strings.Cut(sent.Get("Authorization"), " ")
	if secret == "" || !bytes.Contains(body, []byte(secret)) {
		return body
	}
	return bytes.ReplaceAll(body, []byte(secret), []byte("[credential]"))
}

// credentialError is a fault in getting credentials, already final.
type credentialError struct{ err error }

func (e *credentialError) Error() string { return e.err.Error() }
func (e *credentialError) Unwrap() error { return e.err }

// gate waits while a limit is known to hold, so that nobody sends what GitHub
// has said it will refuse.
func (x *exchange) gate(ctx context.Context, r *http.Request) error {
	for {
		now := x.clock()
		until, secondary := x.meter.closed(x.credentials.budget(ctx), isGraphQL(r), now)
		wait := until.Sub(now)
		if wait <= 0 {
			return nil
		}
		if err := x.wait(ctx, wait, until, secondary); err != nil {
			return err
		}
		x.meter.open(x.credentials.budget(ctx), isGraphQL(r), until)
	}
}

// hold notes a limit that GitHub answered with; the gate waits for it.
func (x *exchange) hold(ctx context.Context, r *http.Request, l limit, times int) error {
	now := x.clock()
	if !l.asked { // GitHub says to wait at least a minute, and longer each time
		l.wait <<= min(times-1, 5)
	}
	if times > max(x.retries, 0) {
		return &LimitError{Secondary: l.secondary, Wait: l.wait, Until: now.Add(l.wait)}
	}
	x.meter.close(x.credentials.budget(ctx), isGraphQL(r), l, now)
	return nil
}

func (x *exchange) wait(ctx context.Context, d time.Duration, until time.Time, secondary bool) error {
	if d > x.maxWait {
		return &LimitError{Secondary: secondary, Wait: d, Until: until}
	}
	reason := "GitHub's hourly limit is used up"
	if secondary {
		reason = "GitHub asks for a pause (secondary limit)"
	}
	x.notify(Notice{Kind: WaitingForLimit, Wait: d, Until: until, Reason: reason})
	if err := x.sleep(ctx, d); err != nil {
		return err
	}
	x.meter.waited(d)
	return nil
}

// backoff waits before a fault is tried again: longer each time, spread by
// half, or as long as GitHub says.
func (x *exchange) backoff(ctx context.Context, faults int, asked time.Duration, reason string) error {
	d := min(firstBackoff<<min(faults, 10), maxBackoff)
	x.mu.Lock()
	d = d/2 + time.Duration(x.random.Int64N(int64(d)))
	x.mu.Unlock()
	if asked > 0 {
		d = asked
	}
	if d > x.maxWait {
		return &LimitError{Wait: d, Until: x.clock().Add(d)}
	}
	x.notify(Notice{Kind: RetryingFault, Wait: d, Until: x.clock().Add(d), Reason: x.redact(reason)})
	return x.sleep(ctx, d)
}

// redact takes the credentials out of a text that comes from outside.
func (x *exchange) redact(s string) string {
	for _, secret := range x.credentials.secrets() {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "[credential]")
		}
	}
	return s
}

// isGraphQL tells the two budgets apart.
func isGraphQL(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/graphql")
}

func takeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request to send: %w", err)
	}
	return body, nil
}

// isTimeout reports whether an attempt ran out of its own time.
func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &timeout) && timeout.Timeout())
}
