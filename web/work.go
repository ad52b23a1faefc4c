package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// Work is the long work that is under way, waits, or ended badly.
type Work struct {
	Tasks []Task
	// Budget is what GitHub still allows; empty where this process asks GitHub
	// nothing.
	Budget []Allowance
}

// Task is one piece of long work. Times are UTC, zero for never.
type Task struct {
	// Name says what it does in words: "Read all of acme/payments".
	Name  string
	State TaskState
	// Phase is what it is at ("pull requests"), Done of Total how far; Total is
	// 0 where it is not known.
	Phase       string
	Done, Total int
	// Note is what a person should know, Error how it failed last.
	Note, Error                string
	Asked, Started, Finished   time.Time
	Next, WaitUntil, Succeeded time.Time
}

// TaskState says where a task is.
type TaskState string

// The states of a task that a page shows.
const (
	TaskRunning TaskState = "running"
	TaskWaiting TaskState = "waiting"
	TaskFailed  TaskState = "failed"
	TaskDone    TaskState = "done"
)

// Allowance is what GitHub still allows of one resource until Reset.
type Allowance struct {
	Resource         string
	Remaining, Limit int
	Reset            time.Time
}

// workView is the progress of long work.
type workView struct {
	Known   bool
	Heading string
	Tasks   []taskView
	// More is how many waiting tasks are not shown.
	More   int
	Budget []Allowance
	// Live is true while something runs or waits: the page asks again.
	Live bool
}

type taskView struct {
	Task
	Percent int // 0 where the whole is not known
	Far     string
}

// maxTasks bounds what one page shows.
const maxTasks = 40

// work reads the tasks that a person would want to know of.
func (d *dashboard) work(ctx context.Context) (workView, error) {
	p, err := d.progress(ctx)
	if err != nil {
		return workView{}, err
	}
	if d.Work == nil && len(p.Running) == 0 {
		return workView{}, nil
	}
	var w Work
	if d.Work != nil {
		if w, err = d.Work(ctx); err != nil {
			return workView{}, fmt.Errorf("read long work: %w", err)
		}
	}
	w.Tasks = append(computationTasks(p), w.Tasks...)
	v := workView{Known: true, Budget: w.Budget}
	n := map[TaskState]int{}
	for _, t := range w.Tasks {
		n[t.State]++
		if t.State == TaskDone {
			continue
		}
		if len(v.Tasks) == maxTasks {
			v.More++
			continue
		}
		v.Tasks = append(v.Tasks, newTaskView(t))
	}
	v.Live = n[TaskRunning]+n[TaskWaiting] > 0
	v.Heading = workHeading(n)
	return v, nil
}

func newTaskView(t Task) taskView {
	v := taskView{Task: t}
	switch {
	case t.Total > 0:
		v.Percent = min(100, 100*t.Done/t.Total)
		v.Far = fmt.Sprintf("%s of %s %s", metrics.FormatCount(t.Done), metrics.FormatCount(t.Total), t.Phase)
	case t.Done > 0:
		v.Far = metrics.FormatCount(t.Done) + " " + t.Phase
	default:
		v.Far = t.Phase
	}
	v.Far = strings.TrimSpace(v.Far)
	return v
}

func workHeading(n map[TaskState]int) string {
	var parts []string
	for _, s := range []struct {
		state     TaskState
		one, many string
	}{
		{TaskRunning, "one job runs", " jobs run"}, {TaskWaiting, "one waits", " wait"}, {TaskFailed, "one failed", " failed"},
	} {
		switch k := n[s.state]; {
		case k == 1:
			parts = append(parts, s.one)
		case k > 1:
			parts = append(parts, count(k)+s.many)
		}
	}
	if len(parts) == 0 {
		return "Nothing is under way"
	}
	return capital(list(parts))
}

// workPart serves the progress alone, which the script asks for again and
// again; without a script the whole page is asked for.
func (d *dashboard) workPart(c echo.Context) error {
	v, err := d.work(c.Request().Context())
	if err != nil {
		return err
	}
	if !v.Known {
		return echo.ErrNotFound
	}
	s := d.shell("Work under way", "/data")
	s.Refresh = v.Live
	return d.render(c, http.StatusOK, workPage(s, v))
}

// poll is what the script asks for again; empty ends it.
func poll(v workView) string {
	if v.Live {
		return "/data/work"
	}
	return ""
}
