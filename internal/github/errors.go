package github

import (
	"errors"
	"fmt"
	"time"
)

// What a caller must be able to tell apart.
var (
	// ErrNotFound: not there, or not for these credentials.
	ErrNotFound = errors.New("not found on GitHub, or not visible to these credentials")
	// ErrGone: it was there and was removed.
	ErrGone = errors.New("gone from GitHub")
	// ErrForbidden: it is there and these credentials may not read it.
	ErrForbidden = errors.New("GitHub refuses it to these credentials")
	// ErrUnauthorized: the credentials themselves are not accepted.
	ErrUnauthorized = errors.New("GitHub does not accept the credentials")
	// ErrNoGraphQL: GraphQL is blocked or too old here; PageREST reads the
	// same.
	ErrNoGraphQL = errors.New("GraphQL cannot be used on this server")
)

// LimitError is a limit that could not be waited out: it asks for more than
// Options.MaxWait, or came back after the last retry.
type LimitError struct {
	Secondary bool // GitHub's brake on bursts, not the hourly budget
	Until     time.Time
	Wait      time.Duration
}

func (e *LimitError) Error() string {
	kind := "hourly limit"
	if e.Secondary {
		kind = "secondary limit"
	}
	return fmt.Sprintf("GitHub's %s: it asks to wait %s, until %s; run again then, or allow longer waits",
		kind, e.Wait.Round(time.Second), e.Until.UTC().Format(time.RFC3339))
}

// AnswerError is an answer that cannot be used: malformed, cut, too large, or
// an error that GitHub reports inside it.
type AnswerError struct {
	Status int    // HTTP status, 0 where there was none
	Reason string // in words, without credentials
	Err    error  // cause, may be nil
}

func (e *AnswerError) Error() string {
	if e.Status == 0 {
		return "GitHub's answer cannot be used: " + e.Reason
	}
	return fmt.Sprintf("GitHub's answer (%d) cannot be used: %s", e.Status, e.Reason)
}

func (e *AnswerError) Unwrap() error { return e.Err }
