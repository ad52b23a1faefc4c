package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"steelyard/internal/config"
	"steelyard/internal/server"
	"steelyard/lint/history"
	"steelyard/mcp"
	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/rules"
	"steelyard/web"
)

type serveCommand struct {
	databaseFlag
	addrFlag
}

// addrFlag is where to listen.
type addrFlag struct {
	Addr    string `placeholder:"HOST:PORT" help:"Loopback address to listen on; port 0 takes a free one. Also $$STEELYARD_SERVE_ADDR or serve.addr in steelyard.yaml; 127.0.0.1:8484 otherwise."`
	Verbose bool   `short:"v" help:"Log each request."`
}

func (a addrFlag) setting() config.Flag {
	return config.Flag{Key: config.KeyServeAddr, Name: "--addr", Value: a.Addr}
}

// Help shows how it is used.
func (c *serveCommand) Help() string {
	return `Only loopback addresses are served: there is no sign-in yet, so nobody else on the network may see it. Both addresses are printed on standard output; Ctrl-C finishes what is under way and ends. A SQLite file that is not there is made, and the pages say what to do next.

    steelyard serve
    steelyard serve --db postgres://steelyard@db.example/steelyard --addr 127.0.0.1:9000`
}

func (c *serveCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.databaseFlag.setting(), c.addrFlag.setting())
	if err != nil {
		return err
	}
	ln, err := listen(settings)
	if err != nil {
		return err
	}
	defer quietly(ln.Close)
	return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
		return p.serve(ctx, ln, newRoom(db, p.now), c.Verbose)
	})
}

// listen binds the address of the settings. Where another program has it, the
// advice is what to type.
func listen(settings *config.Config) (net.Listener, error) {
	ln, err := server.Listen(settings.Serve.Addr)
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
	reports  metrics.Reports
	findings *history.History
}

func newRoom(db *migrations.DB, now func() time.Time) room {
	return room{reports: metrics.NewReporter(store.New(db, now)), findings: history.New(db)}
}

// serve serves the dashboard and /mcp until ctx is done.
func (p *program) serve(ctx context.Context, ln net.Listener, r room, verbose bool) error {
	logger := p.logger(verbose)
	pages, err := web.New(web.Options{
		Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: readBuild().Version, Logger: logger,
	})
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	url := server.URL(ln)
	tools := mcp.New(mcp.Options{
		Reports: r.reports, Findings: r.findings, Rules: rules.All, Version: readBuild().Version,
		Logger: logger, BaseURL: url,
	})
	if err := printColumns(p.stdout, [][]string{{"dashboard", url + "/"}, {"mcp", url + "/mcp"}}); err != nil {
		return err
	}
	return server.Serve(ctx, ln, server.Options{Web: pages, MCP: tools.HTTP(), Logger: logger})
}

// logger writes to standard error, each request too where verbose is set.
func (p *program) logger(verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
}
