package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// errUnchanged ends a transaction that turns out to have nothing to write.
var errUnchanged = errors.New("nothing to write")

// SavePilot stores p as of at. Saving an identical definition changes nothing;
// a different one under the same id keeps the old one as a
// [metrics.DefinitionChange]. One over another kind of data is refused with a
// [*metrics.LevelError], unless the store is [Store.Replacing]. An invalid definition is refused with a
// [*metrics.FieldError].
func (s *Store) SavePilot(ctx context.Context, p metrics.Pilot, at time.Time) (metrics.Definition, error) {
	var d metrics.Definition
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		changed, err := s.savePilot(ctx, tx, p, at, revision)
		if err != nil {
			return err
		}
		if d, err = pilot(ctx, tx, p.ID); err != nil {
			return err
		}
		if !changed {
			return errUnchanged
		}
		return nil
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return metrics.Definition{}, fmt.Errorf("save pilot %q: %w", p.ID, err)
	}
	return d, nil
}

// Pilot returns one definition, or an error that wraps [metrics.ErrNotFound].
func (s *Store) Pilot(ctx context.Context, id string) (metrics.Definition, error) {
	var d metrics.Definition
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		d, err = pilot(ctx, tx, id)
		return err
	})
	if err != nil {
		return metrics.Definition{}, fmt.Errorf("read pilot %q: %w", id, err)
	}
	return d, nil
}

// allPilots is the question for [Store.Pilots].
type allPilots struct{}

// Pilots returns every definition, by id. They are shared: callers must not
// change what is in them.
func (s *Store) Pilots(ctx context.Context) ([]metrics.Definition, error) {
	all, err := migrations.Remember(ctx, s.defined, allPilots{}, func(d []metrics.Definition) int { return len(d) },
		func(tx *sql.Tx) ([]metrics.Definition, error) { return pilots(ctx, tx) })
	if err != nil {
		return nil, fmt.Errorf("read pilots: %w", err)
	}
	return slices.Clone(all), nil
}

// DeletePilot removes a pilot with its panel, or returns an error that wraps
// [metrics.ErrNotFound]. Pull requests stay: other pilots may be defined over
// them. So does the history of its definition, with the deletion as its last
// change: deleting a pilot and making it anew is changing it.
func (s *Store) DeletePilot(ctx context.Context, id string) error {
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		old, err := pilot(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := keepPast(ctx, tx, old, s.clock(), revision); err != nil {
			return err
		}
		if err := removePanel(ctx, tx, id); err != nil {
			return err
		}
		for _, remove := range []string{
			`DELETE FROM imports WHERE pilot = $1`,
			`DELETE FROM pilot_changes WHERE pilot = $1`,
			`DELETE FROM pilots WHERE id = $1`,
		} {
			if _, err := tx.ExecContext(ctx, remove, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete pilot %q: %w", id, err)
	}
	return nil
}

// keepPast keeps the history of a pilot that is about to be deleted.
func keepPast(ctx context.Context, tx *sql.Tx, old metrics.Definition, at time.Time, revision int64) error {
	text, err := json.Marshal(old.Pilot)
	if err != nil {
		return fmt.Errorf("write the deleted definition: %w", err)
	}
	after, err := started(ctx, tx, old.Pilot, old.Pilot, at)
	if err != nil {
		return err
	}
	const columns = `pilot, id, definition, hash, saved_at, replaced_at, after_start, what`
	if _, err := tx.ExecContext(ctx, `INSERT INTO pilot_past (`+columns+`)
		SELECT `+columns+` FROM pilot_changes WHERE pilot = $1`, old.Pilot.ID); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pilot_past (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		old.Pilot.ID, revision, string(text), old.Hash, old.SavedAt.UnixMilli(), at.UnixMilli(), after, `["`+metrics.ChangeDeleted+`"]`)
	return err
}

// savePilot reports whether p differed from what was stored.
func (s *Store) savePilot(ctx context.Context, tx *sql.Tx, p metrics.Pilot, at time.Time, revision int64) (changed bool, err error) {
	if err := p.Validate(); err != nil {
		return false, err
	}
	hash, err := p.Hash()
	if err != nil {
		return false, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return false, fmt.Errorf("write the definition: %w", err)
	}
	old, err := pilot(ctx, tx, p.ID)
	switch {
	case errors.Is(err, metrics.ErrNotFound):
	case err != nil:
		return false, err
	case old.Hash == hash:
		return false, nil
	case old.Pilot.Level != p.Level && !s.replace:
		return false, &metrics.LevelError{Pilot: p.ID, Have: old.Pilot.Level, Want: p.Level}
	default:
		if err := keepPilot(ctx, tx, old, p, at, revision); err != nil {
			return false, err
		}
		if p.Level != metrics.LevelPanel {
			if err := removePanel(ctx, tx, p.ID); err != nil {
				return false, err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pilots (id, definition, hash, saved_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, hash = excluded.hash, saved_at = excluded.saved_at`,
		p.ID, string(text), hash, at.UnixMilli())
	return true, err
}

// keepPilot keeps old, which p is about to replace, as a change.
func keepPilot(ctx context.Context, tx *sql.Tx, old metrics.Definition, p metrics.Pilot, at time.Time, revision int64) error {
	text, err := json.Marshal(old.Pilot)
	if err != nil {
		return fmt.Errorf("write the earlier definition: %w", err)
	}
	what, err := json.Marshal(old.Pilot.Diff(p))
	if err != nil {
		return fmt.Errorf("write what changed: %w", err)
	}
	after := false
	if !old.Pilot.SameMeasurement(p) {
		if after, err = started(ctx, tx, old.Pilot, p, at); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pilot_changes
		(pilot, id, definition, hash, saved_at, replaced_at, after_start, what)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		p.ID, revision, string(text), old.Hash, old.SavedAt.UnixMilli(), at.UnixMilli(), after, string(what))
	return err
}

// started reports whether the pilot had started by at, so that results could
// have been seen: a start that either definition names had passed, or the
// stored panel has a row of a unit at or after the unit's start.
func started(ctx context.Context, tx *sql.Tx, old, p metrics.Pilot, at time.Time) (bool, error) {
	for _, treated := range [][]metrics.Adoption{old.Treated, p.Treated} {
		for _, a := range treated {
			if !a.Start.After(at) {
				return true, nil
			}
		}
	}
	var seen bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (
		SELECT 1 FROM panels p
		JOIN panel_units u ON u.import = p.import
		JOIN panel_rows r ON r.import = u.import AND r.unit = u.unit
		WHERE p.pilot = $1 AND r.period >= u.first_treated)`, p.ID).Scan(&seen)
	if err != nil {
		return false, fmt.Errorf("look whether the pilot had started: %w", err)
	}
	return seen, nil
}

func pilot(ctx context.Context, tx *sql.Tx, id string) (metrics.Definition, error) {
	found, err := definitions(ctx, tx, `WHERE id = $1`, id)
	if err != nil {
		return metrics.Definition{}, err
	}
	if len(found) == 0 {
		return metrics.Definition{}, metrics.ErrNotFound
	}
	d := found[0]
	d.Changes, err = changes(ctx, tx, id)
	return d, err
}

func pilots(ctx context.Context, tx *sql.Tx) ([]metrics.Definition, error) {
	all, err := definitions(ctx, tx, `ORDER BY id`)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Changes, err = changes(ctx, tx, all[i].Pilot.ID); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// definitions reads pilots without their changes; which ends the query.
func definitions(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]metrics.Definition, error) {
	all := []metrics.Definition{}
	err := migrations.Each(ctx, tx, `SELECT definition, hash, saved_at FROM pilots `+which, args,
		func(scan func(...any) error) error {
			var d metrics.Definition
			var text string
			var saved sql.NullInt64
			if err := scan(&text, &d.Hash, &saved); err != nil {
				return err
			}
			d.SavedAt = migrations.Time(saved)
			if err := fromJSON("definition", text, &d.Pilot); err != nil {
				return err
			}
			all = append(all, d)
			return nil
		})
	return all, err
}

// changes are the earlier versions of a pilot, oldest first.
func changes(ctx context.Context, tx *sql.Tx, id string) ([]metrics.DefinitionChange, error) {
	var all []metrics.DefinitionChange
	err := migrations.Each(ctx, tx, `SELECT hash, saved_at, replaced_at, after_start, what FROM (
		SELECT id, hash, saved_at, replaced_at, after_start, what FROM pilot_past WHERE pilot = $1
		UNION ALL
		SELECT id, hash, saved_at, replaced_at, after_start, what FROM pilot_changes WHERE pilot = $1) AS past
		ORDER BY id`, []any{id},
		func(scan func(...any) error) error {
			var c metrics.DefinitionChange
			var saved, replaced sql.NullInt64
			var what string
			if err := scan(&c.Hash, &saved, &replaced, &c.AfterStart, &what); err != nil {
				return err
			}
			c.SavedAt, c.ReplacedAt = migrations.Time(saved), migrations.Time(replaced)
			if err := fromJSON("what changed", what, &c.What); err != nil {
				return err
			}
			all = append(all, c)
			return nil
		})
	return all, err
}
