package registry

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// unreached begins the reason of a request that came to nobody.
const unreached = "the registry could not be reached"

// reason says in words why a request failed, without the address: it may hold
// a password.
func reason(ctx context.Context, err error, timeout time.Duration) string {
	var dns *net.DNSError
	var slow net.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return fmt.Sprintf("it did not answer within %s", timeout)
	case ctx.Err() != nil:
		return "the run was ended"
	case errors.Is(err, errPrivate):
		return errPrivate.Error()
	case errors.As(err, &dns):
		return unreached + ": no address is known for its name"
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return fmt.Sprintf(unreached+": %s failed", op.Op)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return unreached + ": " + u.Err.Error()
	}
	return unreached
}

// statusWords says what a status means where it is neither an answer nor "not
// there".
func statusWords(resp *http.Response, now time.Time) string {
	switch code := resp.StatusCode; {
	case code >= 200 && code < 300, code == http.StatusNotFound, code == http.StatusGone, code == http.StatusUnavailableForLegalReasons:
		return ""
	case code == http.StatusUnauthorized:
		return "it answered 401: it wants a sign-in"
	case code == http.StatusForbidden:
		return "it answered 403: it refuses to say"
	case code == http.StatusProxyAuthRequired:
		return "it answered 407: a proxy wants a sign-in"
	case code == http.StatusTooManyRequests:
		if wait, said := retryAfter(resp.Header, now); said {
			return fmt.Sprintf("it answered 429: too many requests, ask again in %s", wait.Round(time.Second))
		}
		return "it answered 429: too many requests"
	case code >= 500:
		return fmt.Sprintf("it answered %d: it is out of order", code)
	default:
		return fmt.Sprintf("it answered %d", code)
	}
}
