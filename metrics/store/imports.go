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
	more, err := json.Marshal(details{Fields: imp.Fields, Exposure: imp.Exposure, Notes: imp.Notes, Until: imp.Until})
	if err != nil {
		return metrics.Import{}, fmt.Errorf("write the import's details: %w", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE imports SET file = $1, sha256 = $2, kept = $3, left_out = $4, details = $5, at = $6 WHERE id = $7`,
		imp.File, imp.SHA256, imp.Rows, string(leftOut), string(more), imp.At.UnixMilli(), id)
	return imp, err
}

// details are the parts of an import that are kept together.
type details struct {
	Fields   []string `json:"fields,omitempty"`
	Exposure string   `json:"exposure,omitempty"`
	Notes    []string `json:"notes,omitempty"`
	// Until is what is known of open pull requests: they were open then.
	Until time.Time `json:"until,omitzero"`
}

// readDetails fills in what [details] holds, where the import is not older.
func readDetails(text sql.NullString, imp *metrics.Import) error {
	if !text.Valid {
		return nil
	}
	var d details
	if err := fromJSON("the import's details", text.String, &d); err != nil {
		return err
	}
	imp.Fields, imp.Exposure, imp.Notes, imp.Until = d.Fields, d.Exposure, d.Notes, d.Until
	return nil
}

// imports reads import records; which ends the query.
func imports(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]metrics.Import, error) {
	all := []metrics.Import{}
	err := migrations.Each(ctx, tx, `SELECT file, sha256, kept, left_out, details, at FROM imports `+which, args,
		func(scan func(...any) error) error {
			var imp metrics.Import
			var leftOut string
			var more sql.NullString
			var at sql.NullInt64
			if err := scan(&imp.File, &imp.SHA256, &imp.Rows, &leftOut, &more, &at); err != nil {
				return err
			}
			imp.At = migrations.Time(at)
			if err := fromJSON("what was left out", leftOut, &imp.LeftOut); err != nil {
				return err
			}
			if err := readDetails(more, &imp); err != nil {
				return err
			}
			all = append(all, imp)
			return nil
		})
	return all, err
}
