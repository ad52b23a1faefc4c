package migrations

import (
	"context"
	"database/sql"
	"strings"
)

// BatchRows is how many rows an [Insert] writes at once at best: one statement
// of many rows saves most of the cost of a statement, and of the way to a
// server.
const BatchRows = 250

// Insert is an INSERT of many rows within one transaction.
type Insert struct {
	tx         *sql.Tx
	engine     Engine
	head, tail string
	columns    int
	full       *sql.Stmt // for exactly BatchRows rows; nil until first used
}

// NewInsert returns an Insert of rows of n columns into tx, a transaction of
// db: head is the statement before its VALUES ("INSERT INTO t (a, b)"), tail
// what follows them ("ON CONFLICT …"), which may be empty. At most 100 columns
// fit: SQLite takes 32,766 arguments.
func (db *DB) NewInsert(tx *sql.Tx, head string, n int, tail string) *Insert {
	return &Insert{tx: tx, engine: db.Engine, head: head, columns: n, tail: tail}
}

// Exec writes rows, whose columns stand one after the other in args, and
// returns how many rows it inserted or changed. At most [BatchRows] rows.
func (in *Insert) Exec(ctx context.Context, args []any) (affected int64, err error) {
	n := len(args) / in.columns
	if n == 0 {
		return 0, nil
	}
	var result sql.Result
	if n < BatchRows {
		result, err = in.tx.ExecContext(ctx, in.text(n), args...)
	} else {
		result, err = in.execFull(ctx, args)
	}
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (in *Insert) execFull(ctx context.Context, args []any) (sql.Result, error) {
	if in.full == nil {
		full, err := in.tx.PrepareContext(ctx, in.text(BatchRows))
		if err != nil {
			return nil, err
		}
		in.full = full
	}
	return in.full.ExecContext(ctx, args...)
}

// Close lets go of the prepared statement.
func (in *Insert) Close() error {
	if in.full == nil {
		return nil
	}
	return in.full.Close()
}

// text is the statement for n rows. SQLite gets "?" for "$1": it takes those
// with a number for names, and looks each of them up in the list of all.
func (in *Insert) text(n int) string {
	var b strings.Builder
	b.WriteString(in.head)
	b.WriteString(" VALUES ")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + in.placeholders(i) + ")")
	}
	b.WriteString(" " + in.tail)
	return b.String()
}

// placeholders are those of the i-th row.
func (in *Insert) placeholders(i int) string {
	if in.engine == SQLite {
		return strings.Repeat("?, ", in.columns-1) + "?"
	}
	return Placeholders(1+i*in.columns, in.columns)
}
