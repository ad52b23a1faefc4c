package jobs

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Kind is a kind of work.
type Kind string

// The kinds of work.
const (
	// Backfill reads all of a repository's history, from where it stopped.
	Backfill Kind = "backfill"
	// Update reads what changed in a repository; it backfills first where that
	// was never done.
	Update Kind = "update"
	// Refetch reads one pull request again; the item is its number.
	Refetch Kind = "refetch"
	// Reconcile compares a repository's totals with what is stored, and mends.
	Reconcile Kind = "reconcile"
	// Repositories lists an organisation's repositories and asks for their
	// updates.
	Repositories Kind = "repositories"
	// Teams reads who belongs to an organisation's teams.
	Teams Kind = "teams"
	// Exposure reads what GitHub itself says of the use of assistants in an
	// organisation, as far as the credentials allow.
	Exposure Kind = "exposure"
	// Scan lints a tree into the history of findings; the item is the tree, the
	// subject the repository's name.
	Scan Kind = "scan"
	// Place recomputes which team each pull request belongs to.
	Place Kind = "place"
)

// exclusive reports whether only one task of these kinds may run on a subject
// at a time: they move the same cursor. A refetch moves none, and what is older
// than what is stored changes nothing, so it never has to wait.
func (k Kind) exclusive() bool {
	switch k {
	case Backfill, Update, Reconcile:
		return true
	}
	return false
}

// Key names a task.
type Key struct {
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"`
	Item    string `json:"item,omitempty"`
}

// String is "update acme/payments" or "refetch acme/payments#12".
func (k Key) String() string {
	s := string(k.Kind)
	if k.Subject != "" {
		s += " " + k.Subject
	}
	if k.Kind == Refetch {
		return s + "#" + k.Item
	}
	if k.Item != "" && k.Item != k.Subject {
		s += " (" + k.Item + ")"
	}
	return s
}

// State says where a task is.
type State string

// The states of a task.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether nothing more happens to a task until it is asked for
// again.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// Progress is how far a task is. Total is 0 where it is not known.
type Progress struct {
	Phase       string `json:"phase,omitempty"` // in words: "pull requests", "commits"
	Done, Total int
	// Requests and Points are what it cost at GitHub so far in this run.
	Requests, Points int
	Skipped          int
	// Wait is how long GitHub's limit holds it up from now on.
	Wait time.Duration
	// Note is what a person should know: what was skipped, what was retried.
	Note string
}

// Task is a piece of work as its row says. All times are UTC, zero for never.
type Task struct {
	Key
	State State `json:"state"`
	Progress
	// Worker is the process that runs it or ran it last.
	Worker string
	// Cancel is set while it is being ended, Again where it was asked for anew
	// while it ran.
	Cancel, Again bool
	// Attempt counts the failures since it was asked for; Error is the last
	// one, and Next when it is tried again.
	Attempt int
	Error   string
	Next    time.Time

	Asked, Started, Finished, Beat time.Time
	// Succeeded is when its last successful run started.
	Succeeded time.Time
	WaitUntil time.Time
}

// Work does one kind of work. It returns when ctx ends, having kept what it
// did, so that the next call goes on from there; an error that no later call
// can mend is marked with [Permanent]. report may be called at any time from
// any goroutine and never blocks.
type Work func(ctx context.Context, k Key, report func(Progress)) error

// Permanent marks an error that trying again will not mend.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

func isPermanent(err error) bool {
	var p *permanentError
	return errors.As(err, &p)
}

// maxError bounds what is kept of an error.
const maxError = 2000

// clip makes a text fit for a row: bounded, and valid on both engines.
func clip(s string, most int) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "�")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
