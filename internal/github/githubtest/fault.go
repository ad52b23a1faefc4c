package githubtest

import (
	"net/http"
	"strings"
	"time"
)

// FaultKind is a way in which GitHub fails.
type FaultKind string

// The ways, each as it really arrives.
const (
	PrimaryLimit        FaultKind = "403 with nothing left until a reset"
	SecondaryForbidden  FaultKind = "403 secondary limit, Retry-After in seconds"
	SecondaryTooMany    FaultKind = "429 secondary limit, Retry-After in seconds"
	SecondaryDate       FaultKind = "429 secondary limit, Retry-After as a date"
	SecondaryWords      FaultKind = "403 secondary limit, in words alone"
	TooManyBare         FaultKind = "429 without any header"
	ServerError         FaultKind = "500"
	BadGateway          FaultKind = "502"
	Unavailable         FaultKind = "503"
	GatewayTimeout      FaultKind = "504"
	CutConnection       FaultKind = "a connection that is cut in the middle of the answer"
	TruncatedJSON       FaultKind = "JSON that ends too early"
	NotJSON             FaultKind = "a page of HTML with 200"
	GraphQLError        FaultKind = "a GraphQL error without data in a 200"
	GraphQLRateLimited  FaultKind = "RATE_LIMITED in a 200"
	GraphQLBlocked      FaultKind = "a server without GraphQL"
	BadCredentials      FaultKind = "401"
	Forbidden           FaultKind = "403 for these credentials"
	Slow                FaultKind = "an answer that takes long"
	RedirectToElsewhere FaultKind = "a redirect to another host"
)

// Interface chooses which requests a fault strikes.
type Interface int

// The interfaces.
const (
	Any Interface = iota
	REST
	GraphQL
)

// Fault is a failure that is to come.
type Fault struct {
	Kind FaultKind
	On   Interface
	// Match, if set, must be in the path or, for GraphQL, the operation's name.
	Match string
	// After lets this many requests pass first.
	After int
	// Times is how many requests fail: 0 is one, negative all from then on.
	Times int
	// Wait is what limits ask for and how long a slow answer takes; 0 is
	// 30 seconds for limits.
	Wait time.Duration
	// Above strikes only GraphQL pages of more pull requests than this.
	Above int
	// To is where a redirect leads.
	To string
}

// Fail arranges a failure. Failures strike in the order in which they were
// arranged, one for each request.
func (w *World) Fail(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, &f)
}

// Heal takes back all failures that have not struck.
func (w *World) Heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = nil
}

// Breakage is how one pull request cannot be read.
type Breakage int

// The breakages.
const (
	Whole Breakage = iota
	// NullNode: GraphQL gives null for it in a page, with an error beside it;
	// asked for alone it comes.
	NullNode
	// NoGraphQL: GraphQL never gives it, REST does.
	NoGraphQL
	// Unreadable: nothing gives it.
	Unreadable
	// NullField: its merge commit and its files come as null with an error.
	NullField
	// Overload: every GraphQL request with it ends in a 502.
	Overload
)

// Break makes a pull request unreadable.
func (w *World) Break(name string, number int, how Breakage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mustPull(name, number).broken = how
}

// strikes takes the fault that hits a request, if any.
func (w *World) strikes(r Request) *Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, f := range w.faults {
		if !f.hits(r) {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				w.faults = append(w.faults[:i:i], w.faults[i+1:]...)
			}
		}
		w.counts.Faults++
		return f
	}
	return nil
}

func (f *Fault) hits(r Request) bool {
	graphql := r.Operation != ""
	switch {
	case f.On == REST && graphql, f.On == GraphQL && !graphql:
		return false
	case f.Above > 0 && r.First <= f.Above:
		return false
	}
	return f.Match == "" || strings.Contains(r.Path, f.Match) || strings.Contains(r.Operation, f.Match)
}

const secondaryText = `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`

// fail answers with a fault. It reports false where the request is answered as
// usual after all (a slow answer).
func (w *World) fail(f *Fault, out http.ResponseWriter, r *http.Request) bool {
	wait := f.Wait
	if wait == 0 {
		wait = 30 * time.Second
	}
	h := out.Header()
	switch f.Kind {
	case Slow:
		select {
		case <-time.After(f.Wait):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		return false
	case PrimaryLimit:
		h.Set("X-RateLimit-Limit", "5000")
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", unix(w.now().Add(wait)))
		text(out, http.StatusForbidden, `{"message":"API rate limit exceeded for user ID 1.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}`)
	case SecondaryForbidden:
		h.Set("Retry-After", seconds(wait))
		text(out, http.StatusForbidden, secondaryText)
	case SecondaryTooMany:
		h.Set("Retry-After", seconds(wait))
		text(out, http.StatusTooManyRequests, secondaryText)
	case SecondaryDate:
		h.Set("Retry-After", w.now().Add(wait).Format(http.TimeFormat))
		text(out, http.StatusTooManyRequests, secondaryText)
	case SecondaryWords:
		text(out, http.StatusForbidden, secondaryText)
	case TooManyBare:
		text(out, http.StatusTooManyRequests, `{"message":"Too many requests"}`)
	case ServerError:
		text(out, http.StatusInternalServerError, `{"message":"Server Error"}`)
	case BadGateway:
		text(out, http.StatusBadGateway, `{"message":"Server Error"}`)
	case Unavailable:
		text(out, http.StatusServiceUnavailable, `{"message":"Service unavailable"}`)
	case GatewayTimeout:
		text(out, http.StatusGatewayTimeout, `{"message":"We couldn't respond to your request in time. Sorry about that."}`)
	case NotJSON:
		h.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = out.Write([]byte("<html><body>Please sign in</body></html>"))
	case GraphQLError:
		text(out, http.StatusOK, `{"data":null,"errors":[{"message":"Something went wrong while executing your query. Please include the request id when reporting this issue."}]}`)
	case GraphQLRateLimited:
		h.Set("X-RateLimit-Limit", "5000")
		h.Set("X-RateLimit-Remaining", "0")
		h.Set("X-RateLimit-Reset", unix(w.now().Add(wait)))
		text(out, http.StatusOK, `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`)
	case GraphQLBlocked:
		text(out, http.StatusNotFound, `{"message":"Not Found"}`)
	case BadCredentials:
		text(out, http.StatusUnauthorized, `{"message":"Bad credentials"}`)
	case Forbidden:
		text(out, http.StatusForbidden, `{"message":"Resource not accessible by integration"}`)
	case RedirectToElsewhere:
		h.Set("Location", f.To)
		text(out, http.StatusMovedPermanently, `{"message":"Moved Permanently"}`)
	case CutConnection, TruncatedJSON:
		return w.cut(f, out, r)
	}
	return true
}

// cut sends half of the real answer.
func (w *World) cut(f *Fault, out http.ResponseWriter, r *http.Request) bool {
	kept := &recorder{header: http.Header{}, status: http.StatusOK}
	w.route(kept, r)
	half := kept.body.Bytes()[:kept.body.Len()/2]
	for name, values := range kept.header {
		out.Header()[name] = values
	}
	if f.Kind == TruncatedJSON {
		out.Header().Set("Content-Length", itoa(len(half)))
		out.WriteHeader(kept.status)
		_, _ = out.Write(half)
		return true
	}
	out.Header().Set("Content-Length", itoa(kept.body.Len()))
	out.WriteHeader(kept.status)
	_, _ = out.Write(half)
	panic(http.ErrAbortHandler)
}
