package admin

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// scrapeTimeout bounds what a scrape reads from the database.
const scrapeTimeout = 10 * time.Second

// Sources are read at each scrape. Each may be nil; what fails is left out of
// the scrape and shows as 0 in steelyard_source_up.
type Sources struct {
	Version string
	// Tasks says how many jobs there are, by kind and state.
	Tasks func(context.Context) ([]Tasks, error)
	// GitHub says what GitHub allows and what was used.
	GitHub func() GitHub
	// DatabaseBytes is the size of the database.
	DatabaseBytes func(context.Context) (int64, error)
	// Reports says how many reports were taken from the cache and how many
	// were made.
	Reports func() (kept, made uint64)
}

// Tasks is a number of jobs.
type Tasks struct {
	Kind, State string
	Number      int
}

// GitHub is what GitHub allows and what was used, by this process.
type GitHub struct {
	Allowances  []Allowance
	Requests    int
	NotModified int
	Waited      time.Duration
}

// Allowance is one of GitHub's hourly limits.
type Allowance struct {
	Resource         string // rest, graphql
	Known            bool
	Limit, Remaining int
	Reset            time.Time
	Spent            int
}

var (
	descBuild     = desc("build_info", "The build, always 1.", "version")
	descUp        = desc("source_up", "Whether what the numbers come from could be read.", "source")
	descTasks     = desc("tasks", "Jobs in the database, by kind and state.", "kind", "state")
	descLimit     = desc("github_limit", "GitHub's hourly limit: requests, or points for graphql.", "resource")
	descRemaining = desc("github_remaining", "What is left of GitHub's hourly limit.", "resource")
	descReset     = desc("github_reset_timestamp_seconds", "When GitHub's limit starts anew.", "resource")
	descSpent     = desc("github_spent_total", "What this process used of GitHub's limits.", "resource")
	descRequests  = desc("github_requests_total", "Requests that this process sent to GitHub.")
	descUnchanged = desc("github_not_modified_total", "Requests that GitHub answered with not modified, at no cost.")
	descWaited    = desc("github_waited_seconds_total", "The time that this process waited for GitHub's limits.")
	descDatabase  = desc("database_bytes", "The size of the database.")
	descReports   = desc("reports_total", "Reports that were asked for: kept ones were in the cache, made ones were computed.", "how")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("steelyard_"+name, help, labels, nil)
}

// collector reads the sources for one scrape.
type collector struct {
	Sources
	scrape context.Context
}

// Describe leaves the names open, as the sources decide what there is.
func (c *collector) Describe(ch chan<- *prometheus.Desc) { ch <- descBuild }

// Collect reads the sources.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	ctx, done := context.WithTimeout(c.scrape, scrapeTimeout)
	defer done()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	up := func(source string, err error) {
		v := 1.0
		if err != nil {
			v = 0
		}
		gauge(descUp, v, source)
	}
	gauge(descBuild, 1, c.Version)
	if c.Tasks != nil {
		all, err := c.Tasks(ctx)
		up("tasks", err)
		for _, t := range all {
			gauge(descTasks, float64(t.Number), t.Kind, t.State)
		}
	}
	if c.DatabaseBytes != nil {
		n, err := c.DatabaseBytes(ctx)
		up("database", err)
		if err == nil {
			gauge(descDatabase, float64(n))
		}
	}
	if c.Reports != nil {
		kept, made := c.Reports()
		counter(descReports, float64(kept), "kept")
		counter(descReports, float64(made), "made")
	}
	if c.GitHub != nil {
		g := c.GitHub()
		counter(descRequests, float64(g.Requests))
		counter(descUnchanged, float64(g.NotModified))
		counter(descWaited, g.Waited.Seconds())
		for _, a := range g.Allowances {
			counter(descSpent, float64(a.Spent), a.Resource)
			if a.Known {
				gauge(descLimit, float64(a.Limit), a.Resource)
				gauge(descRemaining, float64(a.Remaining), a.Resource)
				gauge(descReset, float64(a.Reset.Unix()), a.Resource)
			}
		}
	}
}
