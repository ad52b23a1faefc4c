package migrations

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ErrNotEmpty is wrapped where a restore would replace what a database holds.
var ErrNotEmpty = errors.New("the database holds data already")

// Restore replaces what the database holds by a backup, whichever engine that
// was made from, in one transaction: whoever reads meanwhile sees the old data
// until all of the new is there, and a backup that is damaged, cut or of a
// newer schema changes nothing. Without force, a database that holds anything
// is refused with [ErrNotEmpty].
func (db *DB) Restore(ctx context.Context, r io.Reader, force bool) (Backup, error) {
	in := newBackupReader(r)
	var b Backup
	err := run(ctx, db.Write, nil, func(tx *sql.Tx) error {
		rs := &restore{db: db, tx: tx, in: in, saved: map[string]int64{}}
		var err error
		b, err = rs.all(ctx, force)
		return err
	})
	if err != nil {
		return Backup{}, fmt.Errorf("restore the database: %w", err)
	}
	return b, nil
}

// CheckBackup reads a backup to its end without restoring it: it returns what
// it holds, or why it cannot be restored.
func CheckBackup(ctx context.Context, r io.Reader) (Backup, error) {
	in := newBackupReader(r)
	b, err := in.header()
	for err == nil {
		var t *backupTable
		if t, err = in.table(); err != nil || t == nil {
			break
		}
		for {
			var row []any
			if row, err = in.row(t); err != nil || row == nil {
				break
			}
			if err = ctx.Err(); err != nil {
				break
			}
		}
		b.Tables = append(b.Tables, TableRows{t.Table, in.tableRows})
	}
	if err != nil {
		return Backup{}, fmt.Errorf("read the backup: %w", err)
	}
	b.Rows, b.SHA256 = in.rows, in.end
	return b, nil
}

type restore struct {
	db    *DB
	tx    *sql.Tx
	in    *backupReader
	saved map[string]int64 // the numbers of writes in the backup
}

func (rs *restore) all(ctx context.Context, force bool) (Backup, error) {
	// Every writer begins by raising one of these: none gets between.
	if _, err := rs.tx.ExecContext(ctx, `UPDATE revisions SET revision = revision + 1`); err != nil {
		return Backup{}, fmt.Errorf("lock the database: %w", err)
	}
	before, err := rs.revisions(ctx)
	if err != nil {
		return Backup{}, err
	}
	tables, err := rs.db.tables(ctx, rs.tx)
	if err != nil {
		return Backup{}, err
	}
	b, err := rs.in.header()
	if err != nil {
		return b, err
	}
	if err := rs.checkSchema(ctx, b.Schema); err != nil {
		return b, err
	}
	if err := rs.clear(ctx, tables, force); err != nil {
		return b, err
	}
	for {
		t, err := rs.in.table()
		if err != nil {
			return b, err
		}
		if t == nil {
			break
		}
		if err := rs.fill(ctx, t, tables); err != nil {
			return b, fmt.Errorf("table %s: %w", t.Table, err)
		}
		b.Tables = append(b.Tables, TableRows{t.Table, rs.in.tableRows})
	}
	b.Rows, b.SHA256 = rs.in.rows, rs.in.end
	return b, rs.number(ctx, before)
}

// revisions reads the numbers of writes.
func (rs *restore) revisions(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	err := Each(ctx, rs.tx, `SELECT subject, revision FROM revisions`, nil, func(scan func(...any) error) error {
		var subject string
		var n int64
		err := scan(&subject, &n)
		all[subject] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the numbers of writes: %w", err)
	}
	return all, nil
}

// number makes the numbers of writes those of the backup, all raised by as
// much as it takes for none to be one that was here already: whoever kept
// something of the old data by its number must not take it for the new. Raised
// alike, because some of them are compared with each other.
func (rs *restore) number(ctx context.Context, before map[string]int64) error {
	raise := int64(1)
	for subject, n := range before {
		raise = max(raise, n-rs.saved[subject]+1)
	}
	for subject := range before {
		_, err := rs.tx.ExecContext(ctx, `UPDATE revisions SET revision = $1 WHERE subject = $2`, rs.saved[subject]+raise, subject)
		if err != nil {
			return fmt.Errorf("number the write: %w", err)
		}
	}
	return nil
}

func (rs *restore) checkSchema(ctx context.Context, schema int64) error {
	var here int64
	if err := rs.tx.QueryRowContext(ctx, `SELECT MAX(version_id) FROM `+versionTable).Scan(&here); err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	switch {
	case schema > here:
		return fmt.Errorf("the backup is of schema version %d, made by a newer steelyard; this one knows versions up to %d: install the newer steelyard", schema, here)
	case schema < oldestRestorable:
		return fmt.Errorf("the backup is of schema version %d, and rows have changed since: restore it with the steelyard that made it, then open that database with this one", schema)
	}
	return nil
}

// revisionsTable counts writes. Its rows are never removed: writers wait on
// them.
const revisionsTable = "revisions"

func (rs *restore) clear(ctx context.Context, tables []table, force bool) error {
	for _, t := range slices.Backward(tables) {
		if t.name == revisionsTable {
			continue
		}
		if !force {
			var has bool
			if err := rs.tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+quoteName(t.name)+`)`).Scan(&has); err != nil {
				return fmt.Errorf("look into the table %s: %w", t.name, err)
			}
			if has {
				return fmt.Errorf("%w (in the table %s)", ErrNotEmpty, t.name)
			}
			continue
		}
		if _, err := rs.tx.ExecContext(ctx, `DELETE FROM `+quoteName(t.name)); err != nil {
			return fmt.Errorf("clear the table %s: %w", t.name, err)
		}
	}
	return nil
}

// fill writes the rows of one table. Columns that the backup is too old to
// have get their defaults.
func (rs *restore) fill(ctx context.Context, t *backupTable, tables []table) error {
	i := slices.IndexFunc(tables, func(have table) bool { return have.name == t.Table })
	if i < 0 {
		return errors.New("this database has no such table")
	}
	names := make([]string, len(t.Columns))
	for k, c := range t.Columns {
		names[k] = quoteName(c.Name)
		if !slices.Contains(tables[i].columns, c) {
			return fmt.Errorf("this database has no column %q of the kind %q", c.Name, c.Kind)
		}
	}
	insert := rs.db.NewInsert(rs.tx, `INSERT INTO `+quoteName(t.Table)+` (`+strings.Join(names, ", ")+`)`, len(names), "")
	args := make([]any, 0, BatchRows*len(names))
	held := 0
	flush := func() error {
		_, err := insert.Exec(ctx, args)
		clear(args)
		args, held = args[:0], 0
		return err
	}
	for {
		row, err := rs.in.row(t)
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if t.Table == revisionsTable {
			if err := rs.keepRevision(t, row); err != nil {
				return err
			}
			continue
		}
		args = append(args, row...)
		held += sizeOf(row)
		if len(args) == BatchRows*len(names) || held > maxHeld {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return insert.Close()
}

// maxHeld bounds what is held of a table's rows before they are written.
const maxHeld = 8 << 20

// sizeOf is how many bytes of texts a row holds.
func sizeOf(row []any) int {
	n := 0
	for _, v := range row {
		switch x := v.(type) {
		case string:
			n += len(x)
		case []byte:
			n += len(x)
		}
	}
	return n
}

// maxRevision bounds the numbers of writes: what is counted on from there still
// fits.
const maxRevision = 1 << 60

// keepRevision notes a row of the numbers of writes.
func (rs *restore) keepRevision(t *backupTable, row []any) error {
	var subject string
	var n int64
	for i, c := range t.Columns {
		switch v := row[i].(type) {
		case string:
			subject = v
		case int64:
			n = v
		default:
			return fmt.Errorf("column %s holds %v", c.Name, v)
		}
	}
	if n < 0 || n > maxRevision {
		return fmt.Errorf("the number of writes %d cannot be", n)
	}
	rs.saved[subject] = n
	return nil
}

// value turns what JSON has into what a column of this kind takes.
func (k columnKind) value(v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if k == truthColumn {
			return x, nil
		}
	case json.Number:
		switch k {
		case wholeColumn:
			return x.Int64()
		case realColumn:
			return x.Float64()
		default: // refused below
		}
	case string:
		switch k {
		case textColumn:
			return x, CheckText("a text", x)
		case bytesColumn:
			return base64.StdEncoding.DecodeString(x)
		default: // refused below
		}
	}
	return nil, fmt.Errorf("%T is no value of the kind %q", v, k)
}
