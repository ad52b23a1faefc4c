package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// unasked is how long to wait for a limit that says no time.
	unasked = time.Minute
	// margin is added to a reset, which is given in whole seconds.
	margin = time.Second
	// maxAsked bounds what a header can ask for, before it is compared with
	// what the caller allows.
	maxAsked = 365 * 24 * time.Hour
)

// limit is a wait that GitHub asks for.
type limit struct {
	secondary bool
	wait      time.Duration
	asked     bool // GitHub said how long
}

// verdict is what an attempt came to: a limit, a fault (to be tried again or
// not), or, with neither, an answer for the caller.
type verdict struct {
	limit *limit
	fault error
	again bool
	heavy bool          // the server could not manage so much at once
	wait  time.Duration // asked for by the server
}

// final is the fault after so many attempts.
func (v verdict) final(attempts int) error {
	if v.heavy {
		return &heavyError{v.fault}
	}
	var answer *AnswerError
	if errors.As(v.fault, &answer) {
		return &AnswerError{Status: answer.Status, Reason: fmt.Sprintf("%s (asked %d times)", answer.Reason, attempts), Err: answer.Err}
	}
	return fmt.Errorf("%w (asked %d times)", v.fault, attempts)
}

// heavyError is a request that the server could not manage in its time or
// size; a smaller one may pass.
type heavyError struct{ err error }

func (e *heavyError) Error() string { return e.err.Error() }
func (e *heavyError) Unwrap() error { return e.err }

// heavyKey marks requests that can be made smaller: they are not sent again as
// they are.
type heavyKey struct{}

func mayShrink(ctx context.Context) context.Context {
	return context.WithValue(ctx, heavyKey{}, true)
}

func isHeavy(ctx context.Context) bool {
	return ctx.Value(heavyKey{}) != nil && !isAsApp(ctx)
}

// onceKey marks requests that do harm when they arrive twice: after a fault
// their sender decides.
type onceKey struct{}

func sentOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceKey{}, true)
}

func isSentOnce(ctx context.Context) bool { return ctx.Value(onceKey{}) != nil && !isAsApp(ctx) }

// judge says what an attempt came to.
func (x *exchange) judge(r *http.Request, got *answer, err error) verdict {
	var credential *credentialError
	switch {
	case errors.As(err, &credential):
		return verdict{fault: credential.err}
	case errors.Is(err, errTooLarge):
		return verdict{fault: &AnswerError{Reason: errTooLarge.Error(), Err: err}, again: isHeavy(r.Context()), heavy: true}
	case err != nil && isTimeout(err):
		// The cause is left out: it would read like the end of the whole run.
		return verdict{fault: &AnswerError{Reason: fmt.Sprintf("no answer within %s", x.timeout)}, again: true, heavy: true}
	case err != nil:
		// The cause stays out too: a proxy may have put the request into it.
		return verdict{fault: &AnswerError{Reason: "the connection failed: " + x.redact(brief(err.Error()))}, again: true}
	}
	if l, ok := limited(got); ok {
		return verdict{limit: &l}
	}
	switch got.status {
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
		wait, _ := retryAfter(got.header.Get("Retry-After"), got.at)
		return verdict{fault: got.failed(), again: true, wait: wait}
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return verdict{fault: got.failed(), again: true, heavy: isGraphQL(r)}
	}
	if broken := got.broken(); broken != "" {
		return verdict{fault: &AnswerError{Status: got.status, Reason: broken}, again: true}
	}
	if isGraphQL(r) && got.status == http.StatusOK {
		return graphQLVerdict(got)
	}
	return verdict{}
}

func (a *answer) failed() error { return &AnswerError{Status: a.status, Reason: a.message()} }

// limited reads a limit from status, headers and body, in the forms in which
// limits really arrive: 403 and 429, with Retry-After in seconds or as a date,
// with nothing left until a reset, or in words alone, also without any header
// as on Enterprise servers.
func limited(a *answer) (limit, bool) {
	if a.status != http.StatusForbidden && a.status != http.StatusTooManyRequests {
		return limit{}, false
	}
	reset, usedUp := usedUpUntil(a.header)
	wait, told := retryAfter(a.header.Get("Retry-After"), a.at)
	text := strings.ToLower(string(a.body[:min(len(a.body), 4096)]))
	inWords := strings.Contains(text, "rate limit") || strings.Contains(text, "abuse detection")
	switch {
	case told:
		return limit{secondary: !usedUp, wait: wait, asked: true}, true
	case usedUp && !strings.Contains(text, "secondary rate limit"):
		return limit{wait: max(reset.Sub(a.at), 0) + margin, asked: true}, true
	case a.status == http.StatusTooManyRequests || inWords:
		secondary := a.status == http.StatusTooManyRequests || strings.Contains(text, "secondary") || strings.Contains(text, "abuse")
		return limit{secondary: secondary, wait: unasked}, true
	}
	return limit{}, false
}

// usedUpUntil reads when an allowance of which nothing is left comes back.
func usedUpUntil(h http.Header) (time.Time, bool) {
	if h.Get("X-RateLimit-Remaining") != "0" {
		return time.Time{}, false
	}
	return unixSeconds(h.Get("X-RateLimit-Reset"))
}

func unixSeconds(s string) (time.Time, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > 1<<36 {
		return time.Time{}, false
	}
	return time.Unix(n, 0).UTC(), true
}

// retryAfter reads the header of that name, seconds or a date (RFC 9110,
// section 10.2.3). A time that has passed is no wait; longer than a year is a
// year.
func retryAfter(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseUint(s, 10, 64); err == nil {
		if seconds > uint64(maxAsked/time.Second) {
			return maxAsked, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(s)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), maxAsked), true
}

// graphQLVerdict looks for limits and overload among the errors inside an
// answer that says 200.
func graphQLVerdict(a *answer) verdict {
	if !bytes.Contains(a.body, []byte(`"errors"`)) {
		return verdict{}
	}
	var said struct {
		Data   json.RawMessage `json:"data"`
		Errors []graphQLError  `json:"errors"`
	}
	if json.Unmarshal(a.body, &said) != nil {
		return verdict{}
	}
	for _, e := range said.Errors {
		if e.isLimit() {
			reset, usedUp := usedUpUntil(a.header)
			if usedUp {
				return verdict{limit: &limit{wait: max(reset.Sub(a.at), 0) + margin, asked: true}}
			}
			if wait, told := retryAfter(a.header.Get("Retry-After"), a.at); told {
				return verdict{limit: &limit{secondary: true, wait: wait, asked: true}}
			}
			return verdict{limit: &limit{secondary: e.Type != typeRateLimited, wait: unasked}}
		}
	}
	if len(said.Data) > 0 && string(said.Data) != "null" {
		return verdict{}
	}
	for _, e := range said.Errors {
		if e.isOverload() {
			return verdict{fault: &AnswerError{Status: a.status, Reason: brief(e.Message)}, again: true, heavy: true}
		}
	}
	return verdict{}
}
