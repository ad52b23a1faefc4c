package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// table is a table as the database describes it.
type table struct {
	name    string
	columns []backupColumn
	key     []string // columns of the primary key, quoted
	refers  []string // tables that its rows refer to
}

// queries describe tables on one engine: their names; of one table the columns
// with their types and places in the key; and what it refers to.
type queries struct{ tables, columns, refers string }

var describe = map[Engine]queries{
	SQLite: {
		tables:  `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`,
		columns: `SELECT name, LOWER(type), pk FROM pragma_table_info($1) ORDER BY cid`,
		refers:  `SELECT DISTINCT "table" FROM pragma_foreign_key_list($1) ORDER BY 1`,
	},
	Postgres: {
		tables: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`,
		columns: `SELECT c.column_name, c.data_type, COALESCE(k.ordinal_position, 0)
			FROM information_schema.columns c
			LEFT JOIN information_schema.table_constraints t ON t.table_schema = c.table_schema
				AND t.table_name = c.table_name AND t.constraint_type = 'PRIMARY KEY'
			LEFT JOIN information_schema.key_column_usage k ON k.constraint_schema = t.constraint_schema
				AND k.constraint_name = t.constraint_name AND k.table_name = c.table_name AND k.column_name = c.column_name
			WHERE c.table_schema = current_schema() AND c.table_name = $1 ORDER BY c.ordinal_position`,
		refers: `SELECT DISTINCT f.relname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
			JOIN pg_class f ON f.oid = c.confrelid JOIN pg_namespace n ON n.oid = t.relnamespace
			WHERE c.contype = 'f' AND n.nspname = current_schema() AND t.relname = $1 ORDER BY 1`,
	},
}

// tables describes every table that belongs into a backup, those that others
// refer to first.
func (db *DB) tables(ctx context.Context, tx *sql.Tx) ([]table, error) {
	q := describe[db.Engine]
	var all []table
	err := Each(ctx, tx, q.tables, nil, func(scan func(...any) error) error {
		var t table
		if err := scan(&t.name); err != nil {
			return err
		}
		// The queue's tables all begin like this, and are its own affair.
		if !transient[t.name] && !strings.HasPrefix(t.name, "river_") {
			all = append(all, t)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	for i := range all {
		if err := all[i].describe(ctx, tx, q); err != nil {
			return nil, fmt.Errorf("describe the table %s: %w", all[i].name, err)
		}
	}
	return inOrder(all)
}

func (t *table) describe(ctx context.Context, tx *sql.Tx, q queries) error {
	type place struct {
		at   int
		name string
	}
	var key []place
	err := Each(ctx, tx, q.columns, []any{t.name}, func(scan func(...any) error) error {
		var name, kind string
		var at int
		if err := scan(&name, &kind, &at); err != nil {
			return err
		}
		k, known := kindOf(kind)
		if !known {
			return fmt.Errorf("column %s has the type %q, which no backup knows", name, kind)
		}
		t.columns = append(t.columns, backupColumn{name, k})
		if at > 0 {
			key = append(key, place{at, quoteName(name)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(key, func(a, b place) int { return a.at - b.at })
	for _, k := range key {
		t.key = append(t.key, k.name)
	}
	return Each(ctx, tx, q.refers, []any{t.name}, func(scan func(...any) error) error {
		var name string
		if err := scan(&name); err != nil {
			return err
		}
		if name != t.name {
			t.refers = append(t.refers, name)
		}
		return nil
	})
}

func kindOf(declared string) (columnKind, bool) {
	switch declared {
	case "text", "character varying":
		return textColumn, true
	case "bigint", "integer", "smallint", "int":
		return wholeColumn, true
	case "double precision", "real":
		return realColumn, true
	case "boolean":
		return truthColumn, true
	case "bytea", "blob":
		return bytesColumn, true
	}
	return "", false
}

// inOrder sorts tables so that each comes after what it refers to, and else by
// name.
func inOrder(all []table) ([]table, error) {
	var out []table
	placed := map[string]bool{}
	for len(out) < len(all) {
		before := len(out)
		for _, t := range all {
			ready := !slices.ContainsFunc(t.refers, func(r string) bool { return !placed[r] })
			if !placed[t.name] && ready {
				placed[t.name] = true
				out = append(out, t)
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("tables refer to each other in a circle: %s", left(all, placed))
		}
	}
	return out, nil
}

func left(all []table, placed map[string]bool) string {
	var names []string
	for _, t := range all {
		if !placed[t.name] {
			names = append(names, t.name)
		}
	}
	return strings.Join(names, ", ")
}
