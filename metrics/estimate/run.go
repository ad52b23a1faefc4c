package estimate

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics/did"
)

// method is one way to an answer.
type method struct {
	// name is the method's name; page is that of its page in docs/methods,
	// empty where it is the name.
	name, page string
	// takes are the optional columns and the options it takes.
	takes []string
	// aggregates are the values of --aggregate it takes.
	aggregates []string
	// repeats says that a unit may have several rows in a period in any case;
	// otherwise only with --repeated-cross-sections, where it takes that.
	repeats bool
	// run answers from a panel, tasks from rows without periods, of which lots
	// decided who was treated; either is nil where the method has no answer.
	run, tasks func(*task) error
}

// Names are the names of all methods, in the order of the manual.
func Names() []string { return did.MethodNames() }

// Page is the name of a method's page in docs/methods, without its ending.
func Page(name string) string {
	m, err := find(name)
	if err != nil {
		return ""
	}
	if m.page != "" {
		return m.page
	}
	return m.name
}

func find(name string) (method, error) {
	for _, m := range methods() {
		if m.name == name {
			return m, nil
		}
	}
	return method{}, refuse(ErrMethod, "there are: "+strings.Join(append(Names(), "all"), ", "), "there is no method %q", name)
}

// Run answers by one method, or by all that the design admits where name is
// "all". Refusals are an [*Error], a [*did.Error] or, where a line of the file
// is to blame, a [*ingest.LineError].
func Run(d *Data, name string, o Options) (*Answer, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if name == "all" {
		return all(d, o)
	}
	m, err := find(name)
	if err != nil {
		return nil, err
	}
	if err := m.refuses(append(d.columnSet(), o.given()...)); err != nil {
		return nil, err
	}
	j := judge(d, name)
	a := newAnswer(d, name)
	a.Choice.Role, a.Choice.Reasons, a.Choice.Headline, a.Choice.Design = j.of(name)
	if a.Choice.Role == did.Refused {
		for _, r := range a.Choice.Reasons {
			a.Warnings = append(a.Warnings, "this design speaks against "+name+": "+r)
		}
	}
	if err := m.answer(&task{d: d, o: o, a: a}); err != nil {
		return nil, err
	}
	return a, nil
}

func newAnswer(d *Data, name string) *Answer {
	return &Answer{
		Version: Version, Method: name, Results: []Result{}, N: d.counts(),
		Choice:   Choice{Reasons: []string{}, Options: map[string]any{}},
		Warnings: append([]string{}, d.notes...),
	}
}

// refuses is the error for the first option that the method does not take.
func (m method) refuses(given []string) error {
	for _, option := range given {
		if slices.Contains(m.takes, option) {
			continue
		}
		var others []string
		for _, other := range methods() {
			if slices.Contains(other.takes, option) {
				others = append(others, other.name)
			}
		}
		e := refuse(ErrOption, fmt.Sprintf("--%s is taken by %s", option, list(others)), "does not take --%s", option)
		e.Method = m.name
		return e
	}
	return nil
}

// answer runs the method once what it needs of the data is there.
func (m method) answer(t *task) error {
	if how := t.o.Aggregate; how != "" && !slices.Contains(m.aggregates, how) {
		return by(m.name, refuse(ErrOption, "give "+either(m.aggregates), "does not aggregate by %s", how))
	}
	run := m.run
	if t.d.tasks() {
		run = m.tasks
		if run == nil {
			return by(m.name, refuse(ErrColumns, "name them with --unit COL and --time COL", "the columns of the unit and the period are needed"))
		}
	} else if err := m.needs(t); err != nil {
		return by(m.name, err)
	}
	if err := run(t); err != nil {
		return by(m.name, t.d.relabelled(err))
	}
	if _, took := t.a.Choice.Options["draws"]; t.o.Draws != nil && !took {
		t.warn("--draws %d was not needed: nothing was drawn at random", *t.o.Draws)
	}
	t.explain()
	return nil
}

// needs holds a panel to what the method needs of it.
func (m method) needs(t *task) error {
	switch {
	case m.name == byLot:
		return nil
	case t.d.ends != nil:
		return t.d.ends
	case m.repeats || t.o.RepeatedCrossSections:
		return nil
	}
	return t.d.checkCells()
}
