package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Counts is what a world was asked so far.
type Counts struct {
	Requests    int // all
	REST        int
	GraphQL     int
	Points      int // of GraphQL, counted as GitHub counts
	NotModified int // answered 304
	Faults      int // struck by a Fault
	Refused     int // over an hourly limit
}

// Request is one request as it came.
type Request struct {
	Method, Path  string // path with its query
	Operation     string // name of the GraphQL operation, empty for REST
	First         int    // size of the page of pull requests that it asks for
	Authorization string
	Header        http.Header
}

// allowance is an hourly limit.
type allowance struct {
	limit, used int
	reset       time.Time
	enforced    bool
	hidden      bool
}

// standardLimit is what an App of many repositories has.
const standardLimit = 12500

// Server is a world that listens.
type Server struct {
	URL    string
	World  *World
	server *http.Server
}

// Listen serves the world on a free port of this machine.
func (w *World) Listen() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	s := &Server{
		URL: "http://" + l.Addr().String(), World: w,
		server: &http.Server{Handler: w, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)},
	}
	go func() { _ = s.server.Serve(l) }()
	return s, nil
}

// Close stops listening and cuts what is under way.
func (s *Server) Close() error { return s.server.Close() }

// Counts is what the world was asked so far.
func (w *World) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts
}

// Watch calls f before each request is answered; f may change the world.
func (w *World) Watch(f func(Request)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watch = f
}

// Limit sets and enforces the hourly limits of REST and GraphQL. Zero is an
// Enterprise server without limits, which sends no headers about them.
func (w *World) Limit(rest, graphql int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for isGraphQL, n := range map[bool]int{false: rest, true: graphql} {
		w.limits[isGraphQL] = &allowance{limit: n, enforced: n > 0, hidden: n == 0}
	}
}

// ServeHTTP answers as api.github.com and as an Enterprise server
// (/api/v3, /api/graphql).
func (w *World) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	q := Request{Method: r.Method, Path: r.URL.RequestURI(), Authorization: r.Header.Get("Authorization"), Header: r.Header}
	if isGraphQLPath(r.URL.Path) {
		q.Operation, q.First = operationOf(body)
	}
	w.mu.Lock()
	watch := w.watch
	w.counts.Requests++
	if q.Operation != "" {
		w.counts.GraphQL++
	} else {
		w.counts.REST++
	}
	w.mu.Unlock()
	if watch != nil {
		watch(q)
	}
	out.Header().Set("Date", w.now().Format(http.TimeFormat))
	out.Header().Set("Server", "githubtest")
	if f := w.strikes(q); f != nil && w.fail(f, out, r) {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.route(out, r)
}

func isGraphQLPath(path string) bool { return path == "/graphql" || path == "/api/graphql" }

// operationOf tells a GraphQL request's operation and page size.
func operationOf(body []byte) (string, int) {
	var asked struct {
		OperationName string `json:"operationName"`
		Variables     struct {
			First int  `json:"first"`
			Pulls bool `json:"pulls"`
		} `json:"variables"`
	}
	if json.Unmarshal(body, &asked) != nil || asked.OperationName == "" {
		return "anonymous", 0
	}
	if asked.OperationName == "Page" && !asked.Variables.Pulls {
		return asked.OperationName, 0
	}
	return asked.OperationName, asked.Variables.First
}

// route checks who asks and what is left, and answers.
func (w *World) route(out http.ResponseWriter, r *http.Request) {
	graphql := isGraphQLPath(r.URL.Path)
	if !w.admits(out, r) {
		return
	}
	if graphql {
		w.serveGraphQL(out, r)
		return
	}
	if !w.spend(out, false, 1) {
		return
	}
	w.serveREST(out, r)
}

// spend takes from an hourly limit and says in headers what is left. It
// answers by itself where nothing is.
func (w *World) spend(out http.ResponseWriter, graphql bool, cost int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.limits[graphql]
	if a.hidden {
		return true
	}
	now := w.now()
	if !now.Before(a.reset) {
		a.used, a.reset = 0, now.Add(time.Hour)
	}
	refused := a.enforced && a.used+cost > a.limit
	if !refused {
		a.used += cost
	}
	left := a.limit - a.used
	if refused {
		left = 0
	} else if !a.enforced {
		left = max(left, 1)
	}
	h := out.Header()
	h.Set("X-RateLimit-Limit", itoa(a.limit))
	h.Set("X-RateLimit-Used", itoa(a.limit-left))
	h.Set("X-RateLimit-Remaining", itoa(left))
	h.Set("X-RateLimit-Reset", unix(a.reset))
	h.Set("X-RateLimit-Resource", map[bool]string{false: "core", true: "graphql"}[graphql])
	if !refused {
		return true
	}
	w.counts.Refused++
	if graphql {
		text(out, http.StatusOK, `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`)
	} else {
		text(out, http.StatusForbidden, `{"message":"API rate limit exceeded for user ID 1.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}`)
	}
	return false
}

// giveBack undoes the cost of an answer that turns out to be a 304.
func (w *World) giveBack() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts.NotModified++
	if a := w.limits[false]; a.used > 0 {
		a.used--
	}
}

// give sends a value as JSON with its ETag, or a 304 where the reader has it.
func (w *World) give(out http.ResponseWriter, r *http.Request, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		text(out, http.StatusInternalServerError, `{"message":"Server Error"}`)
		return
	}
	w.giveBytes(out, r, status, "application/json; charset=utf-8", body)
}

func (w *World) giveBytes(out http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h := fnv.New64a()
	_, _ = h.Write(body)
	_, _ = io.WriteString(h, out.Header().Get("Link"))
	etag := fmt.Sprintf(`W/"%x"`, h.Sum64())
	out.Header().Set("ETag", etag)
	if status == http.StatusOK && r.Header.Get("If-None-Match") == etag {
		w.giveBack()
		out.WriteHeader(http.StatusNotModified)
		return
	}
	out.Header().Set("Content-Type", kind)
	out.WriteHeader(status)
	_, _ = out.Write(body)
}

// text sends a body of JSON as it is.
func text(out http.ResponseWriter, status int, body string) {
	out.Header().Set("Content-Type", "application/json; charset=utf-8")
	out.WriteHeader(status)
	_, _ = io.WriteString(out, body)
}

func notFound(out http.ResponseWriter) {
	text(out, http.StatusNotFound, `{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}`)
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

func itoa(n int) string                { return strconv.Itoa(n) }
func unix(t time.Time) string          { return strconv.FormatInt(t.Unix(), 10) }
func seconds(d time.Duration) string   { return strconv.Itoa(int(d.Round(time.Second) / time.Second)) }
func hasPrefix(path, with string) bool { return strings.HasPrefix(path, with) }
