package metrics

import "time"

// Level says what a pilot's data is made of.
type Level string

// The levels a pilot can be measured at.
const (
	// LevelPanel is a table of outcomes by unit and period, imported as it is.
	LevelPanel Level = "panel"
	// LevelPullRequests is one row a pull request; weekly values are computed.
	LevelPullRequests Level = "pull_requests"
)

// Better says which direction of an outcome is an improvement.
type Better string

// The sides an outcome can have.
const (
	BetterLower   Better = "lower"
	BetterHigher  Better = "higher"
	BetterNeutral Better = "neutral"
)

// Scale says how a panel's outcome enters the estimators and how its effect
// reads.
type Scale string

// The scales of a panel outcome.
const (
	// ScaleLevel takes values as they are; effects are in the outcome's unit.
	ScaleLevel Scale = "level"
	// ScaleLog takes ln(x), x > 0; effects read as percent, 100·(exp(b) − 1).
	ScaleLog Scale = "log"
	// ScaleLog1p takes ln(1 + x), x ≥ 0; effects read as percent of 1 + x.
	ScaleLog1p Scale = "log1p"
	// ScaleLogged takes values that are logarithms already; effects read as percent.
	ScaleLogged Scale = "logged"
	// ScaleCount takes non-negative whole numbers of events, over an exposure
	// where the panel has one; effects read as a ratio of rates.
	ScaleCount Scale = "count"
)

// Role is the place of an outcome in the verdict.
type Role string

// The roles of an outcome. The first outcome of a pilot is the primary one.
const (
	RolePrimary   Role = "primary"
	RoleSecondary Role = "secondary"
	// RoleCounter marks an outcome that must not get worse: a counter-metric
	// whose interval excludes no change for the worse turns improved into
	// improved_at_a_cost.
	RoleCounter Role = "counter"
)

// Outcome is one thing a pilot measures.
type Outcome struct {
	// ID is the panel's column or the id of a metric in the catalogue
	// ("open_to_merge"); letters, digits, '_' and '-'.
	ID string `json:"id"`
	// Title is what a person reads ("Open to merge").
	Title string `json:"title"`
	// Unit is the unit of a value ("hours", "commits"); may be empty.
	Unit   string `json:"unit,omitempty"`
	Better Better `json:"better"`
	// Scale is used at LevelPanel; the catalogue decides at LevelPullRequests.
	Scale Scale `json:"scale,omitempty"`
	Role  Role  `json:"role"`
}

// Adoption is a treated unit and the day it started.
type Adoption struct {
	Unit string `json:"unit"`
	// Start is the first treated period's first day (UTC). Panels whose data
	// carries the first treated period leave the list of adoptions empty.
	Start time.Time `json:"start"`
}

// Window is a half-open span of time [From, To), UTC; a zero end is open.
type Window struct {
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
}

// Exclusion is a span that is left out of both windows, and why.
type Exclusion struct {
	Window
	Reason string `json:"reason"`
}

// Source says where a pilot's data comes from.
type Source struct {
	Title   string `json:"title"`
	URL     string `json:"url,omitempty"`
	Licence string `json:"licence,omitempty"`
	// MadeUp is true for invented numbers; every face says so first.
	MadeUp bool   `json:"made_up,omitempty"`
	Note   string `json:"note,omitempty"`
}

// Pilot is the definition of one comparison: who adopted what and when,
// against whom, over which windows, judged by which outcomes. It holds no
// data. Its hash (see [Pilot.Hash]) fixes it: a change after the start is
// kept, dated and shown on the report.
type Pilot struct {
	// ID names the pilot in URLs, commands and tools: lower-case letters,
	// digits and '-', at most 64, starting with a letter or digit.
	ID string `json:"id"`
	// Title names it for people, Subject the treated side in sentences
	// ("Payments", "Repositories that adopted the editor").
	Title   string `json:"title"`
	Subject string `json:"subject,omitempty"`
	// Description says in a sentence or two what was tried.
	Description string `json:"description,omitempty"`

	Level Level `json:"level"`
	// UnitNoun and PeriodNoun are singular nouns: "team", "week".
	UnitNoun   string `json:"unit_noun"`
	PeriodNoun string `json:"period_noun"`

	// Treated lists treated units at LevelPullRequests (teams), and at
	// LevelPanel where the data has no column for the first treated period.
	Treated []Adoption `json:"treated,omitempty"`
	// Comparison lists the comparison units; empty means every unit that is
	// never treated.
	Comparison []string `json:"comparison,omitempty"`

	Before  Window      `json:"before,omitzero"`
	After   Window      `json:"after,omitzero"`
	LeftOut []Exclusion `json:"left_out,omitempty"`

	// Outcomes in the order of the report; exactly one is primary and it is
	// the first.
	Outcomes []Outcome `json:"outcomes"`
	// Hours says that durations count only working time, at LevelPullRequests;
	// nil: the time on the clock.
	Hours *WorkingHours `json:"hours,omitempty"`
	// SmallestEffect is the smallest relative effect worth having, 0.10 = 10 %.
	SmallestEffect float64 `json:"smallest_effect"`
	// Seed makes every random draw of the report repeatable.
	Seed uint64 `json:"seed"`

	Sources []Source `json:"sources,omitempty"`
}

// Definition is a saved pilot with its fingerprint.
type Definition struct {
	Pilot Pilot `json:"pilot"`
	// Hash is the hexadecimal SHA-256 of the pilot's canonical JSON.
	Hash    string    `json:"hash"`
	SavedAt time.Time `json:"saved_at"`
	// Changes are earlier versions, oldest first.
	Changes []DefinitionChange `json:"changes,omitempty"`
}

// ChangeDeleted stands for the names of fields where a pilot was deleted.
const ChangeDeleted = "deleted"

// DefinitionChange is a definition that was replaced.
type DefinitionChange struct {
	Hash       string    `json:"hash"`
	SavedAt    time.Time `json:"saved_at"`
	ReplacedAt time.Time `json:"replaced_at"`
	// AfterStart is true where the first treated unit had already started and
	// what is measured changed: new words for the same thing accuse nobody.
	AfterStart bool `json:"after_start"`
	// What names the fields that differ from the version that replaced it; it is
	// [ChangeDeleted] alone where the pilot was deleted, and made anew later.
	What []string `json:"what"`
}
