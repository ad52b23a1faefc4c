package mcp

import (
	"fmt"
	"slices"
	"strings"
)

// UserError is a failure that the model can act on: its text says what
// happened and what to do next, with the valid choices. It is the only error
// whose text reaches a client.
type UserError struct{ Text string }

// Error returns the text.
func (e *UserError) Error() string { return e.Text }

// userErrorf makes a [UserError].
func userErrorf(format string, args ...any) error {
	return &UserError{Text: fmt.Sprintf(format, args...)}
}

// maxChoices bounds how many valid values an error names.
const maxChoices = 20

// choices lists valid values for an error: "a, b, c", the ones that resemble
// near first.
func choices(near string, valid []string) string {
	valid = slices.Clone(valid)
	near = strings.ToLower(near)
	slices.SortStableFunc(valid, func(a, b string) int { return resemblance(near, b) - resemblance(near, a) })
	for i, v := range valid {
		valid[i] = line(v, 100)
	}
	if more := len(valid) - maxChoices; more > 0 {
		return strings.Join(valid[:maxChoices], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(valid, ", ")
}

// resemblance is the length of the longest common prefix of a and b, higher
// where one holds the other.
func resemblance(a, b string) int {
	b = strings.ToLower(b)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if a != "" && (strings.Contains(b, a) || strings.Contains(a, b)) {
		n += len(a)
	}
	return n
}
