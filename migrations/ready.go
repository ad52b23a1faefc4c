package migrations

import (
	"context"
	"errors"
	"fmt"
)

// Ready reports why the database cannot be used: it cannot be reached, or its
// schema is not the one that this program knows. nil: it can.
func (db *DB) Ready(ctx context.Context) error {
	var version int64
	if err := db.Read.QueryRowContext(ctx, `SELECT MAX(version_id) FROM `+versionTable).Scan(&version); err != nil {
		if cure(err) != "" {
			return Explain(err)
		}
		return errors.New("the database cannot be reached")
	}
	p, err := migrator{engine: db.Engine, db: db.Write}.provider()
	if err != nil {
		return err
	}
	if newest := latest(p); version != newest {
		return fmt.Errorf("the schema is version %d and this program knows version %d", version, newest)
	}
	return nil
}

// Size is how many bytes the database takes on disk.
func (db *DB) Size(ctx context.Context) (bytes int64, err error) {
	query := `SELECT pg_database_size(current_database())`
	if db.Engine == SQLite {
		query = `SELECT p.page_count * s.page_size FROM pragma_page_count() p, pragma_page_size() s`
	}
	if err := db.Read.QueryRowContext(ctx, query).Scan(&bytes); err != nil {
		return 0, fmt.Errorf("read the size of the database: %w", explain(ctx, err))
	}
	return bytes, nil
}
