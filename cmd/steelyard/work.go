package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"steelyard/internal/admin"
	"steelyard/internal/config"
	"steelyard/internal/github"
	"steelyard/metrics/jobs"
	"steelyard/migrations"
)

type workCommand struct {
	databaseFlag
	adminFlag
	Workers int  `default:"4" help:"How many jobs run at once."`
	Verbose bool `short:"v" help:"Log more."`
}

// adminFlag is where the admin port listens.
type adminFlag struct {
	Admin string `placeholder:"HOST:PORT" help:"Serve /healthz, /readyz and /metrics there. Also $$STEELYARD_SERVE_ADMIN or serve.admin in steelyard.yaml; without one there is no admin port."`
}

func (a adminFlag) setting() config.Flag {
	return config.Flag{Key: config.KeyAdminAddr, Name: "--admin", Value: a.Admin}
}

// Help shows how it is used.
func (c *workCommand) Help() string {
	return `Keeps what the settings name current: updates in turn, a nightly comparison with GitHub, teams and who is in them, and whatever "steelyard ingest" and webhooks ask for. As many processes as you like may work on one PostgreSQL database, and several on one SQLite file of the same machine; what one leaves when it dies, another takes over within a minute. SIGTERM hands back what runs, at most 20 seconds later. docs/operations.md says how to run it as a service.

    steelyard work
    steelyard work --workers 8 --admin 127.0.0.1:9484`
}

func (c *workCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.databaseFlag.setting(), c.adminFlag.setting())
	if err != nil {
		return err
	}
	if _, err := p.githubClient(settings, nil); err != nil { // before a database is made
		return err
	}
	port, err := listenAdmin(settings)
	if err != nil {
		return err
	}
	defer port.close()
	return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		var meters *admin.Meters // set before the first job runs
		logger := p.logger(c.Verbose)
		shop, err := p.openWorkshop(ctx, settings, db, workshopOptions{
			workers: c.Workers, logger: logger,
			ended: func(k jobs.Key, s jobs.State, took time.Duration) {
				meters.JobEnded(string(k.Kind), string(s), took)
			},
		})
		if err != nil {
			return err
		}
		meters = admin.NewMeters(sources(db, shop.Queue, shop.client, nil))
		if err := port.say(p); err != nil {
			return errors.Join(err, shop.Close())
		}
		p.say("working jobs, %d at once", c.Workers)
		ready := admin.Options{Ready: readiness(db, shop.Queue), Meters: meters, Logger: logger}
		err = together(ctx,
			func(ctx context.Context) error { return shop.Run(ctx, true) },
			func(ctx context.Context) error { return port.serve(ctx, ready) })
		return errors.Join(err, shop.Close())
	})
}

// together runs parts until one fails or ctx ends, and then ends the others.
func together(ctx context.Context, parts ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(parts))
	for _, part := range parts {
		go func() { ended <- part(ctx) }()
	}
	var err error
	for range parts {
		one := <-ended
		if one != nil {
			stop()
		}
		err = errors.Join(err, one)
	}
	return err
}

// adminPort is the admin port, or none.
type adminPort struct{ ln net.Listener }

// listenAdmin binds the admin port, where the settings want one.
func listenAdmin(s *config.Config) (adminPort, error) {
	if s.Serve.Admin == "" {
		return adminPort{}, nil
	}
	ln, err := admin.Listen(s.Serve.Admin)
	if err != nil {
		f := &failure{err: err, hints: []string{fmt.Sprintf("the address comes from: %s", s.Origin(config.KeyAdminAddr))}}
		if errors.Is(err, admin.ErrInUse) {
			f.hints = append([]string{"--admin 127.0.0.1:PORT chooses another port, 0 a free one"}, f.hints...)
		}
		return adminPort{}, f
	}
	return adminPort{ln}, nil
}

func (a adminPort) close() {
	if a.ln != nil {
		quietly(a.ln.Close)
	}
}

// say prints the address, and warns of one that others can reach.
func (a adminPort) say(p *program) error {
	if a.ln == nil {
		return nil
	}
	if addr, ok := a.ln.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		p.say("note: the admin port can be reached from other machines; it has no sign-in")
	}
	return printColumns(p.stdout, [][]string{{"admin", "http://" + a.ln.Addr().String()}})
}

// serve serves the port until ctx ends; without one it only waits.
func (a adminPort) serve(ctx context.Context, o admin.Options) error {
	if a.ln == nil {
		<-ctx.Done()
		return nil
	}
	return admin.Serve(ctx, a.ln, o)
}

// sources are what the admin port reads; queue, client and reports may be nil.
func sources(db *migrations.DB, q *jobs.Queue, client *github.Client, reports func() (kept, made uint64)) admin.Sources {
	s := admin.Sources{Version: readBuild().Version, DatabaseBytes: db.Size, Reports: reports}
	if q != nil {
		s.Tasks = func(ctx context.Context) ([]admin.Tasks, error) {
			counts, err := q.Counts(ctx)
			var all []admin.Tasks
			for _, c := range counts {
				all = append(all, admin.Tasks{Kind: string(c.Kind), State: string(c.State), Number: c.Tasks})
			}
			return all, err
		}
	}
	if client != nil {
		s.GitHub = func() admin.GitHub {
			b := client.Budget()
			return admin.GitHub{
				Requests: b.Requests, NotModified: b.NotModified, Waited: b.Waited,
				Allowances: []admin.Allowance{allowance("rest", b.REST), allowance("graphql", b.GraphQL)},
			}
		}
	}
	return s
}

func allowance(resource string, a github.Allowance) admin.Allowance {
	return admin.Allowance{Resource: resource, Known: a.Known, Limit: a.Limit, Remaining: a.Remaining, Reset: a.Reset, Spent: a.Spent}
}

// readiness looks whether the database, and the queue where there is one, can
// be used.
func readiness(db *migrations.DB, q *jobs.Queue) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := db.Ready(ctx); err != nil || q == nil {
			return err
		}
		return q.Ready(ctx)
	}
}
