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

type importPullRequestsCommand struct {
	databaseFlag
	File       string   `arg:"" name:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Column     []string `sep:"none" placeholder:"FIELD=COL" help:"The file's own name for a field, such as opened=created_at; FIELD= leaves a field out; repeatable."`
	Repository string   `placeholder:"OWNER/NAME" help:"The repository of all rows, where the file has no column for it."`
	Drop       []string `sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
}

// Help lists the fields, from the importer's own list.
func (c *importPullRequestsCommand) Help() string {
	var b strings.Builder
	b.WriteString(`A row replaces the stored pull request with the same id. The file is taken as a whole: a bad line is named with its column, value and cure, and nothing is imported. Times are UTC unless they say otherwise.

    steelyard import pull-requests prs.csv.gz --column opened=created_at --column merged=merged_at
    steelyard import pull-requests - --repository acme/payments < prs.csv

Fields; each is read from the column of its own name unless --column says otherwise:

`)
	writeFields(&b, ingest.PullRequestFields())
	return b.String()
}

func (c *importPullRequestsCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	spec := ingest.PullRequestSpec{Repository: c.Repository}
	if spec.Columns, err = parseColumns(c.Column, "opened=created_at"); err != nil {
		return err
	}
	if spec.Drop, err = parseDrops(c.Drop); err != nil {
		return err
	}
	var done metrics.Import
	err = p.withInput(c.File, "import", func(in io.Reader, name string) error {
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
			done, err = ingest.ImportPullRequests(ctx, store.New(db, p.now), in, name, spec, p.now())
			return err
		})
	})
	if err != nil {
		return c.unmapped(err)
	}
	if err := p.printImport(done, "pull requests"); err != nil {
		return err
	}
	p.next("\"steelyard pilot define%s\" says who tried what since when", c.again())
	return nil
}

// unmapped adds to a failure over columns with other names the command line
// that maps them all.
func (c *importPullRequestsCommand) unmapped(err error) error {
	command := []string{"steelyard import pull-requests", shellWord(c.File)}
	if c.Repository != "" {
		command = append(command, "--repository "+shellWord(c.Repository))
	}
	return unmapped(err, append(command, again("--column", c.Column)...), again("--drop", c.Drop), c.again())
}
