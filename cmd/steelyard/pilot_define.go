package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

type pilotDefineCommand struct {
	databaseFlag
	ID   string `arg:"" optional:"" name:"ID" help:"The pilot's id: lower-case letters, digits and -."`
	File string `short:"f" placeholder:"FILE" help:"Read the definition from YAML or JSON instead of flags; - is standard input."`

	Treated    []string `group:"who" sep:"none" placeholder:"TEAM=DATE" help:"A team that uses the assistant and its first day with it; repeatable."`
	Comparison []string `group:"who" sep:"none" placeholder:"TEAM" help:"A team that goes without; repeatable. Every other team where none is named."`
	Before     string   `group:"when" placeholder:"FROM..TO" help:"Days before the start that count; FROM belongs to it, TO does not; either may be empty."`
	After      string   `group:"when" placeholder:"FROM..TO" help:"Days after the start that count."`
	LeftOut    []string `group:"when" sep:"none" placeholder:"FROM..TO:reason" help:"Days that count for neither, such as a freeze; repeatable."`

	Outcome        []string `group:"what" sep:"none" placeholder:"METRIC" help:"What is measured, the first one primary; repeatable. ${metrics}."`
	Counter        []string `group:"what" sep:"none" placeholder:"METRIC" help:"Outcome that must not get worse; repeatable."`
	PeriodNoun     string   `group:"what" placeholder:"NOUN" help:"Period that values are counted by: day, week or month; week otherwise."`
	Hours          string   `group:"what" enum:",elapsed,working" default:"" placeholder:"HOW" help:"How durations count: elapsed, or working, by the calendars of steelyard.yaml as they stand now; hours.count of the settings otherwise."`
	SmallestEffect string   `group:"what" placeholder:"SHARE" help:"Smallest relative effect worth having, 0.10 = 10 %."`
	Seed           uint64   `group:"what" default:"1" help:"Seed of every random draw of the report."`

	Replace     bool   `help:"Take the place of a pilot of the same id over a panel, which goes."`
	Title       string `group:"words" help:"The pilot's name for people."`
	Subject     string `group:"words" placeholder:"NAME" help:"The treated side in sentences, such as Payments."`
	Description string `group:"words" placeholder:"TEXT" help:"What was tried, in a sentence or two."`
	sourceFlags
}

// Help shows how it is used.
func (c *pilotDefineCommand) Help() string {
	return `The definition is dated and hashed when it is saved. A later change is kept beside it and shown on the report: choosing the comparison after seeing the numbers is the commonest way to fool oneself. Spans that steelyard.yaml leaves out (exclusions), and its calendars where working hours count, become a part of it. Of a pilot that has not started in the data it says what the design could see: the smallest effect, and whether both sides moved alike so far.

    steelyard pilot define payments --treated payments=2026-03-02 \
        --comparison search --comparison checkout --before 2025-09-01..2026-03-02 \
        --left-out 2025-12-22..2026-01-05:holidays --outcome open_to_merge --counter reverts
    steelyard pilot define --file payments.yaml

A file has the same parts:

    id: payments
    title: Payments tries the editor
    treated:
      - {unit: payments, start: 2026-03-02}
    comparison: [search, checkout]
    before: {from: 2025-09-01, to: 2026-03-02}
    left_out:
      - {from: 2025-12-22, to: 2026-01-05, reason: holidays}
    hours: {count: working}
    outcomes:
      - {id: open_to_merge}
      - {id: reverts, role: counter}`
}

func (c *pilotDefineCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting(), config.Flag{
		Key: config.KeySmallestEffect, Name: "--smallest-effect", Value: c.SmallestEffect,
	})
	if err != nil {
		return err
	}
	file, err := c.definition(p)
	if err != nil {
		return err
	}
	takeHours(file, c.Hours, settings)
	takeExclusions(file, settings)
	pilot, err := toPilot(file, settings.Report.SmallestEffect)
	if err != nil {
		return c.inFlags(err)
	}
	var old, def metrics.Definition
	var ahead *metrics.Preview
	err = p.withDatabase(ctx, settings, toWrite, func(db *migrations.DB) (err error) {
		s := store.New(db, p.now)
		if c.Replace {
			s = s.Replacing()
		}
		if err := p.checkNames(ctx, s, pilot); err != nil {
			return err
		}
		if old, err = s.Pilot(ctx, pilot.ID); err != nil && !errors.Is(err, metrics.ErrNotFound) {
			return err
		}
		if def, err = s.SavePilot(ctx, pilot, p.now()); err != nil {
			return levelFailure(err, "ID")
		}
		ahead, err = metrics.NewReporter(s).Preview(ctx, def.Pilot)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s; definition %.12s\n", saved(old, def), def.Hash)
	if ahead != nil {
		_, more := fmt.Fprintf(p.stdout, "what this design could see, before it starts:\n  %s\n", strings.Join(ahead.Lines(), "\n  "))
		err = errors.Join(err, more)
	}
	p.next("see \"steelyard report %s%s\"", pilot.ID, c.again())
	return err
}

// takeHours gives a definition over pull requests the calendars of the
// settings, where it is to count working hours and has none of its own. They
// become a part of it: changing the settings later changes no pilot.
func takeHours(f *config.PilotFile, count string, settings *config.Config) {
	if f.Level == string(metrics.LevelPanel) || f.Hours != nil && (f.Hours.Count == config.Elapsed || f.Hours.Zone != "") {
		return
	}
	if count == "" && f.Hours != nil {
		count = config.Working
	}
	if count == "" {
		count = settings.Hours.Count
	}
	if f.Hours = nil; count == config.Working {
		f.Hours = settings.Hours.PilotHours()
	}
}

// takeExclusions leaves the settings' spans out of a definition over pull
// requests, beside its own; one that it names itself stays as it is.
func takeExclusions(f *config.PilotFile, settings *config.Config) {
	if f.Level == string(metrics.LevelPanel) {
		return
	}
	for _, e := range settings.Exclusions {
		x := config.PilotExclusion{From: dayText(e.From), To: dayText(e.Until.AddDate(0, 0, 1)), Reason: e.Reason}
		same := func(own config.PilotExclusion) bool { return own.From == x.From && own.To == x.To }
		if !slices.ContainsFunc(f.LeftOut, same) {
			f.LeftOut = append(f.LeftOut, x)
		}
	}
}

// saved says in words what saving a definition did.
func saved(old, def metrics.Definition) string {
	switch old.Hash {
	case "":
		return "saved pilot " + def.Pilot.ID
	case def.Hash:
		return fmt.Sprintf("pilot %s is saved so already", def.Pilot.ID)
	}
	return fmt.Sprintf("changed %s of pilot %s, the earlier version is kept and shown on the report",
		strings.Join(def.Pilot.Diff(old.Pilot), ", "), def.Pilot.ID)
}

// definition is what the file or the flags say.
func (c *pilotDefineCommand) definition(p *program) (*config.PilotFile, error) {
	switch {
	case c.File != "" && (c.ID != "" || len(c.Treated)+len(c.Outcome)+len(c.Comparison) > 0):
		return nil, withHint(errors.New("pilot define: --file holds the whole definition, so an ID or further flags would be lost"), "write them into the file")
	case c.File != "":
		var file *config.PilotFile
		err := p.withInput(c.File, "import", func(in io.Reader, name string) (err error) {
			file, err = config.ReadPilot(name, in)
			return err
		})
		return file, err
	case c.ID == "":
		return nil, withHint(errors.New("pilot define: nothing says which pilot"), "give an ID and flags, or --file FILE")
	}
	return c.fromFlags()
}

// fromFlags is the file that the flags stand for.
func (c *pilotDefineCommand) fromFlags() (*config.PilotFile, error) {
	f := &config.PilotFile{
		ID: c.ID, Title: c.Title, Subject: c.Subject, Description: c.Description,
		PeriodNoun: c.PeriodNoun, Comparison: c.Comparison, Seed: c.Seed,
	}
	for _, s := range c.Treated {
		i := strings.LastIndexByte(s, '=')
		if i <= 0 {
			return nil, withHint(fmt.Errorf("--treated %q is not TEAM=DATE", s), "write the team's first day with it: payments=2026-03-02")
		}
		if _, err := config.ParseDay(s[i+1:]); err != nil {
			return nil, fmt.Errorf("--treated %q: %w", s, err)
		}
		f.Treated = append(f.Treated, config.PilotAdoption{Unit: s[:i], Start: s[i+1:]})
	}
	var err error
	if f.Before, err = parseWindow("--before", c.Before); err != nil {
		return nil, err
	}
	if f.After, err = parseWindow("--after", c.After); err != nil {
		return nil, err
	}
	for _, s := range c.LeftOut {
		days, reason, _ := strings.Cut(s, ":")
		w, err := parseWindow("--left-out", days)
		if err != nil {
			return nil, err
		}
		f.LeftOut = append(f.LeftOut, config.PilotExclusion{From: w.From, To: w.To, Reason: strings.TrimSpace(reason)})
	}
	for _, id := range c.Outcome {
		f.Outcomes = append(f.Outcomes, config.PilotOutcome{ID: id})
	}
	for _, id := range c.Counter {
		f.Outcomes = addCounter(f.Outcomes, id)
	}
	for _, s := range c.sources() {
		f.Sources = append(f.Sources, config.PilotSource{Title: s.Title, URL: s.URL, Licence: s.Licence, MadeUp: s.MadeUp, Note: s.Note})
	}
	return f, nil
}

// parseWindow reads FROM..TO; either end may be empty.
func parseWindow(flag, s string) (config.PilotWindow, error) {
	if s == "" {
		return config.PilotWindow{}, nil
	}
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		return config.PilotWindow{}, withHint(fmt.Errorf("%s %q is not FROM..TO", flag, s), "write two days: 2025-09-01..2026-03-02")
	}
	for _, day := range []string{from, to} {
		if _, err := config.ParseDay(day); day != "" && err != nil {
			return config.PilotWindow{}, fmt.Errorf("%s %q: %w", flag, s, err)
		}
	}
	return config.PilotWindow{From: from, To: to}, nil
}

// addCounter marks an outcome that is there as a counter-metric, or adds it.
func addCounter(outcomes []config.PilotOutcome, id string) []config.PilotOutcome {
	for i := range outcomes {
		if outcomes[i].ID == id {
			outcomes[i].Role = string(metrics.RoleCounter)
			return outcomes
		}
	}
	return append(outcomes, config.PilotOutcome{ID: id, Role: string(metrics.RoleCounter)})
}

// fieldPlace is a field with its place in a list and below: "[0].start".
var fieldPlace = regexp.MustCompile(`^([a-z_]+)(\[\d+\](\.[a-z_]+)?|\.[a-z_]+)?: `)

// inFlags names what was wrong by the flag it was given with: the words of a
// file mean nothing to one who wrote none.
func (c *pilotDefineCommand) inFlags(err error) error {
	var problems config.Problems
	if c.File != "" || !errors.As(err, &problems) {
		return err
	}
	flags := map[string]string{"outcomes": "--outcome", "id": "ID"}
	out := slices.Clone(problems)
	for i, one := range out {
		m := fieldPlace.FindStringSubmatch(one.Text)
		if m == nil {
			continue
		}
		flag, ok := flags[m[1]]
		if !ok {
			flag = "--" + strings.ReplaceAll(m[1], "_", "-")
		}
		out[i].File, out[i].Text = "pilot define", flag+": "+one.Text[len(m[0]):]
	}
	return out
}
