package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"steelyard/migrations"
)

// errDry undoes a transaction that was only to say what it would do.
var errDry = errors.New("only looked")

// Forget removes every scan of a repository with its findings and its new
// dependencies, and returns how many scans there were. Decisions stay: they are
// about packages and servers, wherever these are. dry undoes it.
func (h *History) Forget(ctx context.Context, repository string, dry bool) (scans int, err error) {
	err = h.db.Update(ctx, migrations.Lint, func(tx *sql.Tx, _ int64) error {
		for _, table := range []string{"findings", "scan_files", "scan_servers"} {
			_, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE scan IN (SELECT id FROM scans WHERE LOWER(repository) = LOWER($1))`, repository)
			if err != nil {
				return err
			}
		}
		for _, table := range []string{"dependency_trees", "new_dependencies", "instruction_texts"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE LOWER(repository) = LOWER($1)`, repository); err != nil {
				return err
			}
		}
		done, err := tx.ExecContext(ctx, `DELETE FROM scans WHERE LOWER(repository) = LOWER($1)`, repository)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		scans = int(n)
		if err == nil && dry {
			return errDry
		}
		return err
	})
	if err != nil && !errors.Is(err, errDry) {
		return 0, fmt.Errorf("forget the scans of %q: %w", repository, err)
	}
	return scans, nil
}
