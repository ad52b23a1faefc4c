package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"steelyard/internal/config"
	"steelyard/metrics/did"
	"steelyard/metrics/estimate"
	"steelyard/metrics/ingest"
)

type estimateCommand struct {
	Data   string `required:"" placeholder:"FILE" help:"CSV with a header line, plain or gzip; - reads standard input."`
	Method string `required:"" placeholder:"NAME" help:"The method, or all: those that the design admits. There are ${methods}."`

	Unit         string   `group:"columns" placeholder:"COL" help:"Column that names the unit (team, county)."`
	Time         string   `group:"columns" placeholder:"COL" help:"Column of the period: 2024-08, 2024-08-05, a year or a whole number."`
	Outcome      string   `required:"" group:"columns" placeholder:"COL[+COL][:SCALE]" help:"Column of the outcome, or several that are added up. SCALE: level (as it is), log, log1p, logged (a logarithm already) or count."`
	FirstTreated string   `group:"columns" xor:"start" placeholder:"COL" help:"Column of the unit's first treated period; empty, 0 or never means never treated."`
	Treated      string   `group:"columns" xor:"start" placeholder:"COL" help:"Instead: column that is 1 in treated unit-periods (or tasks), else 0."`
	Start        []string `group:"columns" xor:"start" sep:"none" placeholder:"UNIT=PERIOD" help:"Instead: when a unit was first treated; repeatable."`
	Covariates   []string `group:"columns" placeholder:"COL[:SCALE]" help:"Columns of covariates, joined by commas. SCALE: level, log, log1p, or factor for names."`
	Weights      string   `group:"columns" placeholder:"COL" help:"Column of weights, above 0."`
	Exposure     string   `group:"columns" placeholder:"COL" help:"Column that counts are counted over, above 0."`
	Cluster      string   `group:"columns" placeholder:"COL" help:"Column of what errors are clustered by, instead of the unit."`
	Censored     string   `group:"columns" placeholder:"COL[=VALUE]" help:"Column that is 1, or VALUE, where a duration had not ended yet."`
	Drop         []string `group:"columns" sep:"none" placeholder:"COL=VALUE[:reason]" help:"Leave rows out, and say why; repeatable."`
	Only         []string `group:"columns" sep:"none" placeholder:"UNIT" help:"Read these units alone; repeatable."`

	From string `group:"columns" placeholder:"PERIOD" help:"First period to read."`
	To   string `group:"columns" placeholder:"PERIOD" help:"Last period to read."`

	Control               string   `group:"method" placeholder:"never|not-yet" help:"Whom cohorts are compared with: units never treated, or those not treated yet."`
	Estimator             string   `group:"method" placeholder:"dr|reg|ipw" help:"How covariates enter group-time effects: doubly robust, regression or weighting."`
	BasePeriod            string   `group:"method" placeholder:"varying|universal" help:"What cells before the start are compared with: the period before, or the last one before the start."`
	Aggregate             string   `group:"method" placeholder:"simple|group|dynamic|calendar" help:"How effects are averaged."`
	Horizons              horizons `group:"method" placeholder:"A:B" help:"First and last period since the start, such as -5:10."`
	Draws                 *int     `group:"method" placeholder:"N" help:"Random draws: bootstrap, placebos or arrangements."`
	Seed                  *uint64  `group:"method" placeholder:"S" help:"Seed of the draws, 1 where none is given."`
	Folds                 *int     `group:"method" placeholder:"N" help:"Blocks of the cross-fit t-test, 3 where none are given."`
	Anticipation          *int     `group:"method" placeholder:"N" help:"Periods before its start in which a unit may react already."`
	RepeatedCrossSections bool     `group:"method" help:"Several rows of a unit in a period are different observations."`

	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *estimateCommand) Help() string {
	return `Bring your own panel: nothing is imported and no database is opened. Rows that miss a value are left out and counted. A method refuses data that it cannot answer for, and an option that it does not take; where the design speaks against a method that was asked by name, the answer says so first.

    steelyard estimate --data panel.csv --unit county --time year --outcome emp:log \
        --first-treated law --method callaway-santanna --aggregate dynamic
    steelyard estimate --data weeks.csv --unit team --time week --outcome hours:log \
        --treated in_pilot --method all --format json
    steelyard estimate --data tasks.csv --outcome minutes:log --treated ai_allowed \
        --covariates forecast:log --cluster developer --method randomized

Each method has its page in docs/methods; docs/estimate.md describes the terms and the JSON form.`
}

func (c *estimateCommand) Run(ctx context.Context, p *program) error {
	columns, options, err := c.spec()
	if err != nil {
		return err
	}
	if err := c.checkMethod(); err != nil {
		return err
	}
	var data *estimate.Data
	err = p.withInput(c.Data, "estimate", func(in io.Reader, name string) (err error) {
		data, err = estimate.Read(ctx, in, name, columns, ingest.Limits{})
		return estimateFailure(err)
	})
	if err != nil {
		return err
	}
	answer, err := untilDone(ctx, p.wantsStack(), func() (*estimate.Answer, error) {
		return estimate.Run(data, c.Method, options)
	})
	if err != nil {
		return estimateFailure(err)
	}
	var out bytes.Buffer
	write := estimate.WriteText
	if c.Format == "json" {
		write = estimate.WriteJSON
	}
	if err := write(&out, answer); err != nil {
		return err
	}
	return writeOut(p.stdout, "", out.Bytes())
}

// untilDone does work that knows no context, and leaves it behind when ctx
// ends: the program ends then, too. A panic is the caller's, as if it had done
// the work itself; with stack it is left where it happened.
func untilDone[T any](ctx context.Context, stack bool, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		if !stack {
			defer func() {
				out.panic = recover()
				done <- out
			}()
		}
		out.value, out.err = work()
		if stack {
			done <- out
		}
	}()
	select {
	case out := <-done:
		if out.panic != nil {
			panic(out.panic)
		}
		return out.value, out.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// checkMethod refuses a method that there is not, before the file is read.
func (c *estimateCommand) checkMethod() error {
	names := append(estimate.Names(), "all")
	if slices.Contains(names, c.Method) {
		return nil
	}
	err := fmt.Errorf("there is no method %q", c.Method)
	if s := config.Suggest(c.Method, names); s != "" {
		return withHint(err, "did you mean %q?", s)
	}
	return withHint(err, "there are: %s", strings.Join(names, ", "))
}

// horizons is the text of --horizons, which may begin with a minus sign.
type horizons string

// Decode takes the next word as it is, where other flags would take "-5:10" for
// a flag.
func (h *horizons) Decode(ctx *kong.DecodeContext) error {
	word := ctx.Scan.Pop()
	*h = horizons(fmt.Sprint(word.Value))
	if word.IsEOL() || strings.HasPrefix(string(*h), "--") {
		return errors.New("it needs a value A:B, such as -5:10")
	}
	return nil
}

// spec is what the flags say.
func (c *estimateCommand) spec() (estimate.Columns, estimate.Options, error) {
	columns := estimate.Columns{
		Unit: c.Unit, Time: c.Time, Outcome: c.Outcome, FirstTreated: c.FirstTreated, Treated: c.Treated,
		Covariates: c.Covariates, Weights: c.Weights, Exposure: c.Exposure, Cluster: c.Cluster, Censored: c.Censored,
		Only: c.Only, From: c.From, To: c.To,
	}
	options := estimate.Options{
		Control: c.Control, Estimator: c.Estimator, BasePeriod: c.BasePeriod, Aggregate: c.Aggregate,
		Draws: c.Draws, Seed: c.Seed, Folds: c.Folds, Anticipation: c.Anticipation,
		RepeatedCrossSections: c.RepeatedCrossSections,
	}
	var err error
	if columns.Drop, err = parseDrops(c.Drop); err != nil {
		return columns, options, err
	}
	if columns.Starts, err = parsePairs("--start", "UNIT=PERIOD", c.Start); err != nil {
		return columns, options, err
	}
	if c.Horizons != "" {
		h, err := estimate.ParseHorizons(string(c.Horizons))
		if err != nil {
			return columns, options, estimateFailure(err)
		}
		options.Horizons = &h
	}
	return columns, options, nil
}

// estimateFailure makes an error of the estimator one with advice.
func estimateFailure(err error) error {
	if err == nil {
		return nil
	}
	var refusal *estimate.Error
	if errors.As(err, &refusal) && refusal.Cure != "" {
		return withHint(fmt.Errorf("estimate: %w", err), "%s", refusal.Cure)
	}
	var line *ingest.LineError
	if errors.As(err, &line) {
		return err
	}
	var reason *did.Error
	if errors.As(err, &reason) {
		if cure := designCure(reason.Code); cure != "" {
			return withHint(fmt.Errorf("estimate: %w", err), "%s", cure)
		}
	}
	return fmt.Errorf("estimate: %w", err)
}

// designCure says what to do where a method has no answer for a design. The
// refusals of numbers and options say it themselves.
func designCure(code did.ErrorCode) string {
	switch code {
	case did.ErrNoTreated:
		return "a unit is treated where its start lies after the first period and by the last: look at --first-treated, --treated or --start, and at --from and --to"
	case did.ErrNoComparison:
		return "read units that are not treated, too; where starts differ, later ones can stand in: --method callaway-santanna --control not-yet"
	case did.ErrTooFewUnits, did.ErrTooFewPeriods, did.ErrNotIdentified, did.ErrZeroVariance, did.ErrLevel:
		return "--method all shows which methods answer, and why the others do not"
	}
	return ""
}

// methodNames lists the methods, for help.
func methodNames() string { return strings.Join(estimate.Names(), ", ") }
