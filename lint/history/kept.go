package history

import (
	"context"
	"database/sql"
	"sync"

	"steelyard/migrations"
)

// maxKept bounds what is remembered, in rows of answers; an answer takes as much
// as keptRows beside its own, for there may be many questions without an answer.
const (
	maxKept  = 50_000
	keptRows = 100
)

// kept remembers answers until the next write about scans or decisions, by
// whichever process: pages and tools ask for the same over and over, and the
// revision tells whether anything changed. What is remembered is shared by all
// who ask.
type kept struct {
	mu       sync.Mutex
	revision int64
	answers  map[any]any // by question
	rows     int
}

// get is the answer of a revision, if it is there.
func (k *kept) get(revision int64, question any) (any, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.revision != revision {
		return nil, false
	}
	answer, ok := k.answers[question]
	return answer, ok
}

// put remembers an answer of so many rows. What was remembered of an older
// revision goes, and so does everything where it would be too much.
func (k *kept) put(revision int64, question, answer any, rows int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	rows += keptRows
	if revision < k.revision || rows > maxKept {
		return
	}
	if k.answers == nil || revision > k.revision || k.rows+rows > maxKept {
		k.revision, k.answers, k.rows = revision, map[any]any{}, 0
	}
	if _, there := k.answers[question]; !there { // two may have read it at once
		k.answers[question] = answer
		k.rows += rows
	}
}

// The questions that are not a filter. The type of a question says what is asked.
type (
	allScans   struct{}
	allWatched struct{}
	filesOf    struct{ repositories string }
	serversOf  struct{ repositories string }
)

// atLength is what is asked for a page of a long list: nil where it is one of
// those that a download goes through once.
func atLength(filter any, limit int) any {
	if limit > DefaultLimit {
		return nil
	}
	return filter
}

// ask answers a question, which can be compared, from memory, or reads the
// answer, which is not remembered where the question is nil. The revision is read in the transaction of the rows, so that no answer
// stands under another one.
func ask[T any](ctx context.Context, h *History, question any, rows func(T) int, read func(*sql.Tx) (T, error)) (T, error) {
	var answer T
	revision, err := h.db.Revision(ctx, migrations.Lint)
	if err != nil {
		return answer, err
	}
	if known, ok := h.kept.get(revision, question); ok {
		if answer, ok := known.(T); ok {
			return answer, nil
		}
	}
	err = h.db.View(ctx, func(tx *sql.Tx) error {
		if revision, err = migrations.RevisionIn(ctx, tx, migrations.Lint); err != nil {
			return err
		}
		answer, err = read(tx)
		return err
	})
	if err == nil && question != nil {
		h.kept.put(revision, question, answer, rows(answer))
	}
	return answer, err
}

// rowsOf counts the rows of an answer that is a list.
func rowsOf[E any](list []E) int { return len(list) }
