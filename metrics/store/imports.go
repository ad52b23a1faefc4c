package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// beginImport makes the record that rows refer to. It is completed by
// endImport, within the same transaction. An empty pilot means pull requests.
func beginImport(ctx context.Context, tx *sql.Tx, id int64, pilot string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO imports (id, pilot, file, sha256, kept, left_out, at)
		VALUES ($1, $2, '', '', 0, '[]', 0)`, id, sql.NullString{String: pilot, Valid: pilot != ""})
	return err
}

// endImport asks finish what is to be remembered and returns it as it was
// stored: with the number of rows that were, and a date.
func endImport(ctx context.Context, tx *sql.Tx, id int64, kept int, now time.Time, finish func() (metrics.Import, error)) (metrics.Import, error) {
	imp, err := finish()
	if err != nil {
		return metrics.Import{}, err
	}
	imp.Rows = kept
	if imp.At.IsZero() {
		imp.At = now
	}
	imp.At = imp.At.UTC().Truncate(time.Millisecond)
	if imp.LeftOut == nil {
		imp.LeftOut = []metrics.LeftOut{}
	}
	if err := migrations.CheckText("the file's name", imp.File); err != nil {
		return metrics.Import{}, err
	}
	leftOut, err := json.Marshal(imp.LeftOut)
	if err != nil {
		return metrics.Import{}, fmt.Errorf("write what was left out: %w", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE imports SET file = $1, sha256 = $2, kept = $3, left_out = $4, at = $5 WHERE id = $6`,
		imp.File, imp.SHA256, imp.Rows, string(leftOut), imp.At.UnixMilli(), id)
	return imp, err
}

// imports reads import records; which ends the query.
func imports(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]metrics.Import, error) {
	all := []metrics.Import{}
	err := migrations.Each(ctx, tx, `SELECT file, sha256, kept, left_out, at FROM imports `+which, args,
		func(scan func(...any) error) error {
			var imp metrics.Import
			var leftOut string
			var at sql.NullInt64
			if err := scan(&imp.File, &imp.SHA256, &imp.Rows, &leftOut, &at); err != nil {
				return err
			}
			imp.At = migrations.Time(at)
			if err := fromJSON("what was left out", leftOut, &imp.LeftOut); err != nil {
				return err
			}
			all = append(all, imp)
			return nil
		})
	return all, err
}
