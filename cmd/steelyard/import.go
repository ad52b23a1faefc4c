package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

type importCommand struct {
	Panel        importPanelCommand        `cmd:"" help:"Read a table of outcomes by unit and period, and define the pilot it is for."`
	PullRequests importPullRequestsCommand `cmd:"" help:"Read one row a pull request; pilots are defined over them afterwards."`
	Deployments  importDeploymentsCommand  `cmd:"" help:"Read which commits went to production when; they date the pull requests."`
	Survey       importSurveyCommand       `cmd:"" help:"Read what people felt; reports show it beside what was measured."`
	Cost         importCostCommand         `cmd:"" help:"Read what assistants cost by team and day; reports show it per merged pull request."`
}

// parseColumns reads FIELD=COL flags; example is one.
func parseColumns(flags []string, example string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range flags {
		field, column, ok := strings.Cut(s, "=")
		if !ok || field == "" {
			return nil, withHint(fmt.Errorf("--column %q is not FIELD=COL", s), "write the field first: %s", example)
		}
		out[field] = column
	}
	return out, nil
}

// writeFields lists the fields of a kind of file for its help.
func writeFields(b *strings.Builder, fields []ingest.Field) {
	for _, f := range fields {
		fmt.Fprintf(b, "    %-20s %s\n", f.Name, f.Form)
	}
}

// again writes a repeatable flag's values as they were given.
func again(flag string, values []string) []string {
	var out []string
	for _, v := range values {
		out = append(out, flag+" "+shellWord(v))
	}
	return out
}

// unmapped adds to a failure over columns with other names the command line
// that maps them all: command, the mapping, and rest.
func unmapped(err error, command, rest []string, database string) error {
	var columns *ingest.UnmappedError
	if !errors.As(err, &columns) {
		return err
	}
	command = slices.Clone(command)
	for _, m := range columns.Columns {
		command = append(command, "--column "+shellWord(m.Field+"="+m.Column))
	}
	return withHint(columns, "%s", strings.Join(append(command, rest...), " ")+database)
}

// withInput opens a file, "-" for standard input, and runs use on it and the
// name that messages call it; verb says what was to be done with it.
func (p *program) withInput(path, verb string, use func(r io.Reader, name string) error) error {
	if path == "-" {
		return use(p.stdin, "standard input")
	}
	f, err := openWaiting(path, p.done)
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", verb, err)
	case info.IsDir():
		err = withHint(fmt.Errorf("%s %s: it is a folder", verb, path), "name a file in it")
	default:
		err = use(interruptible(f, p.done), path)
	}
	return errors.Join(err, f.Close())
}

// parseDrops reads COL=VALUE[:reason]; a value may hold ':' only before a
// reason, so the first one ends it.
func parseDrops(all []string) ([]ingest.Filter, error) {
	var drops []ingest.Filter
	for _, s := range all {
		column, rest, ok := strings.Cut(s, "=")
		if !ok || column == "" {
			return nil, withHint(fmt.Errorf("--drop %q is not COL=VALUE", s), "write COL=VALUE or COL=VALUE:reason, such as dup=1:\"the source has the row twice\"")
		}
		value, reason, _ := strings.Cut(rest, ":")
		drops = append(drops, ingest.Filter{Column: column, Value: value, Reason: strings.TrimSpace(reason)})
	}
	return drops, nil
}

// printImport says what an import kept and what it left out, and what follows
// from what the file does not have.
func (p *program) printImport(done metrics.Import, what string) error {
	if _, err := fmt.Fprintf(p.stdout, "imported %s from %s (sha256 %.12s)\n", counted(done.Rows, what), done.File, done.SHA256); err != nil {
		return err
	}
	for _, l := range done.LeftOut {
		if _, err := fmt.Fprintf(p.stdout, "left out %s: %s\n", counted(l.Count, l.What), l.Reason); err != nil {
			return err
		}
	}
	for _, n := range done.Notes {
		p.say("note: %s", n)
	}
	return nil
}

// levelFailure adds to the refusal of a pilot that would take another one's
// place what to do; id is the flag or argument that names it.
func levelFailure(err error, id string) error {
	var level *metrics.LevelError
	if !errors.As(err, &level) {
		return err
	}
	return withHint(level, "choose another %s, or say --replace: its definition stays in the history, its panel goes", id)
}

// counted is "1 row" or "2500 rows", "1 row of costs" or "2 rows of costs".
func counted(n int, plural string) string {
	if n == 1 {
		what, of, several := strings.Cut(plural, " of ")
		if stem, ok := strings.CutSuffix(what, "ies"); ok {
			what = stem + "y"
		} else {
			what = strings.TrimSuffix(what, "s")
		}
		if plural = what; several {
			plural += " of " + of
		}
	}
	return fmt.Sprintf("%d %s", n, plural)
}
