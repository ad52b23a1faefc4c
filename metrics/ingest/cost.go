package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"steelyard/metrics"
)

// CostSpec says how a file becomes costs.
type CostSpec struct {
	// Columns names the file's column by field (see [CostFields]), as in
	// [PullRequestSpec].
	Columns map[string]string
	// Team is the team of all rows, and Currency the currency of all amounts,
	// where the file has no column for it.
	Team, Currency string
	Drop           []Filter
	Limits         Limits
}

// CostFields are the columns that [ImportCosts] reads. Required are date, a
// team, and credits, or amount with its currency.
func CostFields() []Field {
	return []Field{
		{"date", "the day of the usage", []string{"day", "usage_date", "month"}},
		{"team", "the team that the usage is booked to; empty: no team, left out", []string{"team_name", "cost_center", "cost_centre"}},
		{"credits", "usage in credits, requests or whatever the vendor counts", []string{"requests", "premium_requests", "quantity"}},
		{"amount", "usage in money", []string{"cost", "net_amount", "gross_amount", "price", "amount_usd", "total"}},
		{"currency", "three capital letters, such as EUR", []string{"currency_code"}},
	}
}

// creditUnit is the unit of what is not money.
const creditUnit = "credits"

// ImportCosts reads a CSV file, plain or gzip, into the store, all or nothing.
// Rows of one team, day and unit add up; they replace what an earlier import
// had of the same three.
func ImportCosts(ctx context.Context, s metrics.CostStore, r io.Reader, file string, spec CostSpec, now time.Time) (metrics.Import, error) {
	if bad := checkCurrency([]byte(spec.Currency)); spec.Currency != "" && bad != nil {
		return metrics.Import{}, fmt.Errorf("import cost: the currency %q %s; %s", shown(spec.Currency), bad.problem, bad.cure)
	}
	t, err := openFields(ctx, r, file, fieldSpec{
		what: "costs", one: "a cost", fields: CostFields(),
		columns: spec.Columns, drop: spec.Drop, limits: spec.Limits,
	})
	if err != nil {
		return metrics.Import{}, err
	}
	t.latest = now.Add(ahead)
	c := &costReader{fieldTable: t, spec: spec}
	if err := c.findColumns(); err != nil {
		return metrics.Import{}, err
	}
	first, err := c.next()
	if errors.Is(err, io.EOF) {
		return metrics.Import{}, &LineError{
			File: file, Line: c.line, Problem: fmt.Sprintf("nothing is left to import: no row of %d names a team", c.teamless), Cure: "map the column team, or name one team for all",
		}
	}
	if err != nil {
		return metrics.Import{}, err
	}
	done, err := s.ImportCosts(ctx, rowsOf(first, c.next), func() (metrics.Import, error) {
		return metrics.Import{
			File: filepath.Base(file), SHA256: c.source.sum(), Rows: c.kept - c.teamless, LeftOut: c.leftOut(),
			Fields: c.fieldsRead, At: now.UTC(),
		}, nil
	})
	if err != nil {
		return metrics.Import{}, importError(file, err)
	}
	return done, nil
}

// costReader turns records into costs. Column numbers are −1 where the file
// has none.
type costReader struct {
	*fieldTable
	spec                                  CostSpec
	date, team, credits, amount, currency int
	teamless                              int
}

func (c *costReader) findColumns() error {
	at := map[string]*int{"date": &c.date, "team": &c.team, "credits": &c.credits, "amount": &c.amount, "currency": &c.currency}
	var given []string
	if c.spec.Team != "" {
		given = append(given, "team")
	}
	if err := c.find(at, given...); err != nil {
		return err
	}
	var err error
	switch {
	case c.date < 0:
		err = c.missing("date", "the day of the usage")
	case c.team < 0 && c.spec.Team == "":
		err = c.missing("team", "the team that used it")
	case c.credits < 0 && c.amount < 0:
		err = c.missing("credits", "the usage in credits; or amount and currency")
	case c.credits >= 0 && c.amount >= 0:
		err = &LineError{
			File: c.file, Line: c.start, Column: c.names[c.amount], Value: c.names[c.amount],
			Problem: "stands beside a column of credits: one import is of one of them", Cure: "leave one out with credits= or amount=",
		}
	case c.amount >= 0 && c.currency < 0 && c.spec.Currency == "":
		err = c.missing("currency", "the currency of the amounts")
	}
	return err
}

func (c *costReader) next() (metrics.Cost, error) {
	for {
		if err := c.nextRow(); err != nil {
			return metrics.Cost{}, err
		}
		row, err := c.cost()
		if err != nil || row.Team != "" {
			return row, err
		}
		c.teamless++
	}
}

func (c *costReader) cost() (metrics.Cost, error) {
	f := fieldReader{t: c.fieldTable}
	row := metrics.Cost{Team: f.name(c.team), Day: f.time(c.date), Unit: creditUnit, Line: c.start}
	value := c.credits
	if c.amount >= 0 {
		value, row.Unit = c.amount, c.spec.Currency
		if v, ok := f.value(c.currency); ok && len(v) > 0 {
			f.fail(c.currency, checkCurrency(v))
			row.Unit = strings.ToUpper(string(v))
		}
	}
	if f.err != nil {
		return row, f.err
	}
	if row.Team == "" {
		row.Team = c.spec.Team
	}
	x, bad := parseNumber(c.fields[value])
	switch {
	case row.Day.IsZero():
		return row, c.badField(c.date, flaw{"is missing", "give every row its day"})
	case row.Unit == "":
		return row, c.badField(max(c.currency, 0), flaw{"is missing", "name the currency of every amount"})
	case bad != nil:
		return row, c.badField(value, *bad)
	case math.IsNaN(x):
		return row, c.badField(value, flaw{"is missing", "write 0 where there was no usage, or leave the row out"})
	case math.Abs(x) > 1e12:
		return row, c.badField(value, flaw{"is too large for a cost", "write at most 1e12"})
	}
	row.Amount, row.Day = x, row.Day.UTC().Truncate(24*time.Hour)
	return row, nil
}

// checkCurrency accepts a currency's code: three letters.
func checkCurrency(v []byte) *flaw {
	ok := len(v) == 3
	for _, b := range v {
		ok = ok && (b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z')
	}
	if ok {
		return nil
	}
	return &flaw{"is no code of a currency", "write three letters, such as EUR or USD"}
}

func (c *costReader) leftOut() []metrics.LeftOut {
	out := c.filters.leftOut()
	if c.teamless > 0 {
		out = append(out, metrics.LeftOut{Count: c.teamless, What: "rows", Reason: "the usage is booked to no team"})
	}
	return out
}
