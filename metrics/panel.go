package metrics

import (
	"math"
	"time"
)

// Never is the first treated period of a unit that is never treated.
const Never = math.MaxInt32

// PeriodKind says what a panel's integer periods count.
type PeriodKind string

// The kinds of period. The period number is: the integer itself; the year;
// 12·year + month − 1; the number of days since 1970-01-01. Panels of days
// that all fall on one weekday are weekly ([Panel.Step] is 7).
const (
	PeriodInteger PeriodKind = "integer"
	PeriodYear    PeriodKind = "year"
	PeriodMonth   PeriodKind = "month"
	PeriodDay     PeriodKind = "day"
)

// PanelUnit is a unit of a panel and when it was first treated.
type PanelUnit struct {
	Name string
	// FirstTreated is a period number, or [Never].
	FirstTreated int
}

// PanelRow is one unit in one period.
type PanelRow struct {
	Unit         string
	Period       int
	FirstTreated int // [Never] where the unit is never treated
	// Exposure is what counts are counted over; NaN where the panel has none.
	Exposure float64
	// Values are the outcomes in the pilot's order, NaN where missing,
	// untransformed (the outcome's Scale says what is done to them).
	Values []float64
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// Panel is a pilot's data at LevelPanel, sorted by unit name then period.
// Values and Exposure are indexed like Unit and Period.
type Panel struct {
	Kind  PeriodKind
	Units []PanelUnit
	// Unit[i] indexes Units; Period[i] is a period number.
	Unit   []int
	Period []int
	// Exposure is nil where the panel has none.
	Exposure []float64
	// Outcomes names the columns of Values: Values[k][i] is outcome k of row i.
	Outcomes []string
	Values   [][]float64
	Import   Import
}

// Import is what is remembered of one import.
type Import struct {
	// File is the base name of what was read.
	File string `json:"file"`
	// SHA256 is the hexadecimal digest of the bytes as they were read.
	SHA256 string `json:"sha256"`
	// Rows is how many rows were kept.
	Rows int `json:"rows"`
	// LeftOut are rows that a filter dropped, with the reason.
	LeftOut []LeftOut `json:"left_out"`
	// Fields are the fields of pull requests that the file had; nil for panels,
	// and for imports too old to know.
	Fields []string `json:"fields,omitempty"`
	// Exposure is the panel's column that counts are counted over; empty where
	// it has none.
	Exposure string `json:"exposure,omitempty"`
	// Notes say what a person should know of what was read, as sentences: that
	// no row has a team.
	Notes []string `json:"notes,omitempty"`
	// At is when it was imported.
	At time.Time `json:"at"`
	// Until is the moment at which what is open was known to be open: that of
	// the last whole run of a repository that is read from GitHub, or the newest
	// time in a file of pull requests; zero where it is not known.
	Until time.Time `json:"until,omitzero"`
}

// LeftOut is a number of things that were left out, and why.
type LeftOut struct {
	Count  int    `json:"count"`
	What   string `json:"what"`   // plural noun: "rows", "repositories"
	Reason string `json:"reason"` // completes "left out because …"
}
