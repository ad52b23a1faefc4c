package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// maxRemembered bounds what a [Memory] remembers, in rows of answers. An answer
// takes as much as answerRows beside its own, for there may be many questions
// without one.
const (
	maxRemembered = 50_000
	answerRows    = 100
)

// Memory remembers what was read about some subjects until the next write about
// one of them, by whichever process: pages and tools ask for the same over and
// over, and the revision tells whether anything changed. See [Remember].
type Memory struct {
	db       *DB
	revision string // query that adds up the revisions of the subjects
	subjects []any

	mu      sync.Mutex
	at      int64       // the revision of the answers
	answers map[any]any // by question
	rows    int
}

// NewMemory returns a memory of what db holds about these subjects.
func NewMemory(db *DB, subjects ...Subject) *Memory {
	m := &Memory{db: db, revision: `SELECT CAST(SUM(revision) AS BIGINT) FROM revisions WHERE subject IN (` + Placeholders(1, len(subjects)) + `)`}
	for _, s := range subjects {
		m.subjects = append(m.subjects, s)
	}
	return m
}

// now is a number that each write about a subject raises.
func (m *Memory) now(ctx context.Context, q Queryer) (n int64, err error) {
	if err := q.QueryRowContext(ctx, m.revision, m.subjects...).Scan(&n); err != nil {
		return 0, fmt.Errorf("read the revision of %v: %w", m.subjects, err)
	}
	return n, nil
}

// get is the answer of a revision, if it is there.
func (m *Memory) get(revision int64, question any) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at != revision {
		return nil, false
	}
	answer, ok := m.answers[question]
	return answer, ok
}

// put remembers an answer of so many rows. What was remembered of an older
// revision goes, and so does everything where it would be too much.
func (m *Memory) put(revision int64, question, answer any, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rows += answerRows
	if revision < m.at || rows > maxRemembered {
		return
	}
	if m.answers == nil || revision > m.at || m.rows+rows > maxRemembered {
		m.at, m.answers, m.rows = revision, map[any]any{}, 0
	}
	if _, there := m.answers[question]; !there { // two may have read it at once
		m.answers[question] = answer
		m.rows += rows
	}
}

// Remember answers a question from memory, or reads the answer, which has so many
// rows. Questions are told apart as keys of a map, their type included; what is
// asked as nil is not remembered. The revision is read in the transaction of the
// answer, so that none stands under another's. Answers are shared by all who
// ask: nobody may change one.
func Remember[T any](ctx context.Context, m *Memory, question any, rows func(T) int, read func(*sql.Tx) (T, error)) (T, error) {
	var answer T
	if question != nil {
		revision, err := m.now(ctx, m.db.Read)
		if err != nil {
			return answer, explain(ctx, err)
		}
		if known, ok := m.get(revision, question); ok {
			if answer, ok := known.(T); ok {
				return answer, nil
			}
		}
	}
	var revision int64
	err := m.db.View(ctx, func(tx *sql.Tx) (err error) {
		if revision, err = m.now(ctx, tx); err != nil {
			return err
		}
		answer, err = read(tx)
		return err
	})
	if err == nil && question != nil {
		m.put(revision, question, answer, rows(answer))
	}
	return answer, err
}
