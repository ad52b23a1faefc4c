package mcp

import (
	"fmt"
	"math"
	"strings"

	"steelyard/metrics"
)

// effect is an estimate that cannot travel without its interval and its
// caveats. A number that does not exist is left out; Missing says why.
type effect struct {
	Method   string   `json:"method"`
	Unit     string   `json:"unit" jsonschema:"points (of percent changes), percent, ratio (1 = no change) or level (the metric's unit)"`
	Estimate *float64 `json:"estimate,omitempty"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Level    float64  `json:"level"`
	P        *float64 `json:"p,omitempty"`
	Open     string   `json:"open,omitempty" jsonschema:"unbounded end"`
	Missing  string   `json:"missing,omitempty" jsonschema:"why a number is absent"`
	Caveats  []string `json:"caveats"`
	Text     string   `json:"text"`
}

// change is what one side did from before to after.
type change struct {
	Label   string   `json:"label"`
	Before  *float64 `json:"before,omitempty"`
	After   *float64 `json:"after,omitempty"`
	Change  *float64 `json:"change,omitempty"`
	Missing string   `json:"missing,omitempty"`
	Text    string   `json:"text"`
}

func effectOf(e metrics.Effect) effect {
	out := effect{
		Method:   e.Title,
		Unit:     string(e.Unit),
		Estimate: finite(e.Estimate),
		Low:      finite(e.Low),
		High:     finite(e.High),
		P:        finite(e.P),
		Open:     e.Open,
		Missing:  e.Missing,
		Caveats:  append([]string{}, e.Notes...),
		Text:     e.Text,
	}
	if level := finite(&e.Level); level != nil {
		out.Level = *level
	}
	if out.Method == "" {
		out.Method = e.Method
	}
	if out.Missing == "" && lost(e.Estimate, e.Low, e.High, e.P) {
		out.Missing = "the value is not a finite number"
	}
	if out.Text == "" {
		out.Text = out.Missing
	}
	return out
}

func changeOf(c metrics.Change) change {
	out := change{
		Label:   c.Label,
		Before:  finite(c.Before),
		After:   finite(c.After),
		Change:  finite(c.Value),
		Missing: c.Missing,
		Text:    joined(", ", c.Text, c.ValueText),
	}
	if out.Missing == "" && lost(c.Before, c.After, c.Value) {
		out.Missing = "the value is not a finite number"
	}
	if out.Text == "" {
		out.Text = out.Missing
	}
	return out
}

// reasonsOf are arguments in words, "Title: text".
func reasonsOf(all []metrics.Reason) []string {
	out := make([]string, 0, len(all))
	for _, r := range all {
		out = append(out, joined(": ", r.Title, r.Text))
	}
	return out
}

// leftOutOf says what a figure does not rest on.
func leftOutOf(all []metrics.LeftOut) []string {
	out := make([]string, 0, len(all))
	for _, l := range all {
		out = append(out, sentence(fmt.Sprintf("%d %s left out because %s", l.Count, l.What, l.Reason)))
	}
	return out
}

// String is the effect in words, its caveats behind it, as sentences.
func (e effect) String() string {
	if len(e.Caveats) == 0 {
		return sentence(e.Text)
	}
	return sentence(e.Text) + " Caveats: " + sentence(strings.Join(e.Caveats, " "))
}

// sentence ends s with a full stop.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// finite is f, or nil where it is no finite number: JSON has no other.
func finite(f *float64) *float64 {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return nil
	}
	return f
}

// lost reports whether a number is there and yet not finite.
func lost(all ...*float64) bool {
	for _, f := range all {
		if f != nil && finite(f) == nil {
			return true
		}
	}
	return false
}

// joined joins the parts that are not empty.
func joined(sep string, parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, sep)
}
