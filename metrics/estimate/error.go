package estimate

import (
	"errors"
	"fmt"
	"strings"

	"steelyard/metrics/did"
)

// ErrorCode tells kinds of [Error] apart. Refusals of a method itself carry the
// code of [did.Error].
type ErrorCode string

// The reasons for which there is no answer, beside those of package did and
// the bad lines of a file ([ingest.LineError]).
const (
	// ErrMethod: there is no method of that name.
	ErrMethod ErrorCode = "unknown_method"
	// ErrColumns: a column that the method needs was not named.
	ErrColumns ErrorCode = "columns"
	// ErrOption: an option has no such value, or the method does not take it.
	ErrOption ErrorCode = "option"
	// ErrUnbalanced: a unit has no row in a period that others have.
	ErrUnbalanced ErrorCode = "unbalanced"
	// ErrGap: a period between others has no row at all.
	ErrGap ErrorCode = "gap"
	// ErrNoRows: missing values left no row.
	ErrNoRows ErrorCode = "no_rows"
	// ErrStarts: units start in different periods and the method knows one.
	ErrStarts ErrorCode = "several_starts"
)

// Error is why there is no answer. It holds no line of a file.
type Error struct {
	Code ErrorCode
	// Method is the method that was asked, "" where none is to blame.
	Method string
	// Problem says what is wrong, Cure what to do; Cure may be empty.
	Problem, Cure string
}

// Error returns the problem, behind the method's name where there is one.
func (e *Error) Error() string {
	if e.Method == "" {
		return e.Problem
	}
	return e.Method + ": " + e.Problem
}

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func refuse(code ErrorCode, cure, format string, args ...any) *Error {
	return &Error{Code: code, Problem: fmt.Sprintf(format, args...), Cure: cure}
}

// by names the method in an error that knows none, and in one of package did.
func by(method string, err error) error {
	var own *Error
	var refusal *did.Error
	switch {
	case errors.As(err, &own) && own.Method == "":
		named := *own
		named.Method = method
		return &named
	case errors.As(err, &refusal):
		return fmt.Errorf("%s: %w", method, err)
	}
	return err
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
