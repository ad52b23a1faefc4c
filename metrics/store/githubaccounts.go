package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// insertAll inserts rows of n columns in batches.
func insertAll(ctx context.Context, db *migrations.DB, tx *sql.Tx, head string, n int, tail string, args []any) error {
	if len(args) == 0 {
		return nil
	}
	insert := db.NewInsert(tx, head, n, tail)
	for part := range slices.Chunk(args, n*migrations.BatchRows) {
		if _, err := insert.Exec(ctx, part); err != nil {
			return errors.Join(err, insert.Close())
		}
	}
	return insert.Close()
}

// removeAll runs a DELETE for rows whose column is one of keys.
func removeAll(ctx context.Context, tx *sql.Tx, statement, column string, keys []string) error {
	for part := range slices.Chunk(keys, migrations.BatchRows) {
		if _, err := tx.ExecContext(ctx, statement+among(column, 1, len(part)), anys(part)...); err != nil {
			return err
		}
	}
	return nil
}

// saveAccounts writes accounts that are new or have changed.
func saveAccounts(ctx context.Context, db *migrations.DB, tx *sql.Tx, all []metrics.Account) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b metrics.Account) int { return strings.Compare(a.ID, b.ID) })
	all = slices.CompactFunc(all, func(a, b metrics.Account) bool { return a.ID == b.ID })
	known, err := accountsByID(ctx, tx, all)
	if err != nil {
		return err
	}
	var args []any
	for _, a := range all {
		if a.Number == 0 {
			a.Number = known[a.ID].Number
		}
		if a.ID == "" || known[a.ID] == a {
			continue
		}
		args = append(args, a.ID, a.Number, clean(a.Login), a.Type)
	}
	return insertAll(ctx, db, tx, `INSERT INTO github_accounts (id, number, login, type)`, 4,
		`ON CONFLICT (id) DO UPDATE SET number = excluded.number, login = excluded.login, type = excluded.type`, args)
}

func accountsByID(ctx context.Context, tx *sql.Tx, all []metrics.Account) (map[string]metrics.Account, error) {
	known := make(map[string]metrics.Account, len(all))
	for part := range slices.Chunk(all, migrations.BatchRows) {
		ids := make([]any, len(part))
		for i, a := range part {
			ids[i] = a.ID
		}
		err := migrations.Each(ctx, tx, `SELECT id, number, login, type FROM github_accounts WHERE `+among("id", 1, len(ids)), ids,
			func(scan func(...any) error) error {
				var a metrics.Account
				if err := scan(&a.ID, &a.Number, &a.Login, &a.Type); err != nil {
					return err
				}
				known[a.ID] = a
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}
