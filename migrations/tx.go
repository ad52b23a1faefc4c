package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Subject names a counter in the table revisions.
type Subject string

// The subjects.
const (
	// Measurement covers pilots, panels, pull requests and their imports.
	Measurement Subject = "measurement"
	// Lint covers scans and findings.
	Lint Subject = "lint"
	// Packs covers copies of pull requests in another form; no data changes.
	Packs Subject = "packs"
	// Ingest covers how far GitHub was read where no measurement changes.
	Ingest Subject = "ingest"
	// Jobs covers tasks and the deliveries that ask for them.
	Jobs Subject = "jobs"
)

// Update runs f in a write transaction about s. revision numbers the
// transaction: no other about s has it. f must use nothing but tx. An error of
// f, or a panic, undoes everything. Update waits until no other transaction
// about s is under way.
func (db *DB) Update(ctx context.Context, s Subject, f func(tx *sql.Tx, revision int64) error) error {
	return run(ctx, db.Write, nil, func(tx *sql.Tx) error {
		var revision int64
		err := tx.QueryRowContext(ctx,
			`UPDATE revisions SET revision = revision + 1 WHERE subject = $1 RETURNING revision`, s).Scan(&revision)
		if err != nil {
			return fmt.Errorf("number the transaction: %w", err)
		}
		return f(tx, revision)
	})
}

// View runs f in a transaction whose queries all see the database at one
// moment. It cannot write, and neither waits for a writer nor holds one up.
func (db *DB) View(ctx context.Context, f func(tx *sql.Tx) error) error {
	o := &sql.TxOptions{ReadOnly: true}
	if db.Engine == Postgres {
		o.Isolation = sql.LevelRepeatableRead
	}
	return run(ctx, db.Read, o, f)
}

func run(ctx context.Context, pool *sql.DB, o *sql.TxOptions, f func(tx *sql.Tx) error) (err error) {
	tx, err := pool.BeginTx(ctx, o)
	if err != nil {
		return explain(ctx, err)
	}
	defer func() {
		// A transaction that is over already has nothing to undo.
		if end := tx.Rollback(); end != nil && !errors.Is(end, sql.ErrTxDone) && err == nil {
			err = fmt.Errorf("end the transaction: %w", end)
		}
	}()
	if err := f(tx); err != nil {
		return explain(ctx, err)
	}
	return explain(ctx, tx.Commit())
}

// explain is [Explain]; where the context's end is the reason, it says so and
// not what the driver made of it ("interrupted").
func explain(ctx context.Context, err error) error {
	end := ctx.Err()
	if err == nil || end == nil || errors.Is(err, end) {
		return Explain(err)
	}
	return fmt.Errorf("%w (%w)", end, err)
}

// Revision reads the counter of s: it changes whenever something about s does.
func (db *DB) Revision(ctx context.Context, s Subject) (int64, error) {
	n, err := RevisionIn(ctx, db.Read, s)
	return n, explain(ctx, err)
}

// Queryer is a pool or a transaction.
type Queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// RevisionIn reads the counter of s as q sees it.
func RevisionIn(ctx context.Context, q Queryer, s Subject) (int64, error) {
	var n int64
	err := q.QueryRowContext(ctx, `SELECT revision FROM revisions WHERE subject = $1`, s).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("read the revision of %s: %w", s, err)
	}
	return n, nil
}

// Each runs query and calls row for each row of the answer, until there are no
// more or row returns an error. row gets the function that scans the current
// row.
func Each(ctx context.Context, tx *sql.Tx, query string, args []any, row func(scan func(...any) error) error) (err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Placeholders is "$from, …" for n arguments.
func Placeholders(from, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", from+i)
	}
	return b.String()
}

// Millis is t as the database keeps it: milliseconds since 1970, NULL for the
// zero time.
func Millis(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

// Time is the reverse of [Millis]: UTC, the zero time for NULL.
func Time(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}

// CheckText refuses text that PostgreSQL cannot keep and SQLite would keep
// silently; what names it in the error.
func CheckText(what, s string) error {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return nil
	}
	return fmt.Errorf("%s %q holds a NUL character or is not valid UTF-8: save it as UTF-8", what, s)
}
