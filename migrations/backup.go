package migrations

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// A backup is one file that either engine reads: gzip over lines of JSON. The
// first line is the [backupHeader]. Each table follows with a [backupTable],
// its rows as lists in the order of the columns, and a count; the last line
// holds the number of all rows and the SHA-256 of every byte before it. A file
// that was cut therefore has no end, and is refused.
//
// What belongs to a running system and not to its data is left out: the job
// queue and the progress of jobs; and so is what triggers and the next write
// make anew from the rest.
const (
	backupFormat  = "steelyard-backup"
	backupVersion = 1
	// oldestRestorable is the oldest schema whose rows the present one takes:
	// later ones only added tables and columns that may be empty. Raise it with
	// a migration that changes rows.
	oldestRestorable = 9
)

// transient names the tables that no backup holds: the progress of a running
// system, and what is made anew from the rest.
var transient = map[string]bool{
	versionTable: true, "tasks": true, "webhook_deliveries": true,
	"pull_packs": true, "pull_packs_stale": true, "registry_answers": true, "sessions": true, "mcp_keys": true,
}

// Backup says what a backup holds.
type Backup struct {
	// Schema is the version of the schema it was made from.
	Schema int64
	Made   time.Time // UTC
	// Engine is what it was made from; either restores it.
	Engine Engine
	Tables []TableRows // in the order of the file
	Rows   int64
	// SHA256 is of the file's content, in hexadecimal.
	SHA256 string
}

// TableRows is how many rows a table has.
type TableRows struct {
	Table string
	Rows  int64
}

type backupHeader struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Schema  int64     `json:"schema"`
	Made    time.Time `json:"made"`
	Engine  Engine    `json:"engine"`
}

type backupTable struct {
	Table   string         `json:"table"`
	Columns []backupColumn `json:"columns"`
}

type backupColumn struct {
	Name string     `json:"name"`
	Kind columnKind `json:"kind"`
}

// backupMark ends a table (Rows alone) or the file.
type backupMark struct {
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256,omitempty"`
}

// Backup writes everything that the database holds at one moment, while it is
// read and written by others, who do not wait. now dates it.
func (db *DB) Backup(ctx context.Context, w io.Writer, now time.Time) (Backup, error) {
	b := Backup{Made: now.UTC().Truncate(time.Second), Engine: db.Engine}
	out := newBackupWriter(w)
	err := db.View(ctx, func(tx *sql.Tx) error {
		tables, err := db.tables(ctx, tx)
		if err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT MAX(version_id) FROM `+versionTable).Scan(&b.Schema); err != nil {
			return fmt.Errorf("read the schema's version: %w", err)
		}
		if err := out.object(backupHeader{backupFormat, backupVersion, b.Schema, b.Made, b.Engine}); err != nil {
			return err
		}
		for _, t := range tables {
			n, err := out.table(ctx, tx, t)
			if err != nil {
				return fmt.Errorf("table %s: %w", t.name, err)
			}
			b.Tables = append(b.Tables, TableRows{t.name, n})
			b.Rows += n
		}
		return nil
	})
	if err == nil {
		b.SHA256 = out.sum()
		err = out.object(backupMark{Rows: b.Rows, SHA256: b.SHA256})
	}
	if err == nil {
		err = out.close()
	}
	if err != nil {
		return Backup{}, fmt.Errorf("back up the database: %w", err)
	}
	return b, nil
}

// backupWriter writes lines and sums them up.
type backupWriter struct {
	zip    *gzip.Writer
	buffer *bufio.Writer
	digest hash.Hash
	line   []byte
}

func newBackupWriter(w io.Writer) *backupWriter {
	// The fastest level is worth it: most of the time goes into the database.
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil { // the level is a constant that exists
		zip = gzip.NewWriter(w)
	}
	b := &backupWriter{zip: zip, digest: sha256.New()}
	b.buffer = bufio.NewWriterSize(io.MultiWriter(zip, b.digest), 64<<10)
	return b
}

func (b *backupWriter) object(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = b.buffer.Write(append(text, '\n')); err != nil {
		return err
	}
	return b.buffer.Flush()
}

// sum is the digest of what was written; objects flush.
func (b *backupWriter) sum() string { return hex.EncodeToString(b.digest.Sum(nil)) }

func (b *backupWriter) close() error { return errors.Join(b.buffer.Flush(), b.zip.Close()) }

// table writes one table's rows, by their primary key.
func (b *backupWriter) table(ctx context.Context, tx *sql.Tx, t table) (n int64, err error) {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = quoteName(c.Name)
	}
	if err := b.object(backupTable{t.name, t.columns}); err != nil {
		return 0, err
	}
	query := `SELECT ` + strings.Join(names, ", ") + ` FROM ` + quoteName(t.name)
	if len(t.key) > 0 {
		query += ` ORDER BY ` + strings.Join(t.key, ", ")
	}
	cells := make([]cell, len(t.columns))
	into := make([]any, len(t.columns))
	for i, c := range t.columns {
		cells[i].kind = c.Kind
		into[i] = &cells[i]
	}
	err = Each(ctx, tx, query, nil, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		n++
		return b.row(cells)
	})
	if err != nil {
		return 0, err
	}
	return n, b.object(backupMark{Rows: n})
}

func (b *backupWriter) row(cells []cell) (err error) {
	b.line = append(b.line[:0], '[')
	for i := range cells {
		if i > 0 {
			b.line = append(b.line, ',')
		}
		if b.line, err = cells[i].append(b.line); err != nil {
			return err
		}
	}
	_, err = b.buffer.Write(append(b.line, ']', '\n'))
	return err
}

// columnKind is what a column holds, the same on both engines.
type columnKind string

const (
	textColumn  columnKind = "text"
	wholeColumn columnKind = "whole"
	realColumn  columnKind = "real"
	truthColumn columnKind = "truth"
	bytesColumn columnKind = "bytes"
)

// cell is one value of a row on its way out.
type cell struct {
	kind  columnKind
	value any
}

// Scan takes what the driver has, in the type of the column.
func (c *cell) Scan(src any) error {
	c.value = nil
	if src == nil {
		return nil
	}
	switch c.kind {
	case textColumn:
		return scanInto(c, new(sql.NullString), src, func(v *sql.NullString) any { return v.String })
	case wholeColumn:
		return scanInto(c, new(sql.NullInt64), src, func(v *sql.NullInt64) any { return v.Int64 })
	case realColumn:
		return scanInto(c, new(sql.NullFloat64), src, func(v *sql.NullFloat64) any { return v.Float64 })
	case truthColumn:
		return scanInto(c, new(sql.NullBool), src, func(v *sql.NullBool) any { return v.Bool })
	}
	bytes, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("%T is not bytes", src)
	}
	c.value = append([]byte{}, bytes...)
	return nil
}

func scanInto[T sql.Scanner](c *cell, into T, src any, get func(T) any) error {
	if err := into.Scan(src); err != nil {
		return err
	}
	c.value = get(into)
	return nil
}

// append adds the value as JSON.
func (c *cell) append(line []byte) ([]byte, error) {
	switch v := c.value.(type) {
	case nil:
		return append(line, "null"...), nil
	case int64:
		return strconv.AppendInt(line, v, 10), nil
	case bool:
		return strconv.AppendBool(line, v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the number %v cannot be kept", v)
		}
		return strconv.AppendFloat(line, v, 'g', -1, 64), nil
	case []byte:
		line = append(line, '"')
		line = base64.StdEncoding.AppendEncode(line, v)
		return append(line, '"'), nil
	case string:
		text, err := json.Marshal(v)
		return append(line, text...), err
	}
	return nil, fmt.Errorf("a value of the type %T cannot be kept", c.value)
}

// quoteName quotes a table's or a column's name.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
