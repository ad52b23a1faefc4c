package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

var _ metrics.EditStore = (*Store)(nil)

// EditPilot is [Store.SavePilot] with an entry in the trail, both or neither.
// Its error wraps [metrics.ErrChanged] where e.Based is not what is stored.
// Saving what is there already leaves no entry.
func (s *Store) EditPilot(ctx context.Context, p metrics.Pilot, at time.Time, e metrics.Edit) (metrics.Definition, error) {
	var d metrics.Definition
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if e.By == "" {
			return errors.New("nothing says who changes it")
		}
		if err := migrations.CheckText("who", e.By); err != nil {
			return err
		}
		old, err := pilot(ctx, tx, p.ID)
		if err != nil && !errors.Is(err, metrics.ErrNotFound) {
			return err
		}
		if old.Hash != e.Based {
			return metrics.ErrChanged
		}
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
		what := []string{}
		if old.Hash != "" {
			what = old.Pilot.Diff(p)
		}
		return addTrail(ctx, tx, revision, metrics.TrailEntry{Pilot: p.ID, At: at, By: e.By, Hash: d.Hash, What: what})
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return metrics.Definition{}, fmt.Errorf("save pilot %q: %w", p.ID, err)
	}
	return d, nil
}

func addTrail(ctx context.Context, tx *sql.Tx, id int64, e metrics.TrailEntry) error {
	what, err := json.Marshal(e.What)
	if err != nil {
		return fmt.Errorf("write what changed: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pilot_trail (id, pilot, at, actor, hash, what) VALUES ($1, $2, $3, $4, $5, $6)`,
		id, e.Pilot, e.At.UnixMilli(), e.By, e.Hash, string(what))
	return err
}

// Trail returns the newest entries of a pilot, of all where pilot is empty, the
// newest first.
func (s *Store) Trail(ctx context.Context, pilot string, limit int) ([]metrics.TrailEntry, error) {
	all := []metrics.TrailEntry{}
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT pilot, at, actor, hash, what FROM pilot_trail
			WHERE $1 = '' OR pilot = $1 ORDER BY id DESC LIMIT $2`, []any{pilot, limit}, func(scan func(...any) error) error {
			var e metrics.TrailEntry
			var at int64
			var what string
			if err := scan(&e.Pilot, &at, &e.By, &e.Hash, &what); err != nil {
				return err
			}
			e.At = time.UnixMilli(at).UTC()
			err := fromJSON("what changed", what, &e.What)
			all = append(all, e)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read who changed pilots: %w", err)
	}
	return all, nil
}
