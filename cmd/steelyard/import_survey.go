package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type importSurveyCommand struct {
	databaseFlag
	File     string   `arg:"" name:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Column   []string `sep:"none" placeholder:"FIELD=COL" help:"The file's own name for a field, such as respondent=email; FIELD= leaves a field out; repeatable."`
	Question []string `sep:"none" placeholder:"COL" help:"A column of answers on a scale; repeatable. Other columns are not read."`
	Scale    string   `placeholder:"LOW..HIGH" help:"The scale of the questions; 1..5 where none is given."`
	Team     string   `placeholder:"TEAM" help:"The team of all rows, where the file has no column for it."`
	Drop     []string `sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
}

// Help lists the fields, from the importer's own list.
func (c *importSurveyCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Reports of pilots show the answers of their teams before and after the start, and what people believe beside what was measured. Of a person's key only a digest is kept, and answers of fewer than five people are not shown.

    steelyard import survey survey.csv --column respondent=email --question "I can focus" --scale 1..7

Fields; each is read from the column of its own name unless --column says otherwise:

`)
	writeFields(&b, ingest.SurveyFields())
	return b.String()
}

func (c *importSurveyCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	spec := ingest.SurveySpec{Questions: c.Question, Team: c.Team}
	if spec.Columns, err = parseColumns(c.Column, "respondent=email"); err != nil {
		return err
	}
	if spec.Drop, err = parseDrops(c.Drop); err != nil {
		return err
	}
	if spec.Low, spec.High, err = parseScale(c.Scale); err != nil {
		return err
	}
	var done metrics.Import
	err = p.withInput(c.File, "import", func(in io.Reader, name string) error {
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
			done, err = ingest.ImportSurvey(ctx, store.New(db, p.now), in, name, spec, p.now())
			return err
		})
	})
	if err != nil {
		command := append([]string{"steelyard import survey", shellWord(c.File)}, again("--column", c.Column)...)
		return unmapped(err, command, c.rest(), c.again())
	}
	return p.printImport(done, "rows of answers")
}

// rest are the flags that follow the columns.
func (c *importSurveyCommand) rest() []string {
	out := again("--question", c.Question)
	if c.Scale != "" {
		out = append(out, "--scale "+shellWord(c.Scale))
	}
	if c.Team != "" {
		out = append(out, "--team "+shellWord(c.Team))
	}
	return append(out, again("--drop", c.Drop)...)
}

// parseScale reads LOW..HIGH; nothing means the usual scale.
func parseScale(s string) (low, high float64, err error) {
	if s == "" {
		return 0, 0, nil
	}
	from, to, ok := strings.Cut(s, "..")
	if ok {
		if low, err = strconv.ParseFloat(from, 64); err == nil {
			high, err = strconv.ParseFloat(to, 64)
		}
	}
	if !ok || err != nil {
		return 0, 0, withHint(fmt.Errorf("--scale %q is not LOW..HIGH", s), "write its ends: 1..7")
	}
	return low, high, nil
}
