package estimate

import (
	"errors"
	"slices"
	"strings"

	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

// all answers by every method that the design admits, with the main terms of
// each behind its name, and lists the others with their reasons.
func all(d *Data, o Options) (*Answer, error) {
	if err := anyTakes(append(d.columnSet(), o.given()...)); err != nil {
		return nil, err
	}
	if d.ends != nil {
		return nil, d.ends
	}
	j := judge(d, "all")
	if j.none != "" {
		return nil, by("all", d.relabelled(j.err))
	}
	a := newAnswer(d, "all")
	_, _, a.Choice.Headline, a.Choice.Design = j.of("")
	a.Choice.Reasons = []string{}
	for _, c := range j.choices {
		verdict := Judgement{Method: c.Method, Role: c.Role, Reasons: c.Reasons}
		if c.Role == did.Refused {
			a.Choice.Methods = append(a.Choice.Methods, verdict)
			continue
		}
		if c.Method == a.Choice.Headline {
			a.Choice.Role, a.Choice.Reasons = c.Role, c.Reasons
		}
		if err := a.takeIn(d, c.Method, o); err != nil {
			var line *ingest.LineError
			if c.Role == did.Headline && errors.As(err, &line) {
				return nil, err
			}
			verdict.Refusal = withCure(strings.TrimPrefix(err.Error(), c.Method+": "), err)
		}
		a.Choice.Methods = append(a.Choice.Methods, verdict)
	}
	if len(a.Results) == 0 {
		return nil, a.Choice.nothing()
	}
	return a, nil
}

// withCure adds what to do about a refusal.
func withCure(text string, err error) string {
	var refusal *Error
	if errors.As(err, &refusal) && refusal.Cure != "" {
		return text + "; " + refusal.Cure
	}
	return text
}

// anyTakes refuses an option that no method takes.
func anyTakes(given []string) error {
	for _, option := range given {
		if !slices.ContainsFunc(methods(), func(m method) bool { return slices.Contains(m.takes, option) }) {
			return refuse(ErrOption, "leave it out", "no method takes --%s", option)
		}
	}
	return nil
}

// takeIn runs one method on the options that it takes and appends its main
// terms. Covariates, weights and exposure decide what is asked, so that a
// method without them does not answer.
func (a *Answer) takeIn(d *Data, name string, o Options) error {
	m, err := find(name)
	if err != nil {
		return err
	}
	for _, column := range d.columnSet() {
		if column == "cluster" || slices.Contains(m.takes, column) {
			continue
		}
		return refuse(ErrOption, "", "does not take --%s", column)
	}
	own := newAnswer(d, name)
	own.Warnings = nil
	if err := m.answer(&task{d: d, o: o.only(m), a: own}); err != nil {
		return err
	}
	for _, r := range own.Results {
		if !r.side {
			r.Term = name + "/" + r.Term
			a.Results = append(a.Results, r)
		}
	}
	for _, w := range own.Warnings {
		a.Warnings = append(a.Warnings, name+": "+w)
	}
	for option, value := range own.Choice.Options {
		a.Choice.Options[name+"/"+option] = value
	}
	return nil
}

// only keeps the options that the method takes.
func (o Options) only(m method) Options {
	takes := func(option string) bool { return slices.Contains(m.takes, option) }
	if !takes("control") {
		o.Control = ""
	}
	if !takes("estimator") {
		o.Estimator = ""
	}
	if !takes("base-period") {
		o.BasePeriod = ""
	}
	if !takes("aggregate") || !slices.Contains(m.aggregates, o.Aggregate) {
		o.Aggregate = ""
	}
	if !takes("horizons") {
		o.Horizons = nil
	}
	if !takes("draws") {
		o.Draws = nil
	}
	if !takes("seed") {
		o.Seed = nil
	}
	if !takes("folds") {
		o.Folds = nil
	}
	if !takes("anticipation") {
		o.Anticipation = nil
	}
	if !takes("repeated-cross-sections") {
		o.RepeatedCrossSections = false
	}
	return o
}

// nothing is the error where no method answered.
func (c Choice) nothing() error {
	var why []string
	for _, m := range c.Methods {
		switch {
		case m.Refusal != "":
			why = append(why, m.Method+": "+m.Refusal)
		default:
			why = append(why, m.Method+": "+strings.Join(m.Reasons, " "))
		}
	}
	return &Error{Code: ErrColumns, Method: "all", Problem: "no method answers\n" + strings.Join(why, "\n")}
}
