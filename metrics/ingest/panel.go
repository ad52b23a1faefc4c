package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
)

// PanelSpec says how a file becomes a pilot's panel.
type PanelSpec struct {
	// Pilot is what is saved with the panel: ID is required; Title, nouns and
	// smallest effect have defaults. Outcomes, Level and, where Starts are
	// given, Treated are filled in.
	Pilot metrics.Pilot
	// UnitCol and TimeCol are the columns of the unit and the period.
	UnitCol, TimeCol string
	// Outcomes in the pilot's order, the primary one first.
	Outcomes []OutcomeColumn
	// FirstTreatedCol is the column of the unit's first treated period; it has
	// the same value on all rows of a unit. Empty, NA, NaN, null, never and
	// Inf mean never treated, and so does 0 where periods are years or whole
	// numbers.
	FirstTreatedCol string
	// Starts gives the first treated period by unit instead of a column; units
	// it does not name are never treated. Where both are empty, the dates of
	// Pilot.Treated are taken.
	Starts map[string]string
	// ExposureCol is the column that counts are counted over: above 0, or
	// missing. Optional.
	ExposureCol string
	// Drop leaves out rows, OnlyUnits all but the named units.
	Drop      []Filter
	OnlyUnits []string
	Limits    Limits
}

// ImportPanel reads a CSV file, plain or gzip, and saves it as the panel of
// the spec's pilot, all or nothing. file is its name in messages. A bad line
// is a [*LineError]; missing values of outcomes are kept as NaN. now is when
// the import happened.
func ImportPanel(ctx context.Context, s metrics.PanelStore, r io.Reader, file string, spec PanelSpec, now time.Time) (metrics.Definition, metrics.Import, error) {
	none := func(err error) (metrics.Definition, metrics.Import, error) {
		return metrics.Definition{}, metrics.Import{}, err
	}
	p, err := openPanel(ctx, r, file, spec)
	if err != nil {
		return none(err)
	}
	head, err := p.peek()
	if err != nil {
		return none(err)
	}
	pilot, err := p.pilot(head)
	if err != nil {
		return none(err)
	}
	var done metrics.Import
	def, err := s.ImportPanel(ctx, pilot, p.periods.kind, p.rows(head), func() (metrics.Import, error) {
		done = p.summary(now)
		return done, nil
	})
	if err != nil {
		return none(importError(file, err))
	}
	return def, done, nil
}

// importError is the bad line alone where there is one: it names its place.
func importError(file string, err error) error {
	if line, ok := errors.AsType[*LineError](err); ok {
		return line
	}
	return fmt.Errorf("import %s: %w", file, err)
}

// pilot completes the pilot by what the first rows show.
func (p *panelReader) pilot(head []metrics.PanelRow) (metrics.Pilot, error) {
	pilot := p.spec.Pilot
	pilot.Level = metrics.LevelPanel
	if pilot.Title == "" {
		pilot.Title = title(pilot.ID)
	}
	if pilot.UnitNoun == "" {
		pilot.UnitNoun = unitNoun(p.spec.UnitCol)
	}
	if pilot.PeriodNoun == "" {
		pilot.PeriodNoun = periodNoun(p.periods.kind, p.spec.TimeCol, head)
	}
	if pilot.SmallestEffect == 0 {
		pilot.SmallestEffect = metrics.DefaultSmallestEffect
	}
	pilot.Outcomes = make([]metrics.Outcome, len(p.spec.Outcomes))
	for i, o := range p.spec.Outcomes {
		pilot.Outcomes[i] = o.complete(i)
	}
	if p.starts != nil {
		pilot.Treated = p.adoptions()
	}
	if err := pilot.Validate(); err != nil {
		return pilot, fmt.Errorf("import %s: %w", p.file, err)
	}
	return pilot, nil
}

// complete fills in what an outcome leaves open; i is its place.
func (o OutcomeColumn) complete(i int) metrics.Outcome {
	out := o.Outcome
	if out.Title == "" {
		out.Title = title(out.ID)
	}
	if out.Better == "" {
		out.Better = metrics.BetterNeutral
	}
	if out.Scale == "" {
		out.Scale = metrics.ScaleLevel
	}
	switch {
	case out.Role == "" && i == 0:
		out.Role = metrics.RolePrimary
	case out.Role == "":
		out.Role = metrics.RoleSecondary
	}
	return out
}

// adoptions are the starts as dates, by unit. Whole numbers have no place in
// time: their starts stand in the panel alone.
func (p *panelReader) adoptions() []metrics.Adoption {
	if p.periods.kind == metrics.PeriodInteger {
		return nil
	}
	var out []metrics.Adoption
	for unit, period := range p.starts {
		out = append(out, metrics.Adoption{Unit: unit, Start: p.periods.kind.Start(period)})
	}
	slices.SortFunc(out, func(a, b metrics.Adoption) int { return strings.Compare(a.Unit, b.Unit) })
	return out
}
