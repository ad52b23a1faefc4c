package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steelyard/metrics/store"
	"steelyard/migrations"
)

type restoreCommand struct {
	databaseFlag
	File  string `arg:"" name:"FILE" help:"A file that \"steelyard backup\" wrote; - is standard input."`
	Force bool   `help:"Replace what the database holds."`
	Check bool   `help:"Only read the file to its end and say what it holds; no database is opened."`
}

// Help shows how it is used.
func (c *restoreCommand) Help() string {
	return `The database is as the backup was, or as it was before: all of it is one transaction, and a file that is cut, changed or of a newer steelyard is refused. Others may read meanwhile and see the old data until the new is whole. A database that holds data already is refused without --force. Work that was under way stays, and goes on with what the backup says.

    steelyard restore steelyard-2027-01-31.backup --check
    steelyard restore steelyard-2027-01-31.backup --db sqlite:new.db
    steelyard restore steelyard-2027-01-31.backup --db postgres://steelyard@db.example/steelyard`
}

func (c *restoreCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	return p.withInput(c.File, "restore", func(r io.Reader, name string) error {
		if c.Check {
			b, err := migrations.CheckBackup(ctx, r)
			if err != nil {
				return fmt.Errorf("restore %s: %w", name, err)
			}
			return p.printBackup(b, name+" can be restored")
		}
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) error {
			b, err := db.Restore(ctx, r, c.Force)
			if errors.Is(err, migrations.ErrNotEmpty) {
				return withHint(fmt.Errorf("restore %s: %w", name, err), "name an empty database, or add --force to replace what it holds; \"steelyard backup\" keeps that first")
			}
			if err != nil {
				return fmt.Errorf("restore %s: nothing was changed: %w", name, err)
			}
			if err := store.New(db, p.now).Pack(ctx); err != nil {
				p.say("note: %v; reports are made without, and take longer until the next import", err)
			}
			return p.printBackup(b, "restored "+name)
		})
	})
}

// printBackup says what a backup holds, table by table.
func (p *program) printBackup(b migrations.Backup, what string) error {
	_, err := fmt.Fprintf(p.stdout, "%s: %s, made %s from %s, schema version %d (sha256 %.12s)\n",
		what, counted(int(b.Rows), "rows"), b.Made.Format("2006-01-02 15:04 MST"), b.Engine, b.Schema, b.SHA256)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, t := range b.Tables {
		if t.Rows > 0 {
			rows = append(rows, []string{"  " + t.Table, fmt.Sprint(t.Rows)})
		}
	}
	return printColumns(p.stdout, rows)
}
