// Package store keeps the domain of package metrics in SQL, the same code and
// text for SQLite and PostgreSQL.
//
// An exported method opens the transaction; an unexported function of the same
// name in lower case does the SQL, so that functions compose inside one
// transaction. Imports are streams: they use memory for one batch of rows,
// whatever their length, and leave nothing behind when they fail. While one
// runs, readers see the data as it was before.
package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// Store keeps pilots, panels and pull requests. It satisfies [metrics.Store]
// and is safe for use by several goroutines and processes.
type Store struct {
	db      *migrations.DB
	clock   func() time.Time
	counted counted
	groups  groups
	// defined remembers what measurement alone is about, synced what the reading
	// of GitHub may change, too.
	defined, synced *migrations.Memory
	replace         bool // a pilot may take the place of one of another level
}

var (
	_ metrics.Store                    = (*Store)(nil)
	_ metrics.MeasuredPullRequestStore = (*Store)(nil)
)

// New returns a store in db. clock dates what an import does not date itself.
func New(db *migrations.DB, clock func() time.Time) *Store {
	return &Store{
		db: db, clock: clock,
		defined: migrations.NewMemory(db, migrations.Measurement),
		synced:  migrations.NewMemory(db, migrations.Measurement, migrations.Ingest),
	}
}

// Replacing returns the store with leave to let a pilot take the place of one
// over another kind of data, whose panel then goes. Its history stays.
func (s *Store) Replacing() *Store {
	r := New(s.db, s.clock)
	r.replace = true
	return r
}

// Revision identifies the state of all measurement data: every write gives it
// a new value. Reading it costs one row.
func (s *Store) Revision(ctx context.Context) (string, error) {
	n, err := s.db.Revision(ctx, migrations.Measurement)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(n, 10), nil
}

// fromJSON reads a column that holds JSON.
func fromJSON(column, text string, into any) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("read %s: %w", column, err)
	}
	return nil
}
