package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"steelyard/internal/admin"
	"steelyard/internal/config"
	"steelyard/internal/server"
	"steelyard/lint/history"
	"steelyard/mcp"
	"steelyard/mcp/statekey"
	"steelyard/metrics"
	"steelyard/metrics/jobs"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/rules"
	"steelyard/web"
	"steelyard/web/signin"
)

type serveCommand struct {
	databaseFlag
	addrFlag
	adminFlag
	Work    bool `help:"Work jobs in this process, too, as \"steelyard work\" does."`
	Workers int  `default:"4" help:"How many jobs run at once, with --work."`
}

// addrFlag is where to listen.
type addrFlag struct {
	Addr    string `placeholder:"HOST:PORT" help:"Address to listen on; port 0 takes a free one. Also $$STEELYARD_SERVE_ADDR or serve.addr in steelyard.yaml; 127.0.0.1:8484 otherwise."`
	Verbose bool   `short:"v" help:"Log each request."`
}

func (a addrFlag) setting() config.Flag {
	return config.Flag{Key: config.KeyServeAddr, Name: "--addr", Value: a.Addr}
}

// Help shows how it is used.
func (c *serveCommand) Help() string {
	return `Both addresses are printed on standard output; Ctrl-C finishes what is under way and ends. A SQLite file that is not there is made, and the pages say what to do next. An address that others reach is refused until the settings say by which name they do, and what lets people in: see "Beyond this machine" in docs/operations.md.

    steelyard serve
    steelyard serve --work --admin 127.0.0.1:9484
    steelyard serve --db postgres://steelyard@db.example/steelyard --addr 127.0.0.1:9000`
}

func (c *serveCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.databaseFlag.setting(), c.addrFlag.setting(), c.adminFlag.setting())
	if err != nil {
		return err
	}
	if err := checkAccess(settings); err != nil {
		return err
	}
	if _, _, err := p.providers(settings); err != nil {
		return err
	}
	if c.Work {
		if _, err := p.githubClient(settings, nil); err != nil { // before a database is made
			return err
		}
	}
	ln, err := listenFor(ctx, settings)
	if err != nil {
		return err
	}
	defer quietly(ln.Close)
	a, err := p.accessOf(settings, ln)
	if err != nil {
		return err
	}
	port, err := listenAdmin(settings)
	if err != nil {
		return err
	}
	defer port.close()
	return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return c.serve(ctx, p, settings, ln, a, port, db)
	})
}

// serve serves everything that the flags and the settings want.
func (c *serveCommand) serve(ctx context.Context, p *program, s *config.Config, ln net.Listener, a access, port adminPort, db *migrations.DB) error {
	defer p.collectLess()()
	var meters *admin.Meters // set before the first job runs
	logger := p.logger(c.Verbose)
	secret, err := p.secret(s.GitHub.WebhookSecretEnv, s.GitHub.WebhookSecretFile)
	if err != nil {
		return secretFailure(err)
	}
	asks := secret != "" || port.ln != nil
	shop, err := p.serveQueue(ctx, s, db, c.Work, asks, workshopOptions{
		workers: c.Workers, logger: logger,
		ended: func(k jobs.Key, s jobs.State, took time.Duration) { meters.JobEnded(string(k.Kind), string(s), took) },
	})
	if err != nil {
		return err
	}
	key, err := statekey.Load(ctx, db, p.now())
	if err != nil {
		return errors.Join(fmt.Errorf("serve: %w", err), shop.Close())
	}
	hook := deliveries(secret, planOf(s), shop.Queue, logger)
	st := store.New(db, p.now)
	reports := metrics.NewReporter(st)
	more := pageSources{db: db, store: st, reports: reports, settings: s, client: shop.client, now: p.now}
	meters = admin.NewMeters(sources(db, shop.Queue, shop.client, reports.Counts))
	if err := port.say(p); err != nil {
		return errors.Join(err, shop.Close())
	}
	parts := []func(context.Context) error{
		func(ctx context.Context) error {
			r := room{gate: func(url string) (*signin.Gate, error) { return p.gate(s, db, url, logger) }, more: more.fill, github: s.GitHub.BaseURL, reports: reports, findings: history.New(db), webhook: hook, meters: meters, packages: newDependencyChecker(p, s).keeping(history.NewAnswers(db)), stateKey: key}
			return p.serve(ctx, ln, a, r, c.Verbose)
		},
		func(ctx context.Context) error {
			return port.serve(ctx, admin.Options{Ready: readiness(db, shop.Queue), Meters: meters, Logger: logger})
		},
	}
	if c.Work {
		parts = append(parts, func(ctx context.Context) error { return shop.Run(ctx, true) })
	}
	return errors.Join(together(ctx, parts...), shop.Close())
}

// serveQueue opens the queue with its jobs, or one that only asks and counts:
// webhooks and the admin port do. Who only looks at the dashboard needs none.
func (p *program) serveQueue(ctx context.Context, s *config.Config, db *migrations.DB, work, asks bool, o workshopOptions) (*workshop, error) {
	switch {
	case work:
		return p.openWorkshop(ctx, s, db, o)
	case !asks:
		return &workshop{}, nil
	}
	q, err := jobs.Open(ctx, jobs.Options{DB: db, Clock: p.now, Logger: o.logger})
	if err != nil {
		return nil, err
	}
	return &workshop{Queue: q}, nil
}

// listen binds the address of the settings, which must be a loopback one.
func listen(settings *config.Config) (net.Listener, error) {
	return listenBy(settings, server.Listen)
}

// listenBy binds the address of the settings with bind. Where another program
// has it, the advice is what to type.
func listenBy(settings *config.Config, bind func(addr string) (net.Listener, error)) (net.Listener, error) {
	ln, err := bind(settings.Serve.Addr)
	if err == nil {
		return ln, nil
	}
	f := &failure{err: err}
	if errors.Is(err, server.ErrInUse) {
		f.hints = append(f.hints, "--addr 127.0.0.1:PORT chooses another port, 0 a free one")
	}
	f.hints = append(f.hints, fmt.Sprintf("the address comes from: %s", settings.Origin(config.KeyServeAddr)))
	return nil, f
}

// quietly closes a listener that was closed already, or never served.
func quietly(end func() error) { _ = end() }

// room is the database as the faces see it: finished reports and findings.
type room struct {
	reports metrics.Reports
	// more fills in what the dashboard reads beside.
	more     func(*web.Options)
	findings *history.History
	// webhook takes deliveries and meters count requests; both may be nil.
	webhook func(context.Context, http.Header, []byte) (int, string)
	meters  *admin.Meters
	// gate asks who somebody is, before the dashboard at url; nil asks nobody.
	gate func(url string) (*signin.Gate, error)
	// packages judges packages for check_dependency; nil leaves the tool out.
	packages mcp.DependencyChecker
	// github is the address of a GitHub Enterprise Server's REST; empty:
	// github.com.
	github string
	// stateKey is what all processes of the installation sign questions of
	// /mcp with; nil takes one of this process.
	stateKey []byte
}

func newRoom(db *migrations.DB, now func() time.Time) room {
	st := store.New(db, now)
	reports := metrics.NewReporter(st)
	more := pageSources{db: db, store: st, reports: reports, now: now}
	return room{reports: reports, more: more.fill, findings: history.New(db)}
}

// serve serves /mcp and, where it is wanted, the dashboard until ctx is done.
func (p *program) serve(ctx context.Context, ln net.Listener, a access, r room, verbose bool) error {
	logger := p.logger(verbose)
	url := a.url(ln)
	var rows [][]string
	o := server.Options{PublicURL: a.public, Logger: logger}
	base := ""
	if a.dashboard {
		pages, err := p.pages(r, url, logger)
		if err != nil {
			return err
		}
		o.Web, base = pages, url
		rows = append(rows, []string{"dashboard", url + "/"})
	}
	toolOptions, err := r.withSources(p, mcp.Options{
		Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: readBuild().Version,
		Dependencies: r.packages, Logger: logger, BaseURL: base,
		Authorization: a.authorization, CallsPerMinute: a.perMinute, Clock: p.now,
		StateKey: r.stateKey,
	}, "")
	if err != nil {
		return err
	}
	o.MCP = mcp.New(toolOptions).HTTP()
	if a.authorization != nil {
		o.Resource = a.authorization.Metadata()
	}
	if err := printColumns(p.stdout, append(rows, []string{"mcp", url + "/mcp"})); err != nil {
		return err
	}
	if r.meters != nil {
		o.MCP = r.meters.Requests("mcp", o.MCP)
		if o.Web != nil {
			o.Web = r.meters.Requests("dashboard", o.Web)
		}
	}
	return server.Serve(ctx, ln, o)
}

// pages is the dashboard at url, behind its sign-in where there is one.
func (p *program) pages(r room, url string, logger *slog.Logger) (http.Handler, error) {
	o := web.Options{
		Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: readBuild().Version, Logger: logger,
		Overview: r.findings, Servers: r.findings, Dependencies: r.findings, Decisions: r.findings,
		Webhook: r.webhook,
	}
	if r.more != nil {
		r.more(&o)
	}
	var gate *signin.Gate
	if r.gate != nil {
		var err error
		if gate, err = r.gate(url); err != nil {
			return nil, err
		}
	}
	if gate == nil {
		return newPages(o)
	}
	o.Visitor = signin.Visitor
	pages, err := newPages(o)
	if err != nil {
		return nil, err
	}
	return gate.Handler(pages), nil
}

func newPages(o web.Options) (http.Handler, error) {
	pages, err := web.New(o)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	return pages, nil
}

// logger writes to standard error, each request too where verbose is set.
func (p *program) logger(verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
}
