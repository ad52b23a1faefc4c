package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/migrations"
)

// Plan is what is to be kept current without anybody asking.
type Plan struct {
	// Repositories are "owner/name", Organisations logins: all repositories
	// of those are kept current. TeamsOf are the organisations whose teams are,
	// ExposureOf those whose use of assistants is.
	Repositories, Organisations, TeamsOf, ExposureOf []string
	// Every is the time between two updates of a repository.
	Every time.Duration
	// ReconcileHour is the hour of the day (UTC) after which a repository is
	// reconciled, once a day; teams, lists of repositories and the use of
	// assistants are read then too.
	ReconcileHour int
}

// What is kept of tasks and deliveries that are over.
const (
	keepTasks      = 90 * 24 * time.Hour
	keepRefetches  = 24 * time.Hour
	keepDeliveries = 7 * 24 * time.Hour
	// retryFailed is how long a regular task that failed is left alone, where
	// its turn comes sooner.
	retryFailed = time.Hour
)

// askDue asks for what is due. Nothing about it is kept in memory: any process
// may do it at any time, and asking twice is asking once.
func (q *Queue) askDue(ctx context.Context) error {
	if q.Plan == nil {
		return nil
	}
	plan, err := q.Plan(ctx)
	if err != nil {
		return fmt.Errorf("read what is due: %w", err)
	}
	var due []Key
	look := func(tx *sql.Tx) error {
		all, err := regular(ctx, tx)
		due = plan.due(all, q.now())
		return err
	}
	// Most rounds find nothing, and then nothing is written. What is found is
	// looked for again where nobody else can ask for it meanwhile.
	err = q.DB.View(ctx, look)
	if err == nil && len(due) > 0 {
		err = q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
			if err := look(tx); err != nil {
				return err
			}
			return q.ask(ctx, tx, due)
		})
	}
	if err != nil {
		return fmt.Errorf("ask for what is due: %w", err)
	}
	return nil
}

// regular reads the tasks that are asked for regularly.
func regular(ctx context.Context, tx *sql.Tx) ([]row, error) {
	return rows(ctx, tx, `WHERE kind IN ($1, $2, $3, $4, $5, $6)`, Backfill, Update, Reconcile, Repositories, Teams, Exposure)
}

// AskRepositories asks for repositories to be read: for their history where
// that was never done, else for what changed.
func (q *Queue) AskRepositories(ctx context.Context, names []string) error {
	err := q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		all, err := regular(ctx, tx)
		if err != nil {
			return err
		}
		known := byKey(all)
		keys := make([]Key, len(names))
		for i, name := range names {
			keys[i] = known.reading(name)
		}
		return q.ask(ctx, tx, keys)
	})
	if err != nil {
		return fmt.Errorf("ask for %d repositories: %w", len(names), err)
	}
	return nil
}

// knownTasks are tasks by their keys.
type knownTasks map[Key]row

func byKey(all []row) knownTasks {
	known := knownTasks{}
	for _, r := range all {
		known[r.Key] = r
	}
	return known
}

// reading is the task that reads a repository: its backfill, until that was
// done or somebody asked for an update, which backfills by itself.
func (known knownTasks) reading(name string) Key {
	update, backfill := Key{Kind: Update, Subject: name}, Key{Kind: Backfill, Subject: name}
	if _, asked := known[update]; !asked && known[backfill].Succeeded.IsZero() {
		return backfill
	}
	return update
}

// Named is the subject of a task as the plan writes it, whose capitals may be
// others, and whether the plan keeps it current: a repository that it names or
// one of an organisation that it names, or an organisation whose teams count.
func (p Plan) Named(k Key) (subject string, ok bool) {
	find := func(names []string, name string) (string, bool) {
		i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
		if i < 0 {
			return "", false
		}
		return names[i], true
	}
	if k.Kind == Teams {
		return find(p.TeamsOf, k.Subject)
	}
	if subject, ok = find(p.Repositories, k.Subject); ok {
		return subject, true
	}
	owner, _, _ := strings.Cut(k.Subject, "/")
	_, ok = find(p.Organisations, owner)
	return k.Subject, ok
}

// due lists the tasks whose turn it is, in order.
func (p Plan) due(all []row, now time.Time) []Key {
	known := byKey(all)
	var due []Key
	add := func(k Key, since time.Time) {
		r := known[k]
		if r.State == Waiting || r.State == Running || r.Succeeded.After(since) {
			return
		}
		if r.State == Cancelled && r.Finished.After(since) {
			return
		}
		if r.State == Failed && r.Finished.After(now.Add(-retryFailed)) {
			return
		}
		due = append(due, k)
	}
	night := p.night(now)
	for _, name := range p.repositories(all) {
		add(known.reading(name), now.Add(-p.Every))
		if !known[Key{Kind: Update, Subject: name}].Succeeded.IsZero() {
			add(Key{Kind: Reconcile, Subject: name}, night)
		}
	}
	for _, org := range p.Organisations {
		add(Key{Kind: Repositories, Subject: org}, night)
	}
	for _, org := range p.TeamsOf {
		add(Key{Kind: Teams, Subject: org}, night)
	}
	for _, org := range p.ExposureOf {
		add(Key{Kind: Exposure, Subject: org}, night)
	}
	return due
}

// repositories are those that are named, and those of the organisations that
// were ever asked for, by name.
func (p Plan) repositories(all []row) []string {
	names := slices.Clone(p.Repositories)
	for _, r := range all {
		owner, _, _ := strings.Cut(r.Subject, "/")
		ours := slices.ContainsFunc(p.Organisations, func(o string) bool { return strings.EqualFold(o, owner) })
		if (r.Kind == Update || r.Kind == Backfill) && ours {
			names = append(names, r.Subject)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// night is the last time that the hour of reconciliation began.
func (p Plan) night(now time.Time) time.Time {
	t := time.Date(now.Year(), now.Month(), now.Day(), p.ReconcileHour, 0, 0, 0, time.UTC)
	if t.After(now) {
		t = t.AddDate(0, 0, -1)
	}
	return t
}

// sweep removes what nobody looks at any more.
func (q *Queue) sweep(ctx context.Context) error {
	return q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error { return sweep(ctx, tx, q.now()) })
}

func sweep(ctx context.Context, tx *sql.Tx, now time.Time) error {
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM tasks WHERE state IN ('done', 'failed', 'cancelled') AND finished_at < $1`, []any{now.Add(-keepTasks).UnixMilli()}},
		{`DELETE FROM tasks WHERE state IN ('done', 'cancelled') AND kind = $1 AND finished_at < $2`, []any{Refetch, now.Add(-keepRefetches).UnixMilli()}},
		{`DELETE FROM webhook_deliveries WHERE received_at < $1`, []any{now.Add(-keepDeliveries).UnixMilli()}},
	} {
		if _, err := tx.ExecContext(ctx, s.statement, s.args...); err != nil {
			return fmt.Errorf("remove what is over: %w", err)
		}
	}
	return nil
}

// Deliver asks for tasks once a delivery: where id was taken already, nothing
// happens and fresh is false. Both are one transaction, so that a delivery
// whose tasks could not be asked for may come again.
func (q *Queue) Deliver(ctx context.Context, id string, keys ...Key) (fresh bool, err error) {
	err = q.DB.Update(ctx, migrations.Jobs, func(tx *sql.Tx, _ int64) error {
		if err := migrations.CheckText("delivery", id); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, `INSERT INTO webhook_deliveries (id, received_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`,
			id, q.now().UnixMilli())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if fresh = n > 0; err != nil || !fresh {
			return err
		}
		return q.ask(ctx, tx, keys)
	})
	if err != nil {
		return false, fmt.Errorf("take a delivery: %w", err)
	}
	return fresh, nil
}
