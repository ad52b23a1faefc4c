package admin

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Meters count what the program does.
type Meters struct {
	registry *prometheus.Registry
	sources  Sources
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	runs     *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

// NewMeters returns meters that also read what stands in sources.
func NewMeters(s Sources) *Meters {
	m := &Meters{
		registry: prometheus.NewRegistry(),
		sources:  s,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "steelyard_http_requests_total", Help: "Requests that were answered, by face (dashboard, mcp), method and status.",
		}, []string{"face", "method", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "steelyard_http_request_seconds", Help: "How long answers took, by face.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 1.5, 2.5, 5, 10, 30},
		}, []string{"face"}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "steelyard_task_runs_total", Help: "Jobs that ended in this process, by kind and how they ended.",
		}, []string{"kind", "state"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "steelyard_task_seconds", Help: "How long jobs took that ended in this process, by kind.",
			Buckets: []float64{.1, .5, 1, 5, 15, 60, 300, 900, 3600, 14400},
		}, []string{"kind"}),
	}
	m.registry.MustRegister(
		m.requests, m.seconds, m.runs, m.took,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// JobEnded counts a job that ended in this process.
func (m *Meters) JobEnded(kind, state string, took time.Duration) {
	m.runs.WithLabelValues(kind, state).Inc()
	m.took.WithLabelValues(kind).Observe(took.Seconds())
}

// Requests counts what next answers, under the name of a face.
func (m *Meters) Requests(face string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.requests.WithLabelValues(face, method(r.Method), strconv.Itoa(rec.status)).Inc()
			m.seconds.WithLabelValues(face).Observe(time.Since(start).Seconds())
		}()
		next.ServeHTTP(rec, r)
	})
}

// method bounds the names that anybody can send.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodDelete:
		return m
	}
	return "other"
}

// recorder remembers the status.
type recorder struct {
	http.ResponseWriter
	status int
}

func (w *recorder) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements [http.Flusher] for handlers that ask for no more.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// handler writes the counters, and what the sources say at this moment.
func (m *Meters) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read := prometheus.NewRegistry()
		read.MustRegister(&collector{m.sources, r.Context()})
		promhttp.HandlerFor(prometheus.Gatherers{m.registry, read}, promhttp.HandlerOpts{
			ErrorHandling: promhttp.ContinueOnError,
		}).ServeHTTP(w, r)
	})
}
