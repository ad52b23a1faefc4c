package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// Options says how GitHub is reached. One of Token and App is needed for
// anything but public data on github.com.
type Options struct {
	// Token is a fine-grained or classic personal token.
	Token string
	// App reads as an installed GitHub App instead.
	App *App
	// BaseURL is the address of a GitHub Enterprise Server
	// ("https://github.example.com"); empty for github.com. It must be https,
	// except on a loopback address.
	BaseURL string
	// Transport carries the requests; nil for the standard one.
	Transport http.RoundTripper
	// Clock tells the time; nil for the machine's.
	Clock func() time.Time
	// Sleep waits, or returns the context's error; nil for a timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// MaxWait bounds one wait for a limit; 0 is 70 minutes, which covers a
	// whole hourly budget. A longer one is a [*LimitError].
	MaxWait time.Duration
	// Retries bounds how often one request is asked again after a fault;
	// 0 is 6, negative is none.
	Retries int
	// Timeout bounds one attempt; 0 is a minute.
	Timeout time.Duration
	// Seed makes the spread of waits the same again; 0 takes it from the clock,
	// so that two processes do not ask again at the same moments.
	Seed uint64
	// Notify, if set, hears of every wait, retry and halved page, from the
	// goroutine that asks.
	Notify func(Notice)
}

// App is a GitHub App and the key it signs with.
type App struct {
	ID int64
	// Installation is the installation's id; 0 looks it up by the owner of
	// what is read.
	Installation int64
	// Key is the RSA private key in PEM form, as GitHub hands it out.
	Key []byte
}

// Notice is what a person who watches a run may want to see.
type Notice struct {
	Kind   NoticeKind
	Wait   time.Duration // how long it waits, for limits and retries
	Until  time.Time     // when it goes on
	Size   int           // new page size, of a halved page
	Reason string        // in words
}

// NoticeKind is the kind of a [Notice].
type NoticeKind string

// The kinds of notices.
const (
	WaitingForLimit NoticeKind = "limit"  // GitHub asked to wait
	RetryingFault   NoticeKind = "retry"  // a fault, asked again
	HalvedPage      NoticeKind = "halved" // a page was too heavy
	SkippedItem     NoticeKind = "skipped"
)

// Budget is what GitHub allows, as far as it said, and what was used.
type Budget struct {
	REST, GraphQL Allowance
	// Requests counts all requests that were sent; NotModified the ones that
	// were answered 304 and cost nothing.
	Requests, NotModified int
	// Waited is the time spent waiting for limits.
	Waited time.Duration
	// Ahead is how far our clock runs ahead of GitHub's, by its last answer;
	// negative where it lags behind.
	Ahead time.Duration
}

// Allowance is one of GitHub's hourly limits. Known is false until GitHub has
// said it, and stays so on servers without limits.
type Allowance struct {
	Known            bool
	Limit, Remaining int
	Reset            time.Time
	Spent            int // by this client: requests, or GraphQL points
}

// Client reads GitHub. It is safe for concurrent use.
type Client struct {
	rest     *gh.Client   // go-github over exchange
	download *http.Client // report files on other hosts, without credentials
	exchange *exchange
	graphql  string // address
	app      *App

	mu    sync.Mutex
	sizes map[RepositoryRef]*pageSize // what a repository's pages could bear
}

var _ reads = (*Client)(nil)

// New returns a client. It sends nothing yet: credentials that GitHub does not
// accept show with the first request, as [ErrUnauthorized].
func New(o Options) (*Client, error) {
	if o.Token != "" && o.App != nil {
		return nil, errors.New("connect to GitHub: both a token and an App are given; keep one")
	}
	rest, graphql, err := addresses(o.BaseURL)
	if err != nil {
		return nil, err
	}
	x := newExchange(o, rest)
	switch {
	case o.App != nil:
		x.credentials, err = newAppCredentials(*o.App, x, rest)
	case o.Token != "":
		x.credentials, err = newToken(o.Token)
	default:
		x.credentials = nobody{}
	}
	if err != nil {
		return nil, err
	}
	return &Client{
		rest:     restClient(x, rest),
		download: &http.Client{Transport: x.base, Timeout: x.timeout, CheckRedirect: refuseRedirect},
		exchange: x, graphql: graphql.String(), app: o.App,
		sizes: map[RepositoryRef]*pageSize{},
	}, nil
}

// Budget is what GitHub allows and what was used, as of now.
func (c *Client) Budget() Budget { return c.exchange.meter.budget() }

// restClient is go-github over our own exchange. Redirects stay on the host:
// renamed repositories are found, credentials travel nowhere.
func restClient(rt http.RoundTripper, base *url.URL) *gh.Client {
	client := gh.NewClient(&http.Client{Transport: rt, CheckRedirect: sameHost(base)})
	client.BaseURL = base
	client.UserAgent = userAgent
	return client
}

const (
	userAgent    = "steelyard"
	maxRedirects = 5
)

// sameHost allows a few redirects of reading requests to the same scheme and
// host.
func sameHost(base *url.URL) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		switch {
		case len(via) > maxRedirects:
			return &AnswerError{Reason: "too many redirects"}
		case via[0].Method != http.MethodGet:
			return &AnswerError{Reason: "a redirect of a request that is not a plain read"}
		case r.URL.Host != base.Host || r.URL.Scheme != base.Scheme:
			return &AnswerError{Reason: fmt.Sprintf("a redirect to another host, %s, which is not followed; if GitHub moved there, name it as the base URL", r.URL.Host)}
		}
		return nil
	}
}

func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
