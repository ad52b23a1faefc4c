package web

import (
	"sync"

	"steelyard/metrics"
)

// maxDrawn bounds the metrics whose drawings are kept; one has up to half a
// megabyte.
const maxDrawn = 48

// album keeps what is drawn of reports for as long as a pilot has the same one:
// a report never changes, and what is drawn of it depends on nothing else.
type album struct {
	mu     sync.Mutex
	pilots map[string]*drawnPilot // by pilot id
	n      int                    // metrics in all of them
}

type drawnPilot struct {
	report  *metrics.Report
	view    pilotView
	metrics map[int]metricView // by place in the report
}

// page is the view of a report for a page. Its lists are shared and must not be
// changed.
func (k *album) page(r *metrics.Report) pilotView {
	k.mu.Lock()
	p := k.pilots[r.Definition.Pilot.ID]
	k.mu.Unlock()
	if p != nil && p.report == r {
		return p.view
	}
	view := newPilotView(r, true)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.of(r, view)
	return view
}

// metric is the view of a report's i-th metric for a page, shared likewise.
func (k *album) metric(r *metrics.Report, i int) metricView {
	k.mu.Lock()
	var view metricView
	var ok bool
	if p := k.pilots[r.Definition.Pilot.ID]; p != nil && p.report == r {
		view, ok = p.metrics[i]
	}
	k.mu.Unlock()
	if ok {
		return view
	}
	page := k.page(r)
	view = newMetricView(r, &r.Metrics[i], true)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.n >= maxDrawn {
		k.pilots, k.n = nil, 0
	}
	p := k.of(r, page)
	if _, there := p.metrics[i]; !there {
		p.metrics[i] = view
		k.n++
	}
	return view
}

// of is what is kept of a report, in place of what was kept of the pilot's last
// one.
func (k *album) of(r *metrics.Report, view pilotView) *drawnPilot {
	id := r.Definition.Pilot.ID
	p := k.pilots[id]
	if p != nil && p.report == r {
		return p
	}
	if p != nil {
		k.n -= len(p.metrics)
	}
	if k.pilots == nil || len(k.pilots) >= maxDrawn {
		k.pilots, k.n = map[string]*drawnPilot{}, 0
	}
	p = &drawnPilot{report: r, view: view, metrics: map[int]metricView{}}
	k.pilots[id] = p
	return p
}
