package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// defaultPatience is how long a page waits for reports before it shows how far
// they are.
const defaultPatience = 3 * time.Second

// soon asks for something that may have to be computed first. It is late where
// that takes longer than a reader should wait without a word; the computation
// goes on.
func soon[T any](ctx context.Context, patience time.Duration, ask func(context.Context) (T, error)) (v T, late bool, err error) {
	short, cancel := context.WithTimeout(ctx, cmp.Or(patience, defaultPatience))
	defer cancel()
	v, err = ask(short)
	late = errors.Is(err, context.DeadlineExceeded) && short.Err() != nil && ctx.Err() == nil
	return v, late, err
}

// computingView is the page that stands where a report is not there yet.
type computingView struct {
	Title string
	// Here is the page's own address, which is asked for again.
	Here    string
	Heading string
	Tasks   []taskView
}

// computing answers where a page's reports are still being computed.
func (d *dashboard) computing(c echo.Context, title string) error {
	p, err := d.progress(c.Request().Context())
	if err != nil {
		return err
	}
	v := computingView{Title: title, Here: c.Request().URL.RequestURI(), Heading: "Reports are being computed"}
	if p.Total > 0 {
		v.Heading = metrics.FormatCount(p.Done) + " of " + some(p.Total, "report") + pick(p.Done, " is", " are") + " there"
	}
	for _, t := range computationTasks(p) {
		v.Tasks = append(v.Tasks, newTaskView(t))
	}
	s := d.shell("Being computed", "/")
	s.Refresh = true
	c.Response().Header().Set("Retry-After", "2")
	return d.render(c, http.StatusAccepted, computingPage(s, v))
}

// progress says how far reports are; nothing is known where the reports do not
// say.
func (d *dashboard) progress(ctx context.Context) (metrics.Progress, error) {
	says, ok := d.Reports.(metrics.Computing)
	if !ok {
		return metrics.Progress{}, nil
	}
	p, err := says.Computing(ctx)
	if err != nil {
		return p, fmt.Errorf("read how far reports are: %w", err)
	}
	return p, nil
}

// computationTasks are the reports that are being computed, as work under way.
func computationTasks(p metrics.Progress) []Task {
	var out []Task
	for _, c := range p.Running {
		t := Task{Name: "Compute the report on " + c.Pilot, State: TaskRunning, Phase: "reading the data", Done: c.Done, Total: c.Total}
		if c.Total > 0 {
			t.Phase = "metrics measured"
		}
		out = append(out, t)
	}
	return out
}
