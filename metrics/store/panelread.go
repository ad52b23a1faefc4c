package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// Panel returns a pilot's panel, or an error that wraps [metrics.ErrNotFound].
func (s *Store) Panel(ctx context.Context, pilot string) (*metrics.Panel, error) {
	var p *metrics.Panel
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		p, err = panel(ctx, tx, pilot)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read panel of pilot %q: %w", pilot, err)
	}
	return p, nil
}

func panel(ctx context.Context, tx *sql.Tx, pilot string) (*metrics.Panel, error) {
	p := &metrics.Panel{}
	var id int64
	var kind, outcomes string
	err := tx.QueryRowContext(ctx, `SELECT import, kind, outcomes FROM panels WHERE pilot = $1`, pilot).
		Scan(&id, &kind, &outcomes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, metrics.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	p.Kind = metrics.PeriodKind(kind)
	if err := fromJSON("outcomes", outcomes, &p.Outcomes); err != nil {
		return nil, err
	}
	found, err := imports(ctx, tx, `WHERE id = $1`, id)
	if err != nil {
		return nil, err
	}
	p.Import = found[0] // a panel refers to its import
	place, err := panelUnits(ctx, tx, id, p)
	if err != nil {
		return nil, err
	}
	return p, panelRows(ctx, tx, id, p, place)
}

// panelUnits reads the units by name and returns the place of each in
// p.Units, by its number in the database.
func panelUnits(ctx context.Context, tx *sql.Tx, id int64, p *metrics.Panel) (place map[int64]int, err error) {
	place = map[int64]int{}
	err = migrations.Each(ctx, tx, `SELECT unit, name, first_treated FROM panel_units WHERE import = $1 ORDER BY name`, []any{id},
		func(scan func(...any) error) error {
			u := metrics.PanelUnit{FirstTreated: metrics.Never}
			var number int64
			var first sql.NullInt64
			if err := scan(&number, &u.Name, &first); err != nil {
				return err
			}
			if first.Valid {
				u.FirstTreated = int(first.Int64)
			}
			place[number] = len(p.Units)
			p.Units = append(p.Units, u)
			return nil
		})
	return place, err
}

// panelRows reads the rows by unit name and period.
func panelRows(ctx context.Context, tx *sql.Tx, id int64, p *metrics.Panel, place map[int64]int) error {
	n := p.Import.Rows
	p.Unit, p.Period = make([]int, 0, n), make([]int, 0, n)
	p.Values = make([][]float64, len(p.Outcomes))
	for k := range p.Values {
		p.Values[k] = make([]float64, n)
	}
	exposures, exposed := make([]float64, 0, n), false
	err := migrations.Each(ctx, tx, `SELECT r.unit, r.period, r.exposure, r.measured
		FROM panel_units u JOIN panel_rows r ON r.import = u.import AND r.unit = u.unit
		WHERE u.import = $1 ORDER BY u.name, r.period`, []any{id},
		func(scan func(...any) error) error {
			var unit int64
			var period int
			var exposure sql.NullFloat64
			var text sql.RawBytes
			if err := scan(&unit, &period, &exposure, &text); err != nil {
				return err
			}
			if !exposure.Valid {
				exposure.Float64 = math.NaN()
			}
			i := len(p.Unit)
			if i == n {
				return fmt.Errorf("there are more rows than the %d that were imported", n)
			}
			exposed = exposed || exposure.Valid
			exposures = append(exposures, exposure.Float64)
			p.Unit, p.Period = append(p.Unit, place[unit]), append(p.Period, period)
			return readMeasured(string(text), p.Values, i)
		})
	if err != nil {
		return err
	}
	if len(p.Unit) < n {
		return fmt.Errorf("there are %d rows of the %d that were imported", len(p.Unit), n)
	}
	if exposed {
		p.Exposure = exposures
	}
	return nil
}

// readMeasured is the reverse of [measured], into values[…][row].
func readMeasured(text string, values [][]float64, row int) error {
	list, ok := strings.CutPrefix(text, "[")
	list, ok2 := strings.CutSuffix(list, "]")
	parts := strings.Split(list, ",")
	if !ok || !ok2 || len(parts) != len(values) {
		return fmt.Errorf("read the measured values of row %d: %q does not hold %d numbers", row+1, text, len(values))
	}
	for k, part := range parts {
		if part == "null" {
			values[k][row] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return fmt.Errorf("read the measured values of row %d: %w", row+1, err)
		}
		values[k][row] = v
	}
	return nil
}
