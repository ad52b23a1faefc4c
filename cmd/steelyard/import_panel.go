package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"steelyard/internal/config"
	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type importPanelCommand struct {
	databaseFlag
	File  string `arg:"" name:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Pilot string `required:"" placeholder:"ID" help:"The pilot's id: lower-case letters, digits and -."`

	Unit         string   `required:"" group:"columns" placeholder:"COL" help:"Column that names the unit (team, repository)."`
	Time         string   `required:"" group:"columns" placeholder:"COL" help:"Column of the period: 2024-08, 2024-08-05, a year or a whole number."`
	Outcome      []string `required:"" group:"columns" sep:"none" placeholder:"NAME[=COL+COL][:SIDE[:SCALE]][:counter]" help:"Outcome, the first one primary; repeatable. SIDE: lower, higher or neutral is better. SCALE: level, log, log1p, logged or count. :counter is --counter in one word."`
	Counter      []string `group:"columns" sep:"none" placeholder:"NAME" help:"Outcome that must not get worse: the name of one, or a further one written as for --outcome; repeatable."`
	FirstTreated string   `group:"columns" xor:"start" placeholder:"COL" help:"Column of the unit's first treated period; empty, 0 or never means never treated."`
	Start        []string `group:"columns" xor:"start" sep:"none" placeholder:"UNIT=PERIOD" help:"Instead of a column: when a unit was first treated; repeatable."`
	Exposure     string   `group:"columns" placeholder:"COL" help:"Column that counts are counted over."`
	Drop         []string `group:"columns" sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
	Only         []string `group:"columns" sep:"none" placeholder:"UNIT" help:"Read these units alone; repeatable."`

	Replace        bool   `group:"pilot" help:"Take the place of a pilot of the same id over pull requests."`
	Title          string `group:"pilot" help:"The pilot's name for people."`
	Subject        string `group:"pilot" placeholder:"NAME" help:"The treated side in sentences, such as Payments."`
	Description    string `group:"pilot" placeholder:"TEXT" help:"What was tried, in a sentence or two."`
	UnitNoun       string `group:"pilot" placeholder:"NOUN" help:"What a unit is, in the singular, such as team; the unit column's name where it is a word for one."`
	PeriodNoun     string `group:"pilot" placeholder:"NOUN" help:"What a period is, in the singular, such as month; what the dates show otherwise: day, week, month, quarter or year."`
	SmallestEffect string `group:"pilot" placeholder:"SHARE" help:"Smallest relative effect worth having, 0.10 = 10 %."`
	Seed           uint64 `group:"pilot" default:"1" help:"Seed of every random draw of the report."`

	sourceFlags
}

// sourceFlags say where data comes from.
type sourceFlags struct {
	Source    string `group:"source" placeholder:"TITLE" help:"Where the data comes from."`
	SourceURL string `name:"source-url" group:"source" placeholder:"URL" help:"Its address."`
	Licence   string `group:"source" help:"Its licence."`
	Note      string `group:"source" placeholder:"TEXT" help:"What a reader must know of it."`
	MadeUp    bool   `group:"source" help:"The numbers are invented; every page says so first."`
}

// sources is the pilot's list of sources; empty where no flag was given.
func (f sourceFlags) sources() []metrics.Source {
	s := metrics.Source{Title: f.Source, URL: f.SourceURL, Licence: f.Licence, Note: f.Note, MadeUp: f.MadeUp}
	if s == (metrics.Source{}) {
		return nil
	}
	if s.Title == "" && s.MadeUp {
		s.Title = "Made-up numbers"
	}
	return []metrics.Source{s}
}

// Help shows how it is used.
func (c *importPanelCommand) Help() string {
	return `The file is read as a stream and taken as a whole: a bad line is named with its column, value and cure, and nothing is imported. Importing again replaces the pilot's panel, and keeps the earlier definition where it differs.

    steelyard import panel panel.csv.gz --pilot editor-2025 \
        --unit repo --time month --first-treated adopted \
        --outcome commits:higher:log1p --counter warnings=smells+bugs:lower:log1p
    steelyard import panel weeks.csv --pilot payments --unit team --time week \
        --outcome hours:lower:log --start payments=2026-03-02 --only payments --only search`
}

func (c *importPanelCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting(), config.Flag{
		Key: config.KeySmallestEffect, Name: "--smallest-effect", Value: c.SmallestEffect,
	})
	if err != nil {
		return err
	}
	spec, err := c.spec(settings.Report.SmallestEffect)
	if err != nil {
		return err
	}
	var done metrics.Import
	err = p.withInput(c.File, "import", func(in io.Reader, name string) error {
		return p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
			s := store.New(db, p.now)
			if c.Replace {
				s = s.Replacing()
			}
			_, done, err = ingest.ImportPanel(ctx, s, in, name, spec, p.now())
			return levelFailure(err, "--pilot")
		})
	})
	if err != nil {
		return err
	}
	if err := p.printImport(done, "rows"); err != nil {
		return err
	}
	p.next("the pilot is saved as %s; see \"steelyard report %s%s\"", c.Pilot, c.Pilot, c.again())
	return nil
}

// spec is what the flags say, for the importer.
func (c *importPanelCommand) spec(smallest float64) (ingest.PanelSpec, error) {
	spec := ingest.PanelSpec{
		Pilot: metrics.Pilot{
			ID: c.Pilot, Title: c.Title, Subject: c.Subject, Description: c.Description,
			UnitNoun: c.UnitNoun, PeriodNoun: c.PeriodNoun, SmallestEffect: smallest, Seed: c.Seed,
			Sources: c.sources(),
		},
		UnitCol: c.Unit, TimeCol: c.Time, FirstTreatedCol: c.FirstTreated, ExposureCol: c.Exposure,
		OnlyUnits: c.Only,
	}
	var err error
	if spec.Outcomes, err = parseOutcomes(c.Outcome, c.Counter); err != nil {
		return spec, err
	}
	if spec.Drop, err = parseDrops(c.Drop); err != nil {
		return spec, err
	}
	if c.FirstTreated == "" && len(c.Start) == 0 {
		return spec, withHint(errors.New("import panel: nothing says when a unit was first treated"),
			"name the column with --first-treated COL, or each start with --start UNIT=PERIOD")
	}
	spec.Starts, err = parsePairs("--start", "UNIT=PERIOD", c.Start)
	return spec, err
}

// parseOutcomes reads the outcomes, marks the counter-metrics among them and
// adds those that are written out.
func parseOutcomes(all, counters []string) ([]ingest.OutcomeColumn, error) {
	var outcomes []ingest.OutcomeColumn
	var names []string
	for _, s := range all {
		o, err := ingest.ParseOutcome(s)
		if err != nil {
			return nil, fmt.Errorf("--outcome: %w", err)
		}
		outcomes, names = append(outcomes, o), append(names, o.ID)
	}
next:
	for _, name := range counters {
		for i := range outcomes {
			if outcomes[i].ID == name {
				outcomes[i].Role = metrics.RoleCounter
				continue next
			}
		}
		if !strings.ContainsAny(name, ":=") {
			return nil, noCounter(name, names)
		}
		o, err := ingest.ParseOutcome(name)
		if err != nil {
			return nil, fmt.Errorf("--counter: %w", err)
		}
		o.Role = metrics.RoleCounter
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// noCounter is the failure of a counter-metric that no outcome is called: a slip
// of the pen, or one whose better side is missing.
func noCounter(name string, names []string) error {
	err := fmt.Errorf("--counter %q is none of the outcomes", name)
	if config.Suggest(name, names) != "" {
		return suggesting(err, name, names)
	}
	return withHint(err, "to measure it too, say which side is better: --counter %s:lower, or --counter %s:higher", name, name)
}

// parsePairs reads NAME=VALUE flags; a name may hold '=', a value may not.
func parsePairs(flag, form string, all []string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, s := range all {
		i := strings.LastIndexByte(s, '=')
		if i <= 0 || i == len(s)-1 {
			return nil, fmt.Errorf("%s %q is not %s", flag, s, form)
		}
		if _, twice := pairs[s[:i]]; twice {
			return nil, fmt.Errorf("%s names %q twice", flag, s[:i])
		}
		pairs[s[:i]] = s[i+1:]
	}
	return pairs, nil
}
