package estimate

import (
	_ "embed"
	"encoding/json"
	"io"

	"steelyard/metrics/did"
)

// Schema is the JSON schema of what [WriteJSON] writes.
//
//go:embed estimate.schema.json
var Schema []byte

// Version is the version of the JSON form. It changes where a reader of the
// form before would misread the new one.
const Version = 1

// Answer is what a method said, or what all of them did.
type Answer struct {
	Version int `json:"version"`
	// Method is the method's name, or "all".
	Method string `json:"method"`
	// Results are the method's terms, the main ones first.
	Results []Result `json:"results"`
	N       Counts   `json:"n"`
	Choice  Choice   `json:"choice"`
	// Warnings are sentences about the data and the answer.
	Warnings []string `json:"warnings"`
}

// Result is one term of an answer. What does not exist is nil.
type Result struct {
	Term     string   `json:"term"`
	Estimate *float64 `json:"estimate"`
	SE       *float64 `json:"se"`
	// CI is the 95 % interval; an end that is nil, where the other is not, is
	// open. Where both are open, a warning says so.
	CI [2]*float64 `json:"ci"`
	P  *float64    `json:"p"`

	// side marks a term that is left out where all methods answer.
	side bool
	// bare marks an effect without a standard error, of which the method did
	// not say why; open an interval that is open on both sides.
	bare, open bool
	// step is the smallest p above 0 that draws could have given; 0 where p
	// comes from a distribution.
	step float64
}

// Counts are the rows, units and periods that an answer rests on.
type Counts struct {
	Rows    int `json:"rows"`
	Units   int `json:"units"`
	Periods int `json:"periods"`
}

// Choice is what the design says of the method.
type Choice struct {
	// Role is headline, beside, available or refused; "" where the data has no
	// design to judge by, which Reasons then say.
	Role    did.Role `json:"role"`
	Reasons []string `json:"reasons"`
	// Headline is the method whose interval decides for this design.
	Headline string  `json:"headline"`
	Design   *Design `json:"design"`
	// Options are those the method took, defaults among them where they change
	// the answer.
	Options map[string]any `json:"options"`
	// Methods are all methods, for the method "all" alone.
	Methods []Judgement `json:"methods,omitempty"`
}

// Design is what the choice of a method rests on.
type Design struct {
	Outcome     string   `json:"outcome"`
	Randomised  bool     `json:"randomised"`
	Treated     int      `json:"treated"`
	Comparison  int      `json:"comparison"`
	Starts      int      `json:"starts"`
	Before      int      `json:"before"`
	After       int      `json:"after"`
	Balanced    bool     `json:"balanced"`
	SpreadRatio *float64 `json:"spread_ratio"`
}

// Judgement is what the design says of one of all methods.
type Judgement struct {
	Method  string   `json:"method"`
	Role    did.Role `json:"role"`
	Reasons []string `json:"reasons"`
	// Refusal is why a method that the design admits gave no answer.
	Refusal string `json:"refusal,omitempty"`
}

// WriteJSON writes the answer as one JSON object and a line break.
func WriteJSON(w io.Writer, a *Answer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(a)
}
