package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/metrics"
	"steelyard/metrics/store"
)

type pilotCommand struct {
	Define pilotDefineCommand `cmd:"" help:"Save the definition of a pilot over imported pull requests."`
	Show   pilotShowCommand   `cmd:"" help:"Print a pilot's definition in the form that define reads."`
	List   pilotListCommand   `cmd:"" help:"List the pilots."`
}

type pilotListCommand struct {
	databaseFlag
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *pilotListCommand) Help() string {
	return `    steelyard pilot list
    steelyard pilot list --format json | jq -r '.[].pilot.id'`
}

func (c *pilotListCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	db, err := p.open(ctx, settings, toRead)
	if err != nil {
		return err
	}
	defer db.Close()
	all, err := store.New(db, p.now).Pilots(ctx)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return printJSON(p.stdout, append([]metrics.Definition{}, all...))
	}
	if len(all) == 0 {
		return p.next("there is no pilot yet; \"steelyard import panel\" or \"steelyard pilot define\" makes one")
	}
	var rows [][]string
	for _, d := range all {
		rows = append(rows, []string{d.Pilot.ID, d.Pilot.Outcomes[0].ID, d.SavedAt.Format(time.DateOnly), d.Pilot.Title})
	}
	return printColumns(p.stdout, rows)
}

type pilotShowCommand struct {
	databaseFlag
	Pilot  string `arg:"" name:"PILOT" help:"The pilot's id."`
	Format string `enum:"yaml,json" default:"yaml" help:"yaml, or json with earlier versions of the definition."`
}

// Help shows how it is used.
func (c *pilotShowCommand) Help() string {
	return `What is printed can be edited and read back:

    steelyard pilot show payments > payments.yaml
    steelyard pilot define --file payments.yaml`
}

func (c *pilotShowCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	db, err := p.open(ctx, settings, toRead)
	if err != nil {
		return err
	}
	defer db.Close()
	s := store.New(db, p.now)
	def, err := s.Pilot(ctx, c.Pilot)
	if err != nil {
		return pilotFailure(ctx, s, c.Pilot, err)
	}
	if c.Format == "json" {
		return printJSON(p.stdout, def)
	}
	fmt.Fprintf(p.stdout, "# saved %s, definition %.12s\n", def.SavedAt.Format(time.RFC3339), def.Hash)
	for _, change := range def.Changes {
		when := "before the start"
		if change.AfterStart {
			when = "after the start"
		}
		fmt.Fprintf(p.stdout, "# changed %s (%s): %s\n", change.ReplacedAt.Format(time.RFC3339), when, strings.Join(change.What, ", "))
	}
	text, err := config.PilotYAML(pilotFile(def.Pilot))
	if err != nil {
		return fmt.Errorf("show pilot %s: %w", c.Pilot, err)
	}
	_, err = p.stdout.Write(text)
	return err
}
