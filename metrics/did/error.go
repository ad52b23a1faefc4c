package did

import "fmt"

// ErrorCode tells kinds of [Error] apart.
type ErrorCode string

// The reasons for which a method refuses its input.
const (
	// ErrNoTreated: no unit is treated inside the panel's periods.
	ErrNoTreated ErrorCode = "no_treated"
	// ErrNoComparison: no unit is left to compare with.
	ErrNoComparison ErrorCode = "no_comparison"
	// ErrTooFewUnits: there are units, but fewer than the method needs.
	ErrTooFewUnits ErrorCode = "too_few_units"
	// ErrTooFewPeriods: fewer periods, or periods before or after the start,
	// than the method needs.
	ErrTooFewPeriods ErrorCode = "too_few_periods"
	// ErrNotFinite: a number is NaN or infinite.
	ErrNotFinite ErrorCode = "not_finite"
	// ErrDuplicate: a unit has two rows in one period.
	ErrDuplicate ErrorCode = "duplicate"
	// ErrShape: slices differ in length, or an index is out of range.
	ErrShape ErrorCode = "shape"
	// ErrOption: an option is outside its range.
	ErrOption ErrorCode = "option"
	// ErrNotIdentified: the data cannot tell the effect from the other terms.
	ErrNotIdentified ErrorCode = "not_identified"
	// ErrZeroVariance: nothing varies, so nothing can be tested.
	ErrZeroVariance ErrorCode = "zero_variance"
	// ErrLevel: too few arrangements exist for a p-value as small as the level
	// of confidence asks.
	ErrLevel ErrorCode = "level_unreachable"
)

// Error is why a method gave no answer. Code is for programs, Detail for
// people: it says what was found and what would be needed.
type Error struct {
	Code   ErrorCode
	Detail string
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

// Is reports whether target is an *Error of the same code, so that callers
// can write errors.Is(err, &did.Error{Code: did.ErrNoTreated}).
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func refuse(code ErrorCode, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Drop counts what a method had to leave out. Reason completes "left out
// because …".
type Drop struct {
	// Rows counts rows, TreatedRows those of them that are treated, Units the
	// units that are gone altogether.
	Rows, TreatedRows, Units int
	Reason                   string
}
