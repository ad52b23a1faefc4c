package main

import (
	"context"
	"io"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type importCostCommand struct {
	databaseFlag
	File     string   `arg:"" name:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Column   []string `sep:"none" placeholder:"FIELD=COL" help:"The file's own name for a field, such as credits=quantity; FIELD= leaves a field out; repeatable."`
	Team     string   `placeholder:"TEAM" help:"The team of all rows, where the file has no column for it."`
	Currency string   `placeholder:"CODE" help:"The currency of all amounts, where the file has no column for it."`
	Drop     []string `sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
}

// Help lists the fields, from the importer's own list.
func (c *importCostCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Reports of pilots show what was spent in the window after the start per merged pull request, and draw no verdict from it. Rows of one team, day and unit add up, and replace what an earlier import had of the same three.

    steelyard import cost usage.csv --column credits=quantity
    steelyard import cost invoice.csv --currency EUR --team payments

Fields; each is read from the column of its own name unless --column says otherwise:

`)
	writeFields(&b, ingest.CostFields())
	return b.String()
}

func (c *importCostCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	spec := ingest.CostSpec{Team: c.Team, Currency: strings.ToUpper(c.Currency)}
	if spec.Columns, err = parseColumns(c.Column, "credits=quantity"); err != nil {
		return err
	}
	if spec.Drop, err = parseDrops(c.Drop); err != nil {
		return err
	}
	var done metrics.Import
	err = p.withInput(c.File, "import", func(in io.Reader, name string) error {
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
			done, err = ingest.ImportCosts(ctx, store.New(db, p.now), in, name, spec, p.now())
			return err
		})
	})
	if err != nil {
		command := append([]string{"steelyard import cost", shellWord(c.File)}, again("--column", c.Column)...)
		var rest []string
		if c.Team != "" {
			rest = append(rest, "--team "+shellWord(c.Team))
		}
		if c.Currency != "" {
			rest = append(rest, "--currency "+shellWord(c.Currency))
		}
		return unmapped(err, command, append(rest, again("--drop", c.Drop)...), c.again())
	}
	return p.printImport(done, "rows of costs")
}
