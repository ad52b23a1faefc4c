package estimate

import (
	"errors"
	"regexp"
	"strconv"

	"steelyard/metrics/did"
)

// namedPeriods is how package did names periods in sentences.
var namedPeriods = regexp.MustCompile(`\b((?:in|by|before|same) periods?) (-?\d+)(?:( and) (-?\d+))?`)

// numbered is how package did names covariates in sentences.
var numbered = regexp.MustCompile(`\b([Cc]ovariate) (\d+)\b`)

// relabel writes the numbers of periods and covariates in a sentence of package
// did as the file does.
func (d *Data) relabel(text string) string {
	text = numbered.ReplaceAllStringFunc(text, func(s string) string {
		part := numbered.FindStringSubmatch(s)
		if n, err := strconv.Atoi(part[2]); err == nil && 0 < n && n <= len(d.covariates) {
			return part[1] + " " + d.covariates[n-1]
		}
		return s
	})
	if d.tasks() {
		return text
	}
	label := func(number string) string {
		t, err := strconv.Atoi(number)
		if err != nil {
			return number
		}
		return d.label(t)
	}
	return namedPeriods.ReplaceAllStringFunc(text, func(s string) string {
		part := namedPeriods.FindStringSubmatch(s)
		out := part[1] + " " + label(part[2])
		if part[3] != "" {
			out += part[3] + " " + label(part[4])
		}
		return out
	})
}

// relabelled is a refusal of package did with periods as the file writes them;
// other errors are returned as they are.
func (d *Data) relabelled(err error) error {
	var refusal *did.Error
	if !errors.As(err, &refusal) {
		return err
	}
	return &did.Error{Code: refusal.Code, Detail: d.relabel(refusal.Detail)}
}
