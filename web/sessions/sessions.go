// Package sessions keeps the sessions of the dashboard in SQL, so that every
// process of an installation knows who is signed in. A session's number is not
// kept: only its hash is.
package sessions

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"steelyard/migrations"
	"steelyard/web/signin"
)

// Store is a [signin.Store] on either engine.
type Store struct{ db *migrations.DB }

var _ signin.Store = (*Store)(nil)

// New returns the store of a database.
func New(db *migrations.DB) *Store { return &Store{db} }

// Add stores a session, and removes those that ended before now.
func (s *Store) Add(ctx context.Context, id [sha256.Size]byte, v signin.Session, now time.Time) error {
	tx, err := s.db.Write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("add a session: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	if _, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE expires < $1`, now.UnixMilli()); err != nil {
		return fmt.Errorf("remove ended sessions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, subject, name, role, created, seen, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		hex.EncodeToString(id[:]), v.Subject, v.Name, string(v.Role), v.Created.UnixMilli(), v.Seen.UnixMilli(), v.Expires.UnixMilli()); err != nil {
		return fmt.Errorf("add a session: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("add a session: %w", err)
	}
	return nil
}

// Session returns one; the error wraps [signin.ErrNoSession] where there is
// none.
func (s *Store) Session(ctx context.Context, id [sha256.Size]byte) (signin.Session, error) {
	var v signin.Session
	var role string
	var created, seen, expires int64
	err := s.db.Read.QueryRowContext(ctx, `SELECT subject, name, role, created, seen, expires FROM sessions WHERE id = $1`, hex.EncodeToString(id[:])).
		Scan(&v.Subject, &v.Name, &role, &created, &seen, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return v, signin.ErrNoSession
	}
	if err != nil {
		return v, fmt.Errorf("read a session: %w", err)
	}
	v.Role = signin.Role(role)
	v.Created, v.Seen, v.Expires = moment(created), moment(seen), moment(expires)
	return v, nil
}

// Seen writes down a visit.
func (s *Store) Seen(ctx context.Context, id [sha256.Size]byte, at time.Time) error {
	if _, err := s.db.Write.ExecContext(ctx, `UPDATE sessions SET seen = $2 WHERE id = $1 AND seen < $2`, hex.EncodeToString(id[:]), at.UnixMilli()); err != nil {
		return fmt.Errorf("write down a visit: %w", err)
	}
	return nil
}

// Remove ends one; that there is none is no error.
func (s *Store) Remove(ctx context.Context, id [sha256.Size]byte) error {
	if _, err := s.db.Write.ExecContext(ctx, `DELETE FROM sessions WHERE id = $1`, hex.EncodeToString(id[:])); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
