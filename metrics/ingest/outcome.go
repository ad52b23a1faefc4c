package ingest

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
)

// OutcomeColumn is an outcome and the columns it is read from. Several columns
// are summed; the sum is missing where one of them is. No column means the one
// named like the outcome's id.
type OutcomeColumn struct {
	metrics.Outcome
	Columns []string
}

var (
	betters = []string{string(metrics.BetterLower), string(metrics.BetterHigher), string(metrics.BetterNeutral)}
	scales  = []string{
		string(metrics.ScaleLevel), string(metrics.ScaleLog), string(metrics.ScaleLog1p),
		string(metrics.ScaleLogged), string(metrics.ScaleCount),
	}
)

// ParseOutcome reads "NAME[=column+column][:lower|higher|neutral[:SCALE]][:counter]".
// SCALE is level, log, log1p, logged or count; the defaults are neutral and
// level. The role is left empty unless it is counter: the importer makes the
// first outcome the primary one.
func ParseOutcome(s string) (OutcomeColumn, error) {
	bad := func(format string, args ...any) (OutcomeColumn, error) {
		return OutcomeColumn{}, fmt.Errorf("outcome %q: %s; write NAME[=column+column][:lower|higher|neutral[:SCALE]][:counter], like warnings=smells+bugs:lower:log1p",
			shown(s), fmt.Sprintf(format, args...))
	}
	parts := strings.Split(s, ":")
	name, columns, mapped := strings.Cut(parts[0], "=")
	if !validID(name) {
		return bad("%q is no name: letters, digits, '_' and '-', at most 64", shown(name))
	}
	o := OutcomeColumn{Outcome: metrics.Outcome{
		ID: name, Title: title(name), Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel,
	}}
	if mapped {
		o.Columns = strings.Split(columns, "+")
		if slices.Contains(o.Columns, "") {
			return bad("a column has no name")
		}
	}
	rest := parts[1:]
	if n := len(rest); n > 0 && rest[n-1] == string(metrics.RoleCounter) {
		o.Role, rest = metrics.RoleCounter, rest[:n-1]
	}
	if len(rest) > 2 {
		return bad("too many parts")
	}
	if len(rest) > 0 {
		if !slices.Contains(betters, rest[0]) {
			return bad("%q is not one of %s", shown(rest[0]), list(betters))
		}
		o.Better = metrics.Better(rest[0])
	}
	if len(rest) > 1 {
		if !slices.Contains(scales, rest[1]) {
			return bad("%q is not one of %s", shown(rest[1]), list(scales))
		}
		o.Scale = metrics.Scale(rest[1])
	}
	return o, nil
}

// columns are the columns the outcome is read from.
func (o OutcomeColumn) columns() []string {
	if len(o.Columns) == 0 {
		return []string{o.ID}
	}
	return o.Columns
}

// validID holds to letters, digits, '_' and '-'.
func validID(s string) bool {
	bad := strings.IndexFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	return s != "" && len(s) <= 64 && bad < 0
}

// title makes "Lines added" of "lines_added".
func title(id string) string {
	s := strings.Join(strings.FieldsFunc(id, func(r rune) bool { return r == '_' || r == '-' }), " ")
	if s == "" {
		return id
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
