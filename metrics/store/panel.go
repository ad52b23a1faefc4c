package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ImportPanel saves p and replaces its panel in one transaction. rows is read
// once; its first error, and the end of ctx, undo everything. A unit that
// stands twice in one period is refused, and so is one whose rows name
// different first treated periods. finish is called after the last row; the
// number of rows and, where it is zero, the date of what it returns are filled
// in. Neither rows nor finish may use the store.
func (s *Store) ImportPanel(ctx context.Context, p metrics.Pilot, kind metrics.PeriodKind, rows iter.Seq2[metrics.PanelRow, error], finish func() (metrics.Import, error)) (metrics.Definition, error) {
	var d metrics.Definition
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if p.Level != metrics.LevelPanel {
			return fmt.Errorf("its level is %q: only pilots of level %q have a panel", p.Level, metrics.LevelPanel)
		}
		now := s.clock()
		if _, err := s.savePilot(ctx, tx, p, now, revision); err != nil {
			return err
		}
		im := newPanelImport(s.db, tx, revision, p, kind)
		if err := im.replace(ctx); err != nil {
			return err
		}
		if err := im.addAll(ctx, rows); err != nil {
			return err
		}
		if _, err := endImport(ctx, tx, revision, im.kept, now, finish); err != nil {
			return err
		}
		var err error
		d, err = pilot(ctx, tx, p.ID)
		return err
	})
	if err != nil {
		return metrics.Definition{}, fmt.Errorf("import panel of pilot %q: %w", p.ID, err)
	}
	return d, nil
}

// panelImport writes one panel.
type panelImport struct {
	tx    *sql.Tx
	id    int64
	pilot metrics.Pilot
	kind  metrics.PeriodKind

	units    map[string]panelUnit
	newUnits []any // arguments of units that are not written yet
	batch    []panelRow
	kept     int

	insertUnits, insertRows *migrations.Insert
}

type panelUnit struct {
	id           int64
	firstTreated int
	line         int
}

// panelRow is a row that is not written yet.
type panelRow struct {
	metrics.PanelRow
	unit int64
	line int
}

const (
	unitColumns = 4
	rowColumns  = 6
)

func newPanelImport(db *migrations.DB, tx *sql.Tx, id int64, p metrics.Pilot, kind metrics.PeriodKind) *panelImport {
	return &panelImport{
		tx: tx, id: id, pilot: p, kind: kind,
		units: map[string]panelUnit{},
		insertUnits: db.NewInsert(tx,
			`INSERT INTO panel_units (import, unit, name, first_treated)`, unitColumns, ``),
		insertRows: db.NewInsert(tx,
			`INSERT INTO panel_rows (import, unit, period, line, exposure, measured)`, rowColumns,
			`ON CONFLICT (import, unit, period) DO NOTHING`),
	}
}

// replace removes the pilot's panel and makes room for the new one.
func (im *panelImport) replace(ctx context.Context) error {
	if err := removePanel(ctx, im.tx, im.pilot.ID); err != nil {
		return err
	}
	if err := beginImport(ctx, im.tx, im.id, im.pilot.ID); err != nil {
		return err
	}
	ids := make([]string, len(im.pilot.Outcomes))
	for i, o := range im.pilot.Outcomes {
		ids[i] = o.ID
	}
	outcomes, err := json.Marshal(ids)
	if err != nil {
		return fmt.Errorf("write the outcomes: %w", err)
	}
	_, err = im.tx.ExecContext(ctx, `INSERT INTO panels (pilot, import, kind, outcomes) VALUES ($1, $2, $3, $4)`,
		im.pilot.ID, im.id, string(im.kind), string(outcomes))
	return err
}

// removePanel removes a pilot's panel; the records of its imports stay.
func removePanel(ctx context.Context, tx *sql.Tx, pilot string) error {
	for _, remove := range []string{
		`DELETE FROM panel_rows WHERE import = (SELECT import FROM panels WHERE pilot = $1)`,
		`DELETE FROM panel_units WHERE import = (SELECT import FROM panels WHERE pilot = $1)`,
		`DELETE FROM panels WHERE pilot = $1`,
	} {
		if _, err := tx.ExecContext(ctx, remove, pilot); err != nil {
			return fmt.Errorf("remove the earlier panel: %w", err)
		}
	}
	return nil
}

func (im *panelImport) addAll(ctx context.Context, rows iter.Seq2[metrics.PanelRow, error]) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := im.add(ctx, row); err != nil {
			return err
		}
	}
	if im.kept == 0 {
		return errors.New("there are no rows: nothing was changed")
	}
	if err := im.flush(ctx); err != nil {
		return err
	}
	return errors.Join(im.insertUnits.Close(), im.insertRows.Close())
}

func (im *panelImport) add(ctx context.Context, row metrics.PanelRow) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	im.kept++
	line := row.Line
	if line == 0 {
		line = im.kept
	}
	if err := im.check(row); err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	unit, err := im.unit(row, line)
	if err != nil {
		return err
	}
	im.batch = append(im.batch, panelRow{row, unit, line})
	if len(im.batch) < migrations.BatchRows {
		return nil
	}
	return im.flush(ctx)
}

func (im *panelImport) check(row metrics.PanelRow) error {
	if len(row.Values) != len(im.pilot.Outcomes) {
		return fmt.Errorf("it has %d values for %d outcomes", len(row.Values), len(im.pilot.Outcomes))
	}
	for i, v := range row.Values {
		if math.IsInf(v, 0) {
			return fmt.Errorf("outcome %q is infinite: leave the value empty or out", im.pilot.Outcomes[i].ID)
		}
	}
	if math.IsInf(row.Exposure, 0) {
		return errors.New("the exposure is infinite: leave the row out")
	}
	return nil
}

// unit is the number of the row's unit, a new one where it is the first of it.
func (im *panelImport) unit(row metrics.PanelRow, line int) (int64, error) {
	u, known := im.units[row.Unit]
	if known {
		if u.firstTreated != row.FirstTreated {
			return 0, fmt.Errorf("unit %q is first treated in %s by line %d and in %s by line %d: a unit starts once",
				row.Unit, im.start(u.firstTreated), u.line, im.start(row.FirstTreated), line)
		}
		return u.id, nil
	}
	if err := migrations.CheckText("unit", row.Unit); err != nil {
		return 0, fmt.Errorf("line %d: %w", line, err)
	}
	u = panelUnit{id: int64(len(im.units)), firstTreated: row.FirstTreated, line: line}
	im.units[row.Unit] = u
	im.newUnits = append(im.newUnits, im.id, u.id, row.Unit, firstTreated(row.FirstTreated))
	return u.id, nil
}

// start is a first treated period for a message.
func (im *panelImport) start(period int) string {
	if period == metrics.Never {
		return "no period"
	}
	return im.kind.Label(period)
}

// flush writes the batch. There are never more new units than rows in it.
func (im *panelImport) flush(ctx context.Context) error {
	if _, err := im.insertUnits.Exec(ctx, im.newUnits); err != nil {
		return fmt.Errorf("insert units: %w", err)
	}
	args := make([]any, 0, len(im.batch)*rowColumns)
	for _, r := range im.batch {
		args = append(args, im.id, r.unit, r.Period, r.line, number(r.Exposure), measured(r.Values))
	}
	affected, err := im.insertRows.Exec(ctx, args)
	if err != nil {
		return fmt.Errorf("insert rows: %w", err)
	}
	if affected < int64(len(im.batch)) {
		return im.duplicate(ctx)
	}
	im.newUnits, im.batch = im.newUnits[:0], im.batch[:0]
	return nil
}

// duplicate names the row of the batch that found its place taken.
func (im *panelImport) duplicate(ctx context.Context) error {
	for _, r := range im.batch {
		var first int
		err := im.tx.QueryRowContext(ctx, `SELECT line FROM panel_rows WHERE import = $1 AND unit = $2 AND period = $3`,
			im.id, r.unit, r.Period).Scan(&first)
		if err != nil {
			return fmt.Errorf("look for the duplicate: %w", err)
		}
		if first != r.line {
			return fmt.Errorf("unit %q has two rows for period %s, in lines %d and %d: keep one of them",
				r.Unit, im.kind.Label(r.Period), first, r.line)
		}
	}
	return errors.New("a unit has two rows for a period: keep one of them")
}

// firstTreated is NULL for units that are never treated.
func firstTreated(period int) sql.NullInt64 {
	return sql.NullInt64{Int64: int64(period), Valid: period != metrics.Never}
}

// number is NULL for NaN.
func number(v float64) sql.NullFloat64 {
	return sql.NullFloat64{Float64: v, Valid: !math.IsNaN(v)}
}

// measured is a JSON list with null for NaN. Numbers are written so that they
// read back exactly.
func measured(values []float64) string {
	b := make([]byte, 0, 16*len(values)+2)
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	return string(append(b, ']'))
}
