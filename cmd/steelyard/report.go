package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/web"
)

type reportCommand struct {
	databaseFlag
	Pilot  string `arg:"" optional:"" name:"PILOT" help:"The pilot's id; \"steelyard pilot list\" shows them."`
	Format string `enum:"text,md,json,html" default:"text" help:"text, md (Markdown), json, or html (one self-contained file)."`
	Output string `short:"o" placeholder:"FILE" help:"Write to a file, whole or not at all; - is standard output."`
}

// Help shows how it is used.
func (c *reportCommand) Help() string {
	return `The four formats are renderings of one value: the same numbers, each with its interval, its comparison and what speaks against it.

    steelyard report ai-editor-2025
    steelyard report ai-editor-2025 --format html --output review.html
    steelyard report ai-editor-2025 --format json | jq .verdict`
}

func (c *reportCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	var r *metrics.Report
	err = p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) (err error) {
		s := store.New(db, p.now)
		if c.Pilot == "" {
			return whichPilot(ctx, s)
		}
		if r, err = metrics.NewReporter(s).Report(ctx, c.Pilot); err != nil {
			return pilotFailure(ctx, s, c.Pilot, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r = sameDatabase(r, c.again())
	var text bytes.Buffer
	switch c.Format {
	case "md":
		err = metrics.WriteMarkdown(&text, r)
	case "json":
		err = metrics.WriteJSON(&text, r)
	case "html":
		err = web.RenderReportHTML(&text, r)
	default:
		err = metrics.WriteText(&text, r)
	}
	if err != nil {
		return fmt.Errorf("report %s: %w", c.Pilot, err)
	}
	return writeOut(p.stdout, c.Output, text.Bytes())
}

// sameDatabase is the report with the command that prints it again as it was
// given: a report itself knows nothing of databases.
func sameDatabase(r *metrics.Report, again string) *metrics.Report {
	if again == "" {
		return r
	}
	out := *r
	out.Command += again
	out.Computed = slices.Clone(r.Computed)
	for i, f := range out.Computed {
		if f.Text == r.Command {
			out.Computed[i].Text = out.Command
		}
	}
	return &out
}

// whichPilot is the failure of a command that was given no pilot: it lists
// them.
func whichPilot(ctx context.Context, s metrics.PilotStore) error {
	all, err := s.Pilots(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return withHint(errors.New("report: there is no pilot yet"), "\"steelyard import panel\" or \"steelyard pilot define\" makes one")
	}
	f := &failure{err: errors.New("report: which pilot?")}
	const most = 20
	for _, d := range all[:min(most, len(all))] {
		f.hints = append(f.hints, fmt.Sprintf("steelyard report %s   %s", d.Pilot.ID, d.Pilot.Title))
	}
	if len(all) > most {
		f.hints = append(f.hints, fmt.Sprintf("there are %d more: \"steelyard pilot list\"", len(all)-most))
	}
	return f
}

// pilotFailure adds to "not found" which pilots there are.
func pilotFailure(ctx context.Context, s metrics.PilotStore, id string, err error) error {
	if !errors.Is(err, metrics.ErrNotFound) {
		return fmt.Errorf("report %s: %w", id, err)
	}
	all, listErr := s.Pilots(ctx)
	if listErr != nil {
		return listErr
	}
	if len(all) == 0 {
		return withHint(fmt.Errorf("there is no pilot %q, nor any other", id),
			"\"steelyard import panel\" or \"steelyard pilot define\" makes one")
	}
	var ids []string
	for _, d := range all {
		if d.Pilot.ID == id { // the definition is there, its data is not
			return withHint(fmt.Errorf("report %s: %w", id, err), "import its data: \"steelyard import --help\"")
		}
		ids = append(ids, d.Pilot.ID)
	}
	return suggesting(fmt.Errorf("there is no pilot %q", id), id, ids)
}
