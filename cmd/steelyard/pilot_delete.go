package main

import (
	"context"
	"fmt"

	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type pilotDeleteCommand struct {
	databaseFlag
	Pilot string `arg:"" name:"PILOT" help:"The pilot's id."`
	Yes   bool   `help:"Really remove it; without this the command only says what would go."`
}

// Help shows how it is used.
func (c *pilotDeleteCommand) Help() string {
	return `The definition and the panel that was imported for it go; pull requests stay, since other pilots may be defined over them. The history of the definition stays, with the deletion: a pilot that is made anew under the same id shows it, because deleting and making anew is changing. What is gone cannot be brought back: "steelyard pilot show" prints a definition that define reads.

    steelyard pilot delete trial
    steelyard pilot delete trial --yes`
}

func (c *pilotDeleteCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	return p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) error {
		s := store.New(db, p.now)
		def, err := s.Pilot(ctx, c.Pilot)
		if err != nil {
			return pilotFailure(ctx, s, c.Pilot, err)
		}
		if !c.Yes {
			return withHint(fmt.Errorf("pilot delete: %s (%s) would go, with %s", c.Pilot, def.Pilot.Title, holdings(def)), "add --yes to remove it")
		}
		if err := s.DeletePilot(ctx, c.Pilot); err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "deleted pilot %s, with %s\n", c.Pilot, holdings(def))
		return err
	})
}

// holdings says what goes with a pilot.
func holdings(def metrics.Definition) string {
	what := "its definition"
	if n := len(def.Changes); n > 0 {
		what += fmt.Sprintf(" (%s of it stay on record)", counted(n, "earlier versions"))
	}
	if def.Pilot.Level == metrics.LevelPanel {
		return what + " and its panel"
	}
	return what + "; the pull requests stay"
}
