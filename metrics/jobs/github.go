package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"steelyard/internal/github"
	"steelyard/metrics/ingest/syncing"
)

// Syncer keeps what GitHub has current in the store. It is satisfied by
// [*syncing.Syncer].
type Syncer interface {
	Backfill(ctx context.Context, ref github.RepositoryRef) error
	Update(ctx context.Context, ref github.RepositoryRef) error
	Refetch(ctx context.Context, ref github.RepositoryRef, number int) error
	Reconcile(ctx context.Context, ref github.RepositoryRef) error
	Teams(ctx context.Context, org string) error
	Use(ctx context.Context, org string) error
	Place(ctx context.Context) error
}

// GitHub does the tasks that read GitHub. Its fields must be set before its
// first task; Notice may be given to a client before that.
type GitHub struct {
	// Syncer makes a syncer that reports to the given function.
	Syncer func(report func(syncing.Progress)) Syncer
	// List lists an organisation's repositories; Ask asks for them to be read.
	List func(ctx context.Context, org string) ([]github.Repository, error)
	Ask  func(ctx context.Context, repositories []string) error
	// Budget says what the client has used so far.
	Budget func() github.Budget

	mu      sync.Mutex
	running map[*watched]bool
}

// watched is a task that runs, as far as it reported.
type watched struct {
	report func(Progress)
	last   Progress
	before github.Budget // what the client had used when the task began
}

// Work is what this does, by kind.
func (g *GitHub) Work() map[Kind]Work {
	on := func(do func(Syncer, context.Context, github.RepositoryRef) error) Work {
		return g.work(func(ctx context.Context, s Syncer, k Key) error {
			ref, err := refOf(k.Subject)
			if err != nil {
				return err
			}
			return do(s, ctx, ref)
		})
	}
	return map[Kind]Work{
		Backfill:  on(Syncer.Backfill),
		Update:    on(Syncer.Update),
		Reconcile: on(Syncer.Reconcile),
		Refetch: g.work(func(ctx context.Context, s Syncer, k Key) error {
			ref, err := refOf(k.Subject)
			if err != nil {
				return err
			}
			number, err := strconv.Atoi(k.Item)
			if err != nil || number <= 0 {
				return Permanent(fmt.Errorf("%q is not the number of a pull request", k.Item))
			}
			return s.Refetch(ctx, ref, number)
		}),
		Teams:        g.work(func(ctx context.Context, s Syncer, k Key) error { return s.Teams(ctx, k.Subject) }),
		Exposure:     g.work(func(ctx context.Context, s Syncer, k Key) error { return s.Use(ctx, k.Subject) }),
		Place:        g.work(func(ctx context.Context, s Syncer, _ Key) error { return s.Place(ctx) }),
		Repositories: g.work(func(ctx context.Context, _ Syncer, k Key) error { return g.repositories(ctx, k.Subject) }),
	}
}

// refOf reads owner/name.
func refOf(s string) (github.RepositoryRef, error) {
	owner, name, ok := strings.Cut(s, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return github.RepositoryRef{}, Permanent(fmt.Errorf("%q is not OWNER/NAME", s))
	}
	return github.RepositoryRef{Owner: owner, Name: name}, nil
}

// work runs one task with a syncer of its own, whose reports it passes on.
func (g *GitHub) work(do func(ctx context.Context, s Syncer, k Key) error) Work {
	return func(ctx context.Context, k Key, report func(Progress)) error {
		w := &watched{report: report, before: g.Budget()}
		g.mu.Lock()
		if g.running == nil {
			g.running = map[*watched]bool{}
		}
		g.running[w] = true
		g.mu.Unlock()
		defer func() {
			g.mu.Lock()
			delete(g.running, w)
			g.mu.Unlock()
		}()
		return permanent(do(ctx, g.Syncer(func(p syncing.Progress) { g.progress(w, p) }), k))
	}
}

// permanent marks what only a person can mend.
func permanent(err error) error {
	for _, sentinel := range []error{github.ErrNotFound, github.ErrGone, github.ErrForbidden, github.ErrUnauthorized} {
		if errors.Is(err, sentinel) {
			return Permanent(err)
		}
	}
	return err
}

// progress passes on how far a task is. The client counts for the whole
// process; what it had used when the task began is taken off.
func (g *GitHub) progress(w *watched, p syncing.Progress) {
	g.mu.Lock()
	defer g.mu.Unlock()
	note := p.Note
	if note == "" {
		note = w.last.Note
	}
	w.last = Progress{
		Phase: p.Phase, Done: p.Done, Total: p.Total, Skipped: p.Skipped, Note: note,
		Requests: p.Requests - w.before.Requests, Points: p.Points - w.before.GraphQL.Spent - w.before.REST.Spent,
	}
	w.report(w.last)
}

// Notice shows, with every task that runs, what the client that they share has
// to say: that it waits for a limit, or asks again after a fault.
func (g *GitHub) Notice(n github.Notice) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for w := range g.running {
		now := w.last
		switch n.Kind {
		case github.WaitingForLimit, github.RetryingFault:
			now.Wait = n.Wait
			now.Note = n.Reason
		default:
			w.last.Note = n.Reason
			now.Note = n.Reason
		}
		w.report(now)
	}
}

// repositories asks for each repository of an organisation that is not
// archived.
func (g *GitHub) repositories(ctx context.Context, org string) error {
	all, err := g.List(ctx, org)
	if err != nil {
		return fmt.Errorf("list the repositories of %s: %w", org, err)
	}
	var names []string
	for _, r := range all {
		if !r.Archived {
			names = append(names, r.NameWithOwner)
		}
	}
	return g.Ask(ctx, names)
}

// Wanted lists the tasks that a delivery of a webhook asks for.
func Wanted(w github.Webhook) []Key {
	repository := w.Repository.NameWithOwner
	switch {
	case w.Event == "team" || w.Event == "membership" || w.Event == "organization":
		if w.Organization == "" {
			return nil
		}
		return []Key{{Kind: Teams, Subject: w.Organization}}
	case len(w.Added) > 0:
		var keys []Key
		for _, r := range w.Added {
			keys = append(keys, Key{Kind: Update, Subject: r.NameWithOwner})
		}
		return keys
	case repository == "":
		return nil
	case len(w.PullRequests) > 0:
		var keys []Key
		for _, n := range w.PullRequests {
			keys = append(keys, Key{Kind: Refetch, Subject: repository, Item: strconv.Itoa(n)})
		}
		return keys
	case w.Event == "push" && w.Branch != "" && w.Repository.DefaultBranch != "" && w.Branch != w.Repository.DefaultBranch:
		return nil // reverts are looked for on the default branch alone
	case w.Event == "push" || w.Event == "repository":
		return []Key{{Kind: Update, Subject: repository}}
	}
	return nil
}

// Held reports until when GitHub's limits hold a running task up; ok is false
// where they do not.
func (t Task) Held(now time.Time) (until time.Time, ok bool) {
	return t.WaitUntil, t.State == Running && t.WaitUntil.After(now)
}
