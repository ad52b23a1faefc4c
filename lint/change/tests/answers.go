package tests

import "slices"

// asked collects the values with which each subject is compared.
func (f formula) asked(into map[string][]formula) {
	if f.op == "ask" {
		into[f.subject] = append(into[f.subject], f)
	}
	for _, part := range f.parts {
		part.asked(into)
	}
}

// answer is one value of a subject: a place on the line of the versions that
// are named, counted in halves, or one of the texts, or yes and no.
type answer struct {
	version []int
	between bool // just behind that version; before all of them if it is nil
	text    string
	yes     bool
}

// answers are the values of a subject that make a difference.
func answers(asked []formula) []answer {
	if !slices.ContainsFunc(asked, func(f formula) bool { return f.compare != "" }) {
		return []answer{{yes: true}, {}}
	}
	list := []answer{{text: "\x00", between: true}}
	for _, f := range asked {
		if f.compare == "" {
			continue
		}
		if f.value == nil {
			list = append(list, answer{text: f.text})
			continue
		}
		list = append(list, answer{version: f.value}, answer{version: f.value, between: true})
	}
	return list
}

// holds reports whether the formula holds where the subjects have these values.
func (f formula) holds(at map[string]answer) bool {
	switch f.op {
	case "always":
		return true
	case "or":
		return slices.ContainsFunc(f.parts, func(p formula) bool { return p.holds(at) })
	case "and":
		return !slices.ContainsFunc(f.parts, func(p formula) bool { return !p.holds(at) })
	case "not":
		return !f.parts[0].holds(at)
	case "ask":
		return f.answered(at[f.subject])
	}
	return false
}

func (f formula) answered(a answer) bool {
	if f.compare == "" {
		return a.yes
	}
	if f.value == nil {
		return (a.text == f.text && a.version == nil) == (f.compare == "==")
	}
	order := -1
	if a.version != nil {
		if order = slices.Compare(padded(a.version), padded(f.value)); order == 0 && a.between {
			order = 1
		}
	}
	switch f.compare {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// padded makes versions of one length, so that 22 is 22.0.
func padded(v []int) []int { return append(slices.Clone(v), make([]int, max(6-len(v), 0))...) }

// grows reports whether the second of two conditions holds wherever the first
// does, and elsewhere too.
func grows(old, now formula) bool {
	asked := map[string][]formula{}
	old.asked(asked)
	now.asked(asked)
	subjects := make([]string, 0, len(asked))
	cases := 1
	for subject, list := range asked {
		subjects = append(subjects, subject)
		if cases *= len(answers(list)); cases > maxCases {
			return false
		}
	}
	slices.Sort(subjects)
	more := false
	at := map[string]answer{}
	var each func(n int) bool
	each = func(n int) bool {
		if n == len(subjects) {
			before, after := old.holds(at), now.holds(at)
			more = more || after && !before
			return !before || after
		}
		for _, a := range answers(asked[subjects[n]]) {
			at[subjects[n]] = a
			if !each(n + 1) {
				return false
			}
		}
		return true
	}
	return each(0) && more
}
