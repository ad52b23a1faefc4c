package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type importDeploymentsCommand struct {
	databaseFlag
	File       string   `arg:"" name:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Column     []string `sep:"none" placeholder:"FIELD=COL" help:"The file's own name for a field, such as finished_at=completed_at; FIELD= leaves a field out; repeatable."`
	Repository string   `placeholder:"OWNER/NAME" help:"The repository of all rows, where the file has no column for it."`
	Production []string `sep:"none" placeholder:"NAME" help:"An environment that is production; repeatable. Where none is given, those whose name says so are: prod, prd, production or live is one of its words, and nothing like pre or test is."`
	Drop       []string `sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
}

// Help lists the fields, from the importer's own list.
func (c *importDeploymentsCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Each merged pull request is dated by the first deployment to production that holds its merge: one that lists its merge commit, or one whose own commit is the merge of a pull request that went to the same branch later. Pull requests need their merge_commit for it. A row replaces the stored deployment with the same id; the file is taken as a whole.

    steelyard import deployments deployments.csv --column finished_at=completed_at
    steelyard import deployments releases.csv --repository acme/payments --production eu-live

Fields; each is read from the column of its own name unless --column says otherwise:

`)
	writeFields(&b, ingest.DeploymentFields())
	return b.String()
}

func (c *importDeploymentsCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	spec := ingest.DeploymentSpec{Repository: c.Repository, Production: c.Production}
	if spec.Columns, err = parseColumns(c.Column, "finished_at=completed_at"); err != nil {
		return err
	}
	if spec.Drop, err = parseDrops(c.Drop); err != nil {
		return err
	}
	var done metrics.Linked
	err = p.withInput(c.File, "import", func(in io.Reader, name string) error {
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
			done, err = ingest.ImportDeployments(ctx, store.New(db, p.now), in, name, spec, p.now())
			return err
		})
	})
	if err != nil {
		return c.unmapped(err)
	}
	if err := p.printImport(done.Import, "deployments"); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s of their repositories dated by a deployment, %d merged and in none yet\n", counted(done.PullRequests, "pull requests"), done.Waiting)
	if done.Untraceable > 0 {
		p.say("note: %s cannot be found in any deployment, because their merge commit is not known (column merge_commit of pull requests).", counted(done.Untraceable, "merged pull requests"))
	}
	if done.PullRequests+done.Waiting == 0 {
		p.say("note: No merged pull request with a merge commit is stored for these repositories: import them, too, under the same names.")
	}
	return err
}

func (c *importDeploymentsCommand) unmapped(err error) error {
	command := []string{"steelyard import deployments", shellWord(c.File)}
	if c.Repository != "" {
		command = append(command, "--repository "+shellWord(c.Repository))
	}
	command = append(append(command, again("--production", c.Production)...), again("--column", c.Column)...)
	return unmapped(err, command, again("--drop", c.Drop), c.again())
}
