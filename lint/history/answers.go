package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"

	"steelyard/migrations"
)

// The bounds of what is kept of registries' answers.
const (
	maxAnswers     = 50_000    // rows
	maxAnswerBytes = 256 << 10 // of one
	keepAnswers    = 24 * time.Hour
	// pruneEvery is how many answers are kept between two looks for old ones.
	pruneEvery = 500
	// patience bounds the wait for a write that holds up the lookup: without
	// this cache it only takes longer.
	patience = 2 * time.Second
)

// Answers keeps what registries answered, for all processes on one database.
// It is a cache: what cannot be kept or found is asked again. Answers older
// than a day, and the oldest beyond 50,000, are removed. It must not be used
// within a transaction.
type Answers struct {
	db  *migrations.DB
	max int

	mu  sync.Mutex
	put int
}

// NewAnswers returns the answers that db keeps.
func NewAnswers(db *migrations.DB) *Answers { return &Answers{db: db, max: maxAnswers} }

// question is a key as it is kept: keys have no bound on their length.
func question(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Get returns the value of a key, which is JSON, and when it was kept.
func (a *Answers) Get(ctx context.Context, key string) ([]byte, time.Time, bool) {
	var text string
	var stored sql.NullInt64
	err := a.db.Read.QueryRowContext(ctx, `SELECT answer, stored FROM registry_answers WHERE question = $1`, question(key)).Scan(&text, &stored)
	if err != nil {
		return nil, time.Time{}, false
	}
	return []byte(text), migrations.Time(stored), true
}

// Put keeps a value, which must be JSON.
func (a *Answers) Put(ctx context.Context, key string, value []byte, stored time.Time) {
	if len(value) > maxAnswerBytes || !json.Valid(value) || migrations.CheckText("answer", string(value)) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := a.db.Write.ExecContext(ctx, `INSERT INTO registry_answers (question, answer, stored) VALUES ($1, $2, $3)
		ON CONFLICT (question) DO UPDATE SET answer = excluded.answer, stored = excluded.stored`, question(key), string(value), stored.UnixMilli())
	if err == nil && a.due() {
		a.prune(ctx, stored)
	}
}

// due reports whether it is time to look for old answers: with the first that
// a process keeps, and now and then.
func (a *Answers) due() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.put++
	return a.put%pruneEvery == 1
}

// prune removes what is old, and the oldest of too many. A failure leaves them
// for the next time.
func (a *Answers) prune(ctx context.Context, now time.Time) {
	_, err := a.db.Write.ExecContext(ctx, `DELETE FROM registry_answers WHERE stored < $1`, now.Add(-keepAnswers).UnixMilli())
	if err != nil {
		return
	}
	var oldest int64
	err = a.db.Write.QueryRowContext(ctx, `SELECT stored FROM registry_answers ORDER BY stored DESC LIMIT 1 OFFSET $1`, a.max).Scan(&oldest)
	if err != nil {
		return // there are not so many
	}
	_, _ = a.db.Write.ExecContext(ctx, `DELETE FROM registry_answers WHERE stored <= $1`, oldest) // what stays is removed next time
}
