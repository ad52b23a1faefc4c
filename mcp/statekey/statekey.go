// Package statekey keeps in SQL what the MCP server signs with while a person
// is asked, so that every process of an installation takes the answer to a
// question that another one asked.
//
// The database is where the processes already meet: a file would have to be
// made, spread and kept from others on every machine, for a key that protects
// so little. It lets nobody in and opens nothing; who reads it could at most
// pretend to have been asked which pilot, and that may be said without being
// asked. No backup holds it: a restored database makes another one, and who is
// being asked at that moment is asked once more.
package statekey

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"steelyard/migrations"
)

const (
	// questions names the key for questions to a person.
	questions = "questions"
	// size is a key's length in bytes.
	size = 32
)

// Load returns the installation's key of 32 bytes, and makes it where there is
// none yet. Of several processes that make it at once, one does; all get the
// same. now is written down beside a new one.
func Load(ctx context.Context, db *migrations.DB, now time.Time) ([]byte, error) {
	key, err := read(ctx, db.Read)
	if !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	fresh := make([]byte, size)
	_, _ = rand.Read(fresh) // never fails
	if _, err := db.Write.ExecContext(ctx, `INSERT INTO mcp_keys (name, key, made) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
		questions, hex.EncodeToString(fresh), now.UnixMilli()); err != nil {
		return nil, fmt.Errorf("store the key for questions: %w", err)
	}
	return read(ctx, db.Write)
}

// read returns the stored key. The error names it and not what it is, and
// wraps [sql.ErrNoRows] where there is none.
func read(ctx context.Context, pool *sql.DB) ([]byte, error) {
	var text string
	if err := pool.QueryRowContext(ctx, `SELECT key FROM mcp_keys WHERE name = $1`, questions).Scan(&text); err != nil {
		return nil, fmt.Errorf("read the key for questions: %w", err)
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != size {
		return nil, fmt.Errorf("read the key for questions: the row %q of the table mcp_keys holds no %d bytes in hexadecimal; delete it, and a new one is made", questions, size)
	}
	return key, nil
}
