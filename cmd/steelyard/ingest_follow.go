package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
	"steelyard/metrics/jobs"
)

// How often the database is asked how far the jobs are, and how often a
// person is told of one that goes on.
const (
	lookEvery = 250 * time.Millisecond
	tellEvery = 5 * time.Second
)

// follower says how far jobs are until they have ended.
type follower struct {
	p     *program
	queue *jobs.Queue
	began time.Time

	keys []jobs.Key
	// organisations are those whose repositories' updates belong to it, too;
	// everything follows whatever is under way.
	organisations []string
	everything    bool

	tasks []jobs.Task // as they were last seen, in the order of the keys
	told  map[jobs.Key]telling
}

// telling is what was last said of a job.
type telling struct {
	line string
	at   time.Time
	mark string // what is said at once when it changes
}

func newFollower(p *program, q *jobs.Queue, keys []jobs.Key) *follower {
	return &follower{p: p, queue: q, keys: slices.Clone(keys), began: p.now().UTC().Truncate(time.Millisecond), told: map[jobs.Key]telling{}}
}

// follow returns once every job has ended. alive reports why nobody works on
// them any more.
func (f *follower) follow(ctx context.Context, alive func() error) error {
	for {
		over, err := f.look(ctx)
		if err != nil || over {
			return err
		}
		if err := alive(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// look reads the jobs, says what is new, and reports whether all have ended.
func (f *follower) look(ctx context.Context) (over bool, err error) {
	all, err := f.queue.Tasks(ctx)
	if err != nil {
		return false, err
	}
	byKey := map[jobs.Key]jobs.Task{}
	for _, t := range all {
		byKey[t.Key] = t
		if f.joins(t) && !slices.Contains(f.keys, t.Key) {
			f.keys = append(f.keys, t.Key)
		}
	}
	f.tasks, over = f.tasks[:0], true
	for _, k := range f.keys {
		t, known := byKey[k]
		if !known {
			continue
		}
		f.tasks = append(f.tasks, t)
		over = over && t.State.Ended()
		f.tell(t)
	}
	return over, nil
}

// joins reports whether a job belongs to what is followed.
func (f *follower) joins(t jobs.Task) bool {
	// One that was asked for since, and has ended between two looks, too.
	if t.State.Ended() && (f.everything || t.Asked.Before(f.began)) {
		return false
	}
	owner, _, _ := strings.Cut(t.Subject, "/")
	return f.everything || (t.Kind == jobs.Update || t.Kind == jobs.Backfill) &&
		slices.ContainsFunc(f.organisations, func(o string) bool { return strings.EqualFold(o, owner) })
}

// tell says how far a job is: changes at once, mere progress now and then.
func (f *follower) tell(t jobs.Task) {
	line, mark := describe(t, f.p.now())
	last := f.told[t.Key]
	if line == last.line || mark == last.mark && time.Since(last.at) < tellEvery {
		return
	}
	f.told[t.Key] = telling{line, time.Now(), mark}
	f.p.say("%s", line)
}

// describe is one line on a job, and the part of it whose change matters.
func describe(t jobs.Task, now time.Time) (line, mark string) {
	state := string(t.State)
	until, held := t.Held(now)
	switch {
	case held:
		state = fmt.Sprintf("waits for GitHub until %s", until.Format("15:04:05 MST"))
	case t.State == jobs.Running && t.Cancel:
		state = "is being cancelled"
	case t.State == jobs.Running && t.Phase != "":
		state = t.Phase
	case t.State == jobs.Waiting && !t.Next.IsZero():
		state = fmt.Sprintf("failed, tried again at %s", t.Next.Format("15:04:05 MST"))
	}
	parts := []string{t.String() + ": " + state}
	if far := far(t); far != "" {
		parts = append(parts, far)
	}
	mark = state + t.Note + t.Error
	line = strings.Join(parts, ", ")
	if why := t.Error; why != "" {
		line += ": " + why
	} else if t.Note != "" {
		line += " (" + t.Note + ")"
	}
	return line, mark
}

// far is how far a job is, and what that took.
func far(t jobs.Task) string {
	var parts []string
	switch {
	case t.Total > 0:
		parts = append(parts, fmt.Sprintf("%d of %d", t.Done, t.Total))
	case t.Done > 0:
		parts = append(parts, fmt.Sprint(t.Done))
	}
	if t.Requests > 0 {
		parts = append(parts, counted(t.Requests, "requests"))
	}
	if t.Points > 0 {
		parts = append(parts, counted(t.Points, "points"))
	}
	if t.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", t.Skipped))
	}
	return strings.Join(parts, ", ")
}

// cost is what a run used of GitHub, and what GitHub said is left of the hour;
// Left is nil where it said nothing.
type cost struct {
	Requests int       `json:"requests"`
	Points   int       `json:"points"`
	Left     *leftover `json:"left,omitempty"`
}

// leftover is what is left of GitHub's hourly points.
type leftover struct {
	Points int       `json:"points"`
	Limit  int       `json:"limit"`
	Until  time.Time `json:"until"`
}

func costOf(b github.Budget) cost {
	c := cost{Requests: b.Requests, Points: b.GraphQL.Spent + b.REST.Spent}
	if a := b.GraphQL; a.Known {
		c.Left = &leftover{Points: a.Remaining, Limit: a.Limit, Until: a.Reset.UTC()}
	}
	return c
}

// line says it to a person.
func (c cost) line() string {
	used := fmt.Sprintf("used %s and %s of GitHub's budget", counted(c.Requests, "requests"), counted(c.Points, "points"))
	if c.Left == nil {
		return used
	}
	return fmt.Sprintf("%s; %d of %d points are left until %s UTC", used, c.Left.Points, c.Left.Limit, c.Left.Until.Format("15:04"))
}

// taskJSON is a job as JSON has it.
type taskJSON struct {
	Kind     jobs.Kind  `json:"kind"`
	Subject  string     `json:"subject"`
	Item     string     `json:"item,omitempty"`
	State    jobs.State `json:"state"`
	Phase    string     `json:"phase,omitempty"`
	Done     int        `json:"done"`
	Total    int        `json:"total"`
	Requests int        `json:"requests"`
	Points   int        `json:"points"`
	Skipped  int        `json:"skipped"`
	Note     string     `json:"note,omitempty"`
	Error    string     `json:"error,omitempty"`
	Asked    time.Time  `json:"asked"`
	Started  time.Time  `json:"started,omitzero"`
	Finished time.Time  `json:"finished,omitzero"`
}

// printTasks prints how jobs ended.
func (p *program) printTasks(all []jobs.Task, c cost, format string) error {
	if format == "json" {
		out := struct {
			Tasks []taskJSON `json:"tasks"`
			cost
		}{Tasks: []taskJSON{}, cost: c}
		for _, t := range all {
			out.Tasks = append(out.Tasks, taskJSON{
				t.Kind, t.Subject, t.Item, t.State, t.Phase, t.Done, t.Total, t.Requests, t.Points, t.Skipped,
				t.Note, t.Error, t.Asked, t.Started, t.Finished,
			})
		}
		return printJSON(p.stdout, out)
	}
	rows := [][]string{}
	for _, t := range all {
		rows = append(rows, []string{t.String(), string(t.State), far(t)})
	}
	if err := printColumns(p.stdout, rows); err != nil || c == (cost{}) {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, c.line())
	return err
}
