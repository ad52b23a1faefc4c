package github

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// meter counts what is sent and knows what GitHub allows. An App has one
// allowance for each installation.
type meter struct {
	mu     sync.Mutex
	total  Budget
	states map[purse]*state
}

// purse is one hourly budget: whose, and of which interface.
type purse struct {
	who     string
	graphql bool
}

// state is what is known of one purse, in our own clock's time.
type state struct {
	until     time.Time
	secondary bool
}

func newMeter() *meter { return &meter{states: map[purse]*state{}} }

func (m *meter) budget() Budget {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

func (m *meter) sent(graphql bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Requests++
	if !graphql {
		m.total.REST.Spent++
	}
}

func (m *meter) notModified() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.NotModified++
	m.total.REST.Spent--
}

func (m *meter) waited(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Waited += d
}

// ahead notes how far our clock runs ahead of GitHub's.
func (m *meter) ahead(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Ahead = d
}

// points notes what GitHub says a GraphQL request cost.
func (m *meter) points(cost int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.GraphQL.Spent += cost
}

// saw reads the allowance from an answer's headers. Resets are turned into our
// clock's time by GitHub's own Date, so that a clock that is wrong does not
// wait for ever.
func (m *meter) saw(who string, graphql bool, a *answer, now time.Time) {
	switch resource := a.header.Get("X-RateLimit-Resource"); {
	case graphql && resource != "" && resource != "graphql":
		return
	case !graphql && resource != "" && resource != "core":
		return
	}
	remaining, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining"))
	if err != nil {
		return
	}
	allowed, err := strconv.Atoi(a.header.Get("X-RateLimit-Limit"))
	reset, ok := unixSeconds(a.header.Get("X-RateLimit-Reset"))
	if err != nil || !ok {
		return
	}
	ours := now.Add(reset.Sub(a.at)).UTC()

	m.mu.Lock()
	defer m.mu.Unlock()
	into := &m.total.REST
	if graphql {
		into = &m.total.GraphQL
	}
	into.Known, into.Limit, into.Remaining, into.Reset = true, allowed, remaining, ours
	if remaining <= 0 && a.status != http.StatusNotModified {
		m.shut(purse{who, graphql}, ours.Add(margin), false)
	}
}

// close notes a limit that GitHub answered with.
func (m *meter) close(who string, graphql bool, l limit, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shut(purse{who, graphql}, now.Add(l.wait), l.secondary)
}

func (m *meter) shut(p purse, until time.Time, secondary bool) {
	s := m.states[p]
	if s == nil {
		s = &state{}
		m.states[p] = s
	}
	if until.After(s.until) {
		s.until, s.secondary = until, secondary
	}
}

// open ends a limit that was waited for, whatever the clock says by then: one
// that was set back must not make the wait begin anew.
func (m *meter) open(who string, graphql bool, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.states[purse{who, graphql}]; s != nil && !s.until.After(until) {
		s.until = time.Time{}
	}
}

// closed tells until when a purse is closed, in our time; a time that is not
// after now means that it is open.
func (m *meter) closed(who string, graphql bool, now time.Time) (until time.Time, secondary bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.states[purse{who, graphql}]
	if s == nil {
		return now, false
	}
	return s.until, s.secondary
}
