package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"steelyard/migrations"
)

// driver is River's way to one of the engines. Its transactions are *sql.Tx on
// both.
type driver struct {
	riverdriver.Driver[*sql.Tx]
	close func()
}

// openDriver makes the driver and brings River's tables up to date. They come
// after ours, never in the same transaction: PostgreSQL refuses to use a value
// of an enumeration in the transaction that adds it.
func openDriver(ctx context.Context, db *migrations.DB) (driver, error) {
	d := driver{close: func() {}}
	if db.Engine == migrations.SQLite {
		d.Driver = riversqlite.New(db.Write)
	} else {
		pool, err := db.Listener(ctx)
		if err != nil {
			return d, err
		}
		d.Driver, d.close = riverdatabasesql.NewWithPgxListener(db.Write, pool), pool.Close
	}
	if err := migrateQueue(ctx, d); err != nil {
		d.close()
		return d, err
	}
	return d, nil
}

// migrateTries bounds how often a migration that lost a race is looked at
// again.
const migrateTries = 20

// migrateQueue applies what is missing. River takes no lock: of two processes
// that begin at once, one fails on what the other has just made. It then looks
// again, and goes on from there.
func migrateQueue(ctx context.Context, d driver) error {
	m, err := rivermigrate.New(d.Driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("read the queue's migrations: %w", err)
	}
	for try := 1; ; try++ {
		valid, err := m.Validate(ctx, nil)
		if err == nil && valid.OK {
			return nil
		}
		if err == nil {
			_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
		}
		if err == nil {
			return nil
		}
		if try == migrateTries || ctx.Err() != nil {
			return fmt.Errorf("migrate the queue's tables: %w", migrations.Explain(err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(try) * 25 * time.Millisecond):
		}
	}
}

// Ready reports whether the queue's tables are up to date: nil if they are.
func (q *Queue) Ready(ctx context.Context) error {
	m, err := rivermigrate.New(q.driver.Driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("read the queue's migrations: %w", err)
	}
	valid, err := m.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("look at the queue's tables: %w", err)
	}
	if !valid.OK {
		return fmt.Errorf("the queue's tables are not up to date: start a steelyard of this version that works jobs")
	}
	return nil
}
