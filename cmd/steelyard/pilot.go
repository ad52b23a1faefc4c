package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type pilotCommand struct {
	Define pilotDefineCommand `cmd:"" help:"Save the definition of a pilot over imported pull requests."`
	Show   pilotShowCommand   `cmd:"" help:"Print a pilot's definition in the form that define reads."`
	List   pilotListCommand   `cmd:"" help:"List the pilots."`
	Delete pilotDeleteCommand `cmd:"" help:"Remove a pilot with its panel; the history of its definition stays on record."`
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
	var all []metrics.Definition
	err = p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) (err error) {
		all, err = store.New(db, p.now).Pilots(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return printJSON(p.stdout, append([]metrics.Definition{}, all...))
	}
	if len(all) == 0 {
		p.next("there is no pilot yet; \"steelyard import panel\" or \"steelyard pilot define\" makes one")
		return nil
	}
	rows := [][]string{{"PILOT", "PRIMARY", "SAVED", "TITLE"}}
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
	var def metrics.Definition
	err = p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) (err error) {
		s := store.New(db, p.now)
		if def, err = s.Pilot(ctx, c.Pilot); err != nil {
			return pilotFailure(ctx, s, c.Pilot, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return printJSON(p.stdout, def)
	}
	return printPilot(p.stdout, def)
}

// printPilot writes a definition as a file that define reads, with its history
// in comments.
func printPilot(w io.Writer, def metrics.Definition) error {
	text, err := config.PilotYAML(pilotFile(def.Pilot))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# saved %s, definition %.12s\n", def.SavedAt.Format(time.RFC3339), def.Hash)
	for _, change := range def.Changes {
		when := "before the start"
		if change.AfterStart {
			when = "after the start"
		}
		fmt.Fprintf(&b, "# changed %s (%s): %s\n", change.ReplacedAt.Format(time.RFC3339), when, strings.Join(change.What, ", "))
	}
	b.Write(text)
	_, err = io.WriteString(w, b.String())
	return err
}
