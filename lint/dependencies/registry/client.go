package registry

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Doer sends one request; *http.Client is one.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// The bounds of asking.
const (
	perHost       = 16               // requests to one host at the same time
	maxAnswer     = 16 << 20         // bytes of an answer that is kept
	maxDocument   = 128 << 20        // bytes of an answer that is only read through
	maxWait       = 10 * time.Second // the longest Retry-After that a run waits for
	maxTries      = 3
	hostFailures  = 3 // failed connections before a host counts as down
	redirectLimit = 5
)

// client sends requests with bounds for each host.
type client struct {
	doer    Doer
	foreign Doer // for hosts that the repository names
	agent   string
	timeout time.Duration
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error

	mu    sync.Mutex
	hosts map[string]*hostState
}

func newClient(o Options) *client {
	doer, foreign := o.Doer, o.Doer
	if doer == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = perHost
		transport.ResponseHeaderTimeout = o.Timeout
		transport.MaxResponseHeaderBytes = 64 << 10
		doer = &http.Client{Transport: transport, CheckRedirect: checkRedirect}
		foreign = newForeign(transport)
	}
	return &client{doer: doer, foreign: foreign, agent: o.Agent, timeout: o.Timeout, now: o.Now, sleep: o.Sleep, hosts: map[string]*hostState{}}
}

// checkRedirect follows few redirects, none from an encrypted address to one
// that is not, and none to this machine or its surroundings from elsewhere.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) >= redirectLimit {
		return errors.New("too many redirects")
	}
	if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return errors.New("redirected to an address without encryption")
	}
	if inward(req.URL) && !inward(via[0].URL) || linkLocal(req.URL) {
		return errors.New("redirected to an address of this machine")
	}
	return nil
}

// inward reports whether an address is one of this machine.
func inward(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified())
}

// linkLocal reports whether an address is one where clouds keep what a machine
// alone may know.
func linkLocal(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.Unmap().IsLinkLocalUnicast()
}

// request is one question.
type request struct {
	url     string
	accept  string
	method  string // GET where empty
	body    []byte
	headers map[string]string
	limit   int64 // bytes of the answer; maxAnswer where 0
	// brief is set on questions that can be done without: they are not waited
	// for long, and not asked twice.
	brief bool
	// foreign is set where a file of the repository names the host.
	foreign bool
}

// briefTimeout bounds a brief question.
const briefTimeout = 5 * time.Second

// answer is what came back: a status with its body, or why there is none.
type answer struct {
	status int
	header http.Header
	body   io.ReadCloser
	// failed says in words why there is no answer to read: "" for a 200 or
	// an answer that means "not there".
	failed string
}

// absent reports whether the answer means "not there".
func (a *answer) absent() bool {
	return a.failed == "" && (a.status == http.StatusNotFound || a.status == http.StatusGone || a.status == http.StatusUnavailableForLegalReasons)
}

// text reads a short body.
func (a *answer) text() string {
	if a.body == nil {
		return ""
	}
	defer func() { _ = a.body.Close() }()
	b, _ := io.ReadAll(io.LimitReader(a.body, 64<<10)) // a broken body says no more
	return string(b)
}

// readText reads a body of text whole and says what is wrong with it.
func (a *answer) readText() (text, why string) {
	defer a.close()
	b, err := io.ReadAll(a.body)
	if err != nil {
		return "", broken(err)
	}
	return string(b), ""
}

func (a *answer) close() {
	if a.body != nil {
		_ = a.body.Close()
	}
}

// send asks, waits where the host says so, and tries again where that may
// help.
func (c *client) send(ctx context.Context, q request) *answer {
	u, err := url.Parse(q.url)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return &answer{failed: "its address is not one to ask"}
	}
	h := c.host(u.Host)
	var last *answer
	for try := range maxTries {
		if why := h.refuses(c.now()); why != "" {
			return &answer{failed: why}
		}
		if err := h.enter(ctx, c, u.Hostname()); err != nil {
			return &answer{failed: "the run was ended"}
		}
		last = c.try(ctx, q, h)
		<-h.slots
		wait, again := c.again(last, try, h)
		if !again || q.brief {
			return last
		}
		last.close()
		if err := c.sleep(ctx, wait); err != nil {
			return &answer{failed: "the run was ended"}
		}
	}
	return last
}

func (c *client) host(name string) *hostState {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.hosts[name]
	if h == nil {
		h = &hostState{slots: make(chan struct{}, perHost)}
		c.hosts[name] = h
	}
	return h
}

// again decides whether to try once more, and after which wait.
func (c *client) again(a *answer, try int, h *hostState) (wait time.Duration, again bool) {
	if try == maxTries-1 {
		return 0, false
	}
	switch {
	case a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable:
		wait, said := retryAfter(a.header, c.now())
		if !said {
			wait = time.Second
		}
		if wait > maxWait {
			h.mu.Lock()
			h.until, h.why = c.now().Add(wait), a.failed
			h.mu.Unlock()
			return 0, false
		}
		return wait, true
	case a.status >= 500:
		return 500 * time.Millisecond, try == 0
	case a.status == 0 && strings.HasPrefix(a.failed, unreached):
		return 200 * time.Millisecond, try == 0
	}
	return 0, false
}

// retryAfter reads the header in both of its forms.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// try sends one request. The context of a body that is read ends with it.
func (c *client) try(ctx context.Context, q request, h *hostState) *answer {
	timeout := c.timeout
	if q.brief {
		timeout = min(timeout, briefTimeout)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	method := q.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, q.url, bytes.NewReader(q.body))
	if err != nil {
		cancel()
		return &answer{failed: "its address is not one to ask"}
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", q.accept)
	for k, v := range q.headers {
		req.Header.Set(k, v)
	}
	doer := c.doer
	if q.foreign {
		doer = c.foreign
	}
	resp, err := doer.Do(req) //nolint:bodyclose // the answer closes it
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.failures++
		h.why = reason(ctx, err, timeout)
		cancel()
		return &answer{failed: h.why}
	}
	h.failures = 0
	limit := q.limit
	if limit == 0 {
		limit = maxAnswer
	}
	body := &boundedBody{in: resp.Body, left: limit, end: func() { _ = resp.Body.Close(); cancel() }}
	return &answer{status: resp.StatusCode, header: resp.Header, body: body, failed: statusWords(resp, c.now())}
}

// errTooLarge ends the reading of an answer over its bound.
var errTooLarge = errors.New("answer over its bound")

// boundedBody is a body that ends with an error at its bound.
type boundedBody struct {
	in   io.Reader
	left int64
	end  func()
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.in.Read(p)
	b.left -= int64(n)
	return n, err
}

// Close ends the request.
func (b *boundedBody) Close() error {
	b.end()
	return nil
}

// broken says why a body could not be read.
func broken(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, errTooLarge):
		return "its answer is too large"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "its answer did not end in time"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "its answer was cut short"
	}
	return "its answer could not be read"
}
